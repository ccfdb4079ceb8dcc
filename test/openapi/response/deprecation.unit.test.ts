/**
 * The headers of deprecated operations.
 */
import t from 'tap'
import { getDeprecationHeaders, isPastSunset } from '../../../src/openapi/response/headers.ts'

const since = { since: '2026-11-20', sunset: undefined, replacedBy: undefined }
const none = { documentation: undefined, successor: undefined }

t.test('the headers have the dates of the deprecation and the sunset, and the links', async (t) => {
  for (const [lifecycle, links, headers] of [
    [since, none, { Deprecation: '@1795132800' }],
    [{ ...since, since: '1970-01-01' }, none, { Deprecation: '@0' }],
    [
      { ...since, sunset: '2030-12-05' },
      { ...none, documentation: '/docs#/a' },
      {
        Deprecation: '@1795132800',
        Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
        Link: '</docs#/a>; rel="deprecation"; type="text/html"',
      },
    ],
    [
      { ...since, replacedBy: 'b' },
      { ...none, successor: '/v1/b' },
      { Deprecation: '@1795132800', Link: '</v1/b>; rel="successor-version"' },
    ],
    [
      since,
      { documentation: '/docs#/a', successor: '/v1/b' },
      {
        Deprecation: '@1795132800',
        Link: '</docs#/a>; rel="deprecation"; type="text/html", </v1/b>; rel="successor-version"',
      },
    ],
  ] as const) {
    t.strictSame(getDeprecationHeaders(lifecycle, links), headers)
  }
})

t.test('the sunset begins at midnight UTC', async (t) => {
  const lifecycle = { ...since, sunset: '2030-12-05' }
  t.equal(isPastSunset(lifecycle, new Date('2030-12-04T23:59:59.999Z')), false)
  t.equal(isPastSunset(lifecycle, new Date('2030-12-05T00:00:00Z')), true)
  t.equal(isPastSunset(since, new Date('9999-01-01')), false)
})
