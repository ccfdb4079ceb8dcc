/**
 * Cross-origin requests (Fetch Standard, CORS protocol): none by default, and from the origins that the operator lists.
 */
import t from 'tap'
import { undeclaredMethod } from '../helpers/contract.ts'
import { type Call, type HttpResponse, send } from '../helpers/http.ts'
import { type Service, startService } from '../helpers/service.ts'

const listed = ['https://shop.example', 'http://localhost:8080']
const rex = { name: 'Rex', categoryId: 1 }

/** What a client in a browser needs to read besides bodies. */
const needed = [
  'Link',
  'Deprecation',
  'Sunset',
  'Location',
  'X-Request-Id',
  'Retry-After',
  'RateLimit',
  'WWW-Authenticate',
]

/** Sends a request from a page of an origin; what CORS adds to the response is beside the document. */
async function from(origin: string | undefined, service: Service, method: string, path: string, call: Call = {}) {
  const headers = { authorization: `Bearer ${service.key}`, ...(origin !== undefined && { origin }), ...call.headers }
  const response = await send(service.origin, method, path, { ...call, headers })
  const rawHeaders = response.rawHeaders.filter((_, index, all) => !isOfCors(all[index - (index % 2)]))
  if (method !== 'OPTIONS') service.contract.check({ ...response, method, path, rawHeaders })
  return response
}

function isOfCors(name = ''): boolean {
  return /^(access-control-.*|vary)$/i.test(name)
}

function corsOf({ headers }: HttpResponse): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isOfCors(name)))
}

/** The responses to a request of each kind: good, and wrong in many ways. */
async function* responsesTo(origin: string | undefined, service: Service): AsyncIterable<HttpResponse> {
  yield await from(origin, service, 'POST', '/v1/pets', { json: rex })
  for (const path of ['/v1/pets', '/v1/pets/1', '/v1/pets/2', '/v1/pets?limit=0', '/nothing', '/v1/pets/', '/health']) {
    yield await from(origin, service, 'GET', path)
  }
  yield await from(origin, service, 'HEAD', '/v1/pets')
  yield await from(origin, service, undeclaredMethod, '/v1/pets')
  yield await from(origin, service, 'GET', '/v1/pets', { headers: { authorization: 'Bearer x' } })
  yield await from(origin, service, 'POST', '/v1/pets', {
    body: '{,}',
    headers: { 'content-type': 'application/json' },
  })
  yield await from(origin, service, 'POST', '/v1/pets', { body: 'x', headers: { 'content-type': 'text/plain' } })
  const large = { body: 'x'.repeat(70_000), headers: { 'content-type': 'application/json' } }
  yield await from(origin, service, 'POST', '/v1/pets', large)
}

async function preflight(service: Service, origin: string, path = '/v1/pets'): Promise<HttpResponse> {
  const headers = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  }
  // A browser sends no key with it.
  return send(service.origin, 'OPTIONS', path, { headers: { origin, ...headers } })
}

t.test('by default no page of another origin may use the service', async (t) => {
  const service = await startService(t)
  for await (const response of responsesTo('https://shop.example', service)) t.same(corsOf(response), {})
  for (const path of ['/v1/pets', '/v1/pets/1']) {
    const { status, headers, body } = await preflight(service, 'https://shop.example', path)
    t.equal(status, 405)
    t.equal(headers.allow, service.contract.allow(path))
    t.match(body, { code: 'method_not_allowed' })
  }
  t.same(corsOf(await preflight(service, 'https://shop.example')), {})
})

t.test('a page of a listed origin may read every response, and the headers that it needs', async (t) => {
  const service = await startService(t, { corsOrigins: listed, rateLimit: { count: 16, seconds: 60 } })
  const statuses = new Set<number>()
  for (const origin of listed) {
    for await (const response of responsesTo(origin, service)) {
      statuses.add(response.status)
      t.equal(response.headers['access-control-allow-origin'], origin, String(response.status))
      t.equal(response.headers.vary, 'Origin')
      const exposed = response.headers['access-control-expose-headers']?.split(', ') ?? []
      t.same(
        needed.filter((name) => !exposed.includes(name)),
        [],
      )
      t.equal(response.headers['access-control-allow-credentials'], undefined, 'a key is no cookie')
    }
  }
  t.same([...statuses].sort(), [200, 201, 400, 401, 404, 405, 413, 415, 429])
})

t.test('a page of a listed origin may send a preflight without a key', async (t) => {
  const service = await startService(t, { corsOrigins: listed })
  const { operations } = service.contract
  const headers = [...new Set(operations.flatMap((operation) => operation.headers))]
  for (const origin of listed) {
    for (const path of ['/v1/pets', '/v1/pets/1']) {
      const response = await preflight(service, origin, path)
      t.equal(response.status, 204)
      t.equal(response.text, '')
      t.equal(response.headers['access-control-allow-origin'], origin)
      t.equal(response.headers.vary, 'Origin')
      t.equal(response.headers['access-control-allow-methods'], 'GET, POST')
      const allowed = response.headers['access-control-allow-headers']?.split(', ') ?? []
      t.same(allowed, ['Authorization', 'Content-Type', 'traceparent', 'X-Request-Id', ...headers])
    }
  }
})

t.test('a preflight gets 204 whatever the path is, and the request itself then says what is wrong', async (t) => {
  const service = await startService(t, { corsOrigins: listed })
  const [origin = ''] = listed
  for (const path of ['/', '/health', '/docs', '/nothing', '/v1/pets/', '/pets', '*']) {
    const response = await preflight(service, origin, path)
    t.equal(response.status, 204, path)
    t.equal(response.headers['access-control-allow-origin'], origin)
  }
})

t.test('OPTIONS without an origin, or with an unlisted one, gets 405', async (t) => {
  const service = await startService(t, { corsOrigins: listed })
  for (const origin of [undefined, 'https://other.example']) {
    for (const path of ['/v1/pets', '/v1/pets/1', '/health']) {
      const { status, headers } = await from(origin, service, 'OPTIONS', path)
      t.equal(status, 405)
      t.ok(headers.allow)
      t.equal(headers['access-control-allow-methods'], undefined)
    }
    t.equal((await from(origin, service, 'OPTIONS', '/nothing')).status, 404)
  }
})

t.test('a cache keeps the documentation apart by origin and by content coding', async (t) => {
  const service = await startService(t, { corsOrigins: listed })
  const { headers } = await from(listed[0], service, 'GET', '/docs/openapi.yaml')
  t.equal(headers['access-control-allow-origin'], listed[0])
  t.equal(headers.vary, 'Origin, Accept-Encoding')
  const again = await from(undefined, service, 'GET', '/docs/openapi.yaml', {
    headers: { 'if-none-match': String(headers.etag) },
  })
  t.equal(again.status, 304)
  t.equal(again.headers.vary, 'Origin, Accept-Encoding')
})

t.test('no header is sent twice', async (t) => {
  const service = await startService(t, { corsOrigins: listed })
  for await (const { rawHeaders, status } of responsesTo(listed[0], service)) {
    const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
    t.same(names, [...new Set(names)], String(status))
  }
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
    const responses = [await from(origin, service, 'GET', '/v1/pets'), await preflight(service, origin)]
    for (const { headers } of responses) {
      t.equal(headers['access-control-allow-origin'], undefined, origin)
      t.equal(headers.vary, 'Origin', 'a cache must not mistake it for the response to another origin')
    }
  }
  const { status, headers } = await from(undefined, service, 'GET', '/v1/pets')
  t.equal(status, 200, 'who is no page is served as ever')
  t.equal(headers['access-control-allow-origin'], undefined)
})
