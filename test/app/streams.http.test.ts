/** Streams of items that the service sends: they are requests in flight, and end when their clients leave. */
import type { Socket } from 'node:net'
import type { FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import t, { type Test } from 'tap'
import { connectTo, readToEnd, send } from '../helpers/http.ts'
import { addStream, type ServiceOptions, startService } from '../helpers/service.ts'
import { waitForEvent, waitUntil } from '../helpers/wait.ts'

const source = addStream(
  '{ application/jsonl: { itemSchema: { type: object, properties: { name: { type: string } } } } }',
)
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

t.test(
  'a stream that waits for another response ends with its client, and the connection after that response',
  async (t) => {
    const gate = Promise.withResolvers<void>()
    const awaitGate = async ({ routeOptions }: FastifyRequest) => {
      if (routeOptions.config.operation?.id === 'listPets') await gate.promise
    }
    const { counts, getInFlight, key, origin } = await startStreaming(t, {}, awaitGate)
    const socket = await connectTo(origin, { allowHalfOpen: true })
    const received = readToEnd(socket)
    socket.write(`GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n${REQUEST}`)
    await waitUntil(() => counts.begun === 1)
    socket.end()
    await waitUntil(() => counts.ended === 1)
    gate.resolve()
    t.match(await received, '\r\n\r\n[]')
    await waitUntil(() => getInFlight() === 0)
  },
)

t.test('as many streams as a connection may have end with their client, and Node warns of nothing', async (t) => {
  const warnings: unknown[] = []
  const note = (warning: Error) => void warnings.push(warning.message)
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  const { counts, getInFlight, origin } = await startStreaming(t)
  const socket = await connectTo(origin, { allowHalfOpen: true })
  const received = readToEnd(socket)
  socket.write(REQUEST.repeat(16))
  await waitUntil(() => counts.begun === 16)
  socket.end()
  await waitUntil(() => counts.ended === 16 && getInFlight() === 0)
  await received
  t.same(warnings, [])
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
