/** The end of the process by signals. */
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { type HttpResponse, openRaw, send, sendRaw } from '../helpers/http.ts'
import { type ServiceProcess, spawnService, startCommand, startServiceProcess } from '../helpers/process.ts'
import { beginAdding } from '../helpers/slow-addition.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { TIMEOUT_MS, waitForEvent, waitUntil } from '../helpers/wait.ts'

const env = { API_KEYS: '0123456789abcdef' }
const authorization = 'Bearer 0123456789abcdef'

t.test('a signal finishes the requests in flight, closes the store and ends with 0', async (t) => {
  const folder = temporaryFolder(t)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const service = await startServiceProcess(t, { env, folder })
    const idle = openRaw(service.origin)
    idle.write(`GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`)
    await idle.until(']')
    const slow = await beginAdding(t, service.origin, authorization, signal)
    service.kill(signal)
    // An idle connection is not waited for. The port is closed a moment after it.
    t.match(await idle.waitForEnd(), /^HTTP\/1\.1 200 OK\r\n/)
    const refused = () =>
      list(service).then(
        () => false,
        ({ code }) => code === 'ECONNREFUSED',
      )
    await waitUntil(refused)
    slow.finish()
    t.match(await slow.waitForEnd(), 'HTTP/1.1 201 Created\r\n')
    const { status, stderr } = await service.waitForEnd()
    t.strictSame([status, stderr], [0, ''])
    t.match(service.logged(), [{ msg: /^Server listening/ }])
    t.ok(service.logged().some((event) => event.msg === 'stopping' && event.signal === signal))
    t.match(service.logged().at(-1), { msg: 'stopped', level: 30 })
  }
  const animals = (await list(await startServiceProcess(t, { env, folder }))).body as { id: number; name: string }[]
  t.same(
    animals.map(({ id, name }) => `${id} ${name}`),
    ['1 SIGTERM', '2 SIGINT', '3 SIGHUP'],
  )
})

t.test('a signal during the start exits immediately, with 0', async (t) => {
  // A database that never responds.
  const server = createServer().listen(0, '127.0.0.1')
  await waitForEvent(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const connected = waitForEvent(server, 'connection')
  const databaseUrl = `postgres://u:p@127.0.0.1:${port}/animals`
  const { waitForEnd, kill } = spawnService(t, { env: { ...env, DATABASE_URL: databaseUrl } })
  await connected
  kill('SIGTERM')
  t.match(await waitForEnd(), { status: 0, signal: null, stderr: /^$/ })
})

for (const [signal, group] of [
  ['SIGTERM', false],
  ['SIGINT', true],
] as const) {
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
    t.match(await slow.waitForEnd(), 'HTTP/1.1 201 Created\r\n')
    t.equal((await npm.waitForEnd()).status, 0)
    t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  })
}

t.test('a stop loses no request of clients that connect again and again', async (t) => {
  // A client that does not run for a while may connect at the moment in which the port is closed, so some stops lose requests.
  for (let count = 0; count < 20; count++) if ((await stopUnderLoad(t)) === 0) return t.pass()
  t.fail('each of 20 stops loses requests')
})

t.test('during STOP_DELAY the service serves, and who connects before its end gets a response', async (t) => {
  const service = await startServiceProcess(t, { env: { ...env, STOP_DELAY: '8000' } })
  const { origin, kill, waitForEnd } = service
  t.equal((await send(origin, 'GET', '/readyz')).status, 200)
  kill('SIGTERM')
  await logs(service, 'stopping')
  t.match(await send(origin, 'GET', '/readyz'), {
    status: 503,
    body: { code: 'service_unavailable', message: 'the service is about to stop' },
  })
  // Longer than a shutdown without a delay waits.
  await setTimeout(500)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const served = await fetch(`${origin}/v1/pets`, { headers: { authorization }, signal })
  t.strictSame([served.status, served.headers.get('connection')], [200, 'close'])

  // The system accepts connections for a process that does not run; when it does again, it is time to close the port.
  kill('SIGSTOP')
  const request = `GET /v1/pets HTTP/1.1\r\nHost: animals\r\nAuthorization: ${authorization}\r\n\r\n`
  const responses = Array.from({ length: 100 }, () => sendRaw(origin, request))
  await setTimeout(8000)
  kill('SIGCONT')
  for (const response of await Promise.all(responses)) t.match(response, /^HTTP\/1\.1 200 OK\r\n(.+\r\n)+\r\n\[\]$/)
  t.equal((await waitForEnd()).status, 0)
})

t.test('a signal that comes more than a second after the first one exits immediately', async (t) => {
  const service = await startServiceProcess(t, { env })
  const slow = await beginAdding(t, service.origin, authorization, 'Rex')
  const slower = await beginAdding(t, service.origin, authorization, 'Tom')
  service.kill('SIGTERM')
  service.kill('SIGINT')
  await logs(service, 'stopping')
  await setTimeout(1100)
  slow.finish()
  t.match(await slow.waitForEnd(), 'HTTP/1.1 201 Created\r\n')
  service.kill('SIGINT')
  const { status } = await service.waitForEnd()
  t.equal(status, 1)
  t.equal(await slower.waitForEnd(), 'HTTP/1.1 100 Continue\r\n\r\n')
})

function list({ origin }: ServiceProcess): Promise<HttpResponse> {
  return send(origin, 'GET', '/v1/pets', { headers: { authorization } })
}

/** Waits until an event of this name is in the log. */
async function logs({ logged }: Pick<ServiceProcess, 'logged'>, event: string): Promise<void> {
  await waitUntil(() => logged().some(({ msg }) => msg === event))
}

/** Stops a service that has 64 clients; returns how many of their requests have no response although they have connected. */
async function stopUnderLoad(t: Test): Promise<number> {
  const { origin, kill, waitForEnd } = await startServiceProcess(t, { env })
  let served = 0
  const connectAgain = async (): Promise<never> => {
    for (;;) {
      await send(origin, 'GET', '/v1/pets', { headers: { authorization } })
      served++
    }
  }
  const clients = Array.from({ length: 64 }, () => connectAgain().catch(({ code }) => code))
  await waitUntil(() => served > 200)
  kill('SIGTERM')
  const codes = await Promise.all(clients)
  t.equal((await waitForEnd()).status, 0)
  return codes.filter((code) => code !== 'ECONNREFUSED').length
}
