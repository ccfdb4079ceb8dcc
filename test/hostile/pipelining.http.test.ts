/**
 * Clients that pipeline requests (RFC 9112, section 9.3.2), and clients that do not read the responses.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { type Service, startService } from '../helpers/service.ts'
import { readResponses } from './responses.ts'

t.setTimeout(120_000)

const body = JSON.stringify({ name: 'x'.repeat(255), categoryId: 1 })
const head = ({ key }: Service) =>
  `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
const byLength = (service: Service) => `${head(service)}Content-Length: ${body.length}\r\n\r\n${body}`
const inChunks = (service: Service) =>
  `${head(service)}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

async function open({ origin }: Service): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

t.test('60 requests with bodies have their responses in order, whatever the last one is', async (t) => {
  const service = await startService(t)
  for (const [last, status] of [
    ['', undefined],
    ['this is no request\r\n\r\n', 400],
    ['CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    [`${head(service)}Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 5000\r\n\r\n${'x'.repeat(5000)}`, 400],
    ['GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
  ] as const) {
    const socket = await open(service)
    const rest = last === '' ? '' : 'x'.repeat(100_000)
    socket.write(`${(byLength(service) + inChunks(service)).repeat(30)}${last}${rest}`)
    if (last === '') socket.end()
    const responses = readResponses(await text(socket))
    const ids = responses.slice(0, 60).map((response) => (response.body as { id: number }).id)
    t.same(
      ids,
      ids.map((_, index) => Number(ids[0]) + index),
    )
    t.same(
      responses.slice(60).map((response) => response.status),
      status === undefined ? [] : [status],
      last.slice(0, 40),
    )
  }
  t.same(
    service.logged().filter(({ level }) => Number(level) > 30),
    [],
  )
})

t.test('a connection goes on after many requests at once', async (t) => {
  const service = await startService(t)
  const socket = await open(service)
  const received = text(socket)
  socket.write(byLength(service).repeat(60))
  await setTimeout(500)
  for (let number = 0; number < 3; number++) {
    socket.write(byLength(service))
    await setTimeout(100)
  }
  socket.end()
  t.equal(readResponses(await received).length, 63)
})

t.test('a client that pipelines more than 64 requests loses its connection, and others are served', async (t) => {
  const service = await startService(t)
  const closed = await Promise.allSettled(
    Array.from({ length: 12 }, async () => {
      const socket = await open(service)
      // As many as Node parses at once.
      socket.end('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2400))
      return readResponses(await text(socket)).length
    }),
  )
  for (const each of closed) t.ok(each.status === 'rejected' || each.value <= 64)
  t.equal(service.logged().filter(({ msg, status }) => msg === 'connection closed' && status === 503).length, 12)
  t.equal((await service.call('GET', '/v1/pets')).status, 200)
})

t.test('a client that reads late has all responses', async (t) => {
  const service = await startService(t)
  const socket = await open(service)
  const count = 30
  const file = '/docs/static/swagger-ui-bundle.js'
  // Together far more than the system takes in for a client.
  socket.pause().end(`GET ${file} HTTP/1.1\r\nHost: x\r\n\r\nGET /nothing HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(count))
  await setTimeout(1000)
  const received = await text(socket)
  t.equal(received.match(/HTTP\/1\.1 200 OK\r\n/g)?.length, count)
  t.equal(received.match(/HTTP\/1\.1 404 Not Found\r\n/g)?.length, count)
})

t.test('a client that does not read is disconnected at the latest after twice 11 seconds', async (t) => {
  const service = await startService(t, { requestTimeout: 1000 })
  const socket = await open(service)
  const idle = await open(service)
  socket.pause().write('GET /docs/static/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(60))
  t.equal(readResponses(await text(idle))[0]?.status, 408)
  await setTimeout(24_000)
  socket.on('error', () => {})
  let received = 0
  socket.on('data', (bytes) => {
    received += bytes.length
  })
  socket.resume()
  await once(socket, 'close')
  const { headers } = await service.call('GET', '/docs/static/swagger-ui-bundle.js', { key: null })
  t.ok(received < 30 * Number(headers['content-length']), `${received} bytes`)
})
