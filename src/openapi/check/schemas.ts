/** Checks of Schema Objects: what their keywords say of each other, and whether defaults and examples are valid. */
import type { Schema } from '../document/model.ts'
import { getEntries, getInnerSchemas, toObject } from '../document/references.ts'
import { didYouMean, formatViolations } from '../schema/violations.ts'
import type { Place } from './place.ts'

export function checkSchema(schema: Schema | boolean, place: Place): void {
  if (typeof schema === 'boolean') return
  checkRequired(schema, place)
  if ('default' in schema) checkValue('default', schema.default, schema, place.at('default'))
  checkExamples({ ...schema, schema }, place)
}

/** What is required and not allowed is probably misspelled. */
function checkRequired(
  { required = [], properties = {}, additionalProperties, ...others }: Schema,
  place: Place,
): void {
  if (additionalProperties !== false || 'patternProperties' in others) return
  for (const [index, name] of required.entries()) {
    if (Object.hasOwn(properties, name)) continue
    const advice = `${didYouMean(name, Object.keys(properties))}; add it to the properties or correct it`
    place.at('required', index).report(`"${name}" is required but not allowed${advice}`)
  }
}

/** Far from where what works on schemas within schemas would overflow the stack. */
const MAX_DEPTH = 400

/** Finds the first schema with more levels of schemas within it, also behind references, than can be compiled. */
export function checkDepth(schemas: Readonly<Record<string, Schema>>, place: Place): void {
  const heights = new Map<Schema, number>()
  const measure = (schema: Schema, depth: number): number => {
    const known = heights.get(schema)
    if (depth + (known ?? 0) > MAX_DEPTH) return Infinity
    if (known !== undefined) return known
    heights.set(schema, 0)
    const inner = getInnerSchemas(place.root, schema).map((each) => 1 + measure(each, depth + 1))
    const height = Math.max(0, ...inner)
    heights.set(schema, height)
    return height
  }
  const first = Object.entries(schemas).find(([, schema]) => measure(schema, 0) > MAX_DEPTH)
  if (first === undefined) return
  place.at(first[0]).report(`schemas are nested, or refer to each other, deeper than ${MAX_DEPTH} levels; use fewer`)
}

/** An object that has examples: as values, like a schema, or as objects with a value. */
interface WithExamples {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: readonly unknown[] | Readonly<Record<string, { readonly value: unknown }>>
}

export function checkExamples({ schema, examples, ...others }: WithExamples, place: Place): void {
  if ('example' in others) checkValue('example', others.example, schema, place.at('example'))
  for (const [key, each] of getEntries(examples)) {
    const at = place.at('examples', key)
    if (Array.isArray(examples)) checkValue('example', each, schema, at)
    else checkValue('example', toObject(each).value, schema, at.at('value'))
  }
}

/** Checks that a value of the document is valid against its schema. */
function checkValue(name: 'default' | 'example', value: unknown, schema: Schema, place: Place): void {
  try {
    const [violation] = formatViolations(name, place.compile(schema)(structuredClone(value)))
    if (violation === undefined) return
    place.report(`the ${name} is not valid against its schema: ${violation}; change one of them`)
  } catch (error) {
    // Filling in a default has no end, in examples too; or else the cause is in a schema, where it is reported.
    if (error instanceof RangeError && name === 'default')
      place.report('the default is recursive; remove one of its properties')
  }
}
