/** Parses the texts of parameters by their `style` and `explode` (OpenAPI 3.1, Style Values). */
import { DEFAULT_MAX_DEPTH } from '../document/operations.ts'
import type { Parameter } from '../document/parameters.ts'
import { memoize } from '../document/values.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import type { SchemaView } from '../schema/view.ts'
import { parseJson } from '../shared/parse-json.ts'
import type { FieldParser, SentField } from './field-parsers.ts'
import { decodePercent, splitField } from './sent-fields.ts'
import { createScalarParser, createValuesParser, type TextParser } from './text-values.ts'

/** True if each item or member of a value is a field. */
export function isExploded({ style, explode }: Parameter): boolean {
  return style === 'deepObject' || (style === 'form' && explode)
}

/** True for an object in a query whose members are fields: `?a=1&b=2`, or `?owner[a]=1`. */
export function isExplodedObject(parameter: Parameter, view: SchemaView): boolean {
  const isSentByMembers = isExploded(parameter) && !parameter.isJson
  return parameter.in === 'query' && isSentByMembers && view.mentionedTypes.includes('object')
}

/**
 * Creates the parser of a parameter by its style (OpenAPI 3.1, Style Values; RFC 6570):
 *
 * | style             | explode | `p: 1` | `p: [1, 2]`      | `p: { r: 1, g: 2 }`            |
 * |-------------------|---------|--------|------------------|--------------------------------|
 * | `form`            | true    | `?p=1` | `?p=1&p=2`       | `?r=1&g=2` (by members)        |
 * | `form`            | false   | `?p=1` | `?p=1,2`         | `?p=r,1,g,2`                   |
 * | `spaceDelimited`  | false   | `?p=1` | `?p=1%202`       | `?p=r%201%20g%202`             |
 * | `pipeDelimited`   | false   | `?p=1` | `?p=1%7C2`       | `?p=r%7C1%7Cg%7C2`             |
 * | `deepObject`      | any     |        |                  | `?p[r]=1&p[g]=2` (by members)  |
 * | `simple`          | false   | `/1`   | `/1,2`           | `/r,1,g,2`                     |
 * | `simple`          | true    | `/1`   | `/1,2`           | `/r=1,g=2`                     |
 * | `content` of JSON |         | `?p=1` | `?p=%5B1%2C2%5D` | `?p=%7B%22r%22…`               |
 *
 * A path and a header (`P: 1,2`) have `simple`, a query the others, and a cookie `form`. Objects that are sent by members have no parser:
 * each member has one (`createMemberParsers`).
 */
export function createParameterParser(parameter: Parameter, view: SchemaView, compile: SchemaCompiler): FieldParser {
  const { in: location, isJson } = parameter
  // Headers have no percent-encoding, and Fastify has decoded scalar path parameters.
  const isEncoded = location !== 'header' && !(location === 'path' && view.isScalar)
  const decode = isEncoded ? decodePercent : (text: string) => text
  if (isJson) {
    const parse = ([text = '']: readonly string[]) => parseJson(Buffer.from(decode(text)), DEFAULT_MAX_DEPTH)
    return { isRepeatable: false, parse }
  }
  const createDecodingParser = (value: SchemaView): TextParser => {
    const parseScalar = createScalarParser(value, compile)
    return (text) => parseScalar(decode(text))
  }
  if (isExploded(parameter)) return createValuesParser(view, compile, createDecodingParser)

  // The whole value is one text.
  const split = createSplit(parameter)
  const toMembers = createToMembers(parameter, split, decode)
  const createValueParser = (value: SchemaView): TextParser =>
    value.mentionedTypes.includes('object')
      ? createObjectParser(value, toMembers, createDecodingParser)
      : createDecodingParser(value)
  const parser = createValuesParser(view, compile, createValueParser, split)
  if (location !== 'header' || view.isScalar) return { ...parser, isRepeatable: false }
  // A list may be sent in several field lines, which mean the same as one with commas (RFC 9110, section 5.3).
  return { isRepeatable: true, parse: (texts) => parser.parse([texts.join()]) }
}

/** Creates the function that splits a text as it was sent: a separator within a value is encoded. */
function createSplit({ in: location, style }: Parameter): (text: string) => string[] {
  // Many clients send the bar as it is.
  const separator = style === 'pipeDelimited' ? /%7C|\|/i : (SEPARATORS[style] ?? ',')
  if (location !== 'header') return (text) => text.split(separator)
  // Empty elements of a header do not count (RFC 9110, section 5.6.1).
  return (text) =>
    text
      .split(separator)
      .map((piece) => piece.trim())
      .filter((piece) => piece !== '')
}

/**
 * Creates the function that divides the text of an object, `r,1,g,2` or exploded `r=1,g=2`, into decoded names and texts. The function
 * returns undefined for a text that is no object.
 */
function createToMembers({ explode }: Parameter, split: (text: string) => string[], decode: (text: string) => string) {
  const pairPieces = explode ? splitExplodedMembers : pairMembers
  return (text: string): readonly SentField[] | undefined => {
    const members = pairPieces(split(text))?.map(([name, memberText]) => [decode(name), memberText] as const)
    const names = new Set(members?.map(([name]) => name))
    return names.size === members?.length ? members : undefined
  }
}

/** Creates the parser of an object that is sent as one text. */
function createObjectParser(
  view: SchemaView,
  toMembers: ReturnType<typeof createToMembers>,
  createDecodingParser: (view: SchemaView) => TextParser,
): TextParser {
  const getMemberParser = memoize(createDecodingParser)
  const parseScalar = createDecodingParser(view)
  return (text) => {
    const members = toMembers(text)
    // Parse a text that is no object as another type: validation then reports the type.
    if (members === undefined) return parseScalar(text)
    return Object.fromEntries(
      members.map(([name, memberText]) => [name, getMemberParser(view.property(name))(memberText)]),
    )
  }
}

/** Splits `r=1`, `g=2` into names and texts; returns undefined if a piece is not `name=text`. */
function splitExplodedMembers(pieces: readonly string[]): readonly SentField[] | undefined {
  return pieces.every((piece) => piece.includes('=')) ? pieces.map(splitField) : undefined
}

/** Puts `r`, `1`, `g`, `2` into names and texts; returns undefined if the last name has no text. */
function pairMembers(pieces: readonly string[]): readonly SentField[] | undefined {
  if (pieces.length % 2 !== 0) return undefined
  return pieces.flatMap((name, index) => (index % 2 === 0 ? [[name, pieces[index + 1] as string] as const] : []))
}

/** Separators by style, as the layer writes them in URLs; other styles have commas. */
export const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' }
