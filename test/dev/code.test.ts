/**
 * Editing the code while it is served, and the loop as a whole.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { waitUntil } from '../helpers/wait.ts'
import { startDevInCopy } from './dev.ts'

const HANDLERS = 'src/pets/handlers.ts'
const OPERATION = `  /pets/count:
    get:
      operationId: countPets
      responses:
        "200":
          description: The number of animals.
          content:
            application/json:
              schema: { type: object, required: [count], properties: { count: { type: integer } } }
              example: { count: 12 }
        "400":
          $ref: "#/components/responses/BadRequest"
        "401":
          $ref: "#/components/responses/Unauthorized"
        "403":
          $ref: "#/components/responses/Forbidden"
        "429":
          $ref: "#/components/responses/TooManyRequests"
        "500":
          $ref: "#/components/responses/InternalError"
        "503":
          $ref: "#/components/responses/ServiceUnavailable"
  /pets/{petId}:`

// The compiler runs at a low priority, beside tests at the usual one.
t.setTimeout(600_000)

t.test('the service continues from a new operation to its handler', async (t) => {
  const dev = await startDevInCopy(t)
  const count = async () => (await dev.call('GET', '/v1/pets/count')).text
  const untilCount = (expected: string) => dev.untilGet('/v1/pets/count', ({ text }) => text === expected)

  dev.edit('openapi.yaml', '  /pets/{petId}:', OPERATION)
  await untilCount('{"count":12}')
  // The compiler takes a while, and names the handler that is missing.
  await dev.until(/src\/pets\/handlers\.ts:\d+:\d+: TS\d+: .*countPets/s)

  dev.edit(
    HANDLERS,
    '    async getPet(',
    '    async countPets() {\n      return { status: 200, body: { count: 7 }\n    },\n\n    async getPet(',
  )
  await dev.until(/src\/pets\/handlers\.ts:\d+:1: .*\n +\d+ \| /)
  t.equal(await count(), '{"count":12}', 'the last good version goes on')

  dev.edit(HANDLERS, 'count: 7 }\n', 'count: 7 } }\n')
  await untilCount('{"count":7}')
  await dev.until('no problems any more')

  dev.edit(HANDLERS, 'count: 7', "count: 'seven'")
  await dev.until(
    /src\/pets\/handlers\.ts:\d+:11: TS2322: .*\n(?: .*\n)* +\d+ \| {5}async countPets\(\) \{\n +\| {11}\^\n/,
  )
  t.match(await dev.untilGet('/v1/pets/count', ({ status }) => status === 500), {
    body: {
      code: 'internal_error',
      message: 'invalid response: body.count must be of type integer, but is of type string',
    },
  })

  dev.edit('openapi.yaml', 'openapi: 3.1.0', 'openapi: [')
  await dev.until(/2 problems; the last good version is served\n(?:.*\n)*.*invalid YAML/)
  dev.edit('openapi.yaml', 'openapi: [', 'openapi: 3.1.0')
  await dev.until(/1 problem left\n(?!src)/)

  dev.edit(HANDLERS, "count: 'seven'", 'count: 8')
  await untilCount('{"count":8}')
  await dev.until('no problems any more')

  // As `git checkout` replaces files.
  const text = readFileSync(dev.path(HANDLERS), 'utf8').replace('count: 8', 'count: 9')
  rmSync(dev.path(HANDLERS))
  writeFileSync(dev.path(HANDLERS), text)
  await untilCount('{"count":9}')

  dev.edit('scripts/generate/server.ts', 'The request that the handler of', 'All that the handler of')
  await waitUntil(() => dev.read('generated/server.d.ts').includes('/** All that the handler of countPets receives'))

  // Of the code that the types depend on, the process that writes them cannot load a mistake either.
  const plan = readFileSync(dev.path('src/openapi/plan.ts'), 'utf8')
  writeFileSync(dev.path('src/openapi/plan.ts'), `${plan}const mistake = (`)
  await dev.until(/src\/openapi\/plan\.ts:\d+:1: .*\n +\d+ \| const mistake/)
  writeFileSync(dev.path('src/openapi/plan.ts'), plan)
  await dev.until('no problems any more')
  dev.edit('scripts/generate/server.ts', 'All that the handler of', 'The request that the handler of')
  await waitUntil(() => dev.read('generated/server.d.ts').includes('/** The request that the handler of countPets'))
  dev.kill('SIGTERM')
  t.match(await dev.ended, { status: 0 })
})
