/** Garbage: 5,000 randomly damaged requests to the real process, which continues as before. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { createContract } from '../helpers/contract.ts'
import { connectTo, type HttpResponse, readResponses, readToEnd, send } from '../helpers/http.ts'
import { animalsIn, walkPages } from '../helpers/pages.ts'
import { type ServiceProcess, startServiceProcess } from '../helpers/process.ts'
import { seed } from '../helpers/random.ts'
import { spec } from '../helpers/service.ts'
import { waitUntil } from '../helpers/wait.ts'

const key = '0123456789abcdef0123456789abcdef'
const head = `Host: localhost\r\nAuthorization: Bearer ${key}\r\n`
const body = '{"name":"Rex","categoryId":9007199254740993,"status":"sold"}'

/** What is damaged: good requests, each of which can be the last on its connection. */
const goodRequests = [
  `GET /v1/pets?limit=5&status=sold HTTP/1.1\r\n${head}Accept: */*\r\n\r\n`,
  `GET /v1/pets/1 HTTP/1.1\r\n${head}User-Agent: garbage\r\n\r\n`,
  `POST /v1/pets HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  `POST /v1/pets HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n` +
    `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  `POST /v1/pets HTTP/1.1\r\n${head}Content-Type: application/json; charset=utf-8\r\nIdempotency-Key: "1"\r\n` +
    `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  `GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /docs/openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  'GET /docs/static/swagger-ui.css HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: "1"\r\n' +
    'Range: bytes=0-1\r\nIf-Match: "1"\r\nOrigin: null\r\n\r\n',
].map((request) => Buffer.from(request))

/** What damage brings in: what means something to a parser. */
const pieces = [
  ...['\r\n', '\r', '\n', '\0', ' ', ':', '"', '{', '[', '%', '0', '9'.repeat(30), '\xff', 'HTTP/1.1', 'chunked'],
  ...['Content-Length: 5\r\n', 'Transfer-Encoding: chunked\r\n', 'Host: x\r\n', 'Connection: close\r\n', '\r\n\r\n'],
].map((piece) => Buffer.from(piece, 'latin1'))

/** A good request, damaged in one place or two. */
const damaged = fc.gen().map((choose) => {
  let bytes = choose(fc.constantFrom, ...goodRequests)
  for (let count = choose(fc.nat, 1); count >= 0; count--) {
    const at = choose(fc.nat, bytes.length)
    const length = choose(fc.boolean) ? 1 : choose(fc.nat, 39)
    const [before, behind, rest] = [bytes.subarray(0, at), bytes.subarray(at), bytes.subarray(at + length)]
    const noise = choose(fc.uint8Array, { minLength: length, maxLength: length })
    const piece = choose(fc.constantFrom, ...pieces)
    const other = choose(fc.constantFrom, ...goodRequests)
    const kinds = [
      [before],
      [before, rest],
      [before, noise, rest],
      [before, noise, behind],
      [before, piece, behind],
      [before, piece, rest],
      [before, behind.subarray(0, length), behind],
      [before, other.subarray(choose(fc.nat, 199))],
    ]
    bytes = Buffer.concat(kinds[choose(fc.nat, kinds.length - 1)] ?? [])
  }
  return bytes
})

/** Makes a process collect its garbage and log what it holds then, at a signal. */
const report = `
process.on('SIGUSR2', () => {
  gc()
  const { heapUsed, external, rss } = process.memoryUsage()
  console.log(JSON.stringify({ msg: 'report', heap: heapUsed + external, rss }))
})`
const nodeArgs = ['--expose-gc', `--import=data:text/javascript,${encodeURIComponent(report)}`]

t.test('the process and the store survive 5,000 damaged requests', async (t) => {
  t.comment(`seed ${seed}`)
  const requests = fc.sample(damaged, { seed, numRuns: 5000 })
  const service = await startServiceProcess(t, { env: { API_KEYS: key }, nodeArgs })
  for (const name of ['Rex', 'Mia', 'Tom']) t.equal((await add(service, name)).status, 201)
  const before = (await list(service)).text

  const responses = await sendAll(service, requests.slice(0, 1000))
  const early = await getMemory(service)
  responses.push(...(await sendAll(service, requests.slice(1000))))
  const late = await getMemory(service)
  const statuses = new Map(
    [...Map.groupBy(responses, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  )
  t.comment(`responses by status: ${[...statuses].sort().join('; ')}`)
  t.comment(`held after 1,000: ${JSON.stringify(early)}; after 5,000: ${JSON.stringify(late)}`)

  t.ok(late.heap - early.heap < 1_000_000, 'what is held on the heap is level')
  t.ok(late.rss - early.rss < 64_000_000, 'what is held of the machine is level')
  for (const status of [200, 201, 400, 401, 404, 415]) t.ok(statuses.get(status), `some responses are ${status}`)
  t.same(
    [...statuses.keys()].filter((status) => status >= 500),
    [],
  )
  t.notOk(service.logged().some(({ level }) => Number(level) > 30))
  t.notMatch(service.output(), key)

  const after = await list(service)
  t.ok(after.text.startsWith(before.slice(0, -1)), 'what was there is there, as it was')
  const { length } = (await walkPages((path) => list(service, path), '/v1/pets?limit=100')).flatMap(animalsIn)
  // Sent again under its key, a creation is acknowledged again.
  const added = new Set(responses.filter(({ status }) => status === 201).map(({ headers }) => headers.location))
  t.equal(length, 3 + added.size, 'what was acknowledged is there, and nothing else')
  t.equal((await add(service, 'Leo')).status, 201)
})

const contract = createContract(spec)

/** Asks the process for its memory, in bytes. */
async function getMemory({ kill, logged }: ServiceProcess): Promise<{ heap: number; rss: number }> {
  const reports = () => logged().filter(({ msg }) => msg === 'report')
  const { length } = reports()
  kill('SIGUSR2')
  return (await waitUntil(() => reports()[length])) as { heap: number; rss: number }
}

async function add({ origin }: ServiceProcess, name: string): Promise<HttpResponse> {
  const headers = { authorization: `Bearer ${key}` }
  return send(origin, 'POST', '/v1/pets', { headers, json: { name, categoryId: 1 } })
}

async function list({ origin }: ServiceProcess, path = '/v1/pets?limit=3'): Promise<HttpResponse> {
  const response = await send(origin, 'GET', path, { headers: { authorization: `Bearer ${key}` } })
  contract.check({ method: 'GET', path, ...response })
  return response
}

/** Sends requests, some at a time; returns the responses. */
async function sendAll({ origin }: ServiceProcess, requests: readonly Buffer[]): Promise<HttpResponse[]> {
  const responses: HttpResponse[] = []
  // The workers share it.
  const left = requests.values()
  const worker = async () => {
    for (const bytes of left) {
      const socket = await connectTo(origin, { allowHalfOpen: true })
      // Nothing comes behind it.
      socket.end(bytes)
      const received = readResponses(await readToEnd(socket))
      // Ends of lines are no request yet (RFC 9112, section 2.2).
      assert.ok(
        received.length > 0 || /^[\r\n]*$/.test(bytes.toString('latin1')),
        `no response to ${bytes.toString('hex')}`,
      )
      responses.push(...received)
    }
  }
  await Promise.all(Array.from({ length: 20 }, worker))
  for (const response of responses) {
    // Of the document, what holds for all errors: what was asked for is not known.
    if (response.status >= 400) contract.check({ method: 'GET', path: '*', ...response })
  }
  return responses
}
