/**
 * The parser of JSON, which is strict (RFC 8259, RFC 7493) and loses nothing. JSON.parse drops the first of two members with the same
 * name, and rounds integers above 2^53. Here, such members are an error, and integers keep all digits.
 */
import { TextError } from './errors.ts'
import { MAX_DIGITS, type Numeric, setMember, toNumeric } from './json.ts'
import { decodeUtf8, shorten } from './texts.ts'

/** The codes of structural characters, and of those around and within texts and numbers (RFC 8259). */
const [COMMA, COLON, QUOTE, MINUS, PLUS, POINT, ZERO] = [0x2c, 0x3a, 0x22, 0x2d, 0x2b, 0x2e, 0x30]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Parses a JSON text. Integers of up to 40 digits that a number does not hold exactly become bigint.
 * Throws a TextError for the first mistake:
 * - bytes that are not UTF-8
 * - more than `maxDepth` levels: the functions recurse for each level
 * - a number that would become another one
 * - with line and column, a syntax error, a member that an object has twice, or half of a surrogate pair (RFC 7493, section 2.1)
 *
 * Takes at most about ten times as long as JSON.parse, even for the slowest text that a client can send. So the loops over
 * characters have character codes as literals: V8 would load a constant from the module for each character.
 */
export function parseJson(bytes: Uint8Array, maxDepth = Infinity): unknown {
  const text = decodeUtf8(bytes)
  let position = 0
  let depth = 0

  function fail(problem: string, at = position): never {
    let line = 1
    let lineStart = 0
    for (let index = 0; index < at; index++) {
      // A line feed.
      if (text.charCodeAt(index) !== 0x0a) continue
      line++
      lineStart = index + 1
    }
    throw new TextError(`${problem} at line ${line}, column ${at - lineStart + 1}`)
  }

  function failExpected(what: string): never {
    fail(`is not JSON: ${what} expected`)
  }

  /** Skips white space (RFC 8259, section 2), and returns the next character; NaN at the end of the text. */
  function peek(): number {
    for (let code = text.charCodeAt(position); ; code = text.charCodeAt(++position))
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code
  }

  /** Skips one character if it is the next one, and returns whether it was. */
  function skip(code: number): boolean {
    const isNext = text.charCodeAt(position) === code
    if (isNext) position++
    return isNext
  }

  function parseValue(): unknown {
    const code = peek()
    if (code === QUOTE) return parseString()
    if (code === OPEN_BRACKET) return parseArray()
    if (code === OPEN_BRACE) return parseObject()
    if (code === MINUS || (code >= 0x30 && code <= 0x39)) return parseNumber()
    if (skipWord('null')) return null
    if (skipWord('true')) return true
    if (skipWord('false')) return false
    return failExpected('value')
  }

  function skipWord(word: string): boolean {
    const isNext = text.startsWith(word, position)
    if (isNext) position += word.length
    return isNext
  }

  function parseArray(): unknown[] {
    const array: unknown[] = []
    enter()
    while (hasNext(CLOSE_BRACKET, array.length === 0)) array.push(parseValue())
    return array
  }

  function parseObject(): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    enter()
    for (let isFirst = true; hasNext(CLOSE_BRACE, isFirst); isFirst = false) {
      if (peek() !== QUOTE) failExpected('property name')
      const start = position
      const name = parseString()
      if (Object.hasOwn(object, name)) fail(`has ${JSON.stringify(shorten(name))} twice in one object,`, start)
      if (peek() !== COLON) failExpected('colon')
      position++
      setMember(object, name, parseValue())
    }
    return object
  }

  /** Skips the bracket or brace that opens an array or object. */
  function enter(): void {
    if (++depth > maxDepth) throw new TextError(`is nested deeper than ${maxDepth} levels`)
    position++
  }

  /** Returns whether another item or member follows. Skips the comma before it, or else the closing bracket or brace. */
  function hasNext(close: number, isFirst: boolean): boolean {
    const code = peek()
    if (isFirst && code !== close) return true
    if (code !== COMMA && code !== close) failExpected(`comma or close ${close === CLOSE_BRACE ? 'brace' : 'bracket'}`)
    position++
    if (code === close) depth--
    return code !== close
  }

  function parseString(): string {
    const start = position
    let end = start + 1
    let hasEscape = false
    for (let code = text.charCodeAt(end); code !== 0x22; code = text.charCodeAt(end)) {
      if (end >= text.length) fail('is not JSON: unexpected end of string', start)
      if (code < 0x20) fail('is not JSON: control character in a string', end)
      // The character after a backslash may be a quote.
      const isEscape = code === 0x5c
      hasEscape ||= isEscape
      end += isEscape ? 2 : 1
    }
    position = end + 1
    if (!hasEscape) return text.slice(start + 1, end)
    const value = unescapeString(text.slice(start, position)) ?? fail('is not JSON: invalid escape in a string', start)
    // Only an escape can be half of a surrogate pair, such as `\\ud83d`: UTF-8 has no bytes for it.
    if (!value.isWellFormed()) fail('has half of a surrogate pair', start)
    return value
  }

  /** Skips one or more digits, and returns their value, which is exact for up to 15 of them. */
  function parseDigits(): number {
    const start = position
    let value = 0
    for (let code = text.charCodeAt(position); code >= 0x30 && code <= 0x39; code = text.charCodeAt(++position))
      value = 10 * value + code - 0x30
    if (position === start) failExpected('digit')
    return value
  }

  function parseNumber(): Numeric {
    const start = position
    const sign = skip(MINUS) ? -1 : 1
    const whole = skip(ZERO) ? 0 : parseDigits()
    const wholeEnd = position
    if (skip(POINT)) parseDigits()
    const mantissaEnd = position
    const fractionLength = Math.max(0, mantissaEnd - wholeEnd - 1)
    let exponent = -fractionLength
    // e or E
    if ((text.charCodeAt(position) | 0x20) === 0x65) {
      position++
      const exponentSign = skip(MINUS) ? -1 : 1
      if (exponentSign === 1) skip(PLUS)
      exponent += exponentSign * parseDigits()
    }
    if (position === wholeEnd && wholeEnd - start <= 15) return sign * whole
    return toExactNumber(text.slice(start, position), text.slice(start, mantissaEnd), exponent)
  }

  const value = parseValue()
  if (!Number.isNaN(peek())) failExpected('end of file')
  return value
}

/** Returns the value of a text in quotes; undefined if an escape in it is not JSON. */
function unescapeString(text: string): string | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const POWERS = Array.from({ length: MAX_DIGITS + 1 }, (_each, exponent) => 10n ** BigInt(exponent))
const LIMIT_AS_NUMBER = Number(10n ** BigInt(MAX_DIGITS))

/**
 * Returns the number that a text has in any notation (RFC 8259, section 6). Its value is the mantissa, without the point, times ten to
 * the power of the exponent: `12.50e3` is 1250 · 10^1.
 *
 * | text                           | value                                                                         |
 * |--------------------------------|-------------------------------------------------------------------------------|
 * | `0.1`, `1e-9`: a fraction      | the nearest double                                                            |
 * | `2.0`, `1e3`: an integer       | the number; beyond 2^53, a bigint                                             |
 * | `1e41`: more than 40 digits    | the nearest double                                                            |
 * | `9007199254740992.5`, `1e-400` | throws a TextError: the nearest double is an integer, so the fraction is lost |
 * | `1e400`                        | throws a TextError: the nearest double is infinite                            |
 */
function toExactNumber(text: string, mantissa: string, exponent: number): Numeric {
  const value = Number(text)
  const isInRange = Number.isFinite(value)
  if (isInRange && (!Number.isInteger(value) || Math.abs(value) > LIMIT_AS_NUMBER)) return value
  // Fast path: decimal numbers of up to 15 digits are never rounded to one another.
  if (text.length <= 15 && value !== 0 && Number.isSafeInteger(value)) return value
  const digits = mantissa.replace('.', '')
  const hasFraction = exponent < 0 && /[1-9]/.test(digits.slice(exponent))
  if (!isInRange || hasFraction) throw new TextError(`has a number that cannot be kept exactly: ${shorten(text)}`)
  if (Number.isSafeInteger(value)) return value
  // The value is at most 10^40, so the exponent is at most 40.
  const exact = exponent < 0 ? BigInt(digits.slice(0, exponent)) : BigInt(digits) * (POWERS[exponent] as bigint)
  // Number(text) is 1e40 for integers of 40 and of 41 digits, so the exact value decides.
  return Math.abs(value) === LIMIT_AS_NUMBER ? toNumeric(exact) : exact
}
