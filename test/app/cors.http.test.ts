/**
 * Cross-origin requests (Fetch Standard, CORS protocol): none by default, and from the pages of the origins that the operator
 * lists. test/docs/page.test.ts has a browser.
 */
import t from 'tap'
import { undeclaredMethod } from '../helpers/contract.ts'
import { type Call, type HttpResponse, send } from '../helpers/http.ts'
import { type Service, startService } from '../helpers/service.ts'

const shop = 'https://shop.example'
const listed = [shop, 'http://localhost:8080']
const json = { 'content-type': 'application/json' }

/** Sends a request from a page of an origin. */
async function sendFrom(origin: string | undefined, service: Service, method: string, path: string, call: Call = {}) {
  const headers = { authorization: `Bearer ${service.key}`, ...(origin !== undefined && { origin }), ...call.headers }
  const response = await send(service.origin, method, path, { ...call, headers })
  // No operation has the method OPTIONS.
  if (method !== 'OPTIONS') service.contract.check({ ...response, method, path })
  return response
}

/** Returns the responses to a request of each kind: good, and wrong in many ways. */
function getResponses(origin: string, service: Service): Promise<HttpResponse[]> {
  const requests: [method: string, path: string, call?: Call][] = [
    ['POST', '/v1/pets', { json: { name: 'Rex', categoryId: 1 } }],
    ...['/v1/pets', '/v1/pets/1', '/v1/pets/2', '/v1/pets?limit=0', '/nothing', '/readyz'].map(
      (path): [string, string] => ['GET', path],
    ),
    ['HEAD', '/v1/pets'],
    [undeclaredMethod, '/v1/pets'],
    ['GET', '/v1/pets', { headers: { authorization: 'Bearer x' } }],
    ['POST', '/v1/pets', { body: 'x', headers: { 'content-type': 'text/plain' } }],
    ['POST', '/v1/pets', { body: 'x'.repeat(70_000), headers: json }],
  ]
  return Promise.all(requests.map((request) => sendFrom(origin, service, ...request)))
}

/** Asks, as a browser does before a request, which sends no key. */
function sendPreflight(origin: string, service: Service, path = '/v1/pets'): Promise<HttpResponse> {
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
  return send(service.origin, 'OPTIONS', path, { headers: { origin, ...asked } })
}

function getCorsHeaders({ headers }: HttpResponse): string[] {
  return Object.keys(headers).filter((name) => /^access-control-|^vary$/.test(name))
}

t.test('by default no page of another origin may use the service', async (t) => {
  const service = await startService(t)
  for (const response of await getResponses(shop, service)) t.same(getCorsHeaders(response), [])
  const preflight = await sendPreflight(shop, service)
  t.match(preflight, { status: 405, headers: { allow: service.contract.allow('/v1/pets') } })
  t.same(getCorsHeaders(preflight), [])
})

t.test('a page of a listed origin may read every response, and the headers that it needs', async (t) => {
  const service = await startService(t, { corsOrigins: listed, rateLimit: { count: 12, seconds: 60 } })
  const statuses = new Set<number>()
  for (const origin of listed) {
    for (const { status, headers, rawHeaders } of await getResponses(origin, service)) {
      statuses.add(status)
      const allowed = { 'access-control-allow-origin': origin, vary: 'Origin' }
      // A key is no cookie.
      t.match(headers, { ...allowed, 'access-control-allow-credentials': undefined }, String(status))
      t.equal(headers['access-control-expose-headers'], '*')
      const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
      t.same(names, [...new Set(names)], 'no header is sent twice')
    }
  }
  t.same([...statuses].sort(), [200, 201, 400, 401, 404, 405, 413, 415, 429])
})

t.test('a preflight of a listed origin gets 200 without a key, whatever the path is', async (t) => {
  const service = await startService(t, { corsOrigins: listed })
  for (const path of ['/v1/pets', '/v1/pets/1', '/', '/readyz', '/docs', '/nothing', '/v1/pets/', '*']) {
    const { status, text, headers } = await sendPreflight(shop, service, path)
    t.same([status, text], [200, ''], path)
    t.match(headers, {
      // RFC 9110, section 8.6: a 204 must not have this header.
      'content-length': '0',
      'access-control-allow-origin': shop,
      'access-control-allow-methods': '*',
      'access-control-allow-headers': 'authorization',
      'access-control-max-age': '7200',
      'access-control-allow-credentials': undefined,
      vary: 'Origin',
    })
  }
})

t.test('OPTIONS without an origin, or with an unlisted one, gets 405', async (t) => {
  const service = await startService(t, { corsOrigins: listed })
  for (const origin of [undefined, 'https://other.example']) {
    for (const path of ['/v1/pets', '/v1/pets/1']) {
      const headers = { allow: String, 'access-control-allow-methods': undefined }
      t.match(await sendFrom(origin, service, 'OPTIONS', path), { status: 405, headers })
    }
    t.equal((await sendFrom(origin, service, 'OPTIONS', '/nothing')).status, 404)
  }
})

t.test('a cache keeps the documentation apart by origin and by content coding', async (t) => {
  const service = await startService(t, { corsOrigins: listed })
  const { headers } = await sendFrom(shop, service, 'GET', '/docs/openapi.yaml')
  t.match(headers, { 'access-control-allow-origin': shop, vary: 'Origin, Accept-Encoding' })
  const again = { headers: { 'if-none-match': String(headers.etag) } }
  const { status, headers: stored } = await sendFrom(undefined, service, 'GET', '/docs/openapi.yaml', again)
  t.match([status, stored.vary], [304, 'Origin, Accept-Encoding'])
})

t.test('pages of other origins may not use the service, however similar to a listed one', async (t) => {
  const service = await startService(t, { corsOrigins: listed })
  for (const origin of [
    'https://other.example',
    'http://shop.example',
    'https://shop.example:8443',
    'https://shop.example.other.example',
    'https://other.shop.example',
    'https://SHOP.example',
    'https://shop.example/',
    'https://shop.example, http://localhost:8080',
    'http://localhost',
    'null',
    '*',
    '',
  ]) {
    for (const response of [await sendFrom(origin, service, 'GET', '/v1/pets'), await sendPreflight(origin, service)]) {
      // A cache must not mistake it for the response to another origin.
      t.match(response.headers, { 'access-control-allow-origin': undefined, vary: 'Origin' }, origin)
    }
  }
  t.equal((await sendFrom(undefined, service, 'GET', '/v1/pets')).status, 200)
})
