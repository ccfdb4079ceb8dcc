/**
 * What a deprecated operation says of itself in the headers of each of its answers.
 */
import type { Lifecycle } from '../operations.ts'

/** Where a client can read on: URI references (RFC 3986) for the `Link` header. */
export interface LifecycleLinks {
  readonly documentation: string | undefined
  readonly successor: string | undefined
}

/** The headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` (RFC 8288). */
export function lifecycleHeaders(lifecycle: Lifecycle, links: LifecycleLinks): Record<string, string> {
  const { deprecatedSince, sunset } = lifecycle
  const relations = [
    // RFC 9745, section 3
    links.documentation === undefined ? [] : `<${links.documentation}>; rel="deprecation"; type="text/html"`,
    // RFC 5829, section 3.3
    links.successor === undefined ? [] : `<${links.successor}>; rel="successor-version"`,
  ].flat()
  return {
    // A Structured Fields date: seconds since 1970 (RFC 9745, section 2.1).
    Deprecation: `@${midnight(deprecatedSince).getTime() / 1000}`,
    // An HTTP date (RFC 8594, section 3).
    ...(sunset === undefined ? {} : { Sunset: midnight(sunset).toUTCString() }),
    ...(relations.length === 0 ? {} : { Link: relations.join(', ') }),
  }
}

/** Whether the day of the sunset has come. */
export function isPastSunset({ sunset }: Lifecycle, now: Date): boolean {
  return sunset !== undefined && midnight(sunset) <= now
}

function midnight(date: string): Date {
  return new Date(`${date}T00:00:00Z`)
}
