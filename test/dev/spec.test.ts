/**
 * Editing the spec while it is served.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { send } from '../helpers/http.ts'
import { waitUntil } from '../helpers/wait.ts'
import { type Dev, KEY, startDev } from './dev.ts'

const OPERATION = `  /pets/count:
    get:
      operationId: countPets
      parameters:
        - $ref: "#/components/parameters/Status"
      responses:
        "200":
          description: The number of animals.
          content:
            application/json:
              schema: { type: object, required: [count], properties: { count: { type: integer } } }
              examples:
                some: { value: { count: 12 } }
                none: { value: { count: 0 } }
        "400":
          $ref: "#/components/responses/BadRequest"
        "401":
          $ref: "#/components/responses/Unauthorized"
        "403":
          $ref: "#/components/responses/Forbidden"
        "404":
          $ref: "#/components/responses/NotFound"
        "500":
          $ref: "#/components/responses/InternalError"
        "409":
          description: A conflict without an example.
          headers:
            Retry-After:
              $ref: "#/components/headers/RetryAfter"
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Error"
        "503":
          $ref: "#/components/responses/ServiceUnavailable"
        "429":
          $ref: "#/components/responses/TooManyRequests"
  /pets/{petId}:`

/** Waits until the service refuses pages of more than `limit` animals. */
function untilLimit(dev: Dev, limit: number): Promise<unknown> {
  return dev.untilGet('/v1/pets?limit=1000', ({ text }) => text.includes(`at most ${limit}"`))
}

function withLimit(dev: Dev, limit: number): string {
  return dev.read('openapi.yaml').replace(/maximum: \d+\n(?= +default: 20)/, `maximum: ${limit}\n`)
}

t.test('a misspelt variable in .env is named as soon as it is saved', async (t) => {
  const dev = await startDev(t)
  writeFileSync(dev.path('.env'), 'RATE_LIMT=100/60\n')
  await dev.until('RATE_LIMT is not a variable of this service; correct it to RATE_LIMIT, or remove it')
  dev.kill('SIGTERM')
  t.match(await dev.ended, { status: 0 })
})

t.test('a change is served however it is saved, and the types follow', async (t) => {
  const dev = await startDev(t)
  const file = dev.path('openapi.yaml')
  await waitUntil(() => tryRead(dev, 'generated/server.d.ts').includes('export type Handlers'))

  writeFileSync(file, withLimit(dev, 51))
  await untilLimit(dev, 51)

  writeFileSync(dev.path('openapi.yaml~'), withLimit(dev, 52))
  renameSync(dev.path('openapi.yaml~'), file)
  await untilLimit(dev, 52)

  // As `git checkout` does.
  const replaced = withLimit(dev, 53)
  rmSync(file)
  writeFileSync(file, replaced, { flag: 'wx' })
  await untilLimit(dev, 53)

  for (let limit = 54; limit < 74; limit++) {
    writeFileSync(file, withLimit(dev, limit))
    await setTimeout(5)
  }
  await untilLimit(dev, 73)

  dev.edit('openapi.yaml', 'description: Availability.', 'description: For sale or not.')
  await waitUntil(() => dev.read('generated/server.d.ts').includes('/** For sale or not. */'))
  await waitUntil(() => dev.read('generated/openapi.d.ts').includes('For sale or not.'))

  dev.kill('SIGINT')
  t.match(await dev.ended, { status: 0 })
})

t.test('the service continues after an invalid edit, and the problem is shown until it is corrected', async (t) => {
  const dev = await startDev(t)
  const events = await openEvents(t, dev)
  await events.until('"problems":""')
  dev.edit('openapi.yaml', '      maximum: 100', '      maximun: 100')
  await dev.until('1 problem; the last good version is served')
  await dev.until(/openapi\.yaml:(\d+):7: "maximun" is not supported .*\n {4}\1 \| {7}maximun: 100\n +\| {7}\^\n/)
  t.notOk(dev.output().includes('\x1b'), 'there are no colours outside a terminal')
  await events.until('maximun: 100')
  t.match(await dev.call('GET', '/v1/pets?limit=101'), { status: 400, text: 'at most 100' })

  dev.edit('openapi.yaml', 'openapi: 3.1.0', 'openapi: [')
  await dev.until('invalid YAML')
  t.equal((await dev.call('GET', '/v1/pets')).status, 200)

  dev.edit('openapi.yaml', 'openapi: [', 'openapi: 3.1.0')
  dev.edit('openapi.yaml', '      maximun: 100', '      maximum: 90')
  await untilLimit(dev, 90)
  await dev.until('no problems any more')
  // The page belonged to the version before.
  await events.ended
  const again = await openEvents(t, dev)
  await again.until('"problems":""')
  t.not(again.version(), events.version())
})

t.test('each kind of part that is not supported is named with its place', async (t) => {
  const dev = await startDev(t)
  const source = dev.read('openapi.yaml')
  for (const [text, replacement, problem] of [
    ['            application/json:', '            text/plain:', /:13: "text\/plain" is not supported in content/],
    ['      operationId: listPets', '', /:5: Operation Object needs "operationId"/],
    ['    get:', '    trace:', /:5: "trace" is not supported in Path Item Object/],
    ['      in: query', '      in: cookie', /:7: "cookie" is not supported/],
    ['"#/components/parameters/Status"', '"other.yaml#/Status"', /:11: "other\.yaml#\/Status" is not supported here/],
  ] as const) {
    writeFileSync(dev.path('openapi.yaml'), source.replace(text, replacement))
    await dev.until(problem)
  }
  t.equal((await dev.call('GET', '/v1/pets')).status, 200)
})

t.test('no request fails while versions change', async (t) => {
  const dev = await startDev(t)
  const failures: unknown[] = []
  let isDone = false
  let count = 0
  const agents = [new Agent({ keepAlive: true, maxSockets: 8 }), new Agent({ keepAlive: false })]
  const clients = agents.flatMap((agent) =>
    Array.from({ length: 4 }, async (_each, index) => {
      while (!isDone) {
        try {
          const status = await get(dev.origin, '/v1/pets', agent)
          if (status !== 200) failures.push(status)
        } catch (error) {
          failures.push(error)
        }
        count++
        await setTimeout(2 * index)
      }
    }),
  )
  for (const limit of [51, 52, 53]) {
    writeFileSync(dev.path('openapi.yaml'), withLimit(dev, limit))
    await untilLimit(dev, limit)
    await setTimeout(300)
  }
  isDone = true
  await Promise.all(clients)
  for (const agent of agents) agent.destroy()
  t.same(failures, [])
  t.ok(count > 100, `${count} requests`)
})

t.test('an operation without a handler responds with its examples, validated and secured', async (t) => {
  const dev = await startDev(t)
  dev.edit('openapi.yaml', '  /pets/{petId}:', OPERATION)
  await dev.untilGet('/v1/pets/count', ({ headers }) => 'preference-applied' in headers)
  const mocked = await dev.call('GET', '/v1/pets/count')
  t.match(mocked, { status: 200, body: { count: 12 }, headers: { 'preference-applied': 'example' } })
  await dev.until(/GET \/v1\/pets\/count 200 \d+\.\d ms countPets tests\n/)

  t.equal((await dev.call('GET', '/v1/pets/count?status=lost')).status, 400)
  await dev.until(/GET \/v1\/pets\/count 400 \d+\.\d ms countPets tests invalid_request\n/)
  const stranger = await dev.call('GET', '/v1/pets/count', { headers: { authorization: 'Bearer someone-elses-key' } })
  t.equal(stranger.status, 401)
  t.notOk('preference-applied' in stranger.headers)

  const prefer = (value: string) => dev.call('GET', '/v1/pets/count', { headers: { prefer: value } })
  t.match(await prefer('code=404'), { status: 404, body: { code: 'animal_not_found' } })
  t.match(await prefer('respond-async, Code="503"'), { status: 503, headers: { 'preference-applied': 'example' } })
  t.match(await prefer('example=none'), { status: 200, body: { count: 0 } })
  t.match(await prefer('code=418'), { status: 400, text: 'declares no response 418; prefer one of: 200, 400, 401' })
  t.match(await prefer('code=teapot'), { status: 400, text: 'declares no response teapot' })
  t.match(await prefer('example=many'), { status: 400, text: 'has no example \\"many\\"; prefer one of: some, none' })
  t.match(await prefer('code=409'), {
    status: 500,
    text: 'its response 409 has no example; add one, or write the handler',
  })

  const served = await dev.call('GET', '/v1/pets', { headers: { prefer: 'code=503' } })
  t.equal(served.status, 200, 'an operation with a handler ignores the preference')
})

t.test('a version that exits by itself is replaced', async (t) => {
  const dev = await startDev(t)
  const events = await openEvents(t, dev)
  await setTimeout(1500)
  process.kill(Number(events.version()), 'SIGKILL')
  await dev.until('the service ended with SIGKILL')
  await dev.until('the API listens at')
  const [, origin = ''] = [...dev.output().matchAll(/listens at (http:[^,]+),/g)].at(-1) ?? []
  t.equal((await send(origin, 'GET', '/v1/pets')).status, 401)
})

t.test('no process is left behind when the first one is killed', async (t) => {
  const dev = await startDev(t)
  const events = await openEvents(t, dev)
  dev.kill('SIGKILL')
  await events.ended
  await waitUntil(() => !isAlive(Number(events.version())))
  t.pass('it is gone')
})

function tryRead(dev: Dev, name: string): string {
  try {
    return dev.read(name)
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function get(origin: string, path: string, agent: Agent): Promise<number | undefined> {
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    const sent = request(origin, { path, agent, headers: { authorization: `Bearer ${KEY}` } })
    sent.on('response', resolve).on('error', reject).end()
  })
  await text(response)
  return response.statusCode
}

/** Listens to the events of the documentation page. */
async function openEvents(t: Test, dev: Dev) {
  const abort = new AbortController()
  t.teardown(() => abort.abort())
  const response = await fetch(`${dev.origin}/docs/dev/events`, { signal: abort.signal })
  let received = ''
  const ended = (async () => {
    try {
      for await (const chunk of response.body ?? []) received += Buffer.from(chunk).toString()
    } catch {
      // The process was killed, or the test is over.
    }
  })()
  await waitUntil(() => received.includes('data:'))
  return {
    until: (text: string) => waitUntil(() => received.includes(text)),
    version: () => /"version":(\d+)/.exec(received)?.[1],
    ended,
  }
}
