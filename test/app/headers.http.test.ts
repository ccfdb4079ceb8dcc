/**
 * Headers about caching and content codings.
 */
import t from 'tap'
import { startService } from '../helpers/service.ts'

t.test('a content coding is refused with those that are accepted', async (t) => {
  const { call } = await startService(t)
  const body = '{"name":"Rex","categoryId":1}'
  const coded = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const { status, headers } = await call('POST', '/v1/pets', { body, headers: coded })
  t.equal(status, 415)
  t.equal(headers['accept-encoding'], 'identity', 'RFC 9110, section 12.5.3')
  const other = await call('POST', '/v1/pets', { body, headers: { 'content-type': 'text/plain' } })
  t.equal(other.status, 415)
  t.equal(other.headers['accept-encoding'], undefined)
  const plain = { 'content-type': 'application/json', 'content-encoding': 'Identity' }
  t.equal((await call('POST', '/v1/pets', { body, headers: plain })).status, 201, 'RFC 9110, section 8.4.1')
})

t.test('health is not cached', async (t) => {
  const { call } = await startService(t)
  t.match(await call('GET', '/health', { key: null }), { status: 200, headers: { 'cache-control': 'no-store' } })
})
