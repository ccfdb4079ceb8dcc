/** Uploads that stream (`x-stream`): bodies of bytes that a handler reads while they arrive, and forms with files on disk. */
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import t, { type Test } from 'tap'
import { computeDigests } from '../../src/openapi/tools.ts'
import { openRaw, readResponse, readResponses, readToEnd } from '../helpers/http.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitForEvent, waitUntil, within } from '../helpers/wait.ts'
import { getRefusal, idle, type LayerOptions, load, nobody, startLayer } from './layer.ts'

const bytesSource = `openapi: 3.1.0
info: { title: Videos, version: 1.0.0 }
paths:
  /videos:
    get:
      operationId: list
      responses: { "200": { description: All., content: { application/json: { schema: {} } } } }
    post:
      operationId: add
      requestBody:
        required: true
        x-max-bytes: 1000000
        content: { video/*: { x-stream: true, schema: { type: string, format: binary, minLength: 3, maxLength: 900000 } } }
      responses:
        "200": { description: Added., content: { application/json: { schema: {} }, video/mp4: {} } }
`

type Handler = (request: { body: ReadableStream<Uint8Array> }) => Promise<unknown>

const video = { 'content-type': 'video/mp4' }
const ok = (body: unknown) => ({ status: 200, contentType: 'application/json', body })
const readAll: Handler = async ({ body }) => ok((await buffer(body)).length)
const ignore: Handler = async () => ok('ignored')

async function startBytes(t: Test, add: Handler, source = bytesSource) {
  const handlers = { add: add as never, list: async () => ({ status: 200, body: [] }) }
  return startLayer(t, { source, handlers })
}

/** Begins a request whose body is sent in pieces. */
function begin(origin: string, path: string, headers: object): ClientRequest {
  const sent = request(origin + path, { method: 'POST', headers: { ...headers }, agent: false })
  sent.on('error', () => {})
  sent.flushHeaders()
  return sent
}

t.test('a handler reads a body of bytes while it arrives', async (t) => {
  const first = Promise.withResolvers<string>()
  const { origin } = await startBytes(t, async ({ body }) => {
    const texts: string[] = []
    for await (const bytes of body) {
      texts.push(String(Buffer.from(bytes)))
      first.resolve(String(texts[0]))
    }
    return ok(texts)
  })
  const sent = begin(origin, '/videos', video)
  sent.write('abc')
  t.equal(await within('first chunk', first.promise), 'abc')
  sent.end('def')
  t.match(await readResponse(sent), { status: 200, body: ['abc', 'def'] })
})

t.test('the response to an upload that nobody reads arrives, also where it ends the connection', async (t) => {
  const source = bytesSource.replace('1000000', '10000000').replace(', maxLength: 900000', '')
  const { origin } = await startBytes(t, ignore, source)
  const body = 'x'.repeat(8_000_000)
  const head = `Host: a\r\nContent-Type: video/mp4\r\nContent-Length: ${body.length}\r\n`
  for (let count = 0; count < 6; count++) {
    for (const start of [`POST /videos HTTP/1.1\r\nConnection: close\r\n`, `POST /videos HTTP/1.0\r\n`]) {
      const client = openRaw(origin)
      client.write(`${start}${head}\r\n${body}`)
      t.match(readResponses(await client.waitForEnd()), [{ status: 200, body: 'ignored' }])
    }
  }
})

t.test('an upload that stalls is disconnected 5 s after the app begins to close', async (t) => {
  const { app, origin } = await startBytes(t, readAll)
  const head = 'POST /videos HTTP/1.1\r\nHost: a\r\nContent-Type: video/mp4\r\nContent-Length: 10\r\n'
  const client = openRaw(origin)
  client.write(`${head}Expect: 100-continue\r\n\r\nabc`)
  await client.until('100 Continue')
  await within('end of the app', app.close())
  await client.waitForEnd()
})

t.test('a read rejects if the client has left before the handler is called', async (t) => {
  const reading = Promise.withResolvers<unknown>()
  const add: Handler = async ({ body }) => {
    reading.resolve(await buffer(body).catch((error: Error) => error.message))
    return ok('read')
  }
  const handlers = { add: add as never, list: async () => ({ status: 200, body: [] }) }
  const waitForClose = async (_request: unknown, { raw }: FastifyReply) => void (await waitForEvent(raw, 'close'))
  const { origin } = await startLayer(t, { source: bytesSource, handlers, hooks: { afterAccept: [waitForClose] } })
  const sent = begin(origin, '/videos', video)
  sent.write('abc')
  await waitForEvent(sent, 'socket')
  setTimeout(200).then(() => sent.destroy())
  t.equal(await within('error of the read', reading.promise), 'the body ended before it was complete')
})

t.test('a body that grows too large is a 413 for its reader, and its connection goes on', async (t) => {
  const source = bytesSource.replace(', maxLength: 900000', '')
  const { call, origin } = await startBytes(t, readAll, source)
  const client = openRaw(origin)
  const head = 'POST /videos HTTP/1.1\r\nHost: a\r\nContent-Type: video/mp4\r\nTransfer-Encoding: chunked\r\n\r\n'
  client.write(`${head}f4241\r\n${'x'.repeat(1_000_001)}\r\n`)
  await client.until('the body is larger than 1000000 bytes')
  client.write(`f4240\r\n${'x'.repeat(1_000_000)}\r\n0\r\n\r\n`)
  client.write('GET /videos HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  t.match(readResponses(await client.waitForEnd()), [{ status: 413 }, { status: 200 }])
  t.match(await call('POST', '/videos', { headers: { ...video, 'content-length': 1_000_001 } }), { status: 413 })
})

t.test('the limits of a schema count the bytes of a stream', async (t) => {
  const { call } = await startBytes(t, readAll)
  const send = (length: number) => call('POST', '/videos', { headers: video, body: Buffer.alloc(length) })
  t.match(await send(2), { status: 400, body: { error: 'body must have at least 3 bytes' } })
  t.match(await send(3), { status: 200, body: 3 })
  t.match(await send(900_000), { status: 200, body: 900_000 })
  t.match(await send(900_001), { status: 400, body: { error: 'body must have at most 900000 bytes' } })
})

t.test('two reads that wait at once get the next two chunks', async (t) => {
  const waiting = Promise.withResolvers<void>()
  const { origin } = await startBytes(t, async ({ body }) => {
    const reader = body.getReader()
    const reads = Promise.all([reader.read(), reader.read()])
    waiting.resolve()
    return ok((await reads).map(({ value }) => Buffer.from(value as Uint8Array).toString()))
  })
  const sent = begin(origin, '/videos', video)
  // Otherwise, the headers wait for the first chunk.
  sent.flushHeaders()
  await within('reads', waiting.promise)
  sent.write('abc', () => setImmediate(() => sent.end('def')))
  t.match(await readResponse(sent), { status: 200, body: ['abc', 'def'] })
})

t.test('a read rejects if the client disconnects', async (t) => {
  const failure = Promise.withResolvers<Error>()
  const { origin } = await startBytes(t, async ({ body }) => {
    const reader = body.getReader()
    await reader.read()
    reader.read().catch(failure.resolve)
    return new Promise(() => {})
  })
  const sent = begin(origin, '/videos', video)
  sent.write('abc', () => sent.destroy())
  t.match(await within('failure', failure.promise), { message: 'the body ended before it was complete' })
})

t.test('a client that leaves while nobody reads its body is no error of the app', async (t) => {
  const begun = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const { app, call, origin } = await startBytes(t, async () => {
    begun.resolve()
    await released.promise
    return ok('ignored')
  })
  const closed = new Promise<void>((resolve) => {
    app.server.once('connection', (socket) => socket.on('close', () => resolve()))
  })
  const sent = begin(origin, '/videos', video)
  sent.write('abc')
  await within('handler', begun.promise)
  sent.destroy()
  await within('end of the connection', closed)
  released.resolve()
  t.match(await call('GET', '/videos'), { status: 200 })
})

for (const [what, handle] of [
  ['ignores', ignore],
  [
    'reads only the begin of',
    async ({ body }) => {
      for await (const bytes of body) return ok(bytes.length > 0 && 'ignored')
      return ok('')
    },
  ],
] as const satisfies readonly (readonly [string, Handler])[]) {
  for (const connection of ['keep-alive', 'close']) {
    t.test(`a handler that ${what} a body gets its response through, on ${connection}`, async (t) => {
      const { origin } = await startBytes(t, handle)
      const client = openRaw(origin)
      const head = (length: number) =>
        `POST /videos HTTP/1.1\r\nHost: a\r\nContent-Type: video/mp4\r\nContent-Length: ${length}\r\nConnection: ${connection}\r\n\r\n`
      client.write(head(800_000))
      client.write(Buffer.alloc(800_000))
      await client.until('ignored')
      if (connection === 'close') {
        t.match(readResponses(await client.waitForEnd()), [{ status: 200, body: 'ignored' }])
        return
      }
      client.write(`GET /videos HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      t.match(readResponses(await client.waitForEnd()), [{ body: 'ignored' }, { body: [] }])
    })
  }
}

/** 30 MB are more than the buffers of a connection. */
const largeSource = bytesSource.replace('1000000', '100000000').replace(', maxLength: 900000', '')
const largeBody = Buffer.alloc(30_000_000)

t.test('a client that sends all of a body that nobody reads gets a stream afterwards', async (t) => {
  const { origin } = await startBytes(
    t,
    async () => ({ status: 200, contentType: 'video/mp4', body: Readable.from([largeBody, largeBody]) }),
    largeSource,
  )
  const sent = begin(origin, '/videos', video)
  const responded = waitForEvent(sent, 'response')
  await within('end of the body', new Promise<void>((resolve) => sent.end(largeBody, resolve)))
  const [response] = await responded
  t.equal((await readToEnd(response)).length, 60_000_000)
})

t.test('a body that a handler cancels is discarded while the handler goes on', async (t) => {
  const arrived = Promise.withResolvers<void>()
  const { origin } = await startBytes(
    t,
    async ({ body }) => {
      await body.cancel()
      await within('end of the body', arrived.promise)
      return ok('cancelled')
    },
    largeSource,
  )
  const sent = begin(origin, '/videos', video)
  sent.end(largeBody, arrived.resolve)
  t.match(await readResponse(sent), { status: 200, body: 'cancelled' })
})

t.test('a body whose parameters are not valid is discarded', async (t) => {
  const { origin } = await startBytes(t, ignore)
  const client = openRaw(origin)
  client.write('POST /videos?x=1 HTTP/1.1\r\nHost: a\r\nContent-Type: video/mp4\r\nContent-Length: 800000\r\n\r\n')
  client.write(Buffer.alloc(800_000))
  await client.until('query.x is not allowed')
  client.write('GET /videos HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  t.match(readResponses(await client.waitForEnd()), [{ status: 400 }, { status: 200 }])
})

t.test('a body can be read until the response is sent', async (t) => {
  const failure = Promise.withResolvers<Error>()
  const { origin } = await startBytes(t, async ({ body }) => {
    const reader = body.getReader()
    await reader.read()
    reader.read().catch(failure.resolve)
    return ok('done')
  })
  const sent = begin(origin, '/videos', video)
  sent.write('abc')
  t.match(await readResponse(sent), { body: 'done' })
  t.match(await within('failure', failure.promise), { message: 'the body can be read until the response is sent' })
  sent.destroy()
})

t.test('a handler may send a body back as it arrives', async (t) => {
  for (const change of [
    (body: ReadableStream) => body,
    (body: ReadableStream) => body.pipeThrough(new TransformStream()),
  ]) {
    const { origin } = await startBytes(t, async ({ body }) => {
      return { status: 200, contentType: 'video/mp4', body: change(body) }
    })
    const sent = begin(origin, '/videos', video)
    sent.write('abc')
    const [response] = await waitForEvent(sent, 'response')
    t.equal(String((await waitForEvent(response, 'data'))[0]), 'abc')
    const rest = readToEnd(response)
    sent.end('def')
    t.equal(await rest, 'def')
  }
})

t.test('a handler may send items that it reads from the body as they arrive', async (t) => {
  const source = bytesSource
    .replace('3.1.0', '3.2.0')
    .replace('video/mp4: {}', 'application/jsonl: { itemSchema: { type: integer } }')
  const { call } = await startBytes(
    t,
    async ({ body }) => ({
      status: 200,
      contentType: 'application/jsonl',
      body: (async function* () {
        for await (const chunk of body) yield chunk.length
      })(),
    }),
    source,
  )
  t.match(await call('POST', '/videos', { headers: video, body: 'abcdef' }), { status: 200, text: '6\n' })
})

t.test('a body in too many small chunks is a 413 for its reader', async (t) => {
  const { origin } = await startBytes(t, readAll)
  const client = openRaw(origin)
  client.write('POST /videos HTTP/1.1\r\nHost: a\r\nContent-Type: video/mp4\r\nTransfer-Encoding: chunked\r\n\r\n')
  client.write('1\r\na\r\n'.repeat(2000))
  await client.until('too many small chunks')
  client.destroy()
})

/** A document of somebody else (OpenAPI 3.0), with one word more: `x-stream`. */
const archive = `openapi: 3.0.3
info: { title: Photo archive, version: "1.2" }
servers: [{ url: "https://archive.example/api/v3" }]
tags: [{ name: photos }]
paths:
  /albums/{albumId}/photos:
    post:
      tags: [photos]
      summary: Uploads photos to an album
      operationId: uploadPhotos
      security: [{ api_key: [] }]
      parameters: [{ name: albumId, in: path, required: true, schema: { type: integer, format: int64 } }]
      requestBody:
        required: true
        x-max-bytes: 5000000
        content:
          multipart/form-data:
            x-stream: true
            schema: { $ref: "#/components/schemas/PhotoUpload" }
            encoding: { photos: { contentType: "image/png, image/jpeg" } }
      responses:
        "200":
          description: successful operation
          content: { application/json: { schema: { type: object, additionalProperties: true } } }
components:
  securitySchemes: { api_key: { type: apiKey, name: api_key, in: header } }
  schemas:
    PhotoUpload:
      type: object
      required: [title, photos]
      properties:
        title: { type: string, minLength: 1, maxLength: 200 }
        isPublic: { type: boolean, default: false }
        place: { type: object, properties: { lat: { type: number }, lon: { type: number } } }
        photos: { type: array, maxItems: 3, items: { type: string, format: binary } }
`

interface Upload {
  readonly body: { readonly title: string; readonly photos: readonly File[] }
}

/** Starts the archive; `getFiles` lists the files in the folder of its uploads. */
async function startArchive(
  t: Test,
  upload: (request: Upload) => Promise<object>,
  options: Partial<LayerOptions> = {},
) {
  const uploadFolder = temporaryFolder(t)
  const layer = await startLayer(t, {
    source: archive,
    uploadFolder,
    security: { api_key: (key) => (key === 'sesame' ? { id: '1', name: 'Ali' } : undefined) },
    ...options,
    handlers: { uploadPhotos: upload as never },
  })
  const getFiles = () => readdirSync(uploadFolder)
  /** Resolves when no file is left. */
  const waitForNone = () => waitUntil(() => getFiles().length === 0)
  const send = async (parts: string, { key = 'sesame', type = 'multipart/form-data; boundary=XX' } = {}) =>
    layer.call('POST', path, { body: parts, headers: { api_key: key, 'content-type': type } })
  return { ...layer, uploadFolder, getFiles, waitForNone, send }
}

const path = '/api/v3/albums/7/photos'
const field = (name: string, content: string) =>
  `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`
const photo = (name: string, content: string, type = 'image/png') =>
  `--XX\r\nContent-Disposition: form-data; name="photos"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`
const end = '--XX--\r\n'
const done = { status: 200, body: {} }
const headers = { api_key: 'sesame', 'content-type': 'multipart/form-data; boundary=XX' }

t.test('the files of a form are on disk while its handler runs, and are gone afterwards', async (t) => {
  const { getFiles, send, uploadFolder, waitForNone } = await startArchive(
    t,
    async ({ body: { photos, ...fields } }) => {
      const names = getFiles()
      const modes = names.map((name) => (statSync(join(uploadFolder, name)).mode & 0o777).toString(8))
      const described = photos.map(async (file) => [
        file instanceof File,
        file.name,
        file.type,
        file.size,
        await file.text(),
      ])
      return { status: 200, body: { ...fields, photos: await Promise.all(described), names, modes } }
    },
  )
  const form = [
    field('title', 'Cats'),
    photo('a.png', 'x'.repeat(70_000)),
    photo('../b', '', 'image/jpeg'),
    field('place', '{"lat":1.5}'),
  ]
  const { status, body } = await send(form.join('') + end)
  t.match(
    { status, body },
    {
      status: 200,
      body: {
        title: 'Cats',
        isPublic: false,
        place: { lat: 1.5 },
        photos: [
          [true, 'a.png', 'image/png', 70_000, 'x'.repeat(70_000)],
          [true, '../b', 'image/jpeg', 0, ''],
        ],
        modes: ['600', '600'],
      },
    },
  )
  const { names } = body as { names: string[] }
  for (const name of names) t.match(name, /^upload-[\da-f-]{36}$/)
  await waitForNone()
})

t.test('all of a form is validated before its handler runs, in any order', async (t) => {
  let calls = 0
  const { send, waitForNone } = await startArchive(t, async () => {
    calls++
    return done
  })
  const large = 'x'.repeat(200_000)
  for (const [parts, message] of [
    [[photo('a', large), field('title', '')], 'body.title must have at least 1 character'],
    [[photo('a', large)], 'body.title is required'],
    [[photo('a', large), field('title', 'a'), field('isPublic', 'maybe')], 'body.isPublic must be a boolean'],
    [
      [photo('a', large, 'text/html'), field('title', 'a')],
      'body.photos must be a file of the type image/png, image/jpeg',
    ],
    [[...Array(4).fill(photo('a', '')), field('title', 'a')], 'body.photos must have at most 3 items'],
    [[field('title', 'a'), field('photos', large)], 'body.photos must be a file'],
  ] as const) {
    t.match(await send(parts.join('') + end), { status: 400, body: { error: message } }, message)
  }
  const malformed = 'body is not multipart/form-data with the boundary of its Content-Type'
  t.match(await send(photo('a', large)), { status: 400, body: { error: malformed } })
  t.match(await send(photo('a', large), { type: 'multipart/form-data' }), { status: 400, body: { error: malformed } })
  t.equal(calls, 0)
  await waitForNone()
})

t.test('a form above a limit is a 413, and leaves no file', async (t) => {
  const { origin, send, waitForNone } = await startArchive(t, async () => done)
  const texts = field('title', 'x'.repeat(600_000)) + photo('a', 'x') + field('x', 'x'.repeat(600_000))
  t.match(await send(texts + end), { status: 413, body: { error: /texts of more than 1048576 bytes/ } })
  t.match(await send(photo('a', '').repeat(1004) + end), { status: 413, body: { error: /more than 1003 parts/ } })
  const sent = begin(origin, path, headers)
  sent.write(photo('a', 'x'.repeat(4_900_000)))
  sent.end('x'.repeat(200_000))
  t.match(await readResponse(sent), { status: 413, body: { error: /larger than 5000000 bytes/ } })
  await waitForNone()
})

t.test('a client without a valid key has nothing read', async (t) => {
  const { getFiles, origin } = await startArchive(t, async () => done)
  // The body never comes, so the response does not wait for it.
  const sent = begin(origin, path, { ...headers, api_key: 'wrong', 'content-length': 1000 })
  t.match(await readResponse(sent), { status: 401 })
  t.same(getFiles(), [])
  sent.destroy()
})

t.test('50 uploads that are aborted leave nothing', async (t) => {
  const { getFiles, origin, waitForNone } = await startArchive(t, async () => done)
  const uploads = Array.from({ length: 50 }, () => {
    const sent = begin(origin, path, { ...headers, 'content-length': 4_000_000 })
    sent.write(field('title', 'a') + photo('a', 'x'.repeat(100_000)) + photo('b', 'x'.repeat(100_000)).slice(0, -2))
    return sent
  })
  await waitUntil(() => getFiles().length === 100)
  for (const sent of uploads) sent.destroy()
  await waitForNone()
})

t.test('a handler whose client disconnects keeps its files until it returns', async (t) => {
  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const read = Promise.withResolvers<string>()
  const { app, getFiles, origin, waitForNone } = await startArchive(t, async ({ body: { photos } }) => {
    begun.resolve()
    await go.promise
    read.resolve(String(await photos[0]?.text()))
    throw new Error('it fails')
  })
  const closed = Promise.withResolvers<void>()
  app.server.on('connection', (socket) => socket.on('close', () => closed.resolve()))
  const sent = begin(origin, path, headers)
  sent.end(photo('a', 'a cat') + field('title', 'a') + end)
  await within('handler', begun.promise)
  sent.destroy()
  await within('end of the connection', closed.promise)
  t.equal(getFiles().length, 1)
  go.resolve()
  t.equal(await within('text', read.promise), 'a cat')
  await waitForNone()
})

t.test('a handler whose client leaves during a preHandler hook reads its files', async (t) => {
  const begun = Promise.withResolvers<void>()
  const read = Promise.withResolvers<string>()
  const waitForClose = async (_request: unknown, { raw }: FastifyReply) => {
    begun.resolve()
    await waitForEvent(raw, 'close')
    // The files would be removed meanwhile.
    await setTimeout(50)
  }
  const { origin, waitForNone } = await startArchive(
    t,
    async ({ body: { photos } }) => {
      read.resolve((await photos[0]?.text().catch((error: Error) => error.message)) ?? '')
      return done
    },
    { routes: { uploadPhotos: { preHandler: waitForClose } } },
  )
  const sent = begin(origin, path, headers)
  sent.end(photo('a', 'a cat') + field('title', 'a') + end)
  await within('hook', begun.promise)
  sent.destroy()
  t.equal(await within('text', read.promise), 'a cat')
  await waitForNone()
})

t.test('the files of a request that a hook ends, rejects or takes over are removed', async (t) => {
  for (const preHandler of [
    async (_request: unknown, reply: FastifyReply) => reply.code(202).send({}),
    async () => {
      throw new Error('it fails')
    },
    async (_request: unknown, reply: FastifyReply) => void reply.hijack().raw.end(),
    async (_request: unknown, reply: FastifyReply) => {
      reply.hijack()
      await setTimeout(50)
      reply.raw.destroy()
    },
  ]) {
    const { getFiles, origin, waitForNone } = await startArchive(t, idle, { routes: { uploadPhotos: { preHandler } } })
    const sent = begin(origin, path, headers)
    sent.write(photo('a', 'a cat'))
    await waitUntil(() => getFiles().length === 1)
    sent.end(field('title', 'a') + end)
    await waitForNone()
    sent.destroy()
  }
})

t.test('the files of a handler that is not async, or throws, are removed', async (t) => {
  const fail = () => {
    throw new Error('it fails')
  }
  for (const [handle, status] of [
    [() => done as never, 200],
    [fail, 500],
  ] as const) {
    const { send, waitForNone } = await startArchive(t, handle)
    t.match(await send(photo('a', 'x') + field('title', 'a') + end), { status })
    await waitForNone()
  }
})

t.test('an app that is closed removes the files of a handler that never returns', async (t) => {
  const begun = Promise.withResolvers<void>()
  const { app, getFiles, origin } = await startArchive(t, async () => {
    begun.resolve()
    return new Promise(() => {})
  })
  const sent = begin(origin, path, headers)
  sent.end(photo('a', 'a cat') + field('title', 'a') + end)
  await within('handler', begun.promise)
  t.equal(getFiles().length, 1)
  sent.destroy()
  await within('end of the app', app.close())
  t.same(getFiles(), [])
})

t.test('a disk that fails is a 503 that tells no path', async (t) => {
  const { send, uploadFolder } = await startArchive(t, async () => done)
  rmSync(uploadFolder, { recursive: true })
  const { status, text } = await send(photo('a', 'x') + field('title', 'a') + end)
  t.match({ status, text }, { status: 503, text: '{"error":"files cannot be stored at the moment"}' })
})

t.test('a file that cannot be removed does not change the response to its request, and is logged', async (t) => {
  const { app, getFiles, origin, uploadFolder } = await startArchive(t, async () => done)
  const errors: unknown[][] = []
  app.log.error = (...parts: unknown[]) => void errors.push(parts)
  const sent = begin(origin, path, headers)
  sent.write(photo('a', 'x'.repeat(100)))
  await waitUntil(() => getFiles().length === 1)
  rmSync(uploadFolder, { recursive: true })
  writeFileSync(uploadFolder, 'no folder')
  sent.end('--XX\r\nno header\r\n\r\n')
  t.match(await readResponse(sent), { status: 400, body: { error: /is not multipart/ } })
  t.match(errors, [[{ err: { code: 'ENOTDIR' } }, 'an uploaded file cannot be removed']])
})

t.test('a folder for uploads that cannot be written is named at the start', async (t) => {
  const handlers = { uploadPhotos: idle }
  // The rights of /proc allow it, and no file can be created there.
  for (const uploadFolder of ['/none', '/proc']) {
    const options = { source: archive, handlers, security: { api_key: nobody }, uploadFolder }
    const [line = ''] = await getRefusal(t, options)
    const message = `files cannot be written to the folder "${uploadFolder}"; create it, or change the option uploadFolder`
    t.equal(line.replace(/^\d+:\d+: /, ''), message)
  }
})

t.test('types for a body that is not streamed are rejected for a stream of bytes, and fit a form', async (t) => {
  const getDigests = async (source: string) =>
    computeDigests(await load(t, source.replace('x-stream: true', 'x-stream: false')))
  const bytesLines = await getRefusal(t, {
    source: bytesSource,
    handlers: { add: idle, list: idle },
    digests: await getDigests(bytesSource),
  })
  t.match(bytesLines, [/the generated types are older than the operation "add"/])
  const handlers = { uploadPhotos: idle }
  const digests = await getDigests(archive)
  t.same(await getRefusal(t, { source: archive, handlers, security: { api_key: nobody }, digests }), [])
})
