/**
 * Reads JSON strictly (RFC 8259, RFC 7493) and without loss: what JSON.parse would drop, guess or round is an error or
 * kept. Of two members with one name it drops the first; numbers above 2^53 it rounds.
 */
import jsonc, { type ParseErrorCode } from 'jsonc-parser'
import { digitsAt, readDecimal } from '../decimal.ts'
import { excerpt } from './violations.ts'

/** A text that is not JSON, or that cannot be kept as it was sent; the message says what is wrong, and where. */
export class JsonError extends Error {
  override readonly name = 'JsonError'
}

/** Deeper than anything that is sent in earnest, and far from what recursion in the validators can bear. */
const MAX_DEPTH = 64

/** A number that may be more than 15 digits, or is not written as digits only, has to be looked at itself. */
const DELICATE_NUMBER = /\d[\d.]{15}|\d[eE]/

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })
const REPLACEMENT = [0xef, 0xbf, 0xbd]

/**
 * The value of a JSON text. Integers that a number does not hold exactly come as bigint.
 * Throws a JsonError when the bytes are not UTF-8 or not JSON, when a name is given twice in an object, when the text is
 * nested deeper than 64 levels, and when a number is too large to be kept or an integer but for digits that would be lost.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  const { depth, members } = survey(text)
  if (depth > MAX_DEPTH) throw new JsonError(`body is nested deeper than ${MAX_DEPTH} levels`)
  let value: unknown
  try {
    value = parseExactly(text)
  } catch (error) {
    if (!(error instanceof JsonError)) refuseNoJson(text)
    throw error
  }
  if (members > 1 && countMembers(value) < members) refuseTwice(text)
  return value
}

/** The value of a text that is JSON, like `JSON.parse`, but for integers that a number does not hold: those come as bigint. */
export function parseExactly(text: string): unknown {
  return DELICATE_NUMBER.test(text) ? JSON.parse(text, keepNumber) : JSON.parse(text)
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new JsonError(`body is not UTF-8 at byte ${endOfUtf8(bytes) + 1}`)
  }
}

/** How many bytes there are before the first that cannot be: decoded leniently, it is a U+FFFD that was not sent. */
function endOfUtf8(bytes: Uint8Array): number {
  let end = 0
  for (const character of lenient.decode(bytes)) {
    if (character === '\uFFFD' && REPLACEMENT.some((byte, index) => bytes[end + index] !== byte)) break
    end += Buffer.byteLength(character)
  }
  return end
}

/** How deep a JSON text is nested and how many members its objects have, without building them. */
function survey(text: string): { depth: number; members: number } {
  let depth = 0
  let level = 0
  let members = 0
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at)
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
    }
  }
  return { depth, members }
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  return inner.reduce((count: number, each) => count + countMembers(each), Array.isArray(value) ? 0 : inner.length)
}

/** A reviver that puts in a bigint where the number would not be the integer that was written. */
function keepNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || (Number.isFinite(value) && !Number.isInteger(value))) return value
  const source = context?.source as string
  // Decimal numbers of up to 15 digits are never rounded to one another, but to zero they may be.
  if (source.length <= 15 && value !== 0 && Number.isSafeInteger(value)) return value
  const exact = Number.isFinite(value) ? exactInteger(source, value) : undefined
  if (exact === undefined) throw new JsonError(`body has a number that cannot be kept as it is: ${excerpt(source)}`)
  return Number.isSafeInteger(value) ? value : exact
}

/** The integer that is written, be it as `12`, `12.0` or `1.2e1`; undefined for a fraction that was rounded to `value`. */
function exactInteger(source: string, value: number): bigint | undefined {
  const decimal = readDecimal(source)
  if (decimal.digits === 0n) return 0n
  // So near to zero that its places are too many to be counted out.
  if (value === 0) return undefined
  if (decimal.places <= 0) return digitsAt(decimal, 0)
  const unit = 10n ** BigInt(decimal.places)
  return decimal.digits % unit === 0n ? decimal.digits / unit : undefined
}

/**
 * Says what keeps the text from being JSON, and where. It looks no further than the first fault: behind it, nothing is
 * known of the depth, and the visitor calls itself for each level.
 */
function refuseNoJson(text: string): void {
  const onError = (code: ParseErrorCode, _offset: number, _length: number, line: number, column: number) => {
    const fault = jsonc.printParseErrorCode(code).replaceAll(/\B[A-Z]/g, (letter) => ` ${letter}`)
    throw new JsonError(`body is not JSON: ${fault.toLowerCase()} at line ${line + 1}, column ${column + 1}`)
  }
  jsonc.visit(text, { onError }, { disallowComments: true })
}

/** Says which name an object has twice, and where. */
function refuseTwice(text: string): void {
  const objects: Set<string>[] = []
  const onObjectBegin = () => void objects.push(new Set())
  const onObjectEnd = () => void objects.pop()
  const onObjectProperty = (name: string, _offset: number, _length: number, line: number, column: number) => {
    if (objects.at(-1)?.has(name)) {
      const twice = `${JSON.stringify(excerpt(name))} twice in one object`
      throw new JsonError(`body has ${twice}, at line ${line + 1}, column ${column + 1}`)
    }
    objects.at(-1)?.add(name)
  }
  jsonc.visit(text, { onObjectBegin, onObjectEnd, onObjectProperty })
}
