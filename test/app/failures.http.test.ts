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
