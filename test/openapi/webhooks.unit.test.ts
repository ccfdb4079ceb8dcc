/** The requests of webhooks and callbacks, as an app writes them. */
import t from 'tap'
import { createLayer, getRefusal, idle } from './layer.ts'

const sale = `{ $ref: "#/components/schemas/Sale" }`
const body = `{ required: true, content: { application/json: { schema: ${sale} } } }`
const source = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /subscriptions:
    post:
      operationId: subscribe
      callbacks:
        onSale: { $ref: "#/components/callbacks/Sale" }
        onEnd: { "{$request.query.a}": { put: {} }, "{$request.query.b}": { $ref: "#/components/pathItems/End" } }
      responses: { "204": { description: Done. } }
webhooks:
  sold: { post: { requestBody: ${body} } }
  both: { post: { requestBody: { content: { application/json: { schema: ${sale} } } } }, delete: {} }
  text: { post: { requestBody: { required: true, content: { text/csv: {} } } } }
  image: { post: { requestBody: { content: { image/*: {} } } } }
components:
  callbacks: { Sale: { "{$request.body#/url}": { post: { requestBody: ${body} } } } }
  pathItems: { End: { delete: {} } }
  schemas:
    Sale:
      type: object
      required: [id]
      properties:
        id: { type: integer, format: int64, minimum: 1, readOnly: true }
        name: { type: string, maxLength: 3 }
        secret: { type: string, writeOnly: true }
`

interface Request {
  readonly method: string
  readonly headers: object
  readonly body?: unknown
}
type Writer = (body?: unknown) => Request

async function createWebhooks(t: Parameters<typeof createLayer>[0]) {
  const app = await createLayer(t, { source, handlers: { subscribe: idle } })
  return app.openapi.webhooks as Record<string, Writer> & { readonly both: Record<'post' | 'delete', Writer> }
}

const headers = { 'content-type': 'application/json; charset=utf-8' }

t.test('the body of a webhook is written like that of a response', async (t) => {
  const { sold } = await createWebhooks(t)
  t.strictSame(sold?.({ id: 9007199254740993n, name: 'Io', secret: 's', price: 1 }), {
    method: 'POST',
    headers,
    body: '{"id":9007199254740993,"name":"Io"}',
  })
})

t.test('a body that the document does not allow is not sent', async (t) => {
  const { sold, both } = await createWebhooks(t)
  for (const [value, message] of [
    [{ id: 0n }, 'invalid body of sold.post: body.id must be at least 1'],
    [{ id: 1n, name: 'long' }, /^invalid body of sold.post: body.name must have at most 3 characters/],
    [{ id: 1 / 2 }, /^invalid body of sold.post: body.id must be of type integer/],
    [{}, 'invalid body of sold.post: body.id is required and missing'],
    [undefined, 'invalid body of sold.post: body is required'],
  ] as const) {
    t.throws(() => sold?.(value), { message })
  }
  t.throws(() => both.post({}), { message: /^invalid body of both.post/ })
})

t.test(
  'a webhook of several methods has a function for each, and a body may be left out if it is optional',
  async (t) => {
    const { both } = await createWebhooks(t)
    t.strictSame(both.post({ id: 1n }), { method: 'POST', headers, body: '{"id":1}' })
    t.strictSame(both.post(), { method: 'POST', headers: {} })
    t.strictSame(both.delete(), { method: 'DELETE', headers: {} })
  },
)

t.test('a header that the app adds to one request is not in the next one', async (t) => {
  const { both, text } = await createWebhooks(t)
  for (const write of [() => both.post({ id: 1n }), both.post, both.delete, () => text?.('a')]) {
    Object.assign(write()?.headers ?? {}, { signature: 'x' })
    t.notHas(write()?.headers, { signature: 'x' })
  }
})

t.test('a body of another media type than JSON is sent as it is', async (t) => {
  const { image, text } = await createWebhooks(t)
  const sent = { method: 'POST', headers: { 'content-type': 'text/csv; charset=utf-8' }, body: 'a,b' }
  t.strictSame(text?.('a,b'), sent)
  t.strictSame(image?.('x'), { method: 'POST', headers: {}, body: 'x' })
  t.throws(() => text?.(), { message: 'invalid body of text.post: body is required' })
})

t.test(
  'a callback has the names of its operation and of itself, and of several expressions that of each',
  async (t) => {
    const webhooks = await createWebhooks(t)
    const names = ['sold', 'both', 'text', 'image', 'subscribe.onSale', 'subscribe.onEnd {$request.query.a}']
    t.strictSame(Object.keys(webhooks), [...names, 'subscribe.onEnd {$request.query.b}'])
    t.strictSame(webhooks['subscribe.onSale']?.({ id: 2n }), { method: 'POST', headers, body: '{"id":2}' })
    t.strictSame(webhooks['subscribe.onEnd {$request.query.b}']?.(), { method: 'DELETE', headers: {} })
  },
)

t.test('a mistake in a webhook or callback is refused at its place', async (t) => {
  const wrong = source.replace('put: {}', 'put: { any: 1 }').replace('delete: {} }\n  text', 'delet: {} }\n  text')
  t.strictSame(await getRefusal(t, { source: wrong, handlers: { subscribe: idle } }), [
    '9:49: "any" is not supported in Operation Object; remove or correct it',
    '13:120: "delet" is not supported in Path Item Object (did you mean "delete"?); remove or correct it',
  ])
})
