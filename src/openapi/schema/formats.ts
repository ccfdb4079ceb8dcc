/** The formats that are validated (OpenAPI Format Registry); any other one is an annotation. */
import formats, { type FormatName } from 'ajv-formats'
import type { Numeric } from '../shared/json.ts'

/** RFC 3986, section 3: what comes before the path, which the expressions of ajv-formats take for a path if it is malformed. */
const AUTHORITY = String.raw`\/\/(?:[^@/?#]*@)?(?:\[[^\]/?#]*\]|[^:@[\]/?#]*)(?::\d*)?(?:[/?#]|$)`
const DOMAIN = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const DOMAINS = String.raw`${DOMAIN}(?:\.${DOMAIN})*`

/** The expressions of the formats of strings; a text must also match the format of the same name in ajv-formats. */
const EXPRESSIONS: Readonly<Record<string, RegExp | undefined>> = {
  date: undefined,
  // RFC 3339, section 5.6
  'date-time': /^\d{4}-\d\d-\d\dT\S*(?:Z|[+-]\d\d:\d\d)$/i,
  // RFC 3339, appendix A
  duration:
    /^P(?!$)(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/,
  // RFC 1123, section 2.1
  hostname: new RegExp(`^(?=.{1,253}$)${DOMAINS}$`, 'i'),
  ipv4: undefined,
  ipv6: undefined,
  'json-pointer': undefined,
  'relative-json-pointer': undefined,
  time: /^\S*(?:Z|[+-]\d\d:\d\d)$/i,
  uri: new RegExp(`^[a-z][a-z0-9+.-]*:(?:(?!//)|${AUTHORITY})`, 'i'),
  'uri-reference': new RegExp(`^(?:[a-z][a-z0-9+.-]*:)?(?:(?!//)|${AUTHORITY})`, 'i'),
  'uri-template': undefined,
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
}

/** RFC 4648, section 4; its length is checked, too. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
/** RFC 5321, section 4.1.2, with the addresses of IPv6 and IPv4 as groups. */
const EMAIL = new RegExp(
  `^(?:[\\w!#$%&'*+/=?^\`{|}~-]+(?:\\.[\\w!#$%&'*+/=?^\`{|}~-]+)*|"(?:[ !#-[\\]-~]|\\\\[ -~])*")@(?:${DOMAINS}|\\[IPv6:([\\da-f:.]+)\\]|\\[([\\d.]+)\\])$`,
  'i',
)

/** The validators of strings, by format. Each takes linear time: texts may be as long as a body. */
export const TEXT_FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ...Object.entries(EXPRESSIONS).map(([name, expression]) => [name, createTextFormat(name, expression)] as const),
  // Those that have no part in ajv-formats, or one that is stricter than the standard.
  ['byte', (text) => text.length % 4 === 0 && BASE64.test(text)],
  ['email', isEmail],
  ['regex', isRegularExpression],
])

function createTextFormat(name: string, expression: RegExp | undefined): (text: string) => boolean {
  const isValid = toFunction(name as FormatName)
  return (text) => expression?.test(text) !== false && isValid(text)
}

function isEmail(text: string): boolean {
  const match = EMAIL.exec(text)
  if (match === null) return false
  const [, ipv6, ipv4] = match
  if (ipv6 !== undefined) return TEXT_FORMATS.get('ipv6')?.(ipv6) === true
  return ipv4 === undefined || TEXT_FORMATS.get('ipv4')?.(ipv4) === true
}

function toFunction(name: FormatName): (text: string) => boolean {
  const format = formats.default.get(name) as RegExp | ((text: string) => boolean) | { validate(text: string): boolean }
  if (format instanceof RegExp) return (text) => format.test(text)
  return typeof format === 'function' ? format : format.validate
}

function isRegularExpression(text: string, flag = 'u'): boolean {
  try {
    return new RegExp(text, flag) !== undefined
  } catch {
    return false
  }
}

/** True for the patterns of a document. Without the flag "u", they may escape what needs no escape, as many do. */
export function isPattern(text: string): boolean {
  return isRegularExpression(text) || isRegularExpression(text, '')
}

/** Makes the regular expression of a pattern: of Unicode characters, if it can be one (JSON Schema 2020-12, section 6.4). */
export function createPattern(text: string): RegExp {
  const pattern = patterns.get(text) ?? new RegExp(text, isRegularExpression(text) ? 'u' : '')
  patterns.set(text, pattern)
  return pattern
}

const patterns = new Map<string, RegExp>()

const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n]

/** The validators of numbers, by format. */
export const NUMBER_FORMATS: ReadonlyMap<unknown, (value: Numeric) => boolean> = new Map([
  ['int32', (value: Numeric) => Number.isInteger(Number(value)) && Number(value) === (Number(value) | 0)],
  [
    'int64',
    (value: Numeric) => (typeof value === 'bigint' ? value >= LEAST && value <= MOST : Number.isSafeInteger(value)),
  ],
  ['float', (value: Numeric) => Number.isFinite(Math.fround(Number(value)))],
  ['double', (value: Numeric) => Number.isFinite(Number(value))],
])
