/**
 * The service is told to stop at random moments while clients use it.
 */
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { sharedDatabases } from '../helpers/databases.ts'
import { openRaw, readResponse } from '../helpers/http.ts'
import { createRandom, drawSeed } from '../helpers/random.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'
import { apiKey, startInstance } from './instance.ts'
import { createTraffic } from './traffic.ts'
import { passes } from './verdict.ts'

const head = `GET /v1/pets HTTP/1.1\r\nHost: animals\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`
const rounds = 5
const clients = 16

// What a busy machine sheds is a matter of its own.
const env = { MAX_EVENT_LOOP_DELAY: '0' }

t.jobs = 2

t.test('no open connection is closed before a response has announced it', async (t) => {
  const databaseUrl = `sqlite:${join(temporaryFolder(t), 'animals.db')}`
  const { origin, kill, ended } = await startInstance(t, { databaseUrl })
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
  await Promise.race([waitUntil(() => responses >= 200), done])
  kill('SIGTERM')
  await t.resolves(done)
  t.equal((await ended).status, 0)
  t.comment(`${responses} responses`)
})

t.test('a request that arrives shortly after the begin of a shutdown gets a response', async (t) => {
  const databaseUrl = `sqlite:${join(temporaryFolder(t), 'animals.db')}`
  let received = ''
  // A busy machine may take longer than the service waits; not time and again.
  for (let attempt = 1; attempt <= 5 && received.split('200 OK').length < 3; attempt++) {
    const { origin, logged, kill, ended } = await startInstance(t, { databaseUrl })
    const connection = openRaw(origin)
    connection.write(head)
    await connection.until('[]')
    kill('SIGTERM')
    await waitUntil(() => logged().some(({ msg }) => msg === 'stopping'))
    await setTimeout(50)
    connection.write(head)
    received = await connection.ended
    t.equal((await ended).status, 0)
  }
  t.match(received, /^HTTP\/1\.1 200 OK\r\n(.+\r\n)+\r\n\[\]HTTP\/1\.1 200 OK\r\n(.+\r\n)*connection: close\r\n/i)
})

for (const { name, fresh } of sharedDatabases) {
  t.test(`on ${name}, a stop under load drops no request in flight`, async (t) => {
    const random = createRandom(drawSeed(t, 'FAULTS_SEED'))
    const databaseUrl = await fresh(t)
    const traffic = createTraffic(t, random)
    const begun = new Set<unknown>()
    for (let round = 1; round <= rounds; round++) {
      const { origin, kill, ended, logged } = await startInstance(t, { databaseUrl, env })
      const stop = traffic.run(t, () => origin, { clients })
      await setTimeout(200 + random.next() * 300)
      kill('SIGTERM')
      t.match(await ended, { status: 0, stderr: '' })
      await stop()
      for (const { operationId, reqId } of logged()) if (operationId !== undefined) begun.add(reqId)
    }
    const responded = new Set(traffic.outcomes.map(({ response }) => response?.headers['x-request-id']))
    responded.delete(undefined)
    t.same(
      begun.symmetricDifference(responded),
      new Set(),
      'every request that the service began to handle got a response',
    )
    const { origin } = await startInstance(t, { databaseUrl })
    t.match(await traffic.audit(origin), { unknown: 0, unacknowledged: 0 }, 'nothing was added without a response')
    t.same(traffic.withStatus(503), [])
    await passes(t, traffic, origin)
    t.comment(`${rounds} rounds`)
  })
}
