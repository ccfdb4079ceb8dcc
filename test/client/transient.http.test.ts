/**
 * The client where connections are lost and the service is unavailable.
 */
import t, { type Test } from 'tap'
import { AnimalStoreError, type ClientOptions, createAnimalStore } from '../../src/client/index.ts'
import { type Fault, startFlakyProxy } from '../helpers/flaky-proxy.ts'
import { type Service, type ServiceOptions, startService } from '../helpers/service.ts'
import { lock } from '../helpers/sql.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'

const rex = { name: 'Rex', categoryId: 9007199254740993n }

for (const fault of ['refuse', 'loseResponse', 'cutResponse', 'hang', 'unavailable'] as const) {
  t.test(`an animal is added once, and a list is complete, after: ${fault}`, async (t) => {
    const { service, proxy, store } = await start(t, [fault], { timeoutMs: 1000 })
    const pet = await store.add(rex)
    t.equal(proxy.connections(), 2)
    t.strictSame(await stored(service), [pet])

    const reader = await start(t, [fault], { timeoutMs: 1000 }, service)
    t.strictSame(await Array.fromAsync(reader.store.pets()), [pet])
    t.equal(reader.proxy.connections(), 2)
  })
}

t.test('an animal whose response is lost again and again is added once', async (t) => {
  const { service, store } = await start(t, ['loseResponse', 'unavailable', 'cutResponse', 'loseResponse'])
  const pet = await store.add(rex)
  t.strictSame(await stored(service), [pet])
})

t.test('a service that is unavailable is asked again after the seconds in Retry-After', async (t) => {
  const databaseUrl = `sqlite:${temporaryFolder(t)}/animals.db`
  const { service, store } = await start(t, [], {}, { databaseUrl, timeout: 100 })
  const release = await lock(t, databaseUrl)
  const begin = performance.now()
  const call = store.add(rex)
  await waitUntil(() => countResponses(service, 503) > 0)
  await release()
  const pet = await call
  t.strictSame(await stored(service), [pet])
  t.ok(performance.now() - begin >= 1000)
})

t.test('a request beyond the rate limit is sent again in the next window', async (t) => {
  const { store } = await start(t, [], {}, { rateLimit: { count: 1, seconds: 1 } })
  const added = [await store.add(rex), await store.add(rex), await store.add(rex)]
  t.same(
    added.map(({ id }) => id),
    [1n, 2n, 3n],
  )
})

t.test('a pause of more than a minute is left to the caller', async (t) => {
  const { service, store } = await start(t, [], {}, { rateLimit: { count: 1, seconds: 3600 } })
  await store.add(rex)
  const error = await getError(store.add(rex))
  t.match(error, { code: 'too_many_requests', status: 429 })
  t.ok(Number(error.retryAfterMs) > 3_000_000, `${error.retryAfterMs}`)
  t.equal(countResponses(service, 429), 1)
})

t.test('the error of the last attempt is that of the call', async (t) => {
  const lost = await start(t, ['refuse', 'refuse', 'refuse'], { attempts: 3 })
  const error = await getError(lost.store.add(rex))
  t.match(error, {
    code: 'no_response',
    status: undefined,
    message: `${lost.proxy.origin}: no response: TypeError: fetch failed`,
  })
  t.ok(error.cause instanceof TypeError)
  t.equal(lost.proxy.connections(), 3)

  const unavailable = await start(t, ['unavailable'], { attempts: 1 })
  await t.rejects(unavailable.store.add(rex), { code: 'unexpected_response', status: 503, retryAfterMs: 1000 })
  t.equal(unavailable.proxy.connections(), 1)

  const slow = await start(t, ['hang'], { attempts: 1, timeoutMs: 50 })
  await t.rejects(slow.store.add(rex), { code: 'no_response', message: /TimeoutError/ })
})

/** Starts a service, unless one is given, with a proxy before it and a client. */
async function start(
  t: Test,
  faults: readonly Fault[],
  options: Partial<ClientOptions> = {},
  given: Service | ServiceOptions = {},
) {
  const service = 'origin' in given ? given : await startService(t, given)
  const proxy = await startFlakyProxy(t, service.origin, faults)
  return { service, proxy, store: createAnimalStore({ baseUrl: `${proxy.origin}/v1`, key: service.key, ...options }) }
}

/** How many responses with a status the service has logged. */
function countResponses(service: Service, status: number): number {
  return JSON.stringify(service.logged()).split(`"statusCode":${status}`).length - 1
}

function stored({ store }: Service) {
  return store.pets.list({ after: 0n, limit: 100 })
}

async function getError(call: Promise<unknown>): Promise<AnimalStoreError> {
  const error = await call.catch((reason: unknown) => reason)
  if (error instanceof AnimalStoreError) return error
  throw new Error('the call is not rejected with an AnimalStoreError', { cause: error })
}
