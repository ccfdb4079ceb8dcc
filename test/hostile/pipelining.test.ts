/**
 * Clients that pipeline thousands of requests on one connection, with the process of the service: each request has its
 * response, in order; memory is bounded, whether the client reads or not; and others are served meanwhile.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { send, sendPipelined } from '../helpers/http.ts'
import { type ServiceProcess, startServiceProcess } from '../helpers/process.ts'
import { holdingsOf, reporting } from './holdings.ts'

t.setTimeout(240_000)

const key = '0123456789abcdef0123456789abcdef'
const env = { API_KEYS: key }
const withKey = `Host: x\r\nAuthorization: Bearer ${key}\r\n`
const rex = '{"name":"Rex","categoryId":1}'
const count = 20_000

const requests = {
  'GET /health': [200, 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'],
  'GET /v1/pets': [200, `GET /v1/pets HTTP/1.1\r\n${withKey}\r\n`],
  'GET /docs': [200, 'GET /docs HTTP/1.1\r\nHost: x\r\n\r\n'],
  'GET /docs, compressed': [200, 'GET /docs HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\n\r\n'],
  'a request without a key': [401, 'GET /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n'],
  'a path that there is not': [404, 'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n'],
  'a method that a path does not have': [405, 'DELETE /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n'],
  'a wrong parameter': [400, `GET /v1/pets?limit=0 HTTP/1.1\r\n${withKey}\r\n`],
  'an addition': [
    201,
    `POST /v1/pets HTTP/1.1\r\n${withKey}Content-Type: application/json\r\nContent-Length: ${rex.length}\r\n\r\n${rex}`,
  ],
} as const

async function open({ origin }: ServiceProcess): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Sends requests of others until it is stopped; returns how long each took, in ascending order. */
function serveOthers(service: ServiceProcess): () => Promise<number[]> {
  const times: number[] = []
  let isStopped = false
  const done = (async () => {
    while (!isStopped) {
      const startedAt = performance.now()
      const { status } = await send(service.origin, 'GET', '/health')
      if (status !== 200) throw new Error(`/health has the status ${status}`)
      times.push(performance.now() - startedAt)
      await setTimeout(5)
    }
  })()
  return async () => {
    isStopped = true
    await done
    return times.sort((a, b) => a - b)
  }
}

/** The memory of a process in MiB. Its own report would be amid the lines of its log. */
function memoryOf({ pid }: ServiceProcess): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}

/** Checks memory and the time that others waited. A single time depends on what else the machine does. */
async function checkOthers(
  t: Test,
  service: ServiceProcess,
  idle: number,
  stop: () => Promise<number[]>,
  limit: number,
) {
  const times = await stop()
  const median = times[times.length >> 1] ?? 0
  const more = Math.round(memoryOf(service) - idle)
  t.comment(`memory +${more} MiB; others waited ${Math.round(median)} ms, at most ${Math.round(times.at(-1) ?? 0)}`)
  t.ok(more < limit, 'memory')
  t.ok(median < 100, 'others')
}

for (const [name, [status, request]] of Object.entries(requests)) {
  t.test(`${count} times ${name} on one connection`, async (t) => {
    const service = await startServiceProcess(t, { viaEntry: true, env })
    t.equal((await send(service.origin, 'GET', '/health')).status, 200)
    const idle = memoryOf(service)
    const stop = serveOthers(service)
    t.strictSame([...(await sendPipelined(service.origin, request, count))], [[status, count]])
    const socket = await open(service)
    socket.pause().write(request.repeat(count))
    await setTimeout(500)
    // 16 to 49 MiB were measured.
    await checkOthers(t, service, idle, stop, 60)
    socket.destroy()
    t.equal((await send(service.origin, 'GET', '/health')).status, 200)
  })
}

t.test('large files that are asked for, and not read', async (t) => {
  const service = await startServiceProcess(t, { viaEntry: true, env })
  t.equal((await send(service.origin, 'GET', '/health')).status, 200)
  const idle = memoryOf(service)
  const stop = serveOthers(service)
  const sockets = await Promise.all([1, 2, 3, 4].map(() => open(service)))
  for (const socket of sockets) {
    socket.pause().write('GET /docs/static/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3000))
  }
  await setTimeout(2000)
  await checkOthers(t, service, idle, stop, 50)
  for (const socket of sockets) socket.destroy()
})

t.test('many requests on many connections, whose responses are not read', async (t) => {
  const service = await startServiceProcess(t, { viaEntry: true, env, nodeArgs: reporting })
  const file = '/docs/static/swagger-ui-bundle.js'
  t.equal((await send(service.origin, 'GET', file)).status, 200)
  const idle = await holdingsOf(service)
  const sockets = await Promise.all(Array.from({ length: 60 }, () => open(service)))
  for (const socket of sockets) {
    socket.on('error', () => {})
    // As many as Node parses at once, behind responses that fill the buffers of the system.
    const small = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2350)
    socket.pause().write(`GET ${file} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(16) + small)
  }
  await setTimeout(3000)
  t.equal((await send(service.origin, 'GET', '/health')).status, 200)
  const more = Math.round(((await holdingsOf(service)).heap - idle.heap) / 2 ** 20)
  // 7 MiB were measured, and 200 without a bound on all that wait.
  t.ok(more < 50, `memory +${more} MiB`)
  t.ok(service.logged().some(({ msg, status }) => msg === 'connection closed' && status === 503))
  for (const socket of sockets) socket.destroy()
})
