/**
 * The formats of strings, each as its standard has it (JSON Schema Validation 2020-12, section 7.3; OpenAPI Format
 * Registry). The tests hold them to the official suite.
 */
import { isIPv4, isIPv6 } from 'node:net'

/** RFC 3339, appendix A: no unit is left out between two others. */
const DURATION =
  /^P(?=[\dT])(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/
/** RFC 3339, section 5.6. */
const TIME = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i
/** RFC 1123, section 2.1. */
const HOSTNAME = /^(?!.{254})[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i
/** RFC 5321, section 4.1.2. */
const LOCAL_PART = /^(?:[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*|"(?:[ !#-[\]-~]|\\[ -~])*")$/
/** RFC 5321, section 4.1.3. */
const ADDRESS_LITERAL = /^\[(ipv6:)?(.*)\]$/i
/** RFC 3986, section 2. */
const URI_CHARACTERS = /^[\w.~!$&'()*+,;=:@/?#[\]%-]*$/
const MALFORMED_ESCAPE = /%(?![\da-f]{2})/i
/** RFC 3986, section 3; the groups are the scheme and an IPv6 address. */
const URI =
  /^(?:([a-z][a-z\d+.-]*):|(?![^/?#]*:))(?:\/\/(?:[^/?#@[\]]*@)?(?:\[(?:v[\da-f]+\.[^/?#@[\]%]+|([\da-f:.]+))\]|[^/?#@:[\]]*)(?::\d*)?(?=[/?#]|$)|(?!\/\/))[^?#[\]]*(?:\?[^#[\]]*)?(?:#[^#[\]]*)?$/i
/** RFC 6570, section 2. */
const TEMPLATE_LITERAL = /^[^\p{Cc} "<>\\^`{|}]*$/u
const TEMPLATE_VARIABLE = String.raw`(?:\w|%[\da-f]{2})(?:\.?(?:\w|%[\da-f]{2}))*(?:\*|:[1-9]\d{0,3})?`
const TEMPLATE_EXPRESSION = new RegExp(`{[+#./;?&=,!@|]?${TEMPLATE_VARIABLE}(?:,${TEMPLATE_VARIABLE})*}`, 'gi')

/** The supported formats; true for a text that has the format. `password` is a hint for people. */
export const FORMATS = {
  byte: (text: string) => text.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(text),
  date: isDate,
  'date-time': (text: string) => isDate(text.slice(0, 10)) && /^t/i.test(text.slice(10)) && isTime(text.slice(11)),
  duration: (text: string) => DURATION.test(text),
  email: isEmail,
  hostname: (text: string) => HOSTNAME.test(text),
  ipv4: (text: string) => isIPv4(text),
  ipv6: isAddress,
  'json-pointer': (text: string) => /^(?:\/|$)/.test(text) && !/~(?![01])/.test(text),
  password: (_text: string) => true,
  regex: isRegex,
  time: isTime,
  uri: (text: string) => parseUri(text)?.[1] !== undefined,
  'uri-reference': (text: string) => parseUri(text) !== null,
  'uri-template': isTemplate,
  uuid: (text: string) => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text),
}

/** A day that a month does not have runs over into the next. */
function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).getUTCDate() === Number(text.slice(8))
}

/** A leap second is the last one of a day in UTC (RFC 3339, section 5.7). */
function isTime(text: string): boolean {
  const [matched, hour, minute, second, sign, ...offset] = TIME.exec(text) ?? []
  if (second !== '60') return matched !== undefined
  const [hours = 0, minutes = 0] = sign === undefined ? [] : offset.map((part) => Number(`${sign}${part}`))
  const inUtc = (Number(hour) - hours) * 60 + Number(minute) - minutes
  return (inUtc + 1440) % 1440 === 1439
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 0 || !LOCAL_PART.test(text.slice(0, at))) return false
  const domain = text.slice(at + 1)
  const [, tag, address] = ADDRESS_LITERAL.exec(domain) ?? []
  if (address === undefined) return HOSTNAME.test(domain)
  return tag === undefined ? isIPv4(address) : isAddress(address)
}

/** Zones are not part of an address (RFC 4291, section 2.2). */
function isAddress(text: string): boolean {
  return isIPv6(text) && !text.includes('%')
}

/** ECMA-262, as `pattern` is. */
function isRegex(text: string): boolean {
  try {
    return new RegExp(text, 'u') !== undefined
  } catch {
    return false
  }
}

function parseUri(text: string): RegExpExecArray | null {
  if (!URI_CHARACTERS.test(text) || MALFORMED_ESCAPE.test(text)) return null
  const match = URI.exec(text)
  return match?.[2] === undefined || isIPv6(match[2]) ? match : null
}

function isTemplate(text: string): boolean {
  // In place of an expression, a character that completes no escape.
  const literals = text.replaceAll(TEMPLATE_EXPRESSION, 'x')
  return TEMPLATE_LITERAL.test(literals) && !MALFORMED_ESCAPE.test(literals)
}
