/** The deprecation of an operation: the headers that announce it, and its sunset. */
import type { Deprecation } from '../document/operations.ts'

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
