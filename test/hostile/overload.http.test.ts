/**
 * Overload: requests are refused, and the service recovers by itself.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { undeclaredMethod } from '../helpers/contract.ts'
import { type HttpResponse, send } from '../helpers/http.ts'
import { type Service, startService } from '../helpers/service.ts'
import { readResponses } from './responses.ts'

const tooMuch = {
  code: 'service_unavailable',
  message: 'the server is overloaded; try again shortly',
  status: 503,
}

/** A connection to the service. */
async function open({ origin }: Service): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Holds up the event loop for so many milliseconds. */
function block(duration: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, duration)
}

/** Begins a creation whose body does not come; returns what lets go of it. */
async function begin(service: Service): Promise<() => Promise<unknown>> {
  const socket = await open(service)
  const head = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: application/json\r\n`
  socket.write(`${head}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n`)
  // It is in flight once the body is asked for.
  await once(socket, 'data')
  return () => {
    socket.destroy()
    return once(socket, 'close')
  }
}

/** Asks until the status comes; a test that waits in vain ends by its own timeout. */
async function until(status: number, ask: () => Promise<HttpResponse>): Promise<HttpResponse> {
  for (;;) {
    const response = await ask()
    if (response.status === status) return response
    await setTimeout(10)
  }
}

t.test('clients that do not read their responses do not block others', async (t) => {
  const service = await startService(t, { maxInFlight: 20, maxEventLoopDelay: 0 })
  const file = '/docs/static/swagger-ui-bundle.js'
  t.equal((await send(service.origin, 'GET', file)).status, 200)
  const sockets = await Promise.all([1, 2, 3].map(() => open(service)))
  for (const socket of sockets) socket.pause().write(`GET ${file} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(16))
  await setTimeout(500)
  for (let count = 0; count < 30; count++) t.equal((await service.call('GET', '/v1/pets')).status, 200)
  for (const socket of sockets) socket.destroy()
})

t.test('a response that only waits for its client is not in flight', async (t) => {
  const service = await startService(t)
  const file = '/docs/static/swagger-ui-bundle.js'
  t.equal((await send(service.origin, 'GET', file)).status, 200)
  const socket = await open(service)
  socket.pause().write(`GET ${file} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(16))
  await setTimeout(500)
  t.equal(service.getInFlight(), 0)
  socket.destroy()
})

t.test('requests beyond those that may be in flight are refused until one of them ends', async (t) => {
  const service = await startService(t, { maxInFlight: 3, maxEventLoopDelay: 0 })
  const { call, key, logged, origin } = service
  const releases = [await begin(service), await begin(service), await begin(service)]
  for (const [method, path] of [
    ['GET', '/v1/pets'],
    ['POST', '/v1/pets'],
    ['GET', '/v1/pets/1'],
    ['GET', '/docs/openapi.yaml'],
    ['GET', '/nothing'],
    [undeclaredMethod, '/v1/pets'],
    ['GET', '/%zz'],
  ] as const) {
    const { status, headers, body } = await send(origin, method, path, { headers: { authorization: `Bearer ${key}` } })
    t.equal(status, 503, `${method} ${path}`)
    t.same(body, tooMuch)
    t.equal(headers['retry-after'], '1')
    t.equal(headers['cache-control'], 'no-store')
  }
  t.equal((await call('GET', '/health', { key: null })).status, 200, 'health checks still get a response')

  await releases[0]?.()
  await until(200, () => call('GET', '/v1/pets'))
  const third = await begin(service)
  t.equal((await call('GET', '/v1/pets')).status, 503)
  await Promise.all([...releases.slice(1), third].map((release) => release()))
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => until(200, () => call('GET', '/v1/pets'))))
  t.same([one?.status, two?.status, three?.status], [200, 200, 200])
  t.same(
    logged().filter(({ level }) => Number(level) > 30),
    [],
    'a refusal is no failure',
  )
})

t.test('requests are refused after a long delay of the event loop, and soon served again', async (t) => {
  const service = await startService(t, { maxInFlight: 0, maxEventLoopDelay: 500 })
  const { call } = service
  t.equal((await call('GET', '/v1/pets')).status, 200)
  const list = await open(service)
  const health = await open(service)
  list.write(`GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nConnection: close\r\n\r\n`)
  health.write('GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  // The service runs in this process; it measures the delay before it reads what has been waiting.
  block(1500)
  const [response] = readResponses(await text(list))
  t.equal(response?.status, 503)
  t.same(response?.body, tooMuch)
  t.equal(response?.headers['retry-after'], '1')
  t.equal(readResponses(await text(health))[0]?.status, 200)
  await until(200, () => call('GET', '/v1/pets'))
})

t.test('no request is refused below the maximum delay', async (t) => {
  const { call } = await startService(t, { maxInFlight: 0, maxEventLoopDelay: 60_000 })
  for (let count = 0; count < 5; count++) {
    t.equal((await call('GET', '/v1/pets')).status, 200)
    block(300)
  }
})

t.test('without limits nothing is refused', async (t) => {
  const service = await startService(t, { maxInFlight: 0, maxEventLoopDelay: 0 })
  const releases = await Promise.all([begin(service), begin(service), begin(service)])
  block(300)
  const responses = await Promise.all(Array.from({ length: 50 }, () => service.call('GET', '/v1/pets')))
  t.ok(responses.every(({ status }) => status === 200))
  for (const release of releases) await release()
})
