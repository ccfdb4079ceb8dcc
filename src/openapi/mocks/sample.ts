/** Makes values of schemas by openapi-sampler. */
import { sample } from 'openapi-sampler'
import type { OpenApi, Schema } from '../document/model.ts'
import { getReferences } from '../document/references.ts'
import { isObject } from '../shared/json.ts'

/** The most parts of a made value, counted with the characters of its texts. */
const MAX_SIZE = 10_000

/** The schema of a value, with the keywords that openapi-sampler repeats as they are. */
export type ExemplifiedSchema = Schema & { readonly example?: unknown; readonly examples?: readonly unknown[] }

/** A value that is made of a schema, and what is sent of it: with `asXml` the text of the body, otherwise the value. */
interface Sample {
  readonly value: unknown
  readonly written: unknown
}

/**
 * Makes values of a schema for a response: one with all members, and one with the required members alone. They may violate keywords
 * that openapi-sampler does not know.
 */
export function* sampleSchema(root: OpenApi, schema: Schema, { asXml = false } = {}): Generator<Sample> {
  for (const skipNonRequired of [false, true]) {
    const options = { skipNonRequired, skipWriteOnly: true, quiet: true }
    try {
      if (!isSmall(root, schema, skipNonRequired)) continue
      const value = sample(schema as object, options, root)
      yield { value, written: asXml ? sample(schema as object, { ...options, format: 'xml' }, root) : value }
    } catch {
      // openapi-sampler fails for minimums that are bigints, and for schemas that are nested too deep.
    }
  }
}

/**
 * True if openapi-sampler makes a value of at most MAX_SIZE. It is asked before, because openapi-sampler repeats an item `minItems`
 * times, and a component each time that a schema refers to it.
 */
function isSmall(root: OpenApi, schema: Schema, skipNonRequired: boolean): boolean {
  const openReferences = new Set<string>()
  let size = 0

  /** Adds the size of `count` values of a schema to `size`. Follows the schemas that openapi-sampler follows. */
  function add(schema: ExemplifiedSchema, count: number): void {
    const { $ref, minLength = 1, minItems = 1 } = schema
    size += count * Math.max(minLength, 1)
    if (size > MAX_SIZE) return
    if ($ref !== undefined && !openReferences.has($ref)) {
      openReferences.add($ref)
      addAll([getReferences(root).getTarget($ref)], count)
      openReferences.delete($ref)
    }
    if (hasValue(schema)) return
    addAll([...(schema.allOf ?? []), schema.oneOf?.[0], schema.anyOf?.[0], schema.if, schema.then], count)
    const { additionalProperties, items, contains, prefixItems = [], properties = {}, required = [] } = schema
    const names = Object.keys(properties).filter((name) => !skipNonRequired || required.includes(name))
    // openapi-sampler makes two members of `additionalProperties`.
    addAll([...names.map((name) => properties[name]), additionalProperties, additionalProperties], count)
    addAll(prefixItems, count)
    addAll([items ?? contains], count * Math.max(minItems, 1))
  }

  function addAll(schemas: readonly (Schema | boolean | undefined)[], count: number): void {
    for (const schema of schemas) if (isObject(schema)) add(schema, count)
  }

  add(schema, 1)
  return size <= MAX_SIZE
}

/** True if a schema has a value that openapi-sampler takes as it is. */
function hasValue(schema: ExemplifiedSchema): boolean {
  const { example, examples = [], enum: listed = [] } = schema
  const values = [example, ...examples, ...listed, schema.const, schema.default]
  return values.some((value) => value !== undefined)
}
