/**
 * Connections with a refused request, and the requests before and after it.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import dns from 'node:dns'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { refusals } from '../../src/http/errors.ts'
import { undeclaredMethod } from '../helpers/contract.ts'
import { openRaw, sendRaw } from '../helpers/http.ts'
import { type Service, startService } from '../helpers/service.ts'
import { waitUntil } from '../helpers/wait.ts'
import { readResponses } from './responses.ts'

const rex = '{"name":"Rex","categoryId":1}'

/** The header fields of a good creation, but for those about its length. */
const creation = ({ key }: Service) =>
  `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`

const listing = ({ key }: Service, fields = '') =>
  `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${fields}\r\n`

const statusesOf = (received: string) => readResponses(received).map(({ status }) => status)

const open = async ({ origin }: Service): Promise<Socket> => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** The statuses that come back for bytes, none of which is read before all have been sent. */
const sendThenRead = async (service: Service, bytes: string): Promise<number[]> => {
  const socket = await open(service)
  socket.pause()
  await new Promise<void>((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())))
  return statusesOf(await text(socket))
}

t.test('an open connection holds nothing of a request whose response is sent', async (t) => {
  const service = await startService(t)
  const responses: WeakRef<object>[] = []
  const note = (message: unknown) => void responses.push(new WeakRef((message as { response: object }).response))
  subscribe('http.server.request.start', note)
  t.teardown(() => unsubscribe('http.server.request.start', note))
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const socket = await open(service)
  for (let count = 0; count < 3; count++) {
    socket.write(listing(service))
    await once(socket, 'data')
  }
  t.equal(responses.length, 3)
  await waitUntil(() => {
    collectGarbage()
    return responses.every((response) => response.deref() === undefined)
  })
  socket.destroy()
})

t.test('the service survives a client that sends CONNECT and disconnects', async (t) => {
  const service = await startService(t)
  for (let round = 0; round < 20; round++) {
    const socket = await open(service)
    socket.write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n')
    // Now and then before the request is read, now and then before the response is written.
    if (round % 2 === 0) await once(socket, 'data')
    socket.resetAndDestroy()
    await once(socket, 'close')
  }
  t.equal((await service.call('GET', '/v1/pets')).status, 200)
})

t.test('responses have the order of the requests, from handlers and from the parser', async (t) => {
  const service = await startService(t)
  const chunked = `${creation(service)}Transfer-Encoding: chunked\r\n\r\n`
  for (const [second, status] of [
    [listing(service, 'Expect: a cake\r\nConnection: close\r\n'), 417],
    ['CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['this is no request\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [`${chunked}zz\r\n`, 400],
    [`${chunked}1;${'x'.repeat(20_000)}\r\n`, 413],
  ] as const) {
    const request = `${creation(service)}Content-Length: ${rex.length}\r\n\r\n${rex}`
    t.same(statusesOf(await sendRaw(service.origin, request + second)), [201, status], second.slice(0, 40))
    t.same(statusesOf(await sendRaw(service.origin, request + request + second)), [201, 201, status])
  }
})

t.test('a request has one response, also if its body is malformed after it', async (t) => {
  const service = await startService(t)
  const socket = await open(service)
  const received = text(socket)
  socket.write('POST /v1/pets HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  await once(socket, 'data')
  socket.write('zz\r\n')
  t.same(statusesOf(await received), [401])
})

t.test('a request has one response, also if its body is malformed in the same segment', async (t) => {
  const chunked = 'Transfer-Encoding: chunked\r\n\r\nzz\r\n'
  for (const [getRequests, statuses] of [
    [() => `POST /v1/pets HTTP/1.1\r\nHost: x\r\n${chunked}`, [401]],
    [(service) => `${listing(service)}POST /v1/pets HTTP/1.1\r\nHost: x\r\n${chunked}`, [200, 401]],
    [(service) => listing(service) + creation(service).replace('json', 'xml') + chunked, [200, 415]],
  ] as [getRequests: (service: Service) => string, statuses: number[]][]) {
    // One that has not seen the key yet, and responds when it has looked for it.
    const service = await startService(t)
    t.same(statusesOf(await sendRaw(service.origin, getRequests(service))), statuses)
  }
})

t.test('a body that is refused may be sent to its end, and the connection goes on', async (t) => {
  const service = await startService(t)
  const size = 1_000_000
  const body = 'x'.repeat(size)
  for (const [head, status] of [
    [creation(service), 413],
    [creation(service).replace('json', 'xml'), 415],
    [creation(service).replace('Bearer', 'Basic'), 401],
    [creation(service).replace('POST', undeclaredMethod), 405],
    [creation(service).replace('/v1/pets', '/nothing'), 404],
    [creation(service).replace('POST', 'GET'), 400],
  ] as const) {
    const byLength = `${head}Content-Length: ${size}\r\n\r\n${body}`
    const inChunks = `${head}Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const requests = byLength + inChunks + listing(service, 'Connection: close\r\n')
    t.same(statusesOf(await sendRaw(service.origin, requests)), [status, status, 200])
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
      const head = creation(service).replace('HTTP/1.1', `HTTP/${version}`) + asked
      const connection = openRaw(service.origin)
      connection.write(`${head}Content-Length: ${size}\r\n\r\n${'x'.repeat(size)}`)
      await connection.until('"status":')
      connection.destroy()
      t.match(await connection.ended, new RegExp(`\\r\\nConnection: ${said}\\r\\n`, 'i'), `${version} ${asked} ${size}`)
    }
  }
})

t.test(
  'a client that reads only when it has sent all hears the response, also when the connection is to end',
  async (t) => {
    const service = await startService(t)
    // More than fits into the buffers on the way.
    const body = 'x'.repeat(20_000_000)
    for (const [head, status] of [
      [creation(service), 413],
      [creation(service).replace('Bearer', 'Basic'), 401],
    ] as const) {
      const bytes = `${head}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      t.same(await sendThenRead(service, bytes), [status])
    }
  },
)

t.test('a client that keeps sending after a malformed request still gets the response', async (t) => {
  const { origin } = await startService(t)
  for (const [bytes, status] of [
    ['x', 400],
    [`GET / HTTP/1.1\r\nX: x`, 431],
  ] as const) {
    t.same(statusesOf(await sendRaw(origin, bytes + 'x'.repeat(4_000_000))), [status])
  }
})

t.test('a request that Node refuses is logged, and counted for the metrics', async (t) => {
  const { origin, logged } = await startService(t)
  const counted: unknown[] = []
  const count = (code: unknown) => void counted.push(code)
  refusals.subscribe(count)
  t.teardown(() => refusals.unsubscribe(count))
  await sendRaw(origin, 'this is no request\r\n\r\n')
  await sendRaw(origin, 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n')
  t.same(counted, ['invalid_request', 'invalid_request'])
  t.match(logged(), [
    { msg: 'connection refused', status: 400, reqId: String, code: /^HPE_/ },
    { msg: 'tunnel refused', status: 400, reqId: String, code: undefined },
  ])
})

t.test('a client that does not end a refused connection is cut off', async (t) => {
  const { origin } = await startService(t)
  for (const bytes of ['this is no request\r\n\r\n', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n']) {
    const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', allowHalfOpen: true })
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.write(bytes)
    await once(socket, 'end')
    t.same(statusesOf(received), [400])
    const timer = setInterval(() => socket.write('x'), 50)
    const [error] = await once(socket, 'error')
    clearInterval(timer)
    t.match(error, { code: /ECONNRESET|EPIPE/ })
  }
})

t.test('100 Continue is sent if the headers allow the body', async (t) => {
  const service = await startService(t)
  const expecting = `${creation(service)}Expect: 100-Continue\r\nContent-Length: ${rex.length}\r\n\r\n`

  const socket = await open(service)
  const received = text(socket)
  socket.write(expecting)
  await once(socket, 'data')
  // The connection goes on, and a client that has ended its side gets its responses.
  socket.end(rex + listing(service))
  t.same(statusesOf(await received), [100, 201, 200])

  for (const [request, status] of [
    [expecting.replace('Bearer', 'Basic'), 401],
    [expecting.replace('/v1/pets', '/nothing'), 404],
    [expecting.replace('POST', undeclaredMethod), 405],
    [expecting.replace(/Content-Length: \d+/, 'Content-Length: 65537'), 413],
    [expecting.replace('json', 'xml'), 415],
    [expecting.replace('100-Continue', '200-ok, 100-continue'), 417],
    [listing(service, 'Expect: 100-continue\r\n'), 200],
  ] as const) {
    // The connection ends: whether the body comes is not known.
    const responses = readResponses(await sendRaw(service.origin, request))
    t.same(
      responses.map((response) => [response.status, response.headers.connection]),
      [[status, 'close']],
    )
  }
})

t.test('nothing follows a response that closes the connection, in the log neither', async (t) => {
  const service = await startService(t)
  const expecting = `${creation(service)}Expect: 100-continue\r\n`
  for (const [request, status] of [
    [listing(service, 'Expect: 100-continue\r\n'), 200],
    [`${expecting.replace('Bearer', 'Basic')}Content-Length: 0\r\n\r\n`, 401],
    [`${expecting.replace('json', 'xml')}Content-Length: 2\r\n\r\n{}`, 415],
    [`${expecting.replace('Bearer', 'Basic')}Transfer-Encoding: chunked\r\n\r\n`, 401],
  ] as const) {
    for (const more of ['this is no request\r\n\r\n', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n']) {
      const { length } = service.logged()
      t.same(statusesOf(await sendRaw(service.origin, request + more)), [status])
      await waitUntil(() => service.logged().length > length)
      t.match(service.logged().slice(length), [{ msg: 'request', res: { statusCode: status } }])
      t.equal(service.logged().length, length + 1)
    }
  }
})

t.test('Expect is ignored in HTTP/1.0', async (t) => {
  const service = await startService(t)
  for (const expectation of ['100-continue', 'a cake']) {
    const head = `${creation(service)}Expect: ${expectation}\r\nContent-Length: ${rex.length}\r\n\r\n`
    t.same(statusesOf(await sendRaw(service.origin, head.replace('HTTP/1.1', 'HTTP/1.0') + rex)), [201])
  }
})

t.test('a refused connection is logged under the request id of its response', async (t) => {
  const { origin, logged } = await startService(t)
  for (const bytes of ['this is no request\r\n\r\n', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n']) {
    const [response] = readResponses(await sendRaw(origin, bytes))
    t.match(logged().at(-1), { level: 30, reqId: response?.headers['x-request-id'], status: response?.status })
  }
})

t.test('a refusal is not logged as a failure of the service', async (t) => {
  const service = await startService(t)
  const chunks = `${rex.length.toString(16)}\r\n${rex}\r\n0\r\n\r\n`
  const request = `${creation(service)}Transfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n${chunks}`
  t.same(statusesOf(await sendRaw(service.origin, request)), [400])
  t.same(
    service.logged().filter(({ level }) => Number(level) > 30),
    [],
  )
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
