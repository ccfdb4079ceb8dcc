/**
 * The values that texts stand for, in parameters, forms and bodies of text. A text is parsed by the types of its schema before it is known
 * which branches it satisfies, so all branches of a view count. Nothing is trimmed, rounded or guessed.
 */
import type { SchemaCompiler, Validate } from '../schema/compiler.ts'
import type { SchemaView } from '../schema/view.ts'
import { TextError } from '../shared/errors.ts'
import { MAX_DIGITS, type SchemaType } from '../shared/json.ts'
import { parseJson } from '../shared/parse-json.ts'
import type { FieldParser } from './field-parsers.ts'

/** Returns the views of what one name of a form or query stands for: the items of an array, or the value itself. */
export function getFieldViews(view: SchemaView): readonly SchemaView[] {
  return view.mentionedTypes.includes('array') ? view.items : [view]
}

/** Parses one text. Throws a TextError for a malformed text. */
export type TextParser = (text: string) => unknown

/** Creates the parser of one text, or in a form, of one text or file: the value itself, or an item of an array. */
type CreateValueParser<Value> = (view: SchemaView, isItem: boolean) => (value: Value) => unknown

/**
 * Creates the parser of the values that are sent by one name. `split` divides a text into the texts of items. One text of an array or scalar
 * is the scalar, if the scalar is valid:
 *
 * | schema                    | `p=1`                    | `p=1&p=2`             | `p=1,2`, if commas separate items |
 * |---------------------------|--------------------------|-----------------------|-----------------------------------|
 * | `type: integer`           | 1                        | (may not be repeated) | "1,2" (validation rejects it)     |
 * | `type: array` of integers | [1]                      | [1, 2]                | [1, 2]                            |
 * | `type: [array, integer]`  | 1; [1] if 1 is not valid | [1, 2]                | [1, 2]                            |
 */
export function createValuesParser<Value>(
  view: SchemaView,
  compile: SchemaCompiler,
  createValueParser: CreateValueParser<Value>,
  split = (value: Value) => [value],
): FieldParser<Value> {
  const { mentionedTypes } = view
  const parseValue = createValueParser(view, false)
  if (!mentionedTypes.includes('array')) return { isRepeatable: false, parse: ([value]) => parseValue(value as Value) }
  const itemParsers = view.items.map((item) => createValueParser(item, true))
  // The last view is for all further items.
  const parseItem = (item: Value, index: number) => itemParsers[Math.min(index, itemParsers.length - 1)]?.(item)
  const parseItems = (items: readonly Value[]): unknown => items.map(parseItem)
  const isAlwaysArray = mentionedTypes.every((type) => type === 'array' || type === 'null')
  const parse = isAlwaysArray ? parseItems : preferScalar(parseValue, parseItems, compile(view.schema, 'request'))
  return { isRepeatable: true, parse: (values) => parse(values.flatMap(split)) }
}

/** Creates the parser of the items of an array or scalar. One item is the scalar, if the scalar is valid. */
function preferScalar<Value>(
  parseScalar: (value: Value) => unknown,
  parseItems: (items: readonly Value[]) => unknown,
  validate: Validate,
): (items: readonly Value[]) => unknown {
  return (items) => {
    if (items.length !== 1) return parseItems(items)
    try {
      const scalar = parseScalar(items[0] as Value)
      if ('value' in validate(scalar)) return scalar
    } catch (error) {
      if (!(error instanceof TextError)) throw error
    }
    return parseItems(items)
  }
}

/** The types whose texts are parsed, in the order in which they are tried. */
const PARSED_TYPES = ['integer', 'number', 'boolean'] as const

/**
 * Creates the parser of one value. It tries the parsed types in turn, and takes the first with which the value is valid. Otherwise,
 * the value is the text.
 */
export function createScalarParser(view: SchemaView, compile: SchemaCompiler): TextParser {
  const { mentionedTypes } = view
  // The text of an integer is also parsed as a number.
  const parsedTypes = PARSED_TYPES.filter(
    (type) => mentionedTypes.includes(type) && !(type === 'integer' && mentionedTypes.includes('number')),
  )
  const [firstType] = parsedTypes
  if (firstType === undefined) return (text) => text
  if (parsedTypes.length === 1 && !mentionedTypes.includes('string')) return (text) => parseText(text, firstType)
  const validate = compile(view.schema, 'request')
  return (text) => {
    const values = parsedTypes.map((type) => parseText(text, type))
    return values.find((value) => value !== text && 'value' in validate(value)) ?? text
  }
}

/** JSON's own grammar (RFC 8259, section 6), without a plus sign, leading zeros and other notations. An integer has one spelling. */
const INTEGER = /^(?:0|-?[1-9][0-9]*)$/
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/**
 * Parses a text as a value of a type: a string, a boolean, a number, or a bigint for an integer that a number does not hold
 * exactly. A text of another type is returned as it is, so that the validator rejects it.
 */
export function parseText(text: string, type: SchemaType): unknown {
  switch (type) {
    case 'integer':
      if (!INTEGER.test(text) || text.length > MAX_DIGITS) return text
      return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
    case 'number':
      if (INTEGER.test(text) && text.length <= MAX_DIGITS) return parseText(text, 'integer')
      return NUMBER.test(text) ? parseNumber(text) : text
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text
    default:
      return text
  }
}

/** Returns the number that a text is in JSON; the text itself, such as `9007199254740992.5`, if no number holds it exactly. */
function parseNumber(text: string): unknown {
  try {
    return parseJson(Buffer.from(text))
  } catch {
    return text
  }
}
