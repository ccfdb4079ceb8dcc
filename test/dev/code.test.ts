/**
 * Editing the code while it is served, and the loop as a whole.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
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
        default:
          $ref: "#/components/responses/InternalError"
  /pets/{petId}:`

// The compiler runs at a low priority, beside tests at the usual one.
t.setTimeout(600_000)

t.test('the service continues from a new operation to its handler', async (t) => {
  const dev = await startDevInCopy(t)
  const untilCount = (text: string) => dev.untilGet('/v1/pets/count', (response) => response.text === text)

  dev.edit('openapi.yaml', '  /pets/{petId}:', OPERATION)
  await dev.until('operations without a handler, which respond with examples: countPets')
  await untilCount('{"count":12}')
  await waitUntil(() => dev.read('generated/server.d.ts').includes('countPets'))
  // The compiler takes a while, and names the handler that is missing.
  await dev.until(/src\/pets\/handlers\.ts\(\d+,\d+\): error TS\d+: .*countPets/)

  dev.edit(
    HANDLERS,
    '    async getPet(',
    '    async countPets() { return { status: 200, body: { count: 7 },\n    async getPet(',
  )
  await dev.untilProblem(/src\/pets\/handlers\.ts:\d+\n/)
  await dev.until('src/pets/handlers.ts changed: not served; the last good version goes on')
  await untilCount('{"count":12}')

  dev.edit(HANDLERS, 'count: 7 },\n', "count: 'seven' } } },\n")
  await untilCount(
    '{"code":"internal_error","message":"invalid response: body.count must be of type integer, but is of type string","status":500}',
  )
  dev.edit(HANDLERS, "'seven'", '8')
  await untilCount('{"count":8}')
  await dev.until('Found 0 errors')

  // As `git checkout` replaces files.
  const text = dev.read(HANDLERS).replace('count: 8', 'count: process.exit(7)')
  rmSync(join(dev.folder, HANDLERS))
  dev.save(HANDLERS, text)
  await dev.until('handlers.ts changed: served')

  await new Promise((resolve) => setTimeout(resolve, 1000))
  await t.rejects(dev.call('GET', '/v1/pets/count'))
  await dev.until('the service ended with 7')
  await dev.until('restarted: served')

  dev.edit('scripts/generate/server.ts', 'The request that the handler of', 'All that the handler of')
  await waitUntil(() => dev.read('generated/server.d.ts').includes('/** All that the handler of countPets receives'))
  dev.kill('SIGTERM')
  t.match(await dev.ended, { status: 0 })
})
