/**
 * The responses of operations without a handler.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { createMocks } from '../../scripts/dev/mocks.ts'
import { parseFile } from '../../src/openapi/document/parse.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const spec = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /things:
    parameters: []
    get:
      operationId: listThings
      responses:
        default: { description: All others., content: { application/json: { schema: {}, example: other } } }
        "404": { description: None., content: { application/json: { schema: {}, example: none } } }
        "201":
          description: Made.
          headers:
            Location: { required: true, schema: { type: string }, example: /things/1 }
            Count: { $ref: "#/components/headers/Count" }
            Size: { required: true, schema: { type: integer, example: 3 } }
            Colour: { required: true, schema: { type: string } }
            Link: { schema: { type: string }, example: </things> }
            Kind: { required: true, schema: { type: string, const: thing } }
          content:
            application/json:
              schema: {}
              examples:
                one: { value: [1] }
                two: { value: [1, 2] }
        "500": { description: Broken., content: { application/json: { schema: {} } } }
    delete:
      operationId: deleteThings
      responses: { "404": { description: None. }, "4XX": { description: Refused. } }
    post: { responses: {} }
    put: { operationId: putThings, responses: { default: { description: Anything. } } }
components:
  headers:
    Count: { required: true, schema: { type: integer }, examples: { two: { value: 2 } } }
`

function start(t: Test) {
  const file = join(temporaryFolder(t), 'api.yaml')
  writeFileSync(file, spec)
  const mocks = createMocks(parseFile(file).root)
  const app = Fastify()
  mocks.addTo(app)
  app.get('/:id', async ({ params }) => mocks.handlers[(params as { id: string }).id]?.({} as never))
  t.teardown(() => app.close())
  const ask = async (id: string, prefer?: string) => {
    const response = await app.inject({ url: `/${id}`, headers: prefer === undefined ? {} : { prefer } })
    return response.json()
  }
  return { mocks, ask }
}

t.test('there is a handler for each operation that has a name', (t) => {
  t.strictSame(Object.keys(start(t).mocks.handlers), ['listThings', 'deleteThings', 'putThings'])
  t.end()
})

t.test('the first example of the success is the response, with the headers that a handler has to return', async (t) => {
  const { ask } = start(t)
  t.strictSame(await ask('listThings'), {
    status: 201,
    headers: { Location: '/things/1', Count: 2, Size: 3 },
    body: [1],
  })
  t.strictSame(await ask('deleteThings'), { status: 404, headers: {} })
  t.match(await ask('putThings'), { status: 200 })
})

t.test('a client chooses a status, and an example by its name', async (t) => {
  const { ask } = start(t)
  t.match(await ask('listThings', 'code=404'), { status: 404, body: 'none' })
  t.match(await ask('listThings', 'return=minimal, Code = "418"'), { status: 418, body: 'other' })
  t.match(await ask('listThings', 'code=201; example=two'), { status: 201, body: [1, 2] })
  t.match(await ask('deleteThings', 'code=418'), { status: 418 })
})

t.test('an undeclared status and a missing example are refused with the declared ones', async (t) => {
  const { ask } = start(t)
  const message = async (id: string, prefer: string) => (await ask(id, prefer)).message
  t.equal(
    await message('deleteThings', 'code=500'),
    'Prefer: "deleteThings" declares no response 500; prefer one of: 404, 4XX',
  )
  t.match(await message('listThings', 'code=99'), 'declares no response 99; prefer one of: 201, 404, 500, default')
  t.match(await message('listThings', 'example=ten'), 'has no example "ten"; prefer one of: one, two')
  t.match(await message('listThings', 'example=toString'), 'has no example "toString"; prefer one of: one, two')
  t.match(await message('listThings', 'code=404, example=ten'), 'prefer one of: none')
  t.match(await message('listThings', 'code=500'), 'its response 500 has no example; add one, or write the handler')
})
