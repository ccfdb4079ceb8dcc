/**
 * The end of the process by signals, and the durability of acknowledged animals.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { type HttpResponse, openRaw, send, sendRaw } from '../helpers/http.ts'
import { type ServiceProcess, spawnService, startCommand, startServiceProcess } from '../helpers/process.ts'
import { beginAdding } from '../helpers/slow-addition.ts'
import { waitUntil } from '../helpers/wait.ts'

t.setTimeout(180_000)

const env = { API_KEYS: '0123456789abcdef' }
const authorization = 'Bearer 0123456789abcdef'

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  t.test(`${signal} finishes the requests in flight, closes the store and ends with 0`, async (t) => {
    const service = await startServiceProcess(t, { env })
    const { kill, ended, folder } = service
    const slow = await beginAdding(t, service.origin, authorization, 'Rex')
    kill(signal)
    await logs(service, 'stopping')
    slow.finish()
    t.match(await slow.ended, 'HTTP/1.1 201 Created\r\n')
    const { status, stdout, stderr } = await ended
    t.equal(status, 0)
    t.match(stdout, `"signal":"${signal}"`)
    t.equal(stderr, '')

    const again = await startServiceProcess(t, { env, folder })
    t.match((await call(again, 'GET', '/v1/pets')).text, '"name":"Rex"')
  })
}

t.test('a signal during the start exits immediately, with 0', async (t) => {
  // A database that never responds.
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const connected = once(server, 'connection')
    const databaseUrl = `postgres://u:p@127.0.0.1:${port}/animals`
    const { ended, kill } = spawnService(t, {
      env: { ...env, DATABASE_URL: databaseUrl },
      coverage: signal === 'SIGTERM',
    })
    await connected
    kill(signal)
    t.match(await ended, { status: 0, signal: null, stderr: '' })
  }
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  for (const group of [false, true]) {
    const receivers = group ? 'the group of npm start, which passes it on,' : 'npm start'
    t.test(`${signal} to ${receivers} finishes the requests in flight and ends with 0`, async (t) => {
      const npm = startCommand(t, ['npm', 'start'], {
        folder: join(import.meta.dirname, '../..'),
        env: { ...env, DATABASE_URL: 'sqlite::memory:' },
        group,
      })
      const listening = () => npm.logged().find(({ msg }) => String(msg).startsWith('Server listening'))
      const { pid, msg } = (await waitUntil(listening)) as { pid: number; msg: string }
      const slow = await beginAdding(t, msg.slice(msg.indexOf('http')), authorization, 'Rex')
      npm.kill(signal)
      await logs(npm, 'stopping')
      // npm passes the signal on meanwhile.
      await setTimeout(100)
      slow.finish()
      t.match(await slow.ended, 'HTTP/1.1 201 Created\r\n')
      t.equal((await npm.ended).status, 0)
      t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
    })
  }
}

t.test('a shutdown refuses new connections and does not wait for idle ones', async (t) => {
  const service = await startServiceProcess(t, { env })
  const idle = openRaw(service.origin)
  idle.write(`GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`)
  await idle.until('[]')
  const slow = await beginAdding(t, service.origin, authorization, 'Rex')
  service.kill('SIGTERM')
  t.match(await idle.ended, /^HTTP\/1\.1 200 OK\r\n/)
  // The port is closed a moment after the connections.
  await waitUntil(() =>
    call(service, 'GET', '/v1/pets').then(
      () => false,
      ({ code }) => code === 'ECONNREFUSED',
    ),
  )
  slow.finish()
  t.match(await slow.ended, 'HTTP/1.1 201 Created\r\n')
  t.equal((await service.ended).status, 0)
})

t.test('during STOP_DELAY, the service still serves clients, and each response closes its connection', async (t) => {
  const service = await startServiceProcess(t, { env: { ...env, STOP_DELAY: '60000' } })
  t.equal((await call(service, 'GET', '/health')).status, 200)
  service.kill('SIGTERM')
  await logs(service, 'stopping')
  const health = await call(service, 'GET', '/health')
  t.equal(health.status, 503)
  t.match(health.body, { code: 'service_unavailable', message: 'the service is about to stop' })
  const served = await fetch(`${service.origin}/v1/pets`, { headers: { authorization } })
  t.equal(served.status, 200)
  t.equal(served.headers.get('connection'), 'close')
})

t.test('the service ends after STOP_DELAY', async (t) => {
  const service = await startServiceProcess(t, { env: { ...env, STOP_DELAY: '100' } })
  service.kill('SIGTERM')
  t.equal((await service.ended).status, 0)
})

t.test('a client that is connected when the port is closed gets a response', async (t) => {
  // What a busy machine sheds is a matter of its own.
  const service = await startServiceProcess(t, {
    env: { ...env, STOP_DELAY: '2000', MAX_EVENT_LOOP_DELAY: '0' },
    coverage: true,
  })
  const { origin, kill, ended } = service
  kill('SIGTERM')
  await logs(service, 'stopping')
  // The system accepts connections for a process that does not run; when it does again, it is time to close the port.
  kill('SIGSTOP')
  const request = `GET /v1/pets HTTP/1.1\r\nHost: animals\r\nAuthorization: ${authorization}\r\n\r\n`
  const responses = Array.from({ length: 100 }, () => sendRaw(origin, request))
  await setTimeout(2000)
  kill('SIGCONT')
  for (const response of await Promise.all(responses)) t.match(response, /^HTTP\/1\.1 200 OK\r\n(.+\r\n)+\r\n\[\]$/)
  t.equal((await ended).status, 0)
})

t.test('a signal that comes more than a second after the first one exits immediately', async (t) => {
  const service = await startServiceProcess(t, { env, coverage: true })
  const slow = await beginAdding(t, service.origin, authorization, 'Rex')
  const slower = await beginAdding(t, service.origin, authorization, 'Tom')
  service.kill('SIGTERM')
  await logs(service, 'stopping')
  service.kill('SIGINT')
  await setTimeout(1100)
  slow.finish()
  t.match(await slow.ended, 'HTTP/1.1 201 Created\r\n')
  service.kill('SIGINT')
  const { status } = await service.ended
  t.equal(status, 1)
  t.equal(await slower.ended, 'HTTP/1.1 100 Continue\r\n\r\n')
})

t.test('added animals are still there after a restart', async (t) => {
  const first = await startServiceProcess(t, { env })
  const added = await addSome(first, 10)
  first.kill('SIGTERM')
  await first.ended
  const second = await startServiceProcess(t, { env, folder: first.folder })
  t.equal((await call(second, 'GET', '/v1/pets')).text, `[${added.join(',')}]`)
  const next = (await call(second, 'POST', '/v1/pets', { name: 'Mia', categoryId: 2 })).body as { id: number }
  t.equal(next.id, 11)
})

t.test('every acknowledged animal is stored once after kill -9', async (t) => {
  const first = await startServiceProcess(t, { env })
  const acknowledged: string[] = []
  const adders = Array.from({ length: 4 }, async (_, adder) => {
    for (let count = 0; ; count++) {
      const response = await call(first, 'POST', '/v1/pets', { name: `${adder}-${count}`, categoryId: adder })
      acknowledged.push(response.text)
    }
  })
  const stopped = Promise.allSettled(adders)
  await waitUntil(() => acknowledged.length >= 30)
  first.kill('SIGKILL')
  t.equal((await first.ended).signal, 'SIGKILL')
  await stopped

  const second = await startServiceProcess(t, { env, folder: first.folder })
  const kept = await Promise.all(acknowledged.map((pet) => call(second, 'GET', `/v1/pets/${JSON.parse(pet).id}`)))
  t.same(
    kept.map((response) => response.text),
    acknowledged,
  )
  const ids = acknowledged.map((pet) => JSON.parse(pet).id)
  t.equal(new Set(ids).size, ids.length)
  const next = (await call(second, 'POST', '/v1/pets', { name: 'Mia', categoryId: 2 })).body as { id: number }
  t.ok(next.id > Math.max(...ids))
})

function call(service: ServiceProcess, method: string, path: string, json?: object): Promise<HttpResponse> {
  return send(service.origin, method, path, { headers: { authorization }, ...(json !== undefined && { json }) })
}

/** Adds animals; returns the responses' texts. */
async function addSome(service: ServiceProcess, count: number): Promise<string[]> {
  const added: string[] = []
  for (let index = 0; index < count; index++) {
    added.push((await call(service, 'POST', '/v1/pets', { name: `Rex ${index}`, categoryId: index })).text)
  }
  return added
}

/** Waits until an event of this name is in the log. */
async function logs({ logged }: Pick<ServiceProcess, 'logged'>, event: string): Promise<void> {
  await waitUntil(() => logged().some(({ msg }) => msg === event))
}
