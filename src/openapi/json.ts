/**
 * JSON, read strictly (RFC 8259, RFC 7493) and without loss, and the types of its values. JSON.parse drops the first of two
 * members with the same name, and rounds numbers above 2^53; here the former is an error, and the latter are kept.
 */
import jsonc, { type JSONVisitor } from 'jsonc-parser'
import { HttpError } from '../errors.ts'
import type { SchemaType } from './document/model.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

declare global {
  interface JSON {
    /** A value that `JSON.stringify` writes as this text (https://tc39.es/proposal-json-parse-with-source). */
    rawJSON(text: string): object
  }
}

/**
 * Reads a JSON text. Integers that a number does not hold exactly become bigint.
 * Throws a 400 for the first mistake: bytes that are not UTF-8; too many levels, for each of which the visitor recurses; a
 * number that cannot be kept exactly; or, with its place, a syntax error, a member that an object has twice, or half of a
 * surrogate pair in a name or a text (RFC 7493, section 2.1).
 */
export function parseJson(bytes: Uint8Array, maxDepth = Infinity): unknown {
  const text = decodeUtf8(bytes)
  const all: unknown[] = []
  /** The arrays and objects around the current place, the innermost last; `all` gets the value of the text. */
  const open: (unknown[] | Record<string, unknown>)[] = [all]
  let name = ''
  const report = (what: string, line: number, column: number) => {
    throw malformedJson(`body ${what} at line ${line + 1}, column ${column + 1}`)
  }
  const checkPairs = (value: string, line: number, column: number) => {
    if (!value.isWellFormed()) report('has half of a surrogate pair', line, column)
  }
  const add = (value: unknown) => {
    const owner = open.at(-1)
    if (Array.isArray(owner)) owner.push(value)
    else if (owner !== undefined) setMember(owner, name, value)
  }
  const enter = (value: unknown[] | Record<string, unknown>) => {
    add(value)
    if (open.push(value) > maxDepth + 1) throw malformedJson(`body is nested deeper than ${maxDepth} levels`)
  }
  const leave = () => void open.pop()
  const visitor: JSONVisitor = {
    onError: (code, _offset, _length, line, column) => {
      const problem = jsonc.printParseErrorCode(code).replaceAll(/\B[A-Z]/g, (letter) => ` ${letter}`)
      report(`is not JSON: ${problem.toLowerCase()}`, line, column)
    },
    onArrayBegin: () => enter([]),
    onArrayEnd: leave,
    onObjectBegin: () => enter({}),
    onObjectEnd: leave,
    onObjectProperty: (own, _offset, _length, line, column) => {
      checkPairs(own, line, column)
      const owner = open.at(-1)
      if (owner !== undefined && Object.hasOwn(owner, own))
        report(`has ${JSON.stringify(shorten(own))} twice in one object,`, line, column)
      name = own
    },
    onLiteralValue: (value, offset, length, line, column) => {
      if (typeof value === 'string') checkPairs(value, line, column)
      add(typeof value === 'number' ? toExact(value, text.slice(offset, offset + length)) : value)
    },
  }
  jsonc.visit(text, visitor, { disallowComments: true })
  return all[0]
}

/** Sets a member of an object; an assignment to `__proto__` would set the prototype. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { configurable: true, enumerable: true, writable: true, value })
}

/**
 * Returns a bigint where a number would not be the integer that is written, in any notation (RFC 8259, section 6). A number
 * with a fraction is the nearest one; if that is an integer, as for an integer too large for any number, it is refused.
 */
function toExact(value: number, source: string): number | bigint {
  // Decimal numbers of up to 15 digits are never rounded to one another.
  if (source.length <= 15 && value !== 0 && Number.isSafeInteger(value)) return value
  const [, sign, whole = '', fraction = '', exponent = 0] = NUMBER.exec(source) ?? []
  const digits = whole + fraction
  // The number of digits without trailing zeros.
  const end = digits.search(/[1-9]0*$/) + 1
  if (end === 0) return value
  const zeros = whole.length + Number(exponent) - end
  const isInteger = zeros >= 0
  if (!Number.isFinite(value) || Number.isInteger(value) !== isInteger) {
    throw malformedJson(`body has a number that cannot be kept exactly: ${shorten(source)}`)
  }
  return isInteger && !Number.isSafeInteger(value) ? BigInt(sign + digits.slice(0, end) + '0'.repeat(zeros)) : value
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/i

/** Writes like `JSON.stringify`, and a bigint with all its digits: the inverse of `parseJson`. */
export function stringifyExactly(value: unknown, indent = 0): string {
  return JSON.stringify(value, (_name, inner) => keepDigits(inner), indent)
}

/** The JSON text of a value, with members in the order of their names: equal values have equal texts. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner) => {
    if (isObject(inner))
      return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
    // A number is written like the bigint of the same value.
    return keepDigits(Number.isInteger(inner) && !Number.isSafeInteger(inner) ? BigInt(inner) : inner)
  })
}

/** Returns what `JSON.stringify` writes with all digits in place of a bigint, and any other value as it is. */
export function keepDigits(value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(String(value))
}

/** The type of a value of JSON; of any number, `number`. */
export function getType(value: unknown): SchemaType {
  if (value === null) return 'null'
  if (isNumber(value)) return 'number'
  return Array.isArray(value) ? 'array' : (typeof value as SchemaType)
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return getType(value) === 'object'
}

export type Numeric = number | bigint

export function isNumber(value: unknown): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** Decodes UTF-8. Throws a 400 with the place of what is not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    // Decoded leniently and encoded again, all is the same up to the error, which becomes U+FFFD.
    const at = Buffer.from(lenient.decode(bytes)).findIndex((byte, index) => byte !== bytes[index])
    throw malformedJson(`body is not UTF-8 at byte ${at + 1}`)
  }
}

function malformedJson(message: string): HttpError {
  return new HttpError(400, 'malformed_json', message)
}

/** Shortens a text from the request for use in a message. */
export function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
