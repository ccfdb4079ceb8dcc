/**
 * JSON, read strictly (RFC 8259, RFC 7493) and without loss, and the types of its values. JSON.parse drops the first of two
 * members with the same name, and rounds numbers above 2^53; here the former is an error, and the latter are kept.
 */
import jsonc, { type ParseErrorCode } from 'jsonc-parser'
import { HttpError } from '../errors.ts'
import type { SchemaType } from './document/model.ts'
import { shorten } from './schema/violations.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })
const REPLACEMENT = [0xef, 0xbf, 0xbd]

/**
 * Reads a JSON text. Integers that a number does not hold exactly become bigint.
 * Throws a 400 if the bytes are not UTF-8 or not JSON, if an object has two members with the same name, if the text is
 * nested deeper than `maxDepth`, or if a number cannot be kept exactly.
 */
export function parseJson(bytes: Uint8Array, maxDepth: number): unknown {
  const text = decode(bytes)
  const scanned = scan(text)
  if (scanned.depth > maxDepth) throw malformedJson(`body is nested deeper than ${maxDepth} levels`)
  const root: unknown[] = []
  try {
    root[0] = JSON.parse(scanned.text)
  } catch {
    throwSyntaxError(text)
  }
  if (complete(root, scanned.unsafe) < scanned.members) throwDuplicateName(text)
  return root[0]
}

/** Parses like `JSON.parse`, except that integers that a number does not hold exactly become bigint. */
export function parseExactly(text: string): unknown {
  const scanned = scan(text)
  const root = [JSON.parse(scanned.text)]
  complete(root, scanned.unsafe)
  return root[0]
}

/** Writes like `JSON.stringify`, and a bigint with all its digits: the inverse of `parseExactly`. */
export function stringifyExactly(value: unknown, indent = 0): string {
  return JSON.stringify(value, (_name, inner) => keepDigits(inner), indent)
}

/** The JSON text of a value, with members in the order of their names: equal values have equal texts. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner) => {
    if (!isObject(inner)) return keepDigits(inner)
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
  })
}

/** True if no two of the values are equal. */
export function areDistinct(values: readonly unknown[]): boolean {
  return new Set(values.map(toCanonicalJson)).size === values.length
}

function keepDigits(value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value
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

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw malformedJson(`body is not UTF-8 at byte ${findInvalidUtf8(bytes) + 1}`)
  }
}

/** The offset of the first byte that is not UTF-8: decoded leniently, it is a U+FFFD that was not sent. */
function findInvalidUtf8(bytes: Uint8Array): number {
  let end = 0
  for (const character of lenient.decode(bytes)) {
    if (character === '\uFFFD' && REPLACEMENT.some((byte, index) => bytes[end + index] !== byte)) break
    end += Buffer.byteLength(character)
  }
  return end
}

/** A number in the notation of JSON (RFC 8259, section 6). */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?/iy

/** The placeholder of the first unsafe number. A number as large that is left in the text is a multiple of ten; this is not. */
const FIRST_PLACEHOLDER = 2 ** 53

/**
 * Measures how deep a JSON text is nested and how many members its objects have, without parsing it. JSON.parse could round
 * a number that has more than 15 digits, or an exponent; in `text`, the number FIRST_PLACEHOLDER + 10 * i stands for
 * `unsafe[i]`.
 */
function scan(source: string): { depth: number; members: number; text: string; unsafe: readonly string[] } {
  const unsafe: string[] = []
  let text = ''
  let copied = 0
  let depth = 0
  let level = 0
  let members = 0
  // Character codes: this is done for every character of every body.
  for (let at = 0; at < source.length; at++) {
    switch (source.charCodeAt(at)) {
      case 0x22: // "
        at = findStringEnd(source, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        level++
        if (level > depth) depth = level
        break
      case 0x5d: // ]
      case 0x7d: // }
        level--
        break
      case 0x3a: // :
        members++
        break
      default: {
        let end = findDigitsEnd(source, at)
        if (end === at) break
        if (end - at > 15 || (source.charCodeAt(end) | 0x20) === 0x65) {
          const start = source[at - 1] === '-' ? at - 1 : at
          NUMBER.lastIndex = start
          if (NUMBER.test(source)) {
            end = NUMBER.lastIndex
            const number = source.slice(start, end)
            if (!isKept(number)) {
              // The spaces keep a text invalid that has no separator here.
              text += `${source.slice(copied, start)} ${FIRST_PLACEHOLDER + 10 * unsafe.length} `
              copied = end
              unsafe.push(number)
            }
          }
        }
        at = end - 1
      }
    }
  }
  return { depth, members, text: unsafe.length === 0 ? source : text + source.slice(copied), unsafe }
}

/** The end of the digits and dots that begin at `start`. */
function findDigitsEnd(text: string, start: number): number {
  let at = start
  while (text.charCodeAt(at) >= 0x2e && text.charCodeAt(at) <= 0x39) at++
  return at
}

function findStringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1
  return at
}

/** Replaces the numbers in a list or object that are not those that were written; returns how many members it has. */
function complete(container: object, unsafe: readonly string[]): number {
  const values = container as Record<PropertyKey, unknown>
  const names = Array.isArray(container) ? [] : Object.keys(container)
  let members = names.length
  if (Array.isArray(container)) for (const index of container.keys()) members += completeMember(values, index, unsafe)
  for (const name of names) members += completeMember(values, name, unsafe)
  return members
}

function completeMember(values: Record<PropertyKey, unknown>, key: PropertyKey, unsafe: readonly string[]): number {
  const value = values[key]
  if (typeof value === 'object' && value !== null) return complete(value, unsafe)
  if (typeof value === 'number' && !Number.isSafeInteger(value) && Number.isInteger(value)) {
    const source = unsafe[(value - FIRST_PLACEHOLDER) / 10]
    // A number that was left in the text still has its digits when it is formatted again.
    values[key] = source === undefined ? exactInteger(String(value), value) : readNumber(source)
  }
  return 0
}

/**
 * True if JSON.parse keeps the number that is written: decimal numbers of up to 15 digits are never rounded to one another,
 * but they may be rounded to zero or infinity.
 */
function isKept(source: string): boolean {
  const value = Number(source)
  return source.length <= 15 && value !== 0 && Number.isFinite(value)
}

/** Returns a bigint where a number would not be the integer that is written. */
function readNumber(source: string): number | bigint {
  const value = Number(source)
  if (Number.isFinite(value) && !Number.isInteger(value)) return value
  const exact = Number.isFinite(value) ? exactInteger(source, value) : undefined
  if (exact === undefined) throw malformedJson(`body has a number that cannot be kept exactly: ${shorten(source)}`)
  return Number.isSafeInteger(value) ? value : exact
}

/** The integer that is written as `12`, `12.0` or `1.2e1`; undefined for a fraction that was rounded to `value`. */
function exactInteger(source: string, value: number): bigint | undefined {
  const decimal = parseDecimal(source)
  if (decimal.digits === 0n) return 0n
  // So near to zero that it has too many places to compute with.
  if (value === 0) return undefined
  if (decimal.places <= 0) return scaleDigits(decimal, 0)
  const unit = powerOfTen(decimal.places)
  return decimal.digits % unit === 0n ? decimal.digits / unit : undefined
}

/**
 * Throws a 400 that names the syntax error and its position. It stops at the first error: behind it, the depth is unknown,
 * and the visitor recurses for each level.
 */
function throwSyntaxError(text: string): void {
  const onError = (code: ParseErrorCode, _offset: number, _length: number, line: number, column: number) => {
    const problem = jsonc.printParseErrorCode(code).replaceAll(/\B[A-Z]/g, (letter) => ` ${letter}`)
    throw malformedJson(`body is not JSON: ${problem.toLowerCase()} at line ${line + 1}, column ${column + 1}`)
  }
  jsonc.visit(text, { onError }, { disallowComments: true })
}

/** Throws a 400 that names the member that an object of a JSON text has twice, and its position. */
function throwDuplicateName(text: string): never {
  const objects: Set<string>[] = []
  jsonc.visit(text, {
    onObjectBegin: () => void objects.push(new Set()),
    onObjectEnd: () => void objects.pop(),
    onObjectProperty: (name, _offset, _length, line, column) => {
      const names = objects.at(-1)
      if (names?.has(name)) {
        const place = `at line ${line + 1}, column ${column + 1}`
        throw malformedJson(`body has ${JSON.stringify(shorten(name))} twice in one object, ${place}`)
      }
      names?.add(name)
    },
  })
  throw malformedJson('body has a member twice in one object')
}

function malformedJson(message: string): HttpError {
  return new HttpError(400, 'malformed_json', message)
}

/**
 * Parses a number in the notation of JSON (RFC 8259, section 6), which is also JavaScript's: `-1.50e3`. It is `digits`
 * divided by 10 to the power of `places`, which may be negative.
 */
export function parseDecimal(text: string) {
  const [, whole = '', fraction = '', exponent] = /([^.e]+)\.?(\d*)e?(.*)/i.exec(text) as RegExpExecArray
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) }
}

/** The digits of a number when it is written with `morePlaces`, which are no fewer than it has. */
export function scaleDigits({ digits, places }: ReturnType<typeof parseDecimal>, morePlaces: number): bigint {
  return digits * powerOfTen(morePlaces - places)
}

/** The powers in the range of numbers. Computing one takes a microsecond, and a body may have a number every six bytes. */
const POWERS = Array.from({ length: 309 }, (_, exponent) => 10n ** BigInt(exponent))

function powerOfTen(exponent: number): bigint {
  return POWERS[exponent] ?? 10n ** BigInt(exponent)
}
