/**
 * The headers of responses. `findSenders` says who sends a header that a response declares:
 *
 * | header                                                  | sent by                                       |
 * |---------------------------------------------------------|-----------------------------------------------|
 * | with one allowed value                                  | the server, in each response                  |
 * | named by the app, such as RateLimit                     | the server, in each response                  |
 * | Date, Deprecation, ETag, Link, Sunset, WWW-Authenticate | the server, in some responses                 |
 * | Link, Retry-After, WWW-Authenticate                     | also the handler, unless one value is allowed |
 * | any other one                                           | the handler                                   |
 */
import type { FastifyReply } from 'fastify'
import type { Operation } from '../document/operations.ts'
import type { Header, Response, ResponseKey } from '../document/responses.ts'
import { getOwn } from '../document/values.ts'
import type { ResponseHeaders } from '../shared/errors.ts'

/** The headers that a handler returns. */
export type HandlerHeaders = Readonly<Record<string, string | number | bigint | boolean | undefined>>

/** Returns values by header names in lower case, because names ignore case (RFC 9110, section 5.1). */
export function lowerCaseNames<Value>(headers: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  const lowerCased: Record<string, Value> = {}
  for (const [name, value] of Object.entries(headers)) lowerCased[name.toLowerCase()] = value
  return lowerCased
}

/** Returns the headers for which the spec allows only one value. */
export function getConstants(headers: Response['headers']): ResponseHeaders {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, { constant }]) => (constant === undefined ? [] : [[name, constant]])),
  )
}

/** Returns the headers for which the spec allows only one value, the same in all of these responses. */
export function getCommonHeaders(responses: readonly Response[]): ResponseHeaders {
  // Operations share most responses.
  const constantHeaders = [...new Set(responses)].map(({ headers }) => getConstants(headers))
  const constantsByLowerCaseName = constantHeaders.map(lowerCaseNames)
  return Object.fromEntries(
    Object.entries(constantHeaders[0] ?? {}).filter(([name, value]) =>
      constantsByLowerCaseName.every((headers) => headers[name.toLowerCase()] === value),
    ),
  )
}

/** The headers that the layer computes, and Node's `Date`, by the responses that always have them. */
const COMPUTED_HEADERS: Readonly<Record<string, (operation: Operation, key: ResponseKey) => boolean>> = {
  date: () => true,
  deprecation: ({ deprecation }) => deprecation?.since !== undefined,
  etag: hasETag,
  link: ({ deprecation }) => deprecation !== undefined,
  sunset: ({ deprecation }) => deprecation?.sunset !== undefined,
  'www-authenticate': (_operation, key) => key === 401 || key === 403,
}

/** The layer computes the ETag of a whole body: a stream of items is never whole. */
function hasETag({ isConditional, responses }: Operation, key: ResponseKey): boolean {
  const { content = [] } = responses.get(200) ?? {}
  const hasWholeBody = content.length > 0 && content.every(({ itemSchema }) => itemSchema === undefined)
  return isConditional && (key === 304 || (key === 200 && hasWholeBody))
}

/** The headers that a 304 repeats: a client updates the stored response with them (RFC 9110, section 15.4.5). */
export const NOT_MODIFIED_HEADERS = /^(cache-control|content-location|expires|vary)$/i

/** The headers that a handler may return although the layer or the app sends them in some responses. */
const SHARED_HEADERS: readonly string[] = ['link', 'retry-after', 'www-authenticate']

/** The names of the headers that the app sets itself, in lower case. */
export type ServerHeaders = readonly string[]

/** Who sends a header that a response declares. */
export interface Senders {
  /** True if the layer or the app computes the value. */
  readonly isComputed: boolean
  /** True if the server sends the header in each response with the key. */
  readonly isSentByServer: boolean
  /** True if a handler may return the header. */
  readonly mayBeReturned: boolean
}

/** Finds who sends a header in the responses with a key. */
export function findSenders(
  name: string,
  { constant }: Header,
  operation: Operation,
  key: ResponseKey,
  serverHeaders: ServerHeaders,
): Senders {
  const lowerCaseName = name.toLowerCase()
  const isOfApp = serverHeaders.includes(lowerCaseName)
  const layerSends = getOwn(COMPUTED_HEADERS, lowerCaseName)
  const isComputed = isOfApp || layerSends !== undefined
  return {
    isComputed,
    isSentByServer: constant !== undefined || isOfApp || layerSends?.(operation, key) === true,
    mayBeReturned: constant === undefined && (!isComputed || SHARED_HEADERS.includes(lowerCaseName)),
  }
}

/** Returns the required headers of a response that its handler must set. */
export function getHandlerHeaders(
  { headers }: Response,
  serverHeaders: ServerHeaders,
  operation: Operation,
  key: ResponseKey,
): string[] {
  return Object.entries(headers).flatMap(([name, header]) => {
    const { isSentByServer, mayBeReturned } = findSenders(name, header, operation, key, serverHeaders)
    return header.required && mayBeReturned && !isSentByServer ? [name] : []
  })
}

/** Adds items to a header that is a list, unless it has them: a hook may send a response that it has stored. */
export function addToList(reply: FastifyReply, name: string, value: string): void {
  const items = [reply.getHeader(name) ?? []].flat().join(', ')
  if (items === '') reply.header(name, value)
  else if (!`, ${items}, `.includes(`, ${value}, `)) reply.header(name, `${items}, ${value}`)
}
