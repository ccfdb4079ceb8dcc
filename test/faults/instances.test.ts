/** Instances of the service are killed, stopped and restarted, or their store is locked, while clients use them. */
import { Agent, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { sharedDatabases, sqlite } from '../helpers/databases.ts'
import { openRaw, readResponse, send } from '../helpers/http.ts'
import { freshSchema } from '../helpers/postgres.ts'
import { lock } from '../helpers/sql.ts'
import { waitUntil } from '../helpers/wait.ts'
import { apiKey, createTraffic, startInstance } from './traffic.ts'

t.jobs = 2

for (const { name, fresh } of sharedDatabases) {
  t.test(`on ${name}, kill -9 loses and doubles no animal, and no id is used again`, async (t) => {
    const databaseUrl = await fresh(t)
    const traffic = createTraffic(t)
    for (let round = 1; round <= 2; round++) {
      const { origin, kill, waitForEnd } = await startInstance(t, databaseUrl)
      await traffic.audit(origin)
      const begun = performance.now()
      const stop = traffic.run(() => origin)
      await waitUntil(() => traffic.withStatus(201, begun).length >= 10)
      await setTimeout(Math.random() * 200)
      kill('SIGKILL')
      t.equal((await waitForEnd()).signal, 'SIGKILL')
      await stop()
    }
    await traffic.passes((await startInstance(t, databaseUrl)).origin)
  })

  t.test(`on ${name}, a stop under load drops no request in flight`, async (t) => {
    const databaseUrl = await fresh(t)
    const traffic = createTraffic(t)
    const instance = await startInstance(t, databaseUrl)
    const stop = traffic.run(() => instance.origin, { clients: 16 })
    await traffic.until(() => traffic.withStatus(201).length >= 10)
    await setTimeout(Math.random() * 200)
    instance.kill('SIGTERM')
    t.match(await instance.waitForEnd(), { status: 0, stderr: '' })
    await stop()
    const logged = instance.logged().filter(({ operationId }) => operationId !== undefined)
    const begun = new Set(logged.map(({ reqId }) => reqId))
    const responded = new Set(traffic.outcomes.map(({ response }) => response?.headers['x-request-id']))
    responded.delete(undefined)
    t.same(begun.symmetricDifference(responded), new Set(), 'every request that is handled gets a response')
    const { origin } = await startInstance(t, databaseUrl)
    t.match(await traffic.audit(origin), { unknown: 0, unacknowledged: 0 }, 'nothing was added without a response')
    t.same(traffic.withStatus(503), [])
    await traffic.passes(origin)
  })

  t.test(`a ${name} store that is locked is read, and additions get 503`, async (t) => {
    const databaseUrl = await fresh(t)
    const { origin } = await startInstance(t, databaseUrl)
    const traffic = createTraffic(t)
    const { withStatus, until } = traffic
    // Nothing holds up those who only read: they would do so thousands of times while the others wait.
    const readers = async () => setTimeout(20, origin)
    const stops = [traffic.run(() => origin), traffic.run(readers, { clients: 2, adding: 0 })]
    await until(() => withStatus(201).length >= 20)

    const release = await lock(t, databaseUrl)
    const locked = performance.now()
    await until(() => withStatus(503, locked).length >= 8 && withStatus(200, locked).length >= 20)
    t.ok(withStatus(503).every(({ operationId }) => operationId === 'createPet'))
    t.same(withStatus(201, locked), [])
    t.equal((await send(origin, 'GET', '/readyz')).status, 503)
    t.equal((await send(origin, 'GET', '/livez')).status, 200)

    await release()
    const released = performance.now()
    await until(() => withStatus(201, released).length >= 20)
    await Promise.all(stops.map((stop) => stop()))
    await traffic.passes(origin)
    traffic.respondsInTime()
  })
}

t.test('no open connection is closed before a response has announced it', async (t) => {
  const { origin, kill, waitForEnd } = await startInstance(t, await sqlite.fresh(t), { env: { STOP_DELAY: '5000' } })
  let responses = 0
  const clients = Array.from({ length: 20 }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    t.teardown(() => agent.destroy())
    for (let connection: string | undefined; connection !== 'close'; responses++) {
      const sent = request(`${origin}/v1/pets`, { agent, headers: { authorization: `Bearer ${apiKey}` } }).end()
      connection = (await readResponse(sent)).headers.connection
    }
  })
  const done = Promise.all(clients)
  await Promise.race([waitUntil(() => responses >= 100), done])
  kill('SIGTERM')
  await t.resolves(done)
  t.equal((await waitForEnd()).status, 0)
})

t.test('a request that arrives shortly after the begin of a shutdown gets a response', async (t) => {
  const databaseUrl = await sqlite.fresh(t)
  const head = `GET /v1/pets HTTP/1.1\r\nHost: animals\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`
  let received = ''
  // A busy machine may take longer than the service waits; not time and again.
  for (let attempt = 1; attempt <= 5 && received.split('200 OK').length < 3; attempt++) {
    const { origin, kill, waitForEnd } = await startInstance(t, databaseUrl)
    const connection = openRaw(origin)
    connection.write(head)
    await connection.until('[]')
    kill('SIGTERM')
    // The line that says so may be written after the shutdown.
    await setTimeout(100)
    connection.write(head)
    received = await connection.waitForEnd()
    t.equal((await waitForEnd()).status, 0)
  }
  t.match(received, /^HTTP\/1\.1 200 OK\r\n(.+\r\n)+\r\n\[\]HTTP\/1\.1 200 OK\r\n(.+\r\n)*connection: close\r\n/i)
})

t.test('instances that are restarted in turn fail no request, and one that is killed adds nothing twice', async (t) => {
  const databaseUrl = await freshSchema(t)
  const balancer = createBalancer(t)
  const start = async () => {
    // The delay is much longer than the balancer takes to notice.
    const instance = await startInstance(t, databaseUrl, { env: { STOP_DELAY: '5000' } })
    await balancer.add(instance.origin)
    return instance
  }
  // Both at once, on an empty store.
  const instances = await Promise.all([start(), start()])
  const traffic = createTraffic(t)
  const stop = traffic.run(balancer.next, { clients: 4 })
  for (const [index, { kill, waitForEnd }] of instances.entries()) {
    kill('SIGTERM')
    t.match(await waitForEnd(), { status: 0, stderr: '' })
    instances[index] = await start()
  }
  const failed = traffic.outcomes.filter(({ response }) => response?.status !== 200 && response?.status !== 201)
  t.same(failed, [], 'no request fails')

  const [survivor, ...others] = instances
  // A kill may meet no request.
  for (let kills = 0; kills < 2 || traffic.outcomes.every(({ failure }) => failure === undefined); kills++) {
    const { kill, waitForEnd } = others.pop() ?? (await start())
    await setTimeout(100 + Math.random() * 200)
    kill('SIGKILL')
    t.equal((await waitForEnd()).signal, 'SIGKILL')
  }
  await stop()
  await traffic.passes(survivor.origin)
})

/** Makes a load balancer: it asks instances for their health every 50 ms, and believes what they say for 500 ms. */
function createBalancer(t: Test) {
  const healthy = new Map<string, number>()
  let isOver = false
  let turn = 0
  t.teardown(() => {
    isOver = true
  })

  async function watch(origin: string): Promise<void> {
    while (!isOver) {
      const asked = performance.now()
      const response = await send(origin, 'GET', '/readyz').catch(() => undefined)
      if (response?.status === 200) healthy.set(origin, asked)
      else healthy.delete(origin)
      await setTimeout(50)
    }
  }

  return {
    /** Watches an instance from now on; resolves when it is to be used. */
    add: async (origin: string) => {
      void watch(origin)
      await waitUntil(() => healthy.has(origin))
    },
    /** Returns the healthy instances in turn; waits while there is none. */
    next: () =>
      waitUntil(() => {
        const usable = [...healthy].filter(([, asked]) => performance.now() - asked < 500)
        return usable[turn++ % usable.length]?.[0]
      }),
  }
}
