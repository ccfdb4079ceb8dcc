/** What an app decides about the schemas of a document when it loads the document: the type of an int64, and formats. */
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import type { LoadOptions } from '../../src/openapi/index.ts'
import type { HandlerResponse } from '../../src/openapi/operation/implementation.ts'
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
  }
})

t.test('a default that a handler could not receive exactly is refused', async (t) => {
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
    const what = 'must be an integer of at most 53 bits; choose another one, or the format "int64"'
    const message = new RegExp(`the default ${what}(.|\\n)*the default\\.size ${what}`)
    await t.rejects(load(t, source, { int64 }), { name: 'DocumentError', message })
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
        `api\\.yaml:1:1: the generated types have int64 as ${int64}, and the document is loaded with int64 as ${other}; ` +
          `generate them with --int64 ${other}, or set the option int64 of loadDocument to "${int64}"$`,
      ),
    })
  }
})

t.test('an int64 of another type is refused', async (t) => {
  await t.rejects(load(t, toDocument(INT64), { int64: 'string' as never }), {
    message: 'the option int64 is neither "bigint" nor "number"',
  })
})

const IBAN = '{ type: string, maxLength: 34, format: iban }'
const isIban = (text: string) => /^[A-Z]{2}\d{2}\w*$/.test(text)

t.test('a text that the function of its format rejects is a 400 in every part of a request', async (t) => {
  const { app, received } = await start(t, IBAN, { formats: { iban: isIban } })
  for (const [part, request] of Object.entries(toRequests('DE', 'DE00', '"DE"'))) {
    const [place] = part.split(' ')
    t.match(
      await app.inject({ method: 'POST', ...request }),
      { statusCode: 400, body: `"${place} must be an iban"` },
      part,
    )
  }
  t.strictSame(received, [])
  for (const [part, request] of Object.entries(toRequests('DE01', 'DE00', '"DE01"'))) {
    t.equal((await app.inject({ method: 'POST', ...request })).statusCode, 200, part)
  }
})

t.test('the format of a text that is too long is not tried, and that of others is in the same 400', async (t) => {
  const { app } = await start(t, IBAN, { formats: { iban: isIban } })
  t.match(await app.inject({ method: 'POST', url: `/accounts/${'1'.repeat(35)}?query=2` }), {
    statusCode: 400,
    body: '"path.path must have at most 34 characters; query.query must be an iban"',
  })
})

t.test('the function of a format is called for texts alone', async (t) => {
  const texts: unknown[] = []
  const iban = (text: string) => texts.push(text) > 0
  const { app } = await start(t, '{ type: [string, integer, "null"], format: iban }', { formats: { iban } })
  const post = (value: string) =>
    app.inject({
      method: 'POST',
      url: '/accounts/1',
      headers: { 'content-type': 'application/json' },
      payload: `{"value":${value}}`,
    })
  for (const value of ['5', '9007199254740993', 'null', '[]', '{}', 'true', '1.5']) await post(value)
  t.strictSame(texts, [])
  t.equal((await post('"x"')).statusCode, 200)
  t.strictSame([...new Set(texts)], ['x'])
})

t.test('the function of a format decides which branch of a union a value satisfies', async (t) => {
  const union = '{ oneOf: [{ type: string, format: iban }, { type: string, format: bic }] }'
  const { app } = await start(t, union, { formats: { iban: isIban, bic: (text) => /^[A-Z]{8}$/.test(text) } })
  for (const [value, statusCode] of Object.entries({ DE00: 200, GENODEFF: 200, x: 400 })) {
    t.equal((await app.inject({ method: 'POST', url: `/accounts/${value}` })).statusCode, statusCode, value)
  }
})

t.test('a response whose text the function of its format rejects is a 500 where responses are validated', async (t) => {
  for (const [validateResponses, status] of [
    [false, 200],
    [true, 500],
  ] as const) {
    const { respond } = await start(t, '{ type: [string, integer], format: iban }', {
      formats: { iban: isIban },
      validateResponses,
    })
    t.match(await respond({ body: { value: 'DE00' }, headers: { 'X-Value': 'DE00' } }), { status: 200 })
    t.match(await respond({ body: { value: 'x' } }), { status })
    t.match(await respond({ headers: { 'X-Value': 'x' } }), { status })
  }
})

t.test('a function of a format that fails is a 500, and the next request is served', async (t) => {
  const formats = {
    iban(text: string): boolean {
      if (text === 'sync') throw Object.assign(new Error('the reason'), { statusCode: 400 })
      if (text === 'deep') return formats.iban(text)
      if (text === 'async') return Promise.reject(new Error('the reason')) as never
      return true
    },
  }
  const { app } = await start(t, IBAN, { formats })
  for (const [value, reason] of Object.entries({
    sync: 'threw an error',
    deep: 'threw an error',
    async: 'returned neither true nor false',
  })) {
    for (const request of Object.values(toRequests(value, 'DE00', `"${value}"`))) {
      t.match(await app.inject({ method: 'POST', ...request }), {
        statusCode: 500,
        body: `{"error":"the function of the format \\"iban\\" ${reason}"}`,
      })
    }
    t.equal((await app.inject({ method: 'POST', url: '/accounts/1' })).statusCode, 200)
  }
})

t.test('a format with a function is no warning, unless no text can have it', async (t) => {
  const formats = { iban: isIban, uint8: () => true }
  t.strictSame((await load(t, toDocument('{ type: [string, "null"], format: iban }'), { formats })).warnings, [])
  t.strictSame((await load(t, toDocument('{ format: iban }'), { formats })).warnings, [])
  t.match((await load(t, toDocument('{ type: integer, format: uint8 }'), { formats })).warnings, [
    /: the format "uint8" is not validated; use other keywords, such as "maximum"$/,
  ])
})

t.test('a format that OpenAPI defines has no function, and another one has nothing else', async (t) => {
  for (const name of ['date', 'email', 'int64', 'double', 'binary']) {
    await t.rejects(load(t, toDocument(IBAN), { formats: { [name]: () => true } }), {
      message: `the option formats has "${name}", which OpenAPI defines; choose another name, also in the document`,
    })
  }
  await t.rejects(load(t, toDocument(IBAN), { formats: { iban: /^DE/ as never } }), {
    message: 'the option formats has no function for "iban"; write one',
  })
})

t.test('a default that the function of its format rejects is refused at its place', async (t) => {
  const source = toDocument('{ type: string, format: iban, default: x }')
  await t.rejects(load(t, source, { formats: { iban: isIban } }), {
    name: 'DocumentError',
    message:
      /api\.yaml:25:42: the default is not valid against its schema: default must be an iban; change one of them$/,
  })
  t.ok(await load(t, source))
})
