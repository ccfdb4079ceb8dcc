/**
 * The parser of JSON, which is strict (RFC 8259, RFC 7493) and loses nothing: a name that an object has twice is an error, and integers
 * keep all digits. JSON.parse drops the first of two such members, and rounds integers above 2^53. Its reviver receives the text of
 * each number (`context.source`), but does not see members that are dropped.
 */
import { TextError } from './errors.ts'
import { MAX_DIGITS, type Numeric, setMember, toNumeric } from './json.ts'
import { decodeUtf8, shorten } from './texts.ts'

/** The codes of structural characters, and of those within texts and numbers (RFC 8259). */
const [COMMA, COLON, QUOTE, MINUS, PLUS, POINT, ZERO] = [0x2c, 0x3a, 0x22, 0x2d, 0x2b, 0x2e, 0x30]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The most characters of a body that remain in memory with each text of its value. */
const MAX_KEPT_LENGTH = 1024

/**
 * Parses a JSON text. Integers of up to 40 digits that a number does not hold exactly become bigint.
 * Throws a TextError for the first mistake:
 * - bytes that are not UTF-8
 * - more than `maxDepth` levels: the methods recurse for each level
 * - a number that would become another one
 * - with line and column, a syntax error, a member that an object has twice, or half of a surrogate pair (RFC 7493, section 2.1)
 *
 * Takes at most about ten times as long as JSON.parse, even for the slowest text that a client can send. So the loops over
 * characters have character codes as literals: V8 would load a constant from the module for each character.
 */
export function parseJson(bytes: Uint8Array, maxDepth = Infinity): unknown {
  return new JsonParser(decodeUtf8(bytes), maxDepth).parse()
}

/** Each method is called when the first character of its value has been taken. */
class JsonParser {
  readonly #text: string
  readonly #maxDepth: number
  #position = 0
  #depth = 0

  constructor(text: string, maxDepth: number) {
    this.#text = text
    this.#maxDepth = maxDepth
  }

  parse(): unknown {
    const value = this.#parseValue(this.#take())
    if (!Number.isNaN(this.#take())) this.#failExpected('end of file')
    return value
  }

  /** Takes the next character after white space (RFC 8259, section 2), and returns its code; NaN at the end of the text. */
  #take(): number {
    const text = this.#text
    let position = this.#position
    let code = text.charCodeAt(position)
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++position)
    this.#position = position + 1
    return code
  }

  #parseValue(code: number): unknown {
    if (code === QUOTE) return this.#parseString()
    if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      if (++this.#depth > this.#maxDepth) throw new TextError(`is nested deeper than ${this.#maxDepth} levels`)
      const value = code === OPEN_BRACKET ? this.#parseArray() : this.#parseObject()
      this.#depth--
      return value
    }
    if (code === MINUS || (code >= 0x30 && code <= 0x39)) return this.#parseNumber()
    if (this.#takeWord('null')) return null
    if (this.#takeWord('true')) return true
    if (this.#takeWord('false')) return false
    return this.#failExpected('value')
  }

  /** Takes the rest of a word if it is the value. */
  #takeWord(word: string): boolean {
    const start = this.#position - 1
    const isWord = this.#text.startsWith(word, start)
    if (isWord) this.#position = start + word.length
    return isWord
  }

  #parseArray(): unknown[] {
    const array: unknown[] = []
    let code = this.#take()
    if (code === CLOSE_BRACKET) return array
    for (;;) {
      array.push(this.#parseValue(code))
      code = this.#take()
      if (code === CLOSE_BRACKET) return array
      if (code !== COMMA) this.#failExpected('comma or close bracket')
      code = this.#take()
    }
  }

  #parseObject(): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    let code = this.#take()
    if (code === CLOSE_BRACE) return object
    for (;;) {
      if (code !== QUOTE) this.#failExpected('property name')
      const start = this.#position - 1
      const name = this.#parseString()
      if (Object.hasOwn(object, name)) this.#fail(`has ${JSON.stringify(shorten(name))} twice in one object,`, start)
      if (this.#take() !== COLON) this.#failExpected('colon')
      setMember(object, name, this.#parseValue(this.#take()))
      code = this.#take()
      if (code === CLOSE_BRACE) return object
      if (code !== COMMA) this.#failExpected('comma or close brace')
      code = this.#take()
    }
  }

  #parseString(): string {
    const text = this.#text
    const start = this.#position
    let end = start
    let hasEscape = false
    for (let code = text.charCodeAt(end); code !== 0x22; code = text.charCodeAt(end)) {
      if (end >= text.length) this.#fail('is not JSON: unexpected end of string', start - 1)
      if (code < 0x20) this.#fail('is not JSON: control character in a string', end)
      // The character after a backslash may be a quote.
      const isEscape = code === 0x5c
      hasEscape ||= isEscape
      end += isEscape ? 2 : 1
    }
    this.#position = end + 1
    // A slice keeps the whole text of a body in memory, also if an app stores nothing else of it. V8 copies up to 12 characters.
    const isCopied = hasEscape || (text.length > MAX_KEPT_LENGTH && end - start > 12)
    return isCopied ? this.#copyString(start - 1, end + 1) : text.slice(start, end)
  }

  /** Returns a copy of the text between these positions of its quotes, without escapes. */
  #copyString(start: number, end: number): string {
    let value: string
    try {
      value = JSON.parse(this.#text.slice(start, end))
    } catch {
      return this.#fail('is not JSON: invalid escape in a string', start)
    }
    // Only an escape can be half of a surrogate pair, such as `\\ud83d`: UTF-8 has no bytes for it.
    return value.isWellFormed() ? value : this.#fail('has half of a surrogate pair', start)
  }

  #parseNumber(): Numeric {
    const text = this.#text
    const start = this.#position - 1
    const isNegative = text.charCodeAt(start) === MINUS
    const wholeStart = isNegative ? start + 1 : start
    this.#position = wholeStart + 1
    const whole = text.charCodeAt(wholeStart) === ZERO ? 0 : this.#parseDigits(wholeStart)
    const wholeEnd = this.#position
    if (text.charCodeAt(wholeEnd) === POINT) this.#parseDigits(wholeEnd + 1)
    const mantissaEnd = this.#position
    let exponent = -Math.max(0, mantissaEnd - wholeEnd - 1)
    // e or E
    if ((text.charCodeAt(mantissaEnd) | 0x20) === 0x65) {
      const sign = text.charCodeAt(mantissaEnd + 1)
      const digits = this.#parseDigits(mantissaEnd + (sign === PLUS || sign === MINUS ? 2 : 1))
      exponent += sign === MINUS ? -digits : digits
    }
    const end = this.#position
    // Most numbers are integers of up to 15 characters, which are exact.
    if (end === wholeEnd && end - start <= 15) return isNegative ? -whole : whole
    return toExactNumber(text.slice(start, end), text.slice(start, mantissaEnd), exponent)
  }

  /** Takes the digits from a position on, of which there must be one. Returns their value, which is exact for up to 15 digits. */
  #parseDigits(start: number): number {
    const text = this.#text
    let end = start
    let value = 0
    for (let code = text.charCodeAt(end); code >= 0x30 && code <= 0x39; code = text.charCodeAt(++end))
      value = 10 * value + code - 0x30
    if (end === start) this.#fail('is not JSON: digit expected', start)
    this.#position = end
    return value
  }

  /** Fails at the character that has been taken. */
  #failExpected(expected: string): never {
    return this.#fail(`is not JSON: ${expected} expected`, this.#position - 1)
  }

  #fail(problem: string, position: number): never {
    let line = 1
    let lineStart = 0
    for (let end = this.#text.indexOf('\n'); end >= 0 && end < position; end = this.#text.indexOf('\n', lineStart)) {
      line++
      lineStart = end + 1
    }
    throw new TextError(`${problem} at line ${line}, column ${position - lineStart + 1}`)
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
  // Decimal numbers of up to 15 digits are never rounded to one another.
  if (text.length <= 15 && value !== 0 && Number.isSafeInteger(value)) return value
  const digits = mantissa.replace('.', '')
  // `12.05` has the digits 1205 and the exponent -2, so its last two digits are the fraction.
  const hasFraction = exponent < 0 && /[1-9]/.test(digits.slice(exponent))
  if (!isInRange || hasFraction) throw new TextError(`has a number that cannot be kept exactly: ${shorten(text)}`)
  if (Number.isSafeInteger(value)) return value
  // The value is at most 10^40, so the exponent is at most 40.
  const exact = exponent < 0 ? BigInt(digits.slice(0, exponent)) : BigInt(digits) * (POWERS[exponent] as bigint)
  // Number(text) is 1e40 for integers of 40 and of 41 digits, so the exact value decides.
  return Math.abs(value) === LIMIT_AS_NUMBER ? toNumeric(exact) : exact
}
