/**
 * What clients can make large: the memory of the service's process is bounded, and others are served meanwhile, whatever
 * clients pipeline, in whatever pieces they send it, and whether they read the responses or not.
 */
import { execFileSync } from 'node:child_process'
import { Agent, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { readResponse, send } from '../helpers/http.ts'
import { startServiceProcess } from '../helpers/process.ts'

const key = '0123456789abcdef0123456789abcdef'
const withKey = `Host: x\r\nAuthorization: Bearer ${key}\r\n`
const json = 'Content-Type: application/json\r\n'
const rex = '{"name":"Rex","categoryId":1}'
const largeFile = 'GET /docs/openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n'

/** The headers and the body of a request whose body has each byte in a chunk of its own. */
const inChunks = (body: string) =>
  `${json}Transfer-Encoding: chunked\r\n\r\n${body.replaceAll(/./g, '1\r\n$&\r\n')}0\r\n\r\n`
const chunked = inChunks('x'.repeat(55_000))

/**
 * The clients, in a thread of their own. Each sends the bytes again as soon as they are sent, over a new connection soon after
 * its own is closed.
 */
const attackers = `
const { once } = require('node:events')
const { connect } = require('node:net')
const { setTimeout } = require('node:timers/promises')
const { workerData: { port, clients, bytes, isDeaf } } = require('node:worker_threads')
async function attack() {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    if (isDeaf) socket.pause()
    else socket.resume()
    socket.on('error', () => {})
    while (!socket.destroyed) {
      if (socket.write(bytes)) continue
      await Promise.race([once(socket, 'drain'), setTimeout(500)]).catch(() => {})
    }
    await setTimeout(200)
  }
}
for (let client = 0; client < clients; client++) void attack()
`

/** Does some work again and again for a while, and at least once. */
async function repeat(milliseconds: number, work: () => Promise<unknown>): Promise<void> {
  const over = setTimeout(milliseconds, true)
  do await work()
  while (!(await Promise.race([over, setTimeout(20, false)])))
}

// The attacks of a group come one after the other; the limit is for all of them together.
for (const { name, clients, limit, attacks } of [
  {
    name: 'a client that pipelines thousands of',
    clients: 1,
    limit: 60,
    attacks: [
      ['requests without a key', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2000), false],
      ['lists, and does not read them', `GET /v1/pets HTTP/1.1\r\n${withKey}\r\n`.repeat(2000), true],
      [
        'additions',
        `POST /v1/pets HTTP/1.1\r\n${withKey}${json}Content-Length: ${rex.length}\r\n\r\n${rex}`.repeat(2000),
        false,
      ],
      ['large files, and does not read them', largeFile.repeat(2000), true],
    ],
  },
  {
    name: 'ten clients that send each byte in a chunk of its own,',
    clients: 10,
    limit: 60,
    attacks: [
      ['with a key', `POST /v1/pets HTTP/1.1\r\n${withKey}${chunked}`, false],
      ['without a key', `POST /v1/pets HTTP/1.1\r\nHost: x\r\n${chunked}`, false],
      ['to a path that there is not', `POST /nothing HTTP/1.1\r\nHost: x\r\n${chunked}`, false],
      [
        'without a key, behind responses that they do not read',
        largeFile.repeat(3) + `POST /v1/pets HTTP/1.1\r\nHost: x\r\n${chunked}`.repeat(15),
        true,
      ],
    ],
  },
  {
    name: 'forty clients that pipeline',
    clients: 40,
    limit: 200,
    attacks: [
      ['requests without a key', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2000), false],
      ['requests that are not valid', 'GET / HTTP/1.1\r\n\r\n'.repeat(4000), false],
      [
        'bodies with each byte in a chunk of its own, without a key',
        `POST /v1/pets HTTP/1.1\r\nHost: x\r\n${inChunks('x'.repeat(99))}`.repeat(200),
        false,
      ],
    ],
  },
] as const) {
  t.test(name, async (t) => {
    const { origin, pid } = await startServiceProcess(t, { env: { API_KEYS: key } })
    // In MiB. The process's own report would be amid the lines of its log.
    const getMemory = () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024
    for (let count = 0; count < 200; count++) await send(origin, 'GET', '/docs/openapi.yaml')
    const idle = getMemory()
    const agent = new Agent({ keepAlive: true })
    t.teardown(() => agent.destroy())
    for (const [attack, bytes, isDeaf] of attacks) {
      const workerData = { port: Number(new URL(origin).port), clients, bytes, isDeaf }
      const worker = new Worker(attackers, { eval: true, workerData })
      t.teardown(() => worker.terminate())
      let most = 0
      // Others are served meanwhile, on an open connection and on new ones.
      await Promise.all([
        repeat(700, async () => {
          t.equal((await readResponse(request(`${origin}/livez`, { agent }).end())).status, 200)
          most = Math.max(most, getMemory())
        }),
        repeat(700, () => send(origin, 'GET', '/livez')),
      ])
      await worker.terminate()
      t.ok(most - idle < limit, `${attack}: memory +${Math.round(most - idle)} MiB`)
    }
    t.equal((await send(origin, 'GET', '/v1/pets', { headers: { authorization: `Bearer ${key}` } })).status, 200)
  })
}
