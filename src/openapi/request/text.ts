/**
 * Values in paths, queries and headers, which are text. The type in the schema says how a text is read, and each value has
 * one spelling: nothing is trimmed, rounded or guessed.
 */
import type { IncomingMessage } from 'node:http'
import type { SchemaType } from '../document/model.ts'

/** Names and values as text, in the order of the request; `raw` is the text still percent-encoded. */
export type TextPairs = readonly (readonly [name: string, text: string, raw?: string | undefined])[]

/** JSON's own grammar (RFC 8259, section 6), with one spelling of zero: no plus sign, no leading zeros, no other notation. */
const INTEGER = /^(?:0|-?[1-9][0-9]*)$/
const NUMBER = /^(?!-0$)-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/** Integers of 64 bits have up to 19 digits; much longer ones are refused without computing them. */
const MAX_DIGITS = 40

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
      return NUMBER.test(text) ? Number(text) : text
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text
    default:
      return text
  }
}

/** Returns the query of a request target as it was sent, without the question mark; an empty text if there is none. */
export function getQuery(url = ''): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

/**
 * Splits a query into decoded names and values (URL Standard, application/x-www-form-urlencoded). Returns undefined if a
 * percent-encoding is malformed or not UTF-8.
 */
export function parseQuery(query: string): TextPairs | undefined {
  if (query === '') return []
  try {
    // It throws where URLSearchParams would use U+FFFD.
    decodeURIComponent(query)
  } catch {
    return undefined
  }
  return [...new URLSearchParams(`?${query}`)]
}

/** Like `parseQuery`, with the texts as they were sent, in which a blank may be a plus sign. */
export function parseRawQuery(query: string): TextPairs | undefined {
  const raw = query.split('&').filter((pair) => pair !== '')
  return parseQuery(query)?.map(([name, text], index) => {
    return [
      name,
      text,
      String(raw[index])
        .replace(/^[^=]*=?/, '')
        .replaceAll('+', '%20'),
    ]
  })
}

/** Splits `Cookie` into names and values, as they were sent (RFC 6265, section 5.4). */
export function parseCookies(request: IncomingMessage): [name: string, raw: string][] {
  const pairs = getFieldValues(request, 'cookie').flatMap((field) => field.split(';'))
  return pairs.map((pair) => {
    const [name = '', ...rest] = pair.split('=')
    return [name.trim(), rest.join('=').trim()]
  })
}

/**
 * Returns the values of a header field, one for each time it was sent: Node keeps only the first of some fields, and joins
 * others. `name` is in lower case.
 */
export function getFieldValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const field = rawHeaders[index]
    if (field?.length === name.length && field.toLowerCase() === name) values.push(String(rawHeaders[index + 1]))
  }
  return values
}
