/**
 * Values that travel as text, in paths, queries and headers. What a text stands for follows from the type in the
 * schema, and there is one way to write it: nothing is trimmed, rounded or guessed.
 */
import type { SchemaType } from '../model.ts'

/** JSON's own grammar (RFC 8259, section 6): no plus sign, no leading zeros, no other notation. */
const INTEGER = /^-?(?:0|[1-9][0-9]*)$/
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/** The longest integers of 64 bits have 19 digits; far longer ones need not be computed to be refused. */
const MAX_DIGITS = 40

/**
 * The value of a type that the text stands for: a string, a boolean, a number, or a bigint where a number would not be
 * the integer that is written. A text that stands for none is returned as it is, for the validator to refuse.
 */
export function readText(text: string, type: SchemaType): unknown {
  switch (type) {
    case 'integer':
      return INTEGER.test(text) && text.length <= MAX_DIGITS ? readInteger(text) : text
    case 'number':
      return NUMBER.test(text) ? Number(text) : text
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text
    default:
      return text
  }
}

function readInteger(text: string): number | bigint {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

/**
 * The names and values of a query, decoded, in their order (URL Standard, application/x-www-form-urlencoded); undefined
 * where an escape is malformed or does not give UTF-8.
 */
export function readQuery(query: string): (readonly [string, string])[] | undefined {
  const pairs = query.split('&').filter((pair) => pair !== '')
  try {
    return pairs.map((pair) => {
      const [name = '', ...rest] = pair.split('=')
      return [decode(name), decode(rest.join('='))]
    })
  } catch {
    return undefined
  }
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}
