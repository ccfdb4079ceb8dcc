/**
 * The headers of responses: those that the spec fixes, and those that the server sends by itself. All others are for the
 * handler to return.
 */
import type { Header } from '../document/model.ts'
import type { Deprecation, Response } from '../document/operations.ts'

export type HeaderValues = Readonly<Record<string, string>>

/** Returns the headers for which the spec allows only one value. */
export function getConstantHeaders({ headers }: Response): HeaderValues {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, header]) => {
      const value = getConstant(header)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Returns the headers that the spec fixes to the same value in all of these responses. */
export function getSharedHeaders(responses: readonly Response[]): HeaderValues {
  const [first = {}, ...others] = responses.map(getConstantHeaders)
  const isShared = (name: string) => others.every((headers) => headers[name] === first[name])
  return Object.fromEntries(Object.entries(first).filter(([name]) => isShared(name)))
}

/** True if the server sends a header, and a handler cannot. */
export function isServerHeader(name: string, header: Header): boolean {
  return SERVER_HEADERS.test(name) || getConstant(header) !== undefined
}

/** True if the server sends a header in some responses, so that a handler need not return it. */
export function isOptionalHeader(name: string, { required }: Header, isDeprecated: boolean): boolean {
  return required !== true || OCCASIONAL_HEADERS.test(name) || (isDeprecated && /^link$/i.test(name))
}

const SERVER_HEADERS = /^(deprecation|sunset|etag|ratelimit|ratelimit-policy|x-request-id)$/i
const OCCASIONAL_HEADERS = /^(www-authenticate|retry-after)$/i

function getConstant({ schema }: Header): string | undefined {
  const { const: constant, enum: values = [constant] } = schema
  return values.length === 1 && values[0] !== undefined ? String(values[0]) : undefined
}

/** Where a client can read on: URI references (RFC 3986) for the `Link` header. */
export interface DeprecationLinks {
  readonly documentation: string | undefined
  readonly successor: string | undefined
}

/** The headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` (RFC 8288). */
export function getDeprecationHeaders(
  { since, sunset }: Deprecation,
  { documentation, successor }: DeprecationLinks,
): Record<string, string> {
  const links = [
    // RFC 9745, section 3
    documentation === undefined ? [] : `<${documentation}>; rel="deprecation"; type="text/html"`,
    // RFC 5829, section 3.3
    successor === undefined ? [] : `<${successor}>; rel="successor-version"`,
  ].flat()
  return {
    // A date of Structured Fields: seconds since 1970 (RFC 9745, section 2.1).
    Deprecation: `@${toMidnight(since).getTime() / 1000}`,
    // An HTTP date (RFC 8594, section 3).
    ...(sunset === undefined ? {} : { Sunset: toMidnight(sunset).toUTCString() }),
    ...(links.length === 0 ? {} : { Link: links.join(', ') }),
  }
}

/** True from the day of the sunset on. */
export function isPastSunset({ sunset }: Deprecation, now: Date): boolean {
  return sunset !== undefined && toMidnight(sunset) <= now
}

function toMidnight(date: string): Date {
  return new Date(`${date}T00:00:00Z`)
}
