/**
 * Reads JSON strictly (RFC 8259, RFC 7493) and without loss. JSON.parse drops the first of two members with the same name,
 * and rounds numbers above 2^53; here the former is an error, and the latter are kept.
 */
import jsonc, { type ParseErrorCode } from 'jsonc-parser'
import { HttpError } from '../../errors.ts'
import { parseDecimal, powerOfTen, scaleDigits } from '../schema/keywords.ts'
import { shorten } from '../schema/violations.ts'

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
  const { depth, members } = scanned
  if (depth > maxDepth) throw malformedJson(`body is nested deeper than ${maxDepth} levels`)
  let value: unknown
  try {
    value = parseExactly(text, scanned)
  } catch (error) {
    if (!(error instanceof HttpError)) throwSyntaxError(text)
    throw error
  }
  if (members > 1 && countMembers(value) < members) throwDuplicateName(text)
  return value
}

/** Parses like `JSON.parse`, except that integers that a number does not hold exactly become bigint. */
export function parseExactly(text: string, { isUnsafe } = scan(text)): unknown {
  return isUnsafe ? JSON.parse(text, keepInteger) : JSON.parse(text)
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

/**
 * Measures how deep a JSON text is nested and how many members its objects have, without parsing it. It is unsafe if a
 * number has more than 15 digits, or an exponent: it could be rounded.
 */
function scan(text: string): { depth: number; members: number; isUnsafe: boolean } {
  let isUnsafe = false
  let depth = 0
  let level = 0
  let members = 0
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = findStringEnd(text, at)
        break
      case '{':
      case '[':
        level++
        depth = Math.max(depth, level)
        break
      case '}':
      case ']':
        level--
        break
      case ':':
        members++
        break
      default: {
        const end = findDigitsEnd(text, at)
        if (end === at) break
        isUnsafe ||= end - at > 15 || text[end] === 'e' || text[end] === 'E'
        at = end - 1
      }
    }
  }
  return { depth, members, isUnsafe }
}

/** The end of the digits and dots that begin at `start`. */
function findDigitsEnd(text: string, start: number): number {
  let at = start
  while ((text[at] as string) >= '.' && (text[at] as string) <= '9') at++
  return at
}

function findStringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce((count: number, each) => count + countMembers(each), 0)
  const object = value as Readonly<Record<string, unknown>>
  const names = Object.keys(object)
  return names.reduce((count, name) => count + countMembers(object[name]), names.length)
}

/** A reviver that returns a bigint where the number would not be the integer that was written. */
function keepInteger(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || (Number.isFinite(value) && !Number.isInteger(value))) return value
  const source = context?.source as string
  // Decimal numbers of up to 15 digits are never rounded to one another, but they may be rounded to zero.
  if (source.length <= 15 && value !== 0 && Number.isSafeInteger(value)) return value
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

/** Throws a 400 that names the member that an object has twice, and its position. */
function throwDuplicateName(text: string): void {
  const objects: Set<string>[] = []
  const onObjectBegin = () => void objects.push(new Set())
  const onObjectEnd = () => void objects.pop()
  const onObjectProperty = (name: string, _offset: number, _length: number, line: number, column: number) => {
    if (objects.at(-1)?.has(name)) {
      const twice = `${JSON.stringify(shorten(name))} twice in one object`
      throw malformedJson(`body has ${twice}, at line ${line + 1}, column ${column + 1}`)
    }
    objects.at(-1)?.add(name)
  }
  jsonc.visit(text, { onObjectBegin, onObjectEnd, onObjectProperty })
}

function malformedJson(message: string): HttpError {
  return new HttpError(400, 'malformed_json', message)
}
