/**
 * Texts in paths, queries, headers and cookies. The type in the schema says how a text is parsed, and each value has one
 * spelling: nothing is trimmed, rounded or guessed.
 */
import type { IncomingMessage } from 'node:http'
import { TextError } from '../shared/errors.ts'
import { getFieldValues } from '../shared/http.ts'
import { MAX_DIGITS, type SchemaType } from '../shared/json.ts'
import { parseJson } from '../shared/parse-json.ts'
import type { SentField } from './field-parsers.ts'

/** JSON's own grammar (RFC 8259, section 6), with one spelling of zero: no plus sign, no leading zeros, no other notation. */
const INTEGER = /^(?:0|-?[1-9][0-9]*)$/
const NUMBER = /^(?!-0$)-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

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

/** Parses the query of a request; undefined for a malformed percent-encoding. */
export function parseQuery({ url = '' }: IncomingMessage): readonly SentField[] | undefined {
  const start = url.indexOf('?')
  return start < 0 ? [] : parseUrlEncoded(url.slice(start + 1))
}

/**
 * Parses `application/x-www-form-urlencoded` (URL Standard), whose texts keep their percent-encoding. Returns undefined if a
 * percent-encoding is malformed or not UTF-8.
 */
export function parseUrlEncoded(text: string): readonly SentField[] | undefined {
  try {
    // Also checks the values.
    decodePercent(text)
    return text
      .replaceAll('+', '%20')
      .split('&')
      .filter((field) => field !== '')
      .map(splitField)
      .map(([name, value]) => [decodePercent(name), value])
  } catch {
    return undefined
  }
}

/** Parses `Cookie` (RFC 6265, section 5.4). */
export function parseCookies(request: IncomingMessage): readonly SentField[] {
  const cookies = getFieldValues(request, 'cookie').flatMap((value) => value.split(';'))
  return cookies.map(splitField).map(([name, text]) => [name.trim(), text.trim()])
}

/** Splits `name=text` at the first equals sign; without one, the text is empty. */
export function splitField(field: string): SentField {
  const end = field.indexOf('=')
  return end < 0 ? [field, ''] : [field.slice(0, end), field.slice(end + 1)]
}

/** Decodes a percent-encoding (RFC 3986, section 2.1). Throws a TextError if it is malformed or not UTF-8. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw new TextError('has a malformed percent-encoding', 'encoding')
  }
}
