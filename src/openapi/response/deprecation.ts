/**
 * The headers with which a deprecated operation announces its deprecation in every response.
 */
import type { Deprecation } from '../document/operations.ts'

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
