/** The formats that are validated (OpenAPI Format Registry); any other one is an annotation. */
import formats, { type FormatName } from 'ajv-formats'
import type { Numeric } from '../shared/json.ts'
import { isRegularExpression } from '../shared/patterns.ts'

/** The authority of a URI (RFC 3986, section 3). Without it, ajv-formats accepts a malformed authority as a part of the path. */
const AUTHORITY = String.raw`\/\/(?:[^@/?#]*@)?(?:\[[^\]/?#]*\]|[^:@[\]/?#]*)(?::\d*)?(?:[/?#]|$)`
/** A time with its offset (RFC 3339, section 5.6). */
const TIME = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)`
const DOMAIN = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const DOMAINS = String.raw`${DOMAIN}(?:\.${DOMAIN})*`

/** The formats that ajv-formats validates exactly. */
const EXACT_FORMATS = ['date', 'ipv4', 'ipv6', 'json-pointer', 'relative-json-pointer', 'uri-template'] as const

/** What a text must match besides the format of the same name in ajv-formats, which is laxer than the standard. */
const STRICTER_EXPRESSIONS: ReadonlyMap<FormatName, RegExp> = new Map([
  // RFC 3339, appendix A
  [
    'duration',
    /^P(?!$)(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/,
  ],
  // RFC 1123, section 2.1
  ['hostname', new RegExp(`^(?=.{1,253}$)${DOMAINS}$`, 'i')],
  ['uri', new RegExp(`^[a-z][a-z0-9+.-]*:(?:(?!//)|${AUTHORITY})`, 'i')],
  ['uri-reference', new RegExp(`^(?:[a-z][a-z0-9+.-]*:)?(?:(?!//)|${AUTHORITY})`, 'i')],
  ['uuid', /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i],
])

/** The characters of base64 (RFC 4648, section 4). */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
/** A word and a quoted text before the `@` of an email address (RFC 5321, section 4.1.2). */
const ATOM = String.raw`[\w!#$%&'*+/=?^\x60{|}~-]+`
const QUOTED = String.raw`"(?:[ !#-[\]-~]|\\[ -~])*"`
/** An address in place of a domain. Its groups are the IPv6 and the IPv4 address. */
const HOST_ADDRESS = String.raw`\[IPv6:([\da-f:.]+)\]|\[([\d.]+)\]`
const EMAIL = new RegExp(String.raw`^(?:${ATOM}(?:\.${ATOM})*|${QUOTED})@(?:${DOMAINS}|${HOST_ADDRESS})$`, 'i')

export type TextFormats = ReadonlyMap<string, (text: string) => boolean>

/** The validators of strings, by format. Each takes linear time: texts may be as long as a body. */
export const TEXT_FORMATS: TextFormats = new Map([
  ...EXACT_FORMATS.map((name) => [name, getLibraryTest(name)] as const),
  ...STRICTER_EXPRESSIONS.entries().map(([name, expression]) => [name, createStricterTest(name, expression)] as const),
  ['date-time', createTimeFormat('date-time', `\\d{4}-\\d\\d-\\d\\dT${TIME}`)],
  ['time', createTimeFormat('time', TIME)],
  // In ajv-formats, one line of base64 is enough.
  ['byte', (text) => text.length % 4 === 0 && BASE64.test(text)],
  // In ajv-formats, nothing may be quoted, and the domain needs a dot.
  ['email', isEmail],
  // ajv-formats accepts what is an expression only without the flag "u".
  ['regex', isRegularExpression],
])

function createStricterTest(name: FormatName, expression: RegExp): (text: string) => boolean {
  const isInLibrary = getLibraryTest(name)
  return (text) => expression.test(text) && isInLibrary(text)
}

/** Creates the test of a text with a time. It tells ajv-formats no fraction: rounded to a number, .999999999999999999 is 1. */
function createTimeFormat(name: FormatName, source: string): (text: string) => boolean {
  const expression = new RegExp(`^${source}$`, 'i')
  const isInLibrary = getLibraryTest(name)
  return (text) => expression.test(text) && isInLibrary(text.replace(/\.\d+/, ''))
}

function isEmail(text: string): boolean {
  const match = EMAIL.exec(text)
  if (match === null) return false
  const [, ipv6, ipv4] = match
  if (ipv6 !== undefined) return TEXT_FORMATS.get('ipv6')?.(ipv6) === true
  return ipv4 === undefined || TEXT_FORMATS.get('ipv4')?.(ipv4) === true
}

/** Returns the test of a format in ajv-formats. */
function getLibraryTest(name: FormatName): (text: string) => boolean {
  const format = formats.default.get(name) as RegExp | ((text: string) => boolean) | { validate(text: string): boolean }
  if (format instanceof RegExp) return (text) => format.test(text)
  return typeof format === 'function' ? format : format.validate
}

/** The functions by which an app validates the texts of formats, by name. */
export type Formats = Readonly<Record<string, (text: string) => boolean>>

/**
 * Adds the formats of an app to those of the layer. Throws for a name that the layer has: its meaning is that of a standard, on which
 * clients rely.
 */
export function createTextFormats(appFormats: Formats): TextFormats {
  for (const [name, isValid] of Object.entries(appFormats)) {
    if (isBuiltIn(name)) {
      throw new Error(
        `the option formats has "${name}", which OpenAPI defines; choose another name, also in the document`,
      )
    }
    if (typeof isValid !== 'function') throw new Error(`the option formats has no function for "${name}"; write one`)
  }
  const entries = Object.entries(appFormats).map(([name, isValid]) => [name, createAppFormat(name, isValid)] as const)
  return new Map([...TEXT_FORMATS, ...entries])
}

/** Creates the test of an app's format. What is wrong with the function is an error of the app, whatever it throws. */
function createAppFormat(name: string, isValid: (text: string) => unknown): (text: string) => boolean {
  return (text) => {
    let result: unknown
    try {
      result = isValid(text)
    } catch (cause) {
      throw new Error(`the function of the format "${name}" threw an error`, { cause })
    }
    if (typeof result === 'boolean') return result
    // Otherwise, the promise of an async function that fails ends the process.
    Promise.resolve(result).catch(() => {})
    throw new Error(`the function of the format "${name}" returned neither true nor false`)
  }
}

/** True if the layer validates a format itself, or reads it as bytes. */
export function isBuiltIn(format: string): boolean {
  return TEXT_FORMATS.has(format) || NUMBER_FORMATS.has(format) || format === 'binary'
}

/** The validators of numbers, by format. */
export const NUMBER_FORMATS: ReadonlyMap<unknown, (value: Numeric) => boolean> = new Map([
  ['int32', (value: Numeric) => Number(value) === (Number(value) | 0)],
  ['int64', createRangeTest(-(2n ** 63n), 2n ** 63n - 1n)],
  ['uint64', createRangeTest(0n, 2n ** 64n - 1n)],
  ['float', (value: Numeric) => Number.isFinite(Math.fround(Number(value)))],
  ['double', (value: Numeric) => Number.isFinite(Number(value))],
])

/** Creates the test of 64-bit integers. A number beyond 53 bits may have been rounded. */
function createRangeTest(minimum: bigint, maximum: bigint): (value: Numeric) => boolean {
  const isExact = (value: Numeric) => typeof value === 'bigint' || Number.isSafeInteger(value)
  return (value) => isExact(value) && value >= minimum && value <= maximum
}
