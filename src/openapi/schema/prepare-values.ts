/** Prepares the keywords without subschemas for Ajv: see prepare.ts. */
import { getTypes } from '../document/subschemas.ts'
import { mapValues } from '../document/values.ts'
import { NUMBER_FORMATS } from './formats.ts'
import type { ValueType } from './keywords.ts'
import type { PrepareKeywords } from './preparation.ts'
import { isBinary } from './types.ts'

/** The keywords without subschemas that Ajv, or a keyword of ours with the same name, reads as OpenAPI means them. */
const LIMITS = [
  ...['const', 'enum', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
]

/** Copies the limits, and the description, which explains a pattern in messages. `textLimit` is for `pattern` and `format`. */
export const prepareLimits: PrepareKeywords = (schema, { maxLength }) => {
  const isCopied = (keyword: string) => keyword === 'description' || LIMITS.includes(keyword)
  const limits = Object.fromEntries(Object.entries(schema).filter(([keyword]) => isCopied(keyword)))
  const hasTextTest = 'pattern' in limits || 'format' in limits
  return { keywords: { ...limits, textLimit: hasTextTest ? maxLength : undefined } }
}

/**
 * Prepares `type`. For bytes and numbers, our keywords replace it, because Ajv knows neither files nor bigints:
 *
 * | schema                                           | what Ajv gets                                        |
 * |--------------------------------------------------|------------------------------------------------------|
 * | `{ type: string, format: binary, maxLength: 9 }` | `valueType`, which allows files, and `maxBytes`      |
 * | `{ type: [integer, "null"], format: int64 }`     | `valueType` with the types and the format            |
 * | `{ format: int64 }`                              | `valueType` with the format: any other type is valid |
 * | `{ type: [string, "null"] }`                     | `type`                                               |
 */
export const prepareType: PrepareKeywords = (schema, _context, { views: { int64 } }) => {
  const { format, minLength, maxLength } = schema
  const types = schema.type === undefined ? undefined : getTypes(schema)
  const isBytes = isBinary(schema) && types?.includes('string') !== false
  if (isBytes) {
    const valueType: ValueType = { types, allowsFiles: true }
    return { keywords: { valueType, minBytes: minLength, maxBytes: maxLength } }
  }
  const isNumber = types?.some((type) => type === 'number' || type === 'integer') ?? NUMBER_FORMATS.has(format)
  if (isNumber) return { keywords: { valueType: { types, format, int64 } satisfies ValueType } }
  return { keywords: { type: schema.type } }
}

/** Prepares `required` and `dependentRequired`: they must not demand what messages in the direction lack. */
export const prepareRequired: PrepareKeywords = ({ required, dependentRequired }, { hiddenNames }) => {
  const omitHidden = (names: readonly string[]) => names.filter((name) => !hiddenNames.includes(name))
  return {
    keywords: {
      required: required && omitHidden(required),
      dependentRequired: dependentRequired && mapValues(dependentRequired, omitHidden),
    },
  }
}
