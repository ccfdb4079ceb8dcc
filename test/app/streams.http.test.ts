/** Streams of items that the service sends: they are requests in flight, and end when their clients leave. */
import type { Socket } from 'node:net'
import type { FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import t, { type Test } from 'tap'
import { connectTo, readToEnd, send } from '../helpers/http.ts'
import { type ServiceOptions, spec, startService } from '../helpers/service.ts'
import { waitForEvent, waitUntil } from '../helpers/wait.ts'

const operation = `  /births:
    get:
      operationId: watchBirths
      security: []
      responses:
        "200":
          description: Animals that are born.
          content: { application/jsonl: { itemSchema: { type: object, properties: { name: { type: string } } } } }
`
const source = spec.replace('openapi: 3.1.0', 'openapi: 3.2.0').replace('\ncomponents:', `\n${operation}components:`)
const REQUEST = 'GET /v1/births HTTP/1.1\r\nHost: x\r\n\r\n'

/** Starts the service with a stream that sends one item, and then waits until it is ended. */
async function startStreaming(
  t: Test,
  options: ServiceOptions = {},
  preHandler: preHandlerAsyncHookHandler = async () => {},
) {
  const counts = { begun: 0, ended: 0 }
  async function* watch(signal: AbortSignal) {
    counts.begun++
    try {
      yield { name: 'Rex' }
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    } finally {
      counts.ended++
    }
  }
  const watchBirths = async ({ signal }: { readonly signal: AbortSignal }) => ({ status: 200, body: watch(signal) })
  const service = await startService(t, {
    ...options,
    source,
    extend: (app, layer) => {
      app.addHook('preHandler', preHandler)
      return { ...layer, handlers: { ...layer.handlers, watchBirths } }
    },
  })
  return { ...service, counts }
}

t.test('a client that leaves ends its stream, also one that only ends its side of the connection', async (t) => {
  const { counts, getInFlight, logged, origin } = await startStreaming(t)
  const ways: [string, (socket: Socket) => unknown][] = [
    ['FIN', (socket) => socket.end()],
    ['RST', (socket) => socket.resetAndDestroy()],
  ]
  for (const [name, leave] of ways) {
    const socket = await connectTo(origin, { allowHalfOpen: true })
    socket.write(REQUEST)
    await waitForEvent(socket, 'data')
    t.equal(getInFlight(), 1, name)
    leave(socket)
    await waitUntil(() => getInFlight() === 0)
    socket.destroy()
  }
  await waitUntil(() => counts.ended === 2)
  t.match(
    logged().map(({ msg, res }) => [msg, res]),
    ways.map(() => ['request aborted by the client', { statusCode: 499 }]),
  )
})

t.test('a stream that begins after its client has left ends, and responses before it are whole', async (t) => {
  const awaitEnd = async ({ raw, routeOptions }: FastifyRequest) => {
    if (routeOptions.config.operation?.id === 'watchBirths' && !raw.socket.readableEnded)
      await waitForEvent(raw.socket, 'end')
  }
  const { counts, getInFlight, logged, origin, key } = await startStreaming(t, {}, awaitEnd)
  const getPets = `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
  for (const [bytes, end] of [
    [REQUEST, ''],
    [getPets + REQUEST, '[]'],
  ] as const) {
    const socket = await connectTo(origin, { allowHalfOpen: true })
    const received = readToEnd(socket)
    socket.end(bytes)
    t.ok((await received).endsWith(end))
  }
  await waitUntil(() => getInFlight() === 0)
  t.equal(counts.begun, counts.ended)
  t.notOk(logged().some(({ level }) => Number(level) > 30))
})

t.test('an open stream counts for the limit of requests in flight', async (t) => {
  const { call, counts, getInFlight, origin } = await startStreaming(t, { maxInFlight: 1 })
  const socket = await connectTo(origin)
  socket.write(REQUEST)
  await waitForEvent(socket, 'data')
  t.equal(getInFlight(), 1)
  t.match(await call('GET', '/v1/pets'), { status: 503 })
  t.equal((await send(origin, 'GET', '/livez')).status, 200)
  socket.end()
  await waitUntil(() => counts.ended === 1)
  t.equal((await call('GET', '/v1/pets')).status, 200)
})
