/**
 * Failures of the service itself. None of them ends the process: the test would fail with it.
 */
import t from 'tap'
import { startService } from '../helpers/service.ts'

/** What throws when JavaScript looks at it. */
const { proxy: opaque, revoke } = Proxy.revocable({}, {})
revoke()

t.test('whatever a store throws, the response is a 500', async (t) => {
  const { call, store, getInFlight, logged } = await startService(t)
  const values = [undefined, null, 'secret', 0, Symbol('secret'), Object.freeze({ a: 1 }), Object.create(null), opaque]
  for (const value of values) {
    Object.assign(store.pets, { find: () => Promise.reject(value) })
    t.match(await call('GET', '/v1/pets/1'), { status: 500, body: { code: 'internal_error' } })
  }
  t.equal(getInFlight(), 0)
  t.equal(logged().filter(({ msg }) => msg === 'request failed').length, values.length)
})

t.test('a request whose error cannot be sent is aborted, and the cause is logged', async (t) => {
  const explain = () => {
    throw new Error('no words')
  }
  const { call, store, getInFlight, logged } = await startService(t, { explain })
  Object.assign(store.pets, { find: () => Promise.reject(new Error('broken')) })
  await t.rejects(call('GET', '/v1/pets/1'), { code: 'ECONNRESET' })
  t.equal(getInFlight(), 0)
  t.match(logged(), [
    { err: { message: 'broken' }, msg: 'request failed' },
    { err: { message: 'no words' }, msg: 'request failed' },
    { err: { message: 'no words' }, msg: 'connection closed: the error cannot be sent' },
    { res: { statusCode: 499 } },
  ])
  t.equal((await call('GET', '/v1/pets')).status, 200)
})
