/** The shapes of schemas: what of them the generated types depend on. Digests are made of shapes. */
import type { Schema } from '../document/model.ts'
import { mapSubschemas } from '../document/subschemas.ts'
import type { SchemaViews } from '../schema/selection.ts'
import type { SchemaView } from '../schema/view.ts'

/**
 * The keywords by which other schemas describe the same value or property. These schemas may have a default, or make a default invalid,
 * so that it has no effect.
 */
const COMBINING = /^(\$ref|allOf|anyOf|oneOf|then|else|dependentSchemas|patternProperties)$/

/**
 * The keywords that no type depends on. If a keyword is missing here, a change of it makes types stale that need not be generated
 * again. Defaults are described by `describeDefaults`.
 */
const KEYWORDS_WITHOUT_TYPE: ReadonlySet<string> = new Set(
  `title description deprecated example examples externalDocs xml $comment $schema $defs default discriminator not contains contentSchema
  minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern propertyNames dependentRequired
  maxItems uniqueItems minContains maxContains minProperties maxProperties`.split(/\s+/),
)

/** Creates the function that returns the shape of a schema. It calls `onReference` for each `$ref` in the shape. */
export function createToShape(views: SchemaViews, onReference: ($ref: string) => void): (schema: Schema) => object {
  return function toShape(schema) {
    const shape: Record<string, unknown> = {}
    let mayHaveDefaults = false
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'default' || COMBINING.test(keyword)) mayHaveDefaults = true
      if (affectsType(keyword, value, schema)) shape[keyword] = value
    }
    if (schema.$ref !== undefined) onReference(schema.$ref)
    return { ...mapSubschemas(shape, toShape), ...(mayHaveDefaults && describeDefaults(views, views.get(schema))) }
  }
}

/** True if the generated type depends on a keyword. */
function affectsType(keyword: string, value: unknown, schema: Schema): boolean {
  if (keyword === 'format') return /^(u?int64|binary)$/.test(String(value))
  if (keyword === 'minItems') return 'prefixItems' in schema
  // Of the extensions, the types have the values of one.
  if (keyword.startsWith('x-')) return keyword === 'x-extensible-enum'
  return !KEYWORDS_WITHOUT_TYPE.has(keyword)
}

/** Tells whether a value has a default, and which properties have one. */
function describeDefaults(views: SchemaViews, view: SchemaView) {
  const hasDefault = (memberView: SchemaView) => views.getDefault(memberView) !== undefined
  return {
    default: hasDefault(view),
    filledIn: [...view.propertyNames].filter((name) => hasDefault(view.property(name))),
  }
}
