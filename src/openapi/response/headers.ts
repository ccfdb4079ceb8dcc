/**
 * The headers of responses, and who sends each that a response declares:
 *
 * | header                                                  | sent by                                       |
 * |---------------------------------------------------------|-----------------------------------------------|
 * | with one allowed value                                  | the server, in each response                  |
 * | named by the app, such as RateLimit                     | the server, in each response                  |
 * | Date, Deprecation, ETag, Link, Sunset, WWW-Authenticate | the server, in responses of its `SendingRule` |
 * | Link, Retry-After, WWW-Authenticate                     | also the handler, unless one value is allowed |
 * | any other one                                           | the handler                                   |
 *
 * `findSendingRule` says in which responses the server sends a header, `isServerHeader` that handlers cannot send it, and
 * `getHandlerHeaders` that they must.
 */

import type { Deprecation, Operation } from '../document/operations.ts'
import type { Header, Response, ResponseKey } from '../document/responses.ts'
import type { SchemaViews } from '../schema/selection.ts'
import { createIntegerTest, hasIntegers } from '../schema/types.ts'
import type { ResponseHeaders } from '../shared/errors.ts'
import { isNumber } from '../shared/json.ts'

/** The headers that a handler returns. */
export type HandlerHeaders = Readonly<Record<string, string | number | bigint | boolean | undefined>>

/** Returns headers by their names in lower case, because names ignore case (RFC 9110, section 5.1). */
export function lowerCaseNames(headers: HandlerHeaders): HandlerHeaders {
  const lowerCased: Record<string, HandlerHeaders[string]> = {}
  for (const name of Object.keys(headers)) lowerCased[name.toLowerCase()] = headers[name]
  return lowerCased
}

/**
 * Creates the check that the integers in a handler's headers are exact, as those of bodies are. It throws for a number that may have
 * been rounded; other values are for `validateResponses`.
 */
export function createIntegerCheck(
  { headers }: Response,
  views: SchemaViews,
): (handlerHeaders: HandlerHeaders) => void {
  const isExact = createIntegerTest(views.int64)
  const integerHeaders = Object.entries(headers)
    .filter(([, { schema }]) => hasIntegers(views.get(schema)))
    .map(([name]) => ({ name, lowerCaseName: name.toLowerCase() }))
  return (handlerHeaders) => {
    for (const { name, lowerCaseName } of integerHeaders) {
      const value = handlerHeaders[lowerCaseName]
      if (!isNumber(value) || !Number.isInteger(Number(value)) || isExact(value)) continue
      throw new Error(`invalid response: the header ${name} is an integer of more than 53 bits`)
    }
  }
}

/** Returns the headers for which the spec allows only one value. */
export function getConstantHeaders({ headers }: Response): ResponseHeaders {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, header]) => {
      const value = getConstant(header)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Returns the headers for which the spec allows only one value, the same in all of these responses. */
export function getCommonHeaders(responses: readonly Response[]): ResponseHeaders {
  // Operations share most responses.
  const constantHeaders = [...new Set(responses)].map(getConstantHeaders)
  const [firstHeaders = {}] = constantHeaders
  const hasSame = (headers: ResponseHeaders, name: string, value: string) =>
    Object.entries(headers).some((entry) => entry[0].toLowerCase() === name.toLowerCase() && entry[1] === value)
  return Object.fromEntries(
    Object.entries(firstHeaders).filter(([name, value]) =>
      constantHeaders.every((headers) => hasSame(headers, name, value)),
    ),
  )
}

/**
 * True if the server always sets this header in the responses of the key. `hasDocumentation` is true if the app has a page for
 * each operation.
 */
type SendingRule = (operation: Operation, key: ResponseKey, hasDocumentation: boolean) => boolean

/** The headers that the layer sends by itself, and Node's `Date`, by the responses that have them. */
const LAYER_HEADERS = new Map<string, SendingRule>([
  ['date', isAlwaysSent],
  ['deprecation', ({ deprecation }) => deprecation?.since !== undefined],
  ['etag', hasETag],
  ['link', hasDeprecationLink],
  ['sunset', ({ deprecation }) => deprecation?.sunset !== undefined],
  ['www-authenticate', (_operation, key) => key === 401 || key === 403],
])

function isAlwaysSent(): boolean {
  return true
}

/** The layer computes the ETag of a whole body: a stream of items is never whole. */
function hasETag({ isConditional, responses }: Operation, key: ResponseKey): boolean {
  const { content = [] } = responses.get(200) ?? {}
  const hasWholeBody = content.length > 0 && content.every(({ itemSchema }) => itemSchema === undefined)
  return isConditional && (key === 304 || (key === 200 && hasWholeBody))
}

/** The links of a deprecation lead to the successor and to the documentation, if there are any. */
function hasDeprecationLink({ deprecation }: Operation, _key: ResponseKey, hasDocumentation: boolean): boolean {
  return deprecation !== undefined && (deprecation.replacedBy !== undefined || hasDocumentation)
}

/** The headers that a 304 repeats: a client updates the stored response with them (RFC 9110, section 15.4.5). */
export const OF_NOT_MODIFIED = /^(cache-control|content-location|expires|vary)$/i

/** Headers that the server sends in some responses, and that a handler may also return. */
const SHARED_HEADERS = /^(link|retry-after|www-authenticate)$/i

/** The names of the headers that the app sets itself, in lower case. */
export type ServerHeaders = readonly string[]

/** Returns the rule by which the server sends a header; undefined if only handlers send it. */
export function findSendingRule(name: string, header: Header, serverHeaders: ServerHeaders): SendingRule | undefined {
  const lowerCaseName = name.toLowerCase()
  const isConstant = serverHeaders.includes(lowerCaseName) || getConstant(header) !== undefined
  return isConstant ? isAlwaysSent : LAYER_HEADERS.get(lowerCaseName)
}

/** True if only the server sends a header, and a handler cannot. */
export function isServerHeader(name: string, header: Header, serverHeaders: ServerHeaders): boolean {
  const isShared = SHARED_HEADERS.test(name) && getConstant(header) === undefined
  return !isShared && findSendingRule(name, header, serverHeaders) !== undefined
}

/** Returns the required headers of a response that its handler must set. */
export function getHandlerHeaders(
  { headers }: Response,
  serverHeaders: ServerHeaders,
  operation: Operation,
  key: ResponseKey,
): string[] {
  // The links of a deprecation are never for the handler: without documentation to lead to, `checkImplementation` reports them.
  const hasDocumentation = true
  const handlerHeaders = Object.entries(headers).filter(([name, header]) => {
    const isSent = findSendingRule(name, header, serverHeaders)?.(operation, key, hasDocumentation)
    return header.required && !isSent && !isServerHeader(name, header, serverHeaders)
  })
  return handlerHeaders.map(([name]) => name)
}

/** Returns the only value of a header; undefined if its schema allows several. */
export function getConstant({ allowedValues = [] }: Header): string | undefined {
  return allowedValues.length === 1 ? String(allowedValues[0]) : undefined
}

/**
 * The headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` (RFC 8288). The links are URI references (RFC 3986)
 * to where a client can read on, and to the operation to use instead.
 */
export function getDeprecationHeaders(
  { since, sunset }: Deprecation,
  { documentation, successor }: Readonly<Record<'documentation' | 'successor', string | undefined>>,
): Record<string, string> {
  const links = [
    // RFC 9745, section 3
    documentation && `<${documentation}>; rel="deprecation"; type="text/html"`,
    // RFC 5829, section 3.3
    successor && `<${successor}>; rel="successor-version"`,
  ].filter(Boolean)
  return {
    // A date of Structured Fields: seconds since 1970 (RFC 9745, section 2.1).
    ...(since && { Deprecation: `@${toMidnight(since).getTime() / 1000}` }),
    // An HTTP date (RFC 8594, section 3).
    ...(sunset && { Sunset: toMidnight(sunset).toUTCString() }),
    ...(links.length > 0 && { Link: links.join(', ') }),
  }
}

/** True from the day of the sunset on. */
export function isPastSunset({ sunset }: Deprecation, now: Date): boolean {
  return sunset !== undefined && toMidnight(sunset) <= now
}

function toMidnight(date: string): Date {
  return new Date(`${date}T00:00:00Z`)
}
