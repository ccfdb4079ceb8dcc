/**
 * Connections with a refused request, pipelined requests (RFC 9112, section 9.3.2), and offers of another protocol: which
 * requests have a response, in which order, and whether the connection goes on.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import dns from 'node:dns'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { undeclaredMethod } from '../helpers/contract.ts'
import { collectGarbage } from '../helpers/garbage.ts'
import { connectTo, exchange, openRaw, readResponses, readToEnd, sendRaw } from '../helpers/http.ts'
import { type Service, startService } from '../helpers/service.ts'
import { waitForEvent, waitUntil, within } from '../helpers/wait.ts'

const rex = '{"name":"Rex","categoryId":1}'
const malformed = 'this is no request\r\n\r\n'
const offer = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'

/** The header fields of a good addition, but for those about its length. */
const getHead = ({ key }: Service) =>
  `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
const getAddition = (service: Service, fields = '') =>
  `${getHead(service)}${fields}Content-Length: ${rex.length}\r\n\r\n${rex}`
const getListing = ({ key }: Service, fields = '') =>
  `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${fields}\r\n`

const getStatuses = (received: string) => readResponses(received).map(({ status }) => status)
const sendForStatuses = async ({ origin }: Service, bytes: string) => getStatuses(await sendRaw(origin, bytes))
const countPets = async ({ store }: Service) => (await store.pets.list({ after: 0n, limit: 100 })).length

t.test('an open connection holds nothing of a request whose response is sent', async (t) => {
  const service = await startService(t)
  const responses: WeakRef<object>[] = []
  const note = (message: unknown) => void responses.push(new WeakRef((message as { response: object }).response))
  subscribe('http.server.request.start', note)
  t.teardown(() => unsubscribe('http.server.request.start', note))
  const socket = await connectTo(service.origin)
  for (let count = 0; count < 3; count++) {
    socket.write(getListing(service))
    await waitForEvent(socket, 'data')
  }
  t.equal(responses.length, 3)
  await waitUntil(async () => {
    await collectGarbage()
    return responses.every((response) => response.deref() === undefined)
  })
  socket.destroy()
})

t.test('a client that sends CONNECT is disconnected, and the service survives one that disconnects', async (t) => {
  const service = await startService(t)
  for (let round = 0; round < 20; round++) {
    const socket = await connectTo(service.origin)
    socket.write('CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n')
    // Now and then before the request is read.
    if (round % 2 === 0) socket.resetAndDestroy()
    await waitForEvent(socket, 'close')
  }
  t.equal((await service.call('GET', '/v1/pets')).status, 200)
})

t.test('responses have the order of the requests, from handlers and from the parser', async (t) => {
  const service = await startService(t)
  const inChunks = `${getHead(service)}Transfer-Encoding: chunked\r\n\r\n`
  const addition = `${inChunks}${rex.length.toString(16)}\r\n${rex}\r\n0\r\n\r\n${getAddition(service)}`
  for (const [last, status] of [
    ['GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    [malformed, 400],
    [`${getHead(service)}${offer}Content-Length: 5000\r\n\r\n${'x'.repeat(5000)}`, 400],
    [`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [`${inChunks}zz\r\n`, 400],
    [`${inChunks}1;${'x'.repeat(20_000)}\r\n`, 413],
  ] as const) {
    for (const times of [1, 7]) {
      const responses = await exchange(service.origin, addition.repeat(times) + last)
      t.same(
        responses.map((response) => response.status),
        [...Array(2 * times).fill(201), status],
        last.slice(0, 40),
      )
      const ids = responses.slice(0, -1).map(({ body }) => (body as { id: number }).id)
      t.same(
        ids,
        ids.map((_, index) => Number(ids[0]) + index),
      )
    }
  }
  t.notOk(service.logged().some(({ level }) => Number(level) > 30))
})

t.test('30 clients that pipeline 16 requests each have all responses, and so have others meanwhile', async (t) => {
  const service = await startService(t)
  const others = await Promise.all(Array.from({ length: 30 }, () => connectTo(service.origin)))
  const getOthers = () =>
    Promise.all(
      others.map((socket) => {
        socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
        return waitForEvent(socket, 'data')
      }),
    )
  await getOthers()
  const clients = Array.from({ length: 30 }, (_each, index) => {
    const request = index % 2 === 0 ? getAddition(service) : getListing(service)
    return sendForStatuses(service, request.repeat(15) + getListing(service, 'Connection: close\r\n'))
  })
  await getOthers()
  for (const [index, statuses] of (await Promise.all(clients)).entries()) {
    t.strictSame(statuses, [...Array(15).fill(index % 2 === 0 ? 201 : 200), 200])
  }
  await getOthers()
  for (const socket of others) socket.destroy()
})

t.test('a client that pipelines more than 16 requests loses its connection, and others are served', async (t) => {
  const service = await startService(t)
  const closed = await Promise.allSettled(
    Array.from({ length: 12 }, async (_each, index) => {
      const socket = await connectTo(service.origin)
      // As many as Node parses at once; those with a body that is not valid are responded to one by one.
      const wrong = getAddition(service).replace('"categoryId":1', '"categoryId":x')
      socket.end(index % 2 === 0 ? 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2400) : wrong.repeat(300))
      return readResponses(await readToEnd(socket)).length
    }),
  )
  for (const each of closed) t.ok(each.status === 'rejected' || each.value <= 16)
  t.equal(service.logged().filter(({ msg, status }) => msg === 'connection closed' && status === 503).length, 12)
  t.equal((await service.call('GET', '/v1/pets')).status, 200)
})

t.test('a body of more than 1000 small chunks gets 413, and nothing follows as many that nobody reads', async (t) => {
  const service = await startService(t)
  const inChunks = (body: string) =>
    `Transfer-Encoding: chunked\r\n\r\n${[...body].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`
  const next = getListing(service, 'Connection: close\r\n')
  for (const [length, statuses] of [
    [1000, [201, 200]],
    [1100, [413]],
  ] as const) {
    const bytes = getHead(service) + inChunks(rex.padEnd(length))
    t.same((await sendForStatuses(service, bytes + next)).slice(0, statuses.length), statuses)
  }
  const refused = 'POST /v1/pets HTTP/1.1\r\nHost: x\r\n'
  t.same(await sendForStatuses(service, refused + inChunks('x'.repeat(1000)) + next), [401, 200])
  t.notOk((await sendForStatuses(service, refused + inChunks('x'.repeat(1100)) + next)).includes(200))
})

t.test('a large body that is refused has its response and the next one, however it is cut into chunks', async (t) => {
  const service = await startService(t)
  const size = 16 * 1024 * 1024
  const next = getListing(service, 'Connection: close\r\n')
  for (const [head, ...statuses] of [
    [getHead(service), 413],
    [`${getHead(service)}Expect: 100-continue\r\n`, 100, 413],
    ['POST /v1/pets HTTP/1.1\r\nHost: x\r\n', 401],
  ] as const) {
    for (const length of [100, 4096, 8192, 8202, 65_536]) {
      const chunk = `${length.toString(16)}\r\n${'x'.repeat(length)}\r\n`
      const bytes = `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(size / length)}0\r\n\r\n${next}`
      t.same(await sendForStatuses(service, bytes), [...statuses, 200], `${statuses} in chunks of ${length}`)
    }
  }
})

t.test('a request has one response, also if its body is malformed, at once or after it', async (t) => {
  const chunked = 'Transfer-Encoding: chunked\r\n\r\n'
  const refused = `POST /v1/pets HTTP/1.1\r\nHost: x\r\n${chunked}`
  for (const [getRequests, statuses] of [
    [() => refused, [401]],
    [(service) => getListing(service) + refused, [200, 401]],
    [(service) => getListing(service) + getHead(service).replace('json', 'xml') + chunked, [200, 415]],
  ] as [getRequests: (service: Service) => string, statuses: number[]][]) {
    // One that has not seen the key yet, and responds when it has looked for it.
    const service = await startService(t)
    t.same(await sendForStatuses(service, `${getRequests(service)}zz\r\n`), statuses)
  }
  const socket = await connectTo((await startService(t)).origin)
  const received = readToEnd(socket)
  socket.write(refused)
  await waitForEvent(socket, 'data')
  socket.write('zz\r\n')
  t.same(getStatuses(await received), [401])
})

t.test('a body that is refused may be sent to its end, and the connection goes on', async (t) => {
  const service = await startService(t)
  const head = getHead(service)
  const size = 1_000_000
  const body = 'x'.repeat(size)
  for (const [refused, status] of [
    [head, 413],
    [head.replace('json', 'xml'), 415],
    [head.replace('Bearer', 'Basic'), 401],
    [head.replace('POST', undeclaredMethod), 405],
    [head.replace('/v1/pets', '/nothing'), 404],
    [head.replace('POST', 'GET'), 400],
  ] as const) {
    const byLength = `${refused}Content-Length: ${size}\r\n\r\n${body}`
    const inChunks = `${refused}Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const requests = byLength + inChunks + getListing(service, 'Connection: close\r\n')
    t.same(await sendForStatuses(service, requests), [status, status, 200])
  }
})

t.test('a response says whether the connection goes on, whatever it is', async (t) => {
  const service = await startService(t)
  for (const size of [2, 70_000]) {
    for (const [version, asked, said] of [
      ['1.1', '', 'keep-alive'],
      ['1.1', 'Connection: close\r\n', 'close'],
      ['1.0', '', 'close'],
      ['1.0', 'Connection: keep-alive\r\n', 'keep-alive'],
    ] as const) {
      const head = getHead(service).replace('HTTP/1.1', `HTTP/${version}`) + asked
      const connection = openRaw(service.origin)
      connection.write(`${head}Content-Length: ${size}\r\n\r\n${'x'.repeat(size)}`)
      await connection.until('"status":')
      connection.destroy()
      t.match(
        await connection.waitForEnd(),
        new RegExp(`\\r\\nConnection: ${said}\\r\\n`, 'i'),
        `${version} ${asked} ${size}`,
      )
    }
  }
})

t.test('a client that reads only when it has sent all gets the response, also when the connection ends', async (t) => {
  const service = await startService(t)
  // More than fits into the buffers on the way.
  const body = 'x'.repeat(6_000_000)
  for (const [head, status] of [
    [getHead(service), 413],
    [getHead(service).replace('Bearer', 'Basic'), 401],
  ] as const) {
    const socket = await connectTo(service.origin)
    socket.pause()
    const bytes = `${head}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const written = new Promise<void>((resolve, reject) => {
      socket.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
    await within('room for all bytes in the buffers on the way', written)
    t.same(getStatuses(await readToEnd(socket)), [status])
  }
})

t.test('a client that keeps sending after a malformed request still gets the response', async (t) => {
  const service = await startService(t)
  for (const [bytes, status] of [
    ['x', 400],
    [`GET / HTTP/1.1\r\nX: x`, 431],
  ] as const) {
    t.same(await sendForStatuses(service, bytes + 'x'.repeat(4_000_000)), [status])
  }
})

t.test('a client that does not end a refused connection is cut off', async (t) => {
  const { origin } = await startService(t)
  const socket = await connectTo(origin, { allowHalfOpen: true })
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.write(malformed)
  await waitForEvent(socket, 'end')
  t.same(getStatuses(received), [400])
  const timer = setInterval(() => socket.write('x'), 50)
  const [error] = await waitForEvent(socket, 'error')
  clearInterval(timer)
  t.match(error, { code: /ECONNRESET|EPIPE/ })
})

t.test('a request that expects 100 Continue behind another one gets its whole response', async (t) => {
  const service = await startService(t)
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`
  const expecting = `${get('/docs/openapi.yaml', 'Connection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n')}{}`
  const responses = readResponses(await sendRaw(service.origin, get('/readyz') + expecting))
  t.same(
    responses.map(({ status }) => status),
    // Nobody reads the body of this GET, so its client is not asked for it.
    [200, 200],
  )
  t.match(responses[1]?.text, /^# .*openapi: 3\.1\.0\n/s)
})

t.test('what follows a request that expects 100 Continue behind another one gets its response', async (t) => {
  const service = await startService(t)
  const expecting = getAddition(service, 'Expect: 100-continue\r\n')
  const last = getAddition(service, 'Connection: close\r\n')
  const statuses = await sendForStatuses(service, getListing(service) + expecting + getAddition(service) + last)
  t.same(statuses, [200, 100, 201, 201, 201])
  t.equal(await countPets(service), 3)
})

t.test('a client whose headers are rejected is not asked for its body', async (t) => {
  const service = await startService(t)
  const head = `${getHead(service)}Connection: close\r\nExpect: 100-continue\r\n`
  for (const [request, status] of [
    [`${head.replace('Bearer', 'Basic')}Content-Length: 60\r\n\r\n`, 401],
    [`${head.replace('json', 'xml')}Content-Length: 60\r\n\r\n`, 415],
    [`${head}Content-Length: 10000000\r\n\r\n`, 413],
    [`${head.replace('/v1/pets', '/nothing')}Content-Length: 60\r\n\r\n`, 404],
  ] as const) {
    t.same(await sendForStatuses(service, request), [status])
  }
})

t.test('100 Continue is sent to who waits for it, and no other expectation has an effect', async (t) => {
  const service = await startService(t)
  const socket = await connectTo(service.origin)
  const received = readToEnd(socket)
  socket.write(`${getHead(service)}Expect: 100-Continue\r\nContent-Length: ${rex.length}\r\n\r\n`)
  await waitForEvent(socket, 'data')
  // The connection goes on, and a client that has ended its side gets its responses.
  socket.end(rex + getListing(service))
  t.same(getStatuses(await received), [100, 201, 200])

  t.same(await sendForStatuses(service, getAddition(service, 'Expect: a cake\r\nConnection: close\r\n')), [201])
  for (const expectation of ['100-continue', 'a cake']) {
    const request = getAddition(service, `Expect: ${expectation}\r\n`).replace('HTTP/1.1', 'HTTP/1.0')
    t.same(await sendForStatuses(service, request), [201])
  }
})

t.test('a Transfer-Encoding in HTTP/1.0 ends the connection, whether its client keeps it or not', async (t) => {
  const service = await startService(t)
  for (const body of ['0\r\n\r\n', '']) {
    const fields = 'Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n'
    const faulty = (getHead(service) + fields + body).replace('HTTP/1.1', 'HTTP/1.0')
    t.match(await exchange(service.origin, faulty + getAddition(service)), [
      { status: 400, headers: { connection: 'close' } },
    ])
  }
  t.equal(await countPets(service), 0)
})

t.test('nothing follows a response that closes the connection, in the log neither', async (t) => {
  const service = await startService(t)
  for (const [request, status] of [
    [getListing(service, 'Connection: close\r\n'), 200],
    [getListing(service).replace('HTTP/1.1', 'HTTP/1.0'), 200],
    [getAddition(service, 'Connection: close\r\n').replace('Bearer', 'Basic'), 401],
  ] as const) {
    const { length } = service.logged()
    t.same(await sendForStatuses(service, request + malformed), [status])
    await waitUntil(() => service.logged().length > length)
    t.match(service.logged().slice(length), [{ msg: 'request', res: { statusCode: status } }])
    t.equal(service.logged().length, length + 1)
  }
})

t.test('an offer of another protocol is served as HTTP/1.1, and ends the connection', async (t) => {
  const service = await startService(t)
  const addition = getAddition(service)
  // Node's parser drops what follows an offer in the same segment, so the connection must not go on.
  for (const [sameSegment, nextSegment] of [
    [addition, ''],
    ['', addition],
  ]) {
    const before = await countPets(service)
    const socket = await connectTo(service.origin)
    const received = readToEnd(socket)
    socket.write(getAddition(service, offer) + sameSegment)
    await setImmediate()
    socket.write(nextSegment ?? '')
    t.match(readResponses(await received), [{ status: 201, headers: { connection: 'close' } }])
    t.equal((await countPets(service)) - before, 1, 'nothing else is added')
  }
})

t.test('at a name with two addresses, no connection is without these rules', async (t) => {
  t.intercept(dns, 'lookup', {
    value: (name: string, _options: object, done: (error: null, found: object[]) => void) => {
      const addresses = name === 'localhost' ? ['127.0.0.1', '127.0.0.2'] : [name]
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      )
    },
  })
  const { origin } = await startService(t, { host: 'localhost' })
  const { port } = new URL(origin)
  for (const address of ['127.0.0.1', '127.0.0.2']) {
    const text = await sendRaw(`http://${address}:${port}`, 'NO HTTP\r\n\r\n').catch(({ code }) => String(code))
    t.match(text, /^ECONNREFUSED$|"code":"invalid_request"/, address)
  }
})
