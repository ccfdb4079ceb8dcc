/** What an app decides about the schemas of a document when it loads the document. */
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import type { HandlerResponse, LoadOptions } from '../../src/openapi/index.ts'
import { computeDigests } from '../../src/openapi/tools.ts'
import { createLayer, idle, load } from './layer.ts'

const head = 'openapi: 3.1.0\ninfo: { title: Bank, version: 1.0.0 }\n'

/** One operation that has a schema in every part of its request and response. */
const toDocument = (schema: string) => `${head}paths:
  /accounts/{path}:
    post:
      operationId: keep
      parameters:
        - { name: path, in: path, required: true, schema: { $ref: "#/components/schemas/Value" } }
        - { name: query, in: query, schema: { $ref: "#/components/schemas/Value" } }
        - { name: list, in: query, schema: { type: array, items: { $ref: "#/components/schemas/Value" } } }
        - { name: header, in: header, schema: { $ref: "#/components/schemas/Value" } }
        - { name: cookie, in: cookie, schema: { $ref: "#/components/schemas/Value" } }
      requestBody:
        content:
          application/json: { schema: { $ref: "#/components/schemas/Body" } }
          application/x-www-form-urlencoded: { schema: { $ref: "#/components/schemas/Body" } }
          multipart/form-data: { schema: { $ref: "#/components/schemas/Body" } }
      responses:
        "200":
          description: The same.
          headers: { X-Value: { schema: { $ref: "#/components/schemas/Value" } } }
          content: { application/json: { schema: { $ref: "#/components/schemas/Body" } } }
components:
  schemas:
    Value: ${schema}
    Body:
      type: object
      properties:
        value: { $ref: "#/components/schemas/Value" }
        integer: { type: integer }
        union: { oneOf: [{ $ref: "#/components/schemas/Value" }, { type: boolean }] }
`

/** The parts of a request in which a client can send a value, besides the path, which is `valid` unless the value is there. */
const toRequests = (value: string, valid: string, json = value) => {
  const type = (contentType: string) => ({ 'content-type': contentType })
  const part = `--x\r\nContent-Disposition: form-data; name="value"\r\n\r\n${value}\r\n--x--\r\n`
  return {
    'path.path': { url: `/accounts/${value}` },
    'query.query': { url: `/accounts/${valid}?query=${value}` },
    'query.list[1]': { url: `/accounts/${valid}?list=${valid}&list=${value}` },
    'header.header': { url: `/accounts/${valid}`, headers: { header: value } },
    'cookie.cookie': { url: `/accounts/${valid}`, headers: { cookie: `cookie=${value}` } },
    'body.value (JSON)': {
      url: `/accounts/${valid}`,
      headers: type('application/json'),
      payload: `{"value":${json}}`,
    },
    'body.value (form)': {
      url: `/accounts/${valid}`,
      headers: type('application/x-www-form-urlencoded'),
      payload: `value=${value}`,
    },
    'body.value (multipart)': {
      url: `/accounts/${valid}`,
      headers: type('multipart/form-data; boundary=x'),
      payload: part,
    },
  }
}

interface Service {
  readonly app: FastifyInstance
  /** The requests that the handler has received. */
  readonly received: Record<string, Record<string, unknown>>[]
  /** Sends a request to the operation, whose handler returns the response. */
  respond(response: Partial<HandlerResponse>): Promise<{ status: number; text: string; header: unknown }>
}

async function start(
  t: Test,
  schema: string,
  options: LoadOptions & { readonly validateResponses?: boolean },
): Promise<Service> {
  const source = toDocument(schema)
  const { validateResponses = false, ...loadOptions } = options
  const document = await load(t, source, loadOptions)
  const received: Service['received'] = []
  let response: Partial<HandlerResponse> = {}
  const app = await createLayer(t, {
    source,
    document,
    validateResponses,
    handlers: {
      keep: async (request: Service['received'][number]) => {
        received.push(request)
        return { status: 200, body: {}, ...response }
      },
    },
  })
  return {
    app,
    received,
    async respond(next) {
      response = next
      const { statusCode, body, headers } = await app.inject({ method: 'POST', url: '/accounts/1' })
      return { status: statusCode, text: body, header: headers['x-value'] }
    },
  }
}

const INT64 = '{ type: integer, format: int64 }'
const [MAX, MIN] = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]

t.test('with int64 as number, handlers receive a number from every part of a request', async (t) => {
  const { app, received } = await start(t, INT64, { int64: 'number' })
  for (const value of [MAX, MIN]) {
    for (const [part, request] of Object.entries(toRequests(String(value), '1'))) {
      received.length = 0
      t.equal((await app.inject({ method: 'POST', ...request })).statusCode, 200, part)
      const [location = '', name = ''] = part.split(/[. []/)
      t.strictSame([received[0]?.[location]?.[name]].flat().at(-1), value, part)
    }
  }
})

t.test('with int64 as number, an integer that no number holds is a 400 in every part of a request', async (t) => {
  const { app, received } = await start(t, INT64, { int64: 'number' })
  for (const value of ['9007199254740992', '-9007199254740993', '9223372036854775807', '9223372036854775808']) {
    for (const [part, request] of Object.entries(toRequests(value, '1'))) {
      const response = await app.inject({ method: 'POST', ...request })
      const [place] = part.split(' ')
      t.match(response, { statusCode: 400, body: `"${place} must be an integer of at most 53 bits` }, part)
    }
  }
  t.strictSame(received, [])
})

t.test('with int64 as number, a value that only a bigint holds satisfies no enum', async (t) => {
  const { app } = await start(t, '{ type: integer, format: int64, enum: [1, 9007199254740993] }', { int64: 'number' })
  t.equal((await app.inject({ method: 'POST', url: '/accounts/1' })).statusCode, 200)
  t.match(await app.inject({ method: 'POST', url: '/accounts/9007199254740993' }), {
    statusCode: 400,
    body: 'path.path must be an integer of at most 53 bits',
  })
})

t.test('with int64 as number, a response has exact integers, or is a 500', async (t) => {
  const { respond } = await start(t, INT64, { int64: 'number' })
  for (const value of [MAX, MIN, 5, 5n]) {
    const text = `{"value":${value},"integer":${value},"union":${value}}`
    const headers = { 'X-Value': value }
    t.strictSame(await respond({ body: { value, integer: value, union: value }, headers }), {
      status: 200,
      text,
      header: String(value),
    })
  }
  for (const value of [2 ** 53, -(2 ** 60), 2n ** 53n, -(2n ** 63n)]) {
    for (const name of ['value', 'integer', 'union']) {
      t.match(await respond({ body: { [name]: value } }), { status: 500, header: undefined }, `${name} ${value}`)
    }
    t.match(await respond({ headers: { 'X-Value': value } }), {
      status: 500,
      text: 'invalid response: the header X-Value is an integer of more than 53 bits',
      header: undefined,
    })
  }
})

t.test('with int64 as bigint, a number that may have been rounded is sent in no header', async (t) => {
  const { respond } = await start(t, INT64, {})
  t.match(await respond({ headers: { 'X-Value': 2 ** 53 } }), { status: 500, header: undefined })
  t.match(await respond({ headers: { 'X-Value': 2n ** 53n } }), { status: 200, header: '9007199254740992' })
})

t.test('a default that a handler could not receive exactly is a warning, and is not filled in', async (t) => {
  const warning = /default: the default is not valid .* default\S* must be an integer of at most 53 bits; change one/
  for (const [type, int64] of [
    ['integer', 'bigint'],
    ['integer, format: int64', 'number'],
  ] as const) {
    const source = `${head}paths:
  /accounts:
    get:
      operationId: list
      parameters:
        - { name: size, in: query, schema: { type: ${type}, default: 9007199254740993 } }
        - name: filter
          in: query
          schema: { type: object, properties: { size: { type: ${type} } }, default: { size: 9007199254740993 } }
      responses: { "200": { description: All., content: { application/json: { schema: {} } } } }
`
    const document = await load(t, source, { int64 })
    const list = async ({ query }: { query: object }) => ({ status: 200, body: query })
    const app = await createLayer(t, { source, document, handlers: { list } })
    t.match(await app.inject('/accounts'), { statusCode: 200, body: '{}' })
    t.equal(
      document.warnings.filter((line) => warning.test(line.replace(/^.*api\.yaml:\d+:\d+: /, 'default: '))).length,
      2,
    )
  }
})

t.test('types that were generated for another int64 are refused at the start, with what to do', async (t) => {
  const source = toDocument(INT64)
  const toOther = { bigint: 'number', number: 'bigint' } as const
  for (const int64 of ['bigint', 'number'] as const) {
    const digests = JSON.parse(JSON.stringify(computeDigests(await load(t, source, { int64 }))))
    t.equal(digests.int64, int64 === 'number' ? 'number' : undefined, 'recorded where it is not the default')
    t.ok(
      await createLayer(t, { source, document: await load(t, source, { int64 }), digests, handlers: { keep: idle } }),
    )
    const other = toOther[int64]
    const document = await load(t, source, { int64: other })
    await t.rejects(createLayer(t, { source, document, digests, handlers: { keep: idle } }), {
      name: 'DocumentError',
      message: new RegExp(
        `api\\.yaml:1:1: generated/ has int64 as ${int64}, and the document is loaded with int64 as ${other}; ` +
          `run: npm run generate -- --int64 ${other}, or set the option int64 of loadDocument to "${int64}"$`,
      ),
    })
  }
})

t.test('an int64 of another type is refused', async (t) => {
  await t.rejects(load(t, toDocument(INT64), { int64: 'string' as never }), {
    message: 'the option int64 is neither "bigint" nor "number"',
  })
})
