/**
 * Pages of other origins, where the operator lets them call (Fetch Standard, CORS protocol).
 */
import t, { type Test } from 'tap'
import { sharedDatabases } from '../helpers/databases.ts'
import { send } from '../helpers/http.ts'
import { type ServiceOptions, startService } from '../helpers/service.ts'

const shop = 'https://shop.example'
const preflight = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type,idempotency-key',
}

for (const database of sharedDatabases) {
  const start = async (t: Test, options: ServiceOptions = {}) =>
    startService(t, { databaseUrl: await database.fresh(t), ...options })

  t.test(database.name, async (t) => {
    t.test('without CORS_ORIGINS, no page is allowed, and OPTIONS gets 405', async (t) => {
      const { call, origin } = await start(t)
      const { status, headers } = await call('GET', '/v1/pets', { headers: { origin: shop } })
      t.equal(status, 200)
      t.same(namesOf(headers), [])
      const asked = await send(origin, 'OPTIONS', '/v1/pets', { headers: { origin: shop, ...preflight } })
      t.equal(asked.status, 405)
      t.same(namesOf(asked.headers), [])
    })

    t.test(
      'a page of a listed origin may read the responses, errors too, and the headers of the contract',
      async (t) => {
        const { call } = await start(t, { corsOrigins: ['http://localhost:5173', shop] })
        for (const [expected, path, key] of [
          [200, '/v1/pets', undefined],
          [401, '/v1/pets', null],
          [400, '/v1/pets?limit=0', undefined],
          [404, '/v1/pets/0', undefined],
          [404, '/nothing', undefined],
        ] as const) {
          const { status, headers } = await call('GET', path, {
            headers: { origin: shop },
            ...(key === null && { key }),
          })
          t.equal(status, expected)
          t.equal(headers['access-control-allow-origin'], shop)
          t.equal(headers.vary, 'Origin')
          const exposed = headers['access-control-expose-headers']?.split(', ') ?? []
          for (const name of [
            'Link',
            'Location',
            'Deprecation',
            'Sunset',
            'Retry-After',
            'WWW-Authenticate',
            'X-Request-Id',
          ]) {
            t.ok(exposed.includes(name), name)
          }
        }
      },
    )

    t.test(
      'a page of a listed origin may send what the operations take, as its browser asks before, without a key',
      async (t) => {
        const { origin, contract } = await start(t, { corsOrigins: [shop] })
        const fields = [...new Set(contract.operations.flatMap((operation) => operation.headers))]
        t.ok(fields.includes('Idempotency-Key'))
        for (const path of ['/v1/pets', '/v1/pets/1']) {
          const { status, headers, text } = await send(origin, 'OPTIONS', path, {
            headers: { origin: shop, ...preflight },
          })
          t.equal(status, 204)
          t.equal(text, '')
          t.equal(headers['access-control-allow-origin'], shop)
          t.equal(headers['access-control-allow-methods'], 'GET, POST')
          const own = ['Authorization', 'Content-Type', 'traceparent', 'X-Request-Id']
          t.equal(headers['access-control-allow-headers'], [...own, ...fields].join(', '))
          t.equal(headers['access-control-max-age'], '7200')
          t.equal(headers['access-control-allow-credentials'], undefined)
        }
      },
    )

    t.test('a page of another origin is not allowed', async (t) => {
      const { call, origin } = await start(t, { corsOrigins: [shop] })
      for (const other of [
        'https://other.example',
        'http://shop.example',
        `${shop}:8443`,
        `${shop}.evil.example`,
        'null',
      ]) {
        const { headers } = await call('GET', '/v1/pets', { headers: { origin: other } })
        t.equal(headers['access-control-allow-origin'], undefined, other)
        const asked = await send(origin, 'OPTIONS', '/v1/pets', { headers: { origin: other, ...preflight } })
        t.equal(asked.headers['access-control-allow-origin'], undefined, other)
      }
    })
  })
}

function namesOf(headers: object): string[] {
  return Object.keys(headers).filter((name) => name.startsWith('access-control-') || name === 'vary')
}
