/**
 * Values in paths, queries and headers, which are texts. The type in the schema says how a text is read, and each value has
 * one spelling: nothing is trimmed, rounded or guessed.
 */
import type { IncomingMessage } from 'node:http'
import { TextError } from '../shared/errors.ts'
import { getFieldValues } from '../shared/http.ts'
import { MAX_DIGITS, parseJson, type SchemaType } from '../shared/json.ts'

/** Names and texts in the order of the request; the texts as they were sent, with their percent-encoding. */
export type TextPairs = readonly (readonly [name: string, text: string])[]

/** JSON's own grammar (RFC 8259, section 6), with one spelling of zero: no plus sign, no leading zeros, no other notation. */
const INTEGER = /^(?:0|-?[1-9][0-9]*)$/
const NUMBER = /^(?!-0$)-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/**
 * Reads a text as a value of a type: a string, a boolean, a number, or a bigint for an integer that a number does not hold
 * exactly. A text of another type is returned as it is, so that the validator rejects it.
 */
export function parseText(text: string, type: SchemaType): unknown {
  switch (type) {
    case 'integer':
      if (!INTEGER.test(text) || text.length > MAX_DIGITS) return text
      return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
    case 'number':
      if (INTEGER.test(text) && text.length <= MAX_DIGITS) return parseText(text, 'integer')
      return NUMBER.test(text) ? readNumber(text) : text
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text
    default:
      return text
  }
}

/** Returns the number that a text is in JSON; the text itself, such as `9007199254740992.5`, if `parseJson` would round it to an integer. */
function readNumber(text: string): unknown {
  try {
    return parseJson(Buffer.from(text))
  } catch {
    return text
  }
}

/** Returns the query of a request target as it was sent, without the question mark; an empty text if there is none. */
export function getQuery(url = ''): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

/**
 * Splits a query or form into names and texts (URL Standard, application/x-www-form-urlencoded). Returns undefined if a
 * percent-encoding is malformed or not UTF-8.
 */
export function parseQuery(query: string): TextPairs | undefined {
  if (query === '') return []
  try {
    decode(query)
  } catch {
    return undefined
  }
  const pairs = query.replaceAll('+', '%20').split('&')
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name, text] = splitPair(pair)
      return [decode(name), text]
    })
}

/** Splits `Cookie` into names and texts (RFC 6265, section 5.4). */
export function parseCookies(request: IncomingMessage): TextPairs {
  const pairs = getFieldValues(request, 'cookie').flatMap((field) => field.split(';'))
  return pairs.map(splitPair).map(([name, text]) => [name.trim(), text.trim()])
}

/** Splits `name=text` at the first equals sign; without one, the text is empty. */
export function splitPair(pair: string): [name: string, text: string] {
  const end = pair.indexOf('=')
  return end < 0 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)]
}

/** Decodes a percent-encoding (RFC 3986, section 2.1). Throws a TextError if it is malformed or not UTF-8. */
export function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw new TextError('has a malformed percent-encoding', 'encoding')
  }
}
