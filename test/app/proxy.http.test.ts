/**
 * The headers of reverse proxies and of distributed traces. test/docs/proxy.test.ts has a real proxy.
 */
import t from 'tap'
import { sqlite } from '../helpers/databases.ts'
import { startService } from '../helpers/service.ts'
import { execute } from '../helpers/sql.ts'

const valid = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

t.test('the id of a trusted proxy is in the response, in the log and in the log of errors', async (t) => {
  const databaseUrl = await sqlite.fresh(t)
  const { call, logged } = await startService(t, { databaseUrl, trustProxy: ['127.0.0.1'] })
  const headers = { 'x-request-id': 'from-the-proxy', traceparent: valid }
  for (const path of ['/v1/pets', '/nothing', '/v1/pets/%zz', '/livez']) {
    t.equal((await call('GET', path, { headers })).headers['x-request-id'], 'from-the-proxy', path)
  }
  await execute(databaseUrl, 'DROP TABLE pets')
  t.equal((await call('GET', '/v1/pets/1', { headers })).status, 500)
  const lines = logged()
  t.equal(lines.length, 6)
  for (const line of lines) t.match(line, { reqId: 'from-the-proxy', traceparent: valid })
  t.match(lines, [{}, {}, {}, {}, { msg: 'request failed' }, { msg: 'request' }])
})

t.test('a service that trusts no proxy makes ids of its own', async (t) => {
  const { call } = await startService(t)
  const { headers } = await call('GET', '/v1/pets', { headers: { 'x-request-id': 'mine' } })
  t.match(headers['x-request-id'], /^[0-9a-f-]{36}$/)
})

t.test('a traceparent is in the log if it is one, of this version or a later one', async (t) => {
  const { call, logged } = await startService(t)
  for (const [given, expected] of [
    [valid, valid],
    [`${valid.replace('00-', 'cc-')}-what-will-be`, valid.replace('00-', 'cc-')],
    [valid.toUpperCase(), undefined],
    [valid.replace('00-', 'ff-'), undefined],
    [`${valid}0`, undefined],
    [valid.slice(1), undefined],
    [valid.replace(/4bf9.{28}/, '0'.repeat(32)), undefined],
    [valid.replace('00f067aa0ba902b7', '0'.repeat(16)), undefined],
    ['"}', undefined],
    ['', undefined],
  ] as const) {
    await call('GET', '/v1/pets', { headers: { traceparent: given } })
    const line = logged().at(-1) ?? {}
    t.equal(line.traceparent, expected, given)
    t.equal('traceparent' in line, expected !== undefined)
  }
})

t.test('behind a public URL, references have its path, and requests may have it or not', async (t) => {
  const { call } = await startService(t, { publicUrl: 'https://shop.example/animals', base: '/animals/v1' })
  const added = await call('POST', '/animals/v1/pets', { json: { name: 'Rex', categoryId: 1 } })
  t.equal(added.headers.location, '/animals/v1/pets/1')
  t.equal((await call('GET', '/v1/pets/1')).status, 200)
  t.equal((await call('GET', '/animals')).headers.location, '/animals/docs')
})
