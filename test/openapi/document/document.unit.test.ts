/**
 * A document once it is loaded.
 */
import t from 'tap'
import { load, startLayer } from '../layer.ts'

const source = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
webhooks: { sold: {} }
paths:
  /things:
    get:
      operationId: listThings
      parameters:
        - { name: size, in: query, schema: { $ref: "#/components/schemas/Size" } }
      responses:
        "200":
          description: The sizes.
          content: { application/json: { schema: { $ref: "#/components/schemas/Size" } } }
components:
  schemas:
    Size: { type: integer, format: int64, maximum: 9223372036854775806, default: 9007199254740993 }
`

t.test('it has its own bytes, and names the parts that are documentation alone', async (t) => {
  const document = await load(t, source)
  t.equal(document.source.toString(), source)
  t.strictSame(document.documented, ['/webhooks'])
})

t.test('its integers are exact in requests and responses', async (t) => {
  const { call } = await startLayer(t, {
    source,
    handlers: { listThings: async ({ query }: { query: { size: bigint } }) => ({ status: 200, body: query.size }) },
  })
  t.match(await call('GET', '/things'), { status: 200, text: '9007199254740993' })
  t.match(await call('GET', '/things?size=9223372036854775806'), { status: 200, text: '9223372036854775806' })
  t.match(await call('GET', '/things?size=9223372036854775807'), { status: 400, text: /query\.size must be at most/ })
})

t.test('one document may be served more than once', async (t) => {
  const document = await load(t, source)
  for (const prefix of ['/one', '/other']) {
    const { call } = await startLayer(t, {
      source,
      document,
      prefix,
      handlers: { listThings: async () => ({ status: 200, body: 1n }) },
    })
    t.match(await call('GET', `${prefix}/things`), { status: 200, text: '1' })
    t.match(await call('GET', '/things'), { status: 404 })
  }
})
