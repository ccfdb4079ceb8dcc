/**
 * Requests over real sockets, byte for byte: each wrong one gets the Error body with the right status, and each right one its
 * response, however odd it is. Nothing else changes in the store.
 */
import t, { type Test } from 'tap'
import { sharedDatabases } from '../helpers/databases.ts'
import { exchange } from '../helpers/http.ts'
import { type Service, spec, startService } from '../helpers/service.ts'
import { bodies } from './rows/bodies.ts'
import { content } from './rows/content.ts'
import { json } from './rows/json.ts'
import { keys } from './rows/keys.ts'
import { names } from './rows/names.ts'
import { parameters } from './rows/parameters.ts'
import { paths } from './rows/paths.ts'
import { created, listed } from './rows/right.ts'
import { KEY, type WrongRequest } from './rows/row.ts'
import { wire } from './rows/wire.ts'

const wrongRequests = [parameters, names, bodies, json, content, paths, wire, keys].flat()

/** No response repeats more of a request than this many characters in a row: 60, and what may be around them in both. */
const LONGEST_ECHO = 62

/** Statuses of requests that reach no operation, wherever they were sent: `info.description` in openapi.yaml. */
const OF_NO_OPERATION = [405, 431]

/** Sends the bytes of a request. */
function sendBytes({ origin, key }: Service, bytes: string) {
  return exchange(origin, Buffer.from(bytes.replaceAll(KEY, key), 'latin1'))
}

t.test(`${wrongRequests.length} wrong requests are refused, and nothing is lost`, async (t) => {
  const service = await startService(t)
  const { call, key, logged, store } = service
  for (const name of ['Rex', 'Mia', 'Tom']) await call('POST', '/v1/pets', { json: { name, categoryId: 1 } })
  const contents = async () => [await store.pets.list({ after: -(2n ** 63n), limit: 100 }), await store.keys.list()]
  const before = await contents()

  for (const wrong of wrongRequests) {
    await t.test(`${wrong.name} (${wrong.reason})`, (t) => refuses(t, service, wrong))
  }

  t.same(await contents(), before, 'the store has what it had')
  t.match(await call('POST', '/v1/pets', { json: { name: 'Leo', categoryId: 1 } }), { status: 201, body: { id: 4 } })
  t.notOk(
    logged().some(({ level }) => Number(level) > 30),
    'no wrong request is a failure of the service',
  )
  t.notMatch(JSON.stringify(logged()), key)
  t.notOk('polluted' in {} || 'admin' in {} || 'status' in {})
})

for (const database of sharedDatabases) {
  t.test(`odd requests that are right have their responses: ${database.name}`, async (t) => {
    const service = await startService(t, { databaseUrl: await database.fresh(t) })
    for (const [requests, method, status] of [
      [created, 'POST', 201],
      [listed, 'GET', 200],
    ] as const) {
      for (const [name, bytes] of Object.entries(requests)) {
        const responses = await sendBytes(service, bytes)
        t.same([responses.length, responses[0]?.status], [1, status], name)
        for (const response of responses) service.contract.check({ method, path: '/v1/pets', ...response })
      }
    }
    const { length } = Object.keys(created)
    t.equal((await service.store.pets.list({ after: 0n, limit: 100 })).length, length, 'each creation added one')
  })
}

t.test('large bodies are refused with the same messages as small ones', async (t) => {
  const source = spec.replace('x-max-bytes: 8192', 'x-max-bytes: 4000000')
  const { call } = await startService(t, { source })
  const fields = Array.from({ length: 300_000 }, (_, count) => `"${count}":1`)
  for (const [body, message] of [
    [`{${fields}}`, /body\[0\] is not allowed.*; and more$/],
    [`{${fields},"0":1}`, 'body has "0" twice in one object'],
    [`[${'1e1,'.repeat(900_000)}1]`, 'body must be an object'],
    [`["\n${'['.repeat(3_900_000)}`, 'body is not JSON: control character in a string at line 1, column 3'],
    ['['.repeat(3_900_000), 'body is nested deeper than 64 levels'],
    [`{"name":"${'x'.repeat(3_900_000)}","categoryId":1}`, 'body.name must have at most 255 characters'],
    [`{"name":"Rex","categoryId":${'9'.repeat(3_900_000)}}`, 'body has a number that cannot be kept exactly: 9'],
    [`{"name":"Rex","categoryId":1}${' '.repeat(4_000_000)}`, 'the body is larger than 4000000 bytes'],
  ] as const) {
    const response = await call('POST', '/v1/pets', { headers: { 'content-type': 'application/json' }, body })
    t.match(response, { status: body.length > 4_000_000 ? 413 : 400, body: { message } })
  }
  t.equal((await call('GET', '/v1/pets')).text, '[]')
})

t.test('a key of the environment that is in the wrong place is not repeated', async (t) => {
  for (const key of ['0123456789abcdef', '0123456789.+/~-_0123456789abcdef0123456789abcdef0123456789==']) {
    const { call } = await startService(t, { apiKeys: [{ name: 'ci', key }] })
    for (const [method, path, json] of [
      ['GET', `/v1/${key}`, undefined],
      ['GET', `/${'x'.repeat(30)}/${key}`, undefined],
      ['GET', `/v1/pets?${encodeURIComponent(key)}=1`, undefined],
      ['POST', '/v1/pets', { [key]: 1 }],
      ['POST', '/v1/pets', { name: 'Rex', categoryId: 1, [`a ${key}`]: 1 }],
    ] as const) {
      const { status, body } = await call(method, path, { key, json })
      const { message } = body as { message: string }
      t.ok(status === 400 || status === 404)
      t.match(message, '[redacted]')
      t.notOk(message.includes(key.slice(0, 10)), message)
    }
  }
})

/** Sends a wrong request, and looks at the response from all sides. */
async function refuses(t: Test, service: Service, wrong: WrongRequest): Promise<void> {
  const bytes = wrong.bytes.replaceAll(KEY, service.key)
  const responses = await sendBytes(service, bytes)
  t.equal(responses.length, 1, 'there is one response')
  const [response] = responses
  if (response === undefined) return
  const { status, code, message } = wrong
  t.match(response.body, { status, code, message })
  if (typeof message === 'string') t.equal((response.body as { message: string }).message, message)
  t.equal(response.status, status)

  const [, method = 'GET', path = '*'] = /^([A-Z]+) (\S+) HTTP/.exec(bytes) ?? []
  service.contract.check({ method, path: OF_NO_OPERATION.includes(status) ? '*' : path, ...response })
  t.match(response.headers, {
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'x-request-id': /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  })
  if (status === 405) t.equal(`this path supports only ${response.headers.allow}`, message)
  if (status === 401) t.equal(response.headers['www-authenticate'], challengeOf(code))

  const whole = `${response.rawHeaders.join('\n')}\n${response.text}`
  t.notMatch(whole, service.key)
  t.notMatch(whole, /\n\s*at |node_modules|\.[jt]s\b|sqlite|postgres|select |insert /i)
  t.same([response.headers.server, response.headers['x-powered-by']], [undefined, undefined])
  const pieces = Array.from({ length: Math.max(0, response.text.length - LONGEST_ECHO) }, (_, start) =>
    response.text.slice(start, start + LONGEST_ECHO + 1),
  )
  t.same(
    pieces.filter((piece) => bytes.includes(piece)),
    [],
    'no long piece of the request is repeated',
  )
}

/** RFC 6750, section 3: an error only where a key was sent. */
function challengeOf(code: string): string {
  return `Bearer realm="Animal Store"${code === 'invalid_key' ? ', error="invalid_token"' : ''}`
}
