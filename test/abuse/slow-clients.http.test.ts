/**
 * Clients that send or read slowly, or never end: other clients do not wait, no connection stays open, and what is incomplete
 * adds nothing.
 */
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { undeclaredMethod } from '../helpers/contract.ts'
import { connectTo, exchange, readResponses, readToEnd } from '../helpers/http.ts'
import { startService } from '../helpers/service.ts'
import { waitUntil } from '../helpers/wait.ts'

// They wait for the clock.
t.jobs = 8

const tooSlow = {
  code: 'request_timeout',
  message: 'the request did not arrive in time; send it again, without pauses',
  status: 408,
}
const rex = '{"name":"Rex","categoryId":1}'
const largeFile = '/docs/static/swagger-ui-bundle.js'

const getHead = (key: string) =>
  `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`

t.test('an incomplete request gets 408, wherever it stops', async (t) => {
  const service = await startService(t, { requestTimeout: 5000 })
  const head = getHead(service.key)
  const whole = `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n\r\n`
  const requests = [
    'GE',
    'GET /v1/pe',
    'GET /v1/pets HTTP/1.1\r\nHost: x\r\nX: y',
    'GET /v1/pets HTTP/1.1\r\nHost: x\r\n',
    `${head}Content-Length: 60\r\n\r\n`,
    `${head}Content-Length: 60\r\n\r\n{"name":`,
    `${head}Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 60\r\n\r\n{"name":`,
    `${head}Transfer-Encoding: chunked\r\n\r\n1`,
    `${head}Transfer-Encoding: chunked\r\n\r\n10\r\n{"name":`,
    `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`,
    `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: y`,
  ]
  const check = async (bytes: string, before: readonly number[]) => {
    const responses = await exchange(service.origin, bytes)
    t.same(
      responses.map(({ status }) => status),
      [...before, 408],
      bytes,
    )
    const last = responses.at(-1)
    t.same(last?.body, tooSlow)
    if (last) service.contract.check({ method: 'POST', path: '/v1/pets', ...last })
  }
  await Promise.all([
    check('', []),
    ...requests.flatMap((bytes) => [check(bytes, []), check(whole + bytes, [200])]),
    check(`${head}Expect: 100-continue\r\nContent-Length: 60\r\n\r\n`, [100]),
  ])
  t.same(await service.store.pets.list({ after: 0n, limit: 1 }), [])
})

t.test('a request whose body never ends is refused before, with one response', async (t) => {
  // Longer than a busy machine takes to begin.
  const service = await startService(t, { requestTimeout: 5000 })
  const head = getHead(service.key)
  const requests: [refused: string, status: number][] = [
    [head.replace('Bearer', 'Basic'), 401],
    [head.replace('/v1/pets', '/nothing'), 404],
    [head.replace('POST', undeclaredMethod), 405],
    [head.replace('json', 'xml'), 415],
  ]
  const check = async (bytes: string, status: number) => t.match(await exchange(service.origin, bytes), [{ status }])
  await Promise.all(
    requests.flatMap(([refused, status]) => [
      check(`${refused}Content-Length: 60\r\n\r\n{"name":`, status),
      check(`${refused}Transfer-Encoding: chunked\r\n\r\n8\r\n{"name":\r\n`, status),
    ]),
  )
})

t.test('a client that goes away amid a request gets 400, if it still listens, and adds nothing', async (t) => {
  const service = await startService(t)
  const head = getHead(service.key)
  const body = { code: 'invalid_request', message: 'the request ended before it was complete', status: 400 }
  for (const bytes of [
    'GE',
    'GET /v1/pets HTTP/1.1\r\nHost: x\r\n',
    `${head}Content-Length: 60\r\n\r\n{"name":`,
    `${head}Content-Length: ${rex.length + 1}\r\n\r\n${rex}`,
    `${head}Transfer-Encoding: chunked\r\n\r\n1d\r\n${rex}\r\n`,
  ]) {
    const socket = await connectTo(service.origin, { allowHalfOpen: true })
    socket.end(bytes)
    t.match(readResponses(await readToEnd(socket)), [{ status: 400, body }])
    const gone = await connectTo(service.origin)
    gone.write(bytes)
    // The service notices nothing of an incomplete head.
    if (bytes.includes('\r\n\r\n')) await waitUntil(() => service.getInFlight() === 1)
    gone.resetAndDestroy()
    await waitUntil(() => service.getInFlight() === 0)
  }
  const aborted = service.logged().filter(({ msg }) => msg === 'request aborted by the client')
  t.ok(aborted.length > 0)
  for (const line of aborted) t.match(line, { operationId: 'createPet', res: { statusCode: 499 } })
  t.equal((await service.call('GET', '/v1/pets')).text, '[]')
  t.notOk(service.logged().some(({ level }) => Number(level) > 30))
})

t.test('other clients are served as before while 200 clients send headers and bodies slowly', async (t) => {
  const service = await startService(t, { requestTimeout: 3000 })
  const { call, key, logged, origin } = service
  let dribbling = 200
  const dribble = async (beginning: string) => {
    const socket = await connectTo(origin)
    socket.write(beginning)
    const timer = setInterval(() => socket.write('x'), 100)
    const received = await readToEnd(socket)
    clearInterval(timer)
    dribbling--
    return readResponses(received)
  }
  const heads = Array.from({ length: 100 }, () => dribble('GET /v1/pets HTTP/1.1\r\nHost: x\r\nX: '))
  const bodies = Array.from({ length: 100 }, () => dribble(`${getHead(key)}Content-Length: 8000\r\n\r\n`))
  const statuses: number[] = []
  const others = Array.from({ length: 4 }, async () => {
    while (dribbling > 0) {
      statuses.push((await call('GET', '/v1/pets')).status)
      statuses.push((await call('POST', '/v1/pets', { json: { name: 'Rex', categoryId: 1 } })).status)
      await setTimeout(5)
    }
  })
  // Each connection is closed, or its response would not be complete.
  const responses = await Promise.all([...heads, ...bodies])
  await Promise.all(others)
  for (const each of responses) t.match(each, [{ status: 408, body: tooSlow }])
  t.same(new Set(statuses), new Set([200, 201]))
  t.notOk(logged().some(({ level }) => Number(level) > 30))
})

t.test('a client that reads late has all responses', async (t) => {
  const { origin } = await startService(t)
  const socket = await connectTo(origin)
  const count = 8
  // Together far more than the system takes in for a client.
  const requests = `GET ${largeFile} HTTP/1.1\r\nHost: x\r\n\r\nGET /nothing HTTP/1.1\r\nHost: x\r\n\r\n`
  socket.pause().end(requests.repeat(count))
  await setTimeout(1000)
  const received = await readToEnd(socket)
  t.equal(received.match(/HTTP\/1\.1 200 OK\r\n/g)?.length, count)
  t.equal(received.match(/HTTP\/1\.1 404 Not Found\r\n/g)?.length, count)
})

t.test('a client that does not read is disconnected', async (t) => {
  const { call, origin, logged } = await startService(t, { requestTimeout: 5000 })
  const { text } = await call('GET', largeFile, { key: null })
  const socket = await connectTo(origin)
  socket.on('error', () => {})
  socket.pause().write(`GET ${largeFile} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(16))
  await waitUntil(() => logged().some(({ res }) => JSON.stringify(res)?.includes('499')))
  let received = 0
  socket.on('data', (bytes) => {
    received += bytes.length
  })
  socket.resume()
  await waitUntil(() => socket.closed)
  t.ok(received < 8 * text.length, `${received} bytes`)
})
