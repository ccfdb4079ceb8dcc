/**
 * Editing the spec while it is served.
 */
import { renameSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { readResponse } from '../helpers/http.ts'
import { getChildren } from '../helpers/process.ts'
import { waitUntil } from '../helpers/wait.ts'
import { type Dev, KEY, startDev } from './dev.ts'

/** Waits until the service refuses pages of more than `limit` animals. */
function untilLimit(dev: Dev, limit: number): Promise<unknown> {
  return dev.untilGet('/v1/pets?limit=1000', ({ text }) => text.includes(`at most ${limit}"`))
}

function withLimit(dev: Dev, limit: number): string {
  return dev.read('openapi.yaml').replace(/maximum: \d+\n(?= +default: 20)/, `maximum: ${limit}\n`)
}

t.test('a change is served however it is saved', async (t) => {
  const dev = await startDev(t)
  const file = join(dev.folder, 'openapi.yaml')
  dev.save('openapi.yaml', withLimit(dev, 51))
  await untilLimit(dev, 51)

  dev.save('openapi.yaml~', withLimit(dev, 52))
  renameSync(`${file}~`, file)
  await untilLimit(dev, 52)

  // As `git checkout` does.
  const replaced = withLimit(dev, 53)
  rmSync(file)
  dev.save('openapi.yaml', replaced)
  await untilLimit(dev, 53)

  for (let limit = 54; limit < 74; limit++) {
    dev.save('openapi.yaml', withLimit(dev, limit))
    await setTimeout(5)
  }
  await untilLimit(dev, 73)
})

t.test('the service continues after an invalid edit, whose problem is shown at its place', async (t) => {
  const dev = await startDev(t)
  dev.edit('openapi.yaml', '      maximum: 100', '      maximun: 100')
  await dev.untilProblem(
    /openapi\.yaml:(\d+):7: "maximun" is not supported .*\n {4}\1 \| {7}maximun: 100\n +\| {7}\^\n/,
  )
  await dev.until('openapi.yaml changed: not served; the last good version goes on')
  t.match(await dev.call('GET', '/v1/pets?limit=101'), { status: 400, text: 'at most 100' })
  await dev.until(/INFO.*: .*request GET \/v1\/pets 400 \S+ ms listPets tests invalid_request/)
  t.notOk((dev.output() + dev.errors()).includes('\x1b'), 'there are no colours outside a terminal')

  dev.edit('openapi.yaml', '      maximun: 100', '      maximum: 90')
  await dev.until('openapi.yaml changed: served after')
  await untilLimit(dev, 90)
})

t.test('no request fails while versions change', async (t) => {
  const dev = await startDev(t)
  const outcomes = new Map<string, number>()
  let isDone = false
  const agents = [new Agent({ keepAlive: true, maxSockets: 8 }), new Agent({ keepAlive: false })]
  const clients = agents.flatMap((agent) =>
    Array.from({ length: 4 }, async (_each, index) => {
      while (!isDone) {
        const sent = request(`${dev.origin}/v1/pets`, { agent, headers: { authorization: `Bearer ${KEY}` } })
        const outcome = await readResponse(sent.end()).then(
          ({ status, headers }) => `${status} ${headers.connection}`,
          String,
        )
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        await setTimeout(2 * index)
      }
    }),
  )
  try {
    for (const limit of [51, 52, 53]) {
      dev.save('openapi.yaml', withLimit(dev, limit))
      await untilLimit(dev, limit)
      await setTimeout(300)
    }
  } finally {
    isDone = true
  }
  await Promise.all(clients)
  for (const agent of agents) agent.destroy()
  // A connection that is kept would keep the version that it was opened with.
  t.strictSame([...outcomes.keys()], ['200 close'])
  t.ok(Number(outcomes.get('200 close')) > 100)
})

t.test('no client waits for a version that was killed', async (t) => {
  const dev = await startDev(t)
  const version = Number(getChildren(Number(dev.pid))[0])
  process.kill(version, 'SIGSTOP')
  const call = dev.call('GET', '/v1/pets')
  // The supervisor must not accept the connection.
  await setTimeout(500)
  process.kill(version, 'SIGKILL')
  await t.rejects(call, { code: 'ECONNRESET' })
})

t.test('a misspelt variable in .env is named as soon as it is saved', async (t) => {
  const dev = await startDev(t)
  dev.save('.env', 'RATE_LIMT=100/60\n')
  await dev.until('RATE_LIMT is not a variable of this service; correct it to RATE_LIMIT, or remove it')
})

t.test('no process is left behind when the first one is killed', async (t) => {
  const dev = await startDev(t)
  dev.kill('SIGKILL')
  await waitUntil(() =>
    dev.call('GET', '/').then(
      () => false,
      () => true,
    ),
  )
  t.pass('nothing listens')
})
