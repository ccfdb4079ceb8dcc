/**
 * Several instances of the service on one PostgreSQL, which come and go while clients use them.
 */
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { send } from '../helpers/http.ts'
import { freshSchema } from '../helpers/postgres.ts'
import { runScript } from '../helpers/process.ts'
import { createRandom, drawSeed } from '../helpers/random.ts'
import { type Balancer, createBalancer } from './balancer.ts'
import { startInstance } from './instance.ts'
import { createTraffic } from './traffic.ts'
import { passes } from './verdict.ts'

// Much longer than the balancer takes to notice. What a busy machine sheds is a matter of its own.
const env = { STOP_DELAY: '2000', MAX_EVENT_LOOP_DELAY: '0' }

t.jobs = 2

t.test('a rolling restart of two instances under load fails no request, and loses and doubles no animal', async (t) => {
  const databaseUrl = await freshSchema(t)
  const balancer = createBalancer(t)
  const start = () => startBalanced(t, balancer, databaseUrl)
  // Both at once, on an empty store.
  const instances = await Promise.all([start(), start()])
  const traffic = createTraffic(t)
  const stop = traffic.run(t, balancer.next)
  let restarts = 0
  for (const round of [1, 2]) {
    for (const [index, { kill, ended }] of instances.entries()) {
      kill('SIGTERM')
      t.match(await ended, { status: 0, stderr: '' }, `round ${round}`)
      instances[index] = await start()
      restarts++
    }
  }
  await stop()
  const failed = traffic.outcomes.filter(({ response }) => response?.status !== 200 && response?.status !== 201)
  t.same(failed, [], 'no request fails')
  t.match(await passes(t, traffic, instances[0].origin), { unknown: 0 })
  t.comment(`${restarts} restarts`)
})

t.test('a request to an instance that is killed can be sent to another one, and adds one animal', async (t) => {
  const random = createRandom(drawSeed(t, 'FAULTS_SEED'))
  const databaseUrl = await freshSchema(t)
  const balancer = createBalancer(t)
  const start = () => startBalanced(t, balancer, databaseUrl)
  const [survivor, ...others] = await Promise.all([start(), start()])
  const traffic = createTraffic(t, random)
  const stop = traffic.run(t, balancer.next)
  for (let round = 1; round <= 5; round++) {
    const { kill, ended } = others.pop() ?? (await start())
    await setTimeout(random.next() * 300)
    kill('SIGKILL')
    t.equal((await ended).signal, 'SIGKILL')
  }
  await stop()
  t.ok(
    traffic.outcomes.some(({ failure }) => failure !== undefined),
    'some requests were under way',
  )
  await passes(t, traffic, survivor.origin)
})

t.test('all instances accept a new key immediately, and none accepts it a second after its revocation', async (t) => {
  const databaseUrl = await freshSchema(t)
  const instances = await Promise.all([startInstance(t, { databaseUrl }), startInstance(t, { databaseUrl })])
  const keys = async (...args: string[]) => {
    const { status, stdout, stderr } = await runScript(t, 'keys', args, { env: { DATABASE_URL: databaseUrl } })
    t.equal(status, 0, stderr)
    return stdout.trim()
  }
  const use = (key: string) =>
    Promise.all(
      instances.map(async ({ origin }) => {
        const response = await send(origin, 'GET', '/v1/pets', { headers: { authorization: `Bearer ${key}` } })
        return response.status
      }),
    )
  for (const round of [1, 2, 3]) {
    const name = `key-${round}`
    const key = await keys('create', name)
    t.same(await use(key), [200, 200])
    await keys('revoke', name)
    const revoked = performance.now()
    let asked: number
    let statuses: number[]
    do {
      asked = performance.now()
      statuses = await use(key)
    } while (statuses.includes(200) && asked - revoked < 1000)
    t.same(statuses, [401, 401])
    t.comment(`refused by both ${Math.round(asked - revoked)} ms after it was revoked`)
  }
})

/** Starts an instance, and waits until the balancer uses it. */
async function startBalanced(t: Test, balancer: Balancer, databaseUrl: string) {
  const instance = await startInstance(t, { databaseUrl, env })
  await balancer.add(instance.origin)
  return instance
}
