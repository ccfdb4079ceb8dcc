/**
 * Media types (OpenAPI 3.1, Media Type Object) of responses, and of bodies with bytes and files. Other bodies are in
 * requests/media.yaml.
 */

import assert from 'node:assert'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { onSendHookHandler } from 'fastify'
import t, { type Test } from 'tap'
import { exchange } from '../helpers/http.ts'
import { startLayer } from './layer.ts'

/** A value without what YAML or JSON has no words for. */
async function describe(value: unknown): Promise<unknown> {
  if (value instanceof File) {
    return { file: value.name, type: value.type, bytes: Buffer.from(await value.bytes()).toString('latin1') }
  }
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('latin1') }
  if (Array.isArray(value)) return Promise.all(value.map(describe))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(async ([name, member]) => [name, await describe(member)])
  return Object.fromEntries(await Promise.all(members))
}

/** Starts an operation with this content of its body; the handler responds with the body that it receives. */
async function startUpload(t: Test, content: string, maxBytes = 10_000) {
  const source = `openapi: 3.1.0
info: { title: Photos, version: 1.0.0 }
paths:
  /photos:
    post:
      operationId: add
      requestBody: { required: true, x-max-bytes: ${maxBytes}, x-max-depth: 3, content: ${content} }
      responses: { "200": { description: It., content: { application/json: { schema: {} } } } }
`
  const add = async ({ body, contentType }: { body: unknown; contentType?: string }) => {
    return { status: 200, body: { is: await describe(body), contentType } }
  }
  const { call } = await startLayer(t, { source, handlers: { add } })
  return async (type: string, body: string | Uint8Array) => {
    const response = await call('POST', '/photos', { body, headers: { 'content-type': type } })
    return response.status === 200 ? response.body : [response.status, response.body]
  }
}

/** The Content-Type and the body of a multipart form. */
async function toBody(form: FormData): Promise<[type: string, body: Uint8Array]> {
  const response = new Response(form)
  return [String(response.headers.get('content-type')), await response.bytes()]
}

t.test('a file may be one of several types, and keeps its bytes; its length is in bytes', async (t) => {
  const file = '{ type: string, format: binary, maxLength: 4 }'
  const fields = `{ type: object, properties: { a: { type: [string, integer, "null"], format: binary },
        b: { anyOf: [${file}, { type: "null" }] }, c: { type: array, items: { anyOf: [${file}] } } } }`
  const send = await startUpload(t, `{ multipart/form-data: { schema: ${fields} } }`)
  const bytes = Buffer.from('fffe0041', 'hex')
  for (const name of ['a', 'b', 'c']) {
    const form = new FormData()
    form.append(name, new File([bytes], 'x'))
    const is = { file: 'x', type: 'application/octet-stream', bytes: bytes.toString('latin1') }
    t.strictSame(await send(...(await toBody(form))), { is: { [name]: name === 'c' ? [is] : is } }, name)
  }
  const form = new FormData()
  form.append('c', new File([Buffer.alloc(5)], 'x'))
  t.match(await send(...(await toBody(form))), [400, { error: /body\.c\[0\] must have at most 4 bytes/ }])
})

t.test('the length of a body of bytes is in bytes', async (t) => {
  for (const schema of [
    '{ type: string, format: binary, minLength: 2, maxLength: 4 }',
    '{ minLength: 2, maxLength: 4 }',
    '{ allOf: [{ contentMediaType: image/png, minLength: 2 }, { minLength: 1, maxLength: 4 }, { maxLength: 5 }] }',
  ]) {
    for (const range of ['application/octet-stream', 'image/*', '"*/*"']) {
      const send = await startUpload(t, `{ ${range}: { schema: ${schema} } }`)
      const type = range.startsWith('image') ? 'image/png' : 'application/octet-stream'
      for (const length of [2, 4]) t.match(await send(type, Buffer.alloc(length, 'é')), { is: { bytes: /^.{2,4}$/s } })
      t.strictSame(await send(type, 'a'), [400, { error: 'body must have at least 2 bytes' }])
      t.strictSame(await send(type, 'ééa'), [400, { error: 'body must have at most 4 bytes' }])
    }
  }
})

/** The Content-Type of the forms below, and the text of a part. */
const xx = 'multipart/form-data; boundary=XX'
const toPart = (parameters: string, content: string) =>
  `--XX\r\nContent-Disposition: form-data; ${parameters}\r\n\r\n${content}\r\n`

for (const [what, form, received] of [
  ['content with the text of the boundary', `${toPart('name="a"', 'x --XX\r\n--X')}--XX--`, { a: 'x --XX\r\n--X' }],
  ['blanks after a boundary', `${toPart('name="a"', '1').replace('XX', 'XX \t')}--XX-- \r\n`, { a: '1' }],
  ['text before and after the parts', `hello\r\n\r\n${toPart('name="a"', '1')}--XX--\r\nbye`, { a: '1' }],
  ['a folded header', `${toPart('name="a"', '1').replace('; ', ';\r\n ')}--XX--`, { a: '1' }],
  ['a part without a line for its content', `${toPart('name="a"', '').slice(0, -2)}--XX--`, { a: '' }],
  ['a name without quotes', `${toPart('name=a', '1')}--XX--`, { a: '1' }],
  ['U+FFFD in a text', `${toPart('name="a"', '\ufffd')}--XX--`, { a: '\ufffd' }],
] as const) {
  t.test(`a multipart form may have ${what}`, async (t) => {
    const send = await startUpload(t, '{ multipart/form-data: {} }')
    t.strictSame(await send(xx, form), { is: received })
  })
}

for (const [what, parameter, name] of [
  ['a quote with a backslash before it', String.raw`filename="a\"b\\c.txt"`, String.raw`a"b\c.txt`],
  ['what a browser encodes', 'filename="a%22b%0D%0Ac%41.txt"', 'a"b\r\nc%41.txt'],
  ['a path of Windows', String.raw`filename="C:\new\ä.txt"`, String.raw`C:\new\ä.txt`],
  ['another encoding', `filename="e.txt"; filename*=UTF-8''%e2%82%ac.txt`, '€.txt'],
  ['no character', 'filename=""', ''],
] as const) {
  t.test(`the name of a file may have ${what}`, async (t) => {
    const send = await startUpload(t, '{ multipart/form-data: {} }')
    const is = { a: { file: name, type: 'text/plain', bytes: 'x' } }
    t.strictSame(await send(xx, `${toPart(`name="a"; ${parameter}`, 'x')}--XX--`), { is })
  })
}

for (const [what, form] of [
  ['no final boundary', toPart('name="a"', '1')],
  ['an incomplete header', '--XX\r\nContent-Disp'],
  ['a boundary that is longer than its own', `${toPart('name="a"', '1\r\n--XXY')}--XX--`],
  ['a part without a name', `${toPart('x="a"', '1')}--XX--`],
  ['a part with two names', `${toPart('name="a"; name="b"', '1')}--XX--`],
  ['a part without Content-Disposition', '--XX\r\nX: y\r\n\r\n1\r\n--XX--'],
  ['a line that is no header', `${toPart('name="a"', '1').replace('\r\n', '\r\nnone\r\n')}--XX--`],
  ['a header that ends at a boundary', `--XX\r\nX: y\r\n${toPart('name="a"', '1')}--XX--`],
  ['a file name in another charset than UTF-8', `${toPart(`name="a"; filename*=ISO-8859-1''x.txt`, '1')}--XX--`],
  ['line feeds alone', `${toPart('name="a"', '1')}--XX--`.replaceAll('\r', '')],
] as const) {
  t.test(`a multipart form with ${what} is malformed`, async (t) => {
    const send = await startUpload(t, '{ multipart/form-data: {} }')
    const error = 'body is not multipart/form-data with the boundary of its Content-Type'
    t.strictSame(await send(xx, form), [400, { error }])
  })
}

t.test('a part in base64 is rejected, and not taken for its text', async (t) => {
  const send = await startUpload(t, '{ multipart/form-data: {} }')
  const form = `--XX\r\nContent-Transfer-Encoding: base64\r\n${toPart('name="a"', 'eA==').slice(6)}--XX--`
  t.strictSame(await send(xx, form), [400, { error: 'body.a must not have a Content-Transfer-Encoding' }])
})

t.test('a form has at most 1,000 fields, and as many more as its lists allow', async (t) => {
  const list = (maxItems: string) => `{ type: array, ${maxItems} items: { type: integer } }`
  const schema = (maxItems: string) =>
    `{ additionalProperties: false, properties: { a: { type: integer }, list: ${list(maxItems)} } }`
  for (const [maxItems, limit] of [
    ['maxItems: 2000,', 3000],
    ['', 1000],
  ] as const) {
    const content = (type: string) => `{ ${type}: { schema: ${schema(maxItems)} } }`
    const sendTexts = await startUpload(t, content('application/x-www-form-urlencoded'), 100_000)
    const sendParts = await startUpload(t, content('multipart/form-data'), 1_000_000)
    const texts = (count: number) => sendTexts('application/x-www-form-urlencoded', 'list=1&'.repeat(count - 1))
    const parts = (count: number) => sendParts(xx, `${toPart('name="list"', '1').repeat(count)}--XX--`)
    const allowed = Math.min(limit, 2000)
    for (const received of [await texts(allowed), await parts(allowed)]) t.match(received, { is: { list: [1, 1] } })
    t.match(await texts(limit + 1), [413, { error: `the body has more than ${limit} fields` }])
    t.match(await parts(limit + 1), [413, { error: `the body has more than ${limit} parts` }])
  }
  const send = await startUpload(t, `{ application/x-www-form-urlencoded: { schema: ${schema('maxItems: 1,')} } }`)
  t.match(await send('application/x-www-form-urlencoded', 'list=1&list=2'), [400, { error: /at most 1 item/ }])
})

t.test('a form that may have any fields has as many as its lists allow, if those are more', async (t) => {
  const list = 'list: { type: array, maxItems: 1500, items: { type: integer } }'
  for (const media of [
    `{ schema: { properties: { ${list} } } }`,
    `{ schema: { properties: { ${list}, owner: { type: object } } }, encoding: { owner: { style: deepObject } } }`,
  ]) {
    const send = await startUpload(t, `{ application/x-www-form-urlencoded: ${media} }`, 100_000)
    t.match(await send('application/x-www-form-urlencoded', 'list=1&'.repeat(1500)), {
      is: { list: [1, 1] },
    })
  }
})

t.test('a form has at most 1,000 parts, and 8 KiB of headers for each', async (t) => {
  const send = await startUpload(t, '{ multipart/form-data: {} }', 100_000)
  const sendParts = (count: number) => {
    const parts = Array.from({ length: count }, (_, index) => toPart(`name="${index}"`, ''))
    return send(xx, `${parts.join('')}--XX--`)
  }
  t.match(await sendParts(1000), { is: { 0: '', 999: '' } })
  t.strictSame(await sendParts(1001), [413, { error: 'the body has more than 1000 parts' }])
  const form = `--XX\r\nX: ${'y'.repeat(8192)}\r\n${toPart('name="a"', '1').slice(6)}--XX--`
  t.strictSame(await send(xx, form), [413, { error: 'the body has a part whose header is larger than 8192 bytes' }])
})

t.test('a text of a multipart form that is not UTF-8 is refused', async (t) => {
  const send = await startUpload(t, '{ multipart/form-data: { schema: { properties: { a: { type: string } } } } }')
  for (const form of [toPart('name="a"', 'a\xff'), toPart('name="\xff"', 'a')]) {
    const error = 'body has a text that is not UTF-8'
    t.strictSame(await send(xx, Buffer.from(`${form}--XX--`, 'latin1')), [400, { error }])
  }
})

t.test('a form field of any type is JSON if its encoding says so, also with a file name', async (t) => {
  const encoding = '{ meta: { contentType: application/json }, list: { contentType: application/json } }'
  const schema = '{ properties: { meta: {}, list: { type: array, items: {} }, any: {} } }'
  const send = await startUpload(t, `{ multipart/form-data: { schema: ${schema}, encoding: ${encoding} } }`)
  const meta = toPart('name="meta"; filename="blob"\r\nContent-Type: application/json', '{"a":[1]}')
  const list = toPart('name="list"', '{"b":2}') + toPart('name="list"', '3')
  t.strictSame(await send(xx, `${meta}${list}${toPart('name="any"', '4')}--XX--`), {
    is: { meta: { a: [1] }, list: [{ b: 2 }, 3], any: '4' },
  })
  t.match(await send(xx, `${toPart('name="meta"', '{')}--XX--`), [400, { error: /^body\.meta is not JSON/ }])
})

t.test('many files of a wrong type are one mistake, and hide no other field', async (t) => {
  const photos = '{ type: array, maxItems: 50, items: { type: string, format: binary } }'
  const schema = `{ required: [name, photos], properties: { name: { type: string }, photos: ${photos} } }`
  const media = `{ schema: ${schema}, encoding: { photos: { contentType: image/png } } }`
  const send = await startUpload(t, `{ multipart/form-data: ${media} }`)
  const form = new FormData()
  form.append('name', 'Oslo')
  for (let count = 0; count < 20; count++) form.append('photos', new File(['x'], 'x.txt', { type: 'text/plain' }))
  t.strictSame(await send(...(await toBody(form))), [
    400,
    { error: 'body.photos must be a file of the type image/png' },
  ])
})

t.test('a form with thousands of wrong names gets a short message', async (t) => {
  const schema = '{ properties: { a: { type: object } }, additionalProperties: { type: integer } }'
  const send = await startUpload(t, `{ application/x-www-form-urlencoded: { schema: ${schema} } }`)
  const names = Array.from({ length: 1000 }, (_, index) => `n${index}`)
  const form = 'application/x-www-form-urlencoded'
  t.strictSame(await send(form, names.map((name) => `${name}=1`).join('&')), {
    is: Object.fromEntries(names.map((name) => [name, 1])),
  })
  t.match(await send(form, names.map((name) => `${name}=x`).join('&')), [400, { error: /^body\.n0 .*; and more$/ }])
  t.match(await send(form, "$'=1&a={"), [400, { error: /^body\.a is not JSON/ }])
  t.match(await send(form, 'a={"b":[[[1]]]}'), [400, { error: /^body\.a is nested deeper than 3 levels/ }])
})

t.test('what is bytes by its schema is bytes in a range of types, in requests and responses', async (t) => {
  const content = '{ "*/*": { schema: { type: string, format: binary } } }'
  const send = await startUpload(t, content)
  for (const type of ['application/json', 'text/plain; charset=iso-8859-1', 'application/x-www-form-urlencoded']) {
    t.strictSame(await send(type, '{"a"'), { is: { bytes: '{"a"' }, contentType: type.split(';')[0] }, type)
  }
  const get = await startDownload(t, content, () => ({ contentType: 'application/json', body: Buffer.from('{"a"') }))
  t.strictSame(await get(), [200, 'application/json; charset=utf-8', '{"a"'])
})

t.test('a multipart form has fields and files', async (t) => {
  const more = '{ type: array, items: { contentMediaType: image/png } }'
  const meta = '{ properties: { id: { type: integer, format: int64 } } }'
  const fields = `{ type: object, required: [photo], additionalProperties: false,
        properties: { photo: { type: string, format: binary }, more: ${more}, meta: ${meta}, alt: { type: string } } }`
  const encoding = '{ photo: { contentType: "image/png, image/gif" }, more: { contentType: image/* } }'
  const send = await startUpload(t, `{ multipart/form-data: { encoding: ${encoding}, schema: ${fields} } }`)
  const sendForm = async (add: (form: FormData) => void) => {
    const form = new FormData()
    add(form)
    return send(...(await toBody(form)))
  }
  const png = (bytes: string) => new File([bytes], `${bytes}.png`, { type: 'image/png' })
  const jpeg = new File(['x'], 'x.jpeg', { type: 'image/jpeg' })
  const complete = await sendForm((form) => {
    form.append('photo', png('a'))
    form.append('more', png('b'))
    form.append('more', png('c'))
    form.append('alt', 'a cat')
    form.append('meta', new Blob(['{"id":9007199254740993}'], { type: 'application/json' }))
  })
  t.strictSame(complete, {
    is: {
      photo: { file: 'a.png', type: 'image/png', bytes: 'a' },
      more: ['b', 'c'].map((bytes) => ({ file: `${bytes}.png`, type: 'image/png', bytes })),
      alt: 'a cat',
      meta: { id: 9007199254740993n },
    },
  })
  for (const [add, message] of [
    [(form: FormData) => form.append('alt', 'x'), 'body.photo is required'],
    [(form: FormData) => form.append('photo', 'x'), 'body.photo must be a file'],
    [(form: FormData) => form.append('more', 'x'), /^body\.more must be a file; body\.photo is required$/],
    [(form: FormData) => form.append('other', 'x'), /body\.other is not allowed/],
    [(form: FormData) => form.append('photo', jpeg), 'body.photo must be a file of the type image/png, image/gif'],
    [(form: FormData) => form.append('more', new Blob(['x'])), 'body.more must be a file of the type image/*'],
  ] as const) {
    t.match(await sendForm(add), [400, { error: message }])
  }
  const message = 'body is not multipart/form-data with the boundary of its Content-Type'
  t.match(await send('multipart/form-data; boundary=x', 'abc'), [400, { error: message }])
  t.match(await send('multipart/form-data', 'abc'), [400, { error: message }])
  t.match(await send('multipart/form-data; boundary=x', 'a'.repeat(10_001)), [413])
})

for (const [what, isStreamed] of [
  ['', false],
  [', also in a streamed form', true],
] as const) {
  t.test(`a file input in which nothing is chosen is absent${what}`, async (t) => {
    const file = '{ type: string, format: binary }'
    const fields = `{ type: object, required: [photo],
        properties: { photo: ${file}, more: { type: array, items: ${file} }, alt: { type: string } } }`
    const content = `{ multipart/form-data: { x-stream: ${isStreamed}, schema: ${fields} } }`
    const send = await startUpload(t, content)
    const toPart = (disposition: string) =>
      `--b\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n\r\n`
    // Browsers send an input without a choice like `more` (HTML Standard, section 4.10.22.4). A text with a file name is a text.
    const sendForm = async (fileName: string) => {
      const parts = [`name="photo"; filename="${fileName}"`, 'name="more"; filename=""', 'name="alt"; filename=""']
      return send('multipart/form-data; boundary=b', `${parts.map(toPart).join('')}--b--`)
    }
    const photo = { file: 'empty.png', type: 'application/octet-stream', bytes: '' }
    t.strictSame(await sendForm('empty.png'), { is: { photo, alt: '' } })
    t.match(await sendForm(''), [400, { error: /^body\.photo is required$/ }])
  })
}

t.test('a field that may be a file, an integer or a word takes each of them', async (t) => {
  const file = '{ type: string, format: binary }'
  const fields = `{ properties: {
        number: { anyOf: [${file}, { type: integer }] }, word: { anyOf: [${file}, { type: string, enum: [none] }] } } }`
  const send = await startUpload(t, `{ multipart/form-data: { schema: ${fields} } }`)
  const sendField = async (name: string, value: string | File) => {
    const form = new FormData()
    form.append(name, value)
    return send(...(await toBody(form)))
  }
  const png = new File(['a'], 'a.png', { type: 'image/png' })
  for (const name of ['number', 'word']) {
    t.strictSame(await sendField(name, png), { is: { [name]: { file: 'a.png', type: 'image/png', bytes: 'a' } } })
  }
  t.strictSame(await sendField('number', '5'), { is: { number: 5 } })
  t.strictSame(await sendField('word', 'none'), { is: { word: 'none' } })
  t.match(await sendField('number', 'many'), [400, { error: 'body.number must be a file' }])
})

t.test('a field that may be a file or a list of integers takes both', async (t) => {
  const file = '{ anyOf: [{ type: string, format: binary }, { type: array, items: { type: integer } }] }'
  const send = await startUpload(t, `{ multipart/form-data: { schema: { properties: { f: ${file} } } } }`)
  const part = toPart('name="f"; filename="a.png"\r\nContent-Type: image/png', 'a')
  t.strictSame(await send(xx, `${part}--XX--`), { is: { f: { file: 'a.png', type: 'image/png', bytes: 'a' } } })
  t.strictSame(await send(xx, `${toPart('name="f"', '1')}--XX--`), { is: { f: [1] } })
})

t.test('the boundary of a form has at most 70 characters, however it is written', async (t) => {
  const send = await startUpload(t, '{ multipart/form-data: {} }')
  const sendWith = (boundary: string, written: string) => {
    const part = `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--${boundary}--`
    return send(`multipart/form-data; ${written}`, part)
  }
  for (const length of [70, 71, 3000]) {
    const boundary = 'b'.repeat(length)
    const error = 'body must have a boundary of at most 70 characters'
    const expected = length === 70 ? { is: { a: 'x' } } : [400, { error }]
    for (const written of [`boundary=${boundary}`, `Boundary="${boundary}"`])
      t.match(await sendWith(boundary, written), expected, written)
  }
})

t.test('what is neither text nor JSON is bytes, and a text is UTF-8', async (t) => {
  const send = await startUpload(
    t,
    '{ image/*: {}, "*/*": {}, application/*: { schema: { type: [object, string] } }, text/csv: {} }',
  )
  t.match(await send('text/csv', Buffer.from('ff', 'hex')), [400, { error: 'body is not UTF-8' }])
  const bytes = Buffer.from('89504e47ff', 'hex')
  for (const type of ['image/png', 'video/mp4', 'application/pdf']) {
    t.strictSame(await send(type, bytes), { is: { bytes: bytes.toString('latin1') }, contentType: type })
  }
})

t.test('a request without Content-Length and Transfer-Encoding has no body, whatever its Content-Type', async (t) => {
  const types = [
    'application/json',
    'text/plain',
    'application/octet-stream',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
    'video/mp4',
  ]
  const content = 'video/mp4: { x-stream: true }, "*/*": {}'
  const source = `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    post:
      operationId: add
      requestBody: { content: { ${content} } }
      responses: { "200": { description: It., content: { application/json: { schema: {} } } } }
`
  const add = async ({ body }: { body: unknown }) => ({ status: 200, body: body === undefined })
  const { app, origin } = await startLayer(t, { source, handlers: { add } })
  for (const type of types) {
    const head = `POST /notes HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nConnection: close\r\n`
    t.match(await exchange(origin, `${head}\r\n`), [{ status: 200, body: true }], type)
    if (/^(text|video|.*octet)/.test(type)) {
      t.match(await exchange(origin, `${head}Content-Length: 0\r\n\r\n`), [{ status: 200, body: false }], type)
    }
  }
  // The tests of an app inject streams, such as forms, without either.
  const injected = { method: 'POST', url: '/notes', headers: { 'content-type': 'text/plain' } } as const
  t.equal((await app.inject({ ...injected, payload: Readable.from(['a']) })).body, 'false')
})

/** The ETags of the responses, and the last `Vary`. */
const tags = new Set<string>()
let vary: string

/** Starts an operation whose handler responds as given, and says what the client accepts. */
async function startDownload(t: Test, content: string, respond: (accept?: string) => object, error = '4XX') {
  const source = `openapi: 3.1.0
info: { title: Photos, version: 1.0.0 }
paths:
  /photo:
    get:
      operationId: get
      responses:
        "200": { description: It., headers: { X-Name: { schema: { type: string } } }, content: ${content} }
        "304": { description: Known. }
        ${error}: { description: An error., content: { application/problem+json: { schema: {} } } }
`
  const get = async ({ accept }: { accept?: string }) => ({ status: 200, ...respond(accept) })
  const { call } = await startLayer(t, { source, handlers: { get } })
  return async (accept?: string) => {
    const { status, headers, text } = await call('GET', '/photo', { headers: accept === undefined ? {} : { accept } })
    tags.add(String(headers.etag))
    vary = String(headers.vary)
    return [status, headers['content-type'], text]
  }
}

t.test('a response has the media type that is declared, whatever a client accepts', async (t) => {
  for (const [content, body, type, text] of [
    [
      '{ application/hal+json: { schema: { properties: { a: {} } } } }',
      { a: 1n, b: 2 },
      'application/hal+json',
      '{"a":1}',
    ],
    ['{ text/csv: {} }', 'a,b', 'text/csv; charset=utf-8', 'a,b'],
    ['{ image/png: {} }', Buffer.from('png'), 'image/png', 'png'],
    ['{ image/png: {} }', Readable.from(['p', 'n', 'g']), 'image/png', 'png'],
    ['{ image/png: {} }', new Blob(['png']).stream(), 'image/png', 'png'],
  ] as const) {
    const get = await startDownload(t, content, () => ({ body }))
    t.strictSame(await get('application/xml'), [200, type, text], content)
  }
})

const secret = '{"a":1,"secret":"x"}'
const json = '{ application/json: { schema: { type: object, properties: { a: { type: integer } } } } }'

for (const [type, create] of [
  ['Buffer', () => Buffer.from(secret)],
  ['Uint8Array', () => new TextEncoder().encode(secret)],
  ['Buffer', async () => Buffer.from(secret)],
  ['Readable', () => Readable.from([secret])],
  ['ReadStream', () => createReadStream('/none')],
  ['ReadableStream', () => new Blob([secret]).stream()],
  ['Response', () => new Response(secret, { status: 418 })],
  ['Error', () => Object.assign(new Error(secret), { statusCode: 404 })],
] as const) {
  t.test(`a ${type} as the body of JSON is a 500`, async (t) => {
    const what = `invalid response: the body of application/json must be a JSON value, but is of type ${type}`
    const one = await startDownload(t, json, () => ({ body: create() }))
    const error = `${what}; for bytes, declare a media type such as application/octet-stream`
    t.strictSame(await one(), [500, 'application/json; charset=utf-8', JSON.stringify({ error })])
    const many = await startDownload(t, `{ image/png: {}, image/gif: {}, ${json.slice(1)}`, () => {
      return { body: create(), contentType: 'application/json' }
    })
    t.strictSame(await many(), [500, 'application/json; charset=utf-8', JSON.stringify({ error })])
  })
}

t.test('the values of parameters of a media type keep their case, and decide what a response is', async (t) => {
  let contentType = 'APPLICATION/json; Profile="https://X.example/A"'
  const content = `{ application/json; profile="https://X.example/A": {}, application/json; as=Table: { schema: {} } }`
  const get = await startDownload(t, content, () => ({ contentType, body: 1 }))
  t.strictSame(await get(), [200, contentType, '1'])
  contentType = 'application/json; as=Table'
  t.strictSame(await get(contentType), [200, contentType, '1'])
  contentType = 'application/json; as=table'
  t.match(await get(), [500, /^application\/json/, /its content type application\/json; as=table is not one of/])
})

t.test('a response has a media type of a declared range, and not the range', async (t) => {
  let contentType = 'text/*'
  const get = await startDownload(t, '{ text/*: {} }', () => ({ contentType, body: 'x' }))
  const error = 'invalid response: its content type text/* is a range; return a media type of the range'
  t.match(await get(), [500, /json/, JSON.stringify({ error })])
  contentType = 'text/csv; header=*'
  t.strictSame(await get(), [200, 'text/csv; header=*; charset=utf-8', 'x'])
})

for (const [what, response, status] of [
  ['with a status that is not declared', { status: 299 }, 500],
  ['with a status that has no body', { status: 304 }, 304],
  ['with a media type that is not declared', { contentType: 'text/html' }, 500],
  ['with a header that HTTP does not allow', { headers: { 'X-Name': '\n' } }, 500],
] as const) {
  t.test(`a stream ${what} is not sent, and ends`, async (t) => {
    // Its error would end the process if nothing listened to it.
    let stream: Readable | undefined
    const get = await startDownload(t, '{ image/png: {} }', () => {
      stream = createReadStream('/none')
      return { body: stream, ...response }
    })
    t.match(await get(), [status])
    t.ok(stream?.destroyed)
  })
}

t.test('of several media types, the handler is told which one the client prefers', async (t) => {
  const content = '{ application/json: { schema: { properties: { accept: {} } } }, text/csv: {} }'
  const get = await startDownload(t, content, (accept) =>
    accept === 'text/csv' ? { contentType: accept, body: accept } : { contentType: accept, body: { accept } },
  )
  const json = [200, 'application/json; charset=utf-8', '{"accept":"application/json"}']
  const csv = [200, 'text/csv; charset=utf-8', 'text/csv']
  for (const [accept, expected] of [
    [undefined, json],
    ['', json],
    ['*/*', json],
    ['text/*', csv],
    ['application/json;q=0.5, text/csv', csv],
    ['application/json, text/csv;q=0', json],
    ['application/json;charset=UTF-8, text/csv;q=0.5', json],
  ] as const) {
    t.strictSame(await get(accept), expected, String(accept))
  }
  t.match(await get('image/png'), [
    406,
    /json/,
    '{"error":"this operation responds with one of: application/json, text/csv"}',
  ])
  t.equal(vary, 'Accept')
})

t.test('the same text in two media types has two ETags', async (t) => {
  tags.clear()
  const get = await startDownload(t, '{ application/json: { schema: {} }, text/csv: {} }', (accept) => ({
    contentType: accept,
    body: accept === 'text/csv' ? '{}' : {},
  }))
  t.strictSame((await get('text/csv'))[2], (await get('application/json'))[2])
  t.equal(tags.size, 2)
})

t.test('the type of errors is no choice of a client', async (t) => {
  const get = await startDownload(t, '{ application/json: {} }', () => ({ body: 1 }), 'default')
  t.match(await get('text/html'), [200, /json/, '1'])
})

t.test('of a range, the handler names the media type; one that is not declared is an error', async (t) => {
  let contentType: string | undefined = 'image/webp'
  const get = await startDownload(t, '{ image/*: {} }', () => ({ contentType, body: 'x' }))
  t.strictSame(await get(), [200, 'image/webp', 'x'])
  const mixed = await startDownload(t, '{ multipart/mixed: {} }', () => ({
    contentType: 'multipart/mixed; boundary=b',
    body: 'x',
  }))
  t.strictSame(await mixed(), [200, 'multipart/mixed; boundary=b', 'x'])
  for (const other of [undefined, 'text/html', 'image/png\r\nx: y']) {
    contentType = other
    t.match(await get(), [500])
  }
})

t.test('bytes have an ETag, too', async (t) => {
  tags.clear()
  const get = await startDownload(t, '{ image/png: {} }', () => ({ body: Buffer.from('ff', 'hex') }))
  t.match(await get(), [200, 'image/png'])
  const [etag = ''] = tags
  t.match(etag, /^"[\w-]{27}"$/)
})

t.test('the stream of a response to HEAD does not run', async (t) => {
  let reads = 0
  const toStream = [
    () => new Readable({ highWaterMark: 0, read: () => reads++ }),
    () => new ReadableStream({ pull: () => void reads++ }, { highWaterMark: 0 }),
  ]
  const source = `openapi: 3.1.0
info: { title: Photos, version: 1.0.0 }
paths:
  /photo: { get: { operationId: get, responses: { "200": { description: It., content: { image/png: {} } } } } }
`
  for (const create of toStream) {
    const { call } = await startLayer(t, { source, handlers: { get: async () => ({ status: 200, body: create() }) } })
    t.match(await call('HEAD', '/photo'), { status: 200, headers: { 'content-type': 'image/png' } })
  }
  // A file that does not exist fails later.
  const get = async () => ({ status: 200, body: createReadStream('/none') })
  const { call } = await startLayer(t, { source, handlers: { get } })
  t.match([await call('HEAD', '/photo'), await call('GET', '/photo')], [{ status: 200 }, { status: 500 }])
  t.equal(reads, 0)
})

/** The begin of a document with one operation, up to its responses. */
const PHOTO = `openapi: 3.1.0
info: { title: Photos, version: 1.0.0 }
paths:
  /photo:
    get:
      operationId: get
      responses:`

/** A stream of Node that fails before its first byte. */
const createFailingStream = () => new Readable({ read: (): never => assert.fail('no photo') })

t.test('a stream that fails before it begins is a 500, whatever the handler has returned', async (t) => {
  const source = `${PHOTO}
        "404": { description: It., content: { image/png: {} } }
`
  const get = async () => ({ status: 404, body: createFailingStream() })
  const { call } = await startLayer(t, { source, handlers: { get } })
  t.match(await call('GET', '/photo'), { status: 500, body: { error: 'no photo' } })
})

t.test('a stream that fails before it begins leaves the error the headers of hooks alone', async (t) => {
  const source = `${PHOTO}
        "200":
          description: It.
          headers:
            Cache-Control: { required: true, schema: { const: public } }
            Link: { schema: { const: "</>; rel=up" } }
            Set-Cookie: { schema: { type: string } }
            X-Width: { schema: { type: integer } }
          content: { image/png: {} }
`
  const bodies = [createFailingStream, () => new ReadableStream({ pull: (): never => assert.fail('no photo') })]
  for (const body of bodies) {
    const get = async () => ({ status: 200, headers: { 'set-cookie': 'a=1', 'x-width': 7 }, body: body() })
    const onSend: onSendHookHandler = (_request, reply, payload, done) => {
      if (!reply.hasHeader('link')) reply.headers({ link: '<b>', 'set-cookie': ['c=2', 'd=3'] })
      done(null, payload)
    }
    const { app } = await startLayer(t, { source, handlers: { get }, routes: { get: { onSend } } })
    const { statusCode, headers } = await app.inject('/photo')
    t.match([statusCode, headers], [500, { link: '<b>', 'set-cookie': ['c=2', 'd=3'] }])
    t.notOk('cache-control' in headers || 'x-width' in headers)
  }
})
