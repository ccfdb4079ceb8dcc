/** Streams of items (OpenAPI 3.2, Sequential Media Types): how they are written, how they wait, and how each of them ends. */
import { EventEmitter, on } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect } from 'node:http2'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import t, { type Test } from 'tap'
import { generateServerTypes } from '../../src/openapi/generate/server.ts'
import { type OpenApiOptions, openapi } from '../../src/openapi/index.ts'
import { computeDigests } from '../../src/openapi/tools.ts'
import { readToEnd, send } from '../helpers/http.ts'
import { waitForEvent, waitUntil, within } from '../helpers/wait.ts'
import { load } from './layer.ts'

const source = readFileSync(join(import.meta.dirname, 'streams.yaml'), 'utf8')
const PATH = '/api/ships/oslo'
const headers = { 'X-Port': 'oslo' }

interface WatchRequest {
  readonly accept: string
  readonly signal: AbortSignal
}

/** Starts the operation with a handler that returns these items. */
async function start(
  t: Test,
  getBody: (request: WatchRequest) => unknown,
  {
    logger,
    addHooks,
    ...options
  }: FastifyServerOptions &
    Pick<OpenApiOptions, 'validateResponses' | 'keepAliveInterval'> & {
      addHooks?: (app: FastifyInstance) => void
    } = {},
) {
  const { validateResponses = false, keepAliveInterval, ...appOptions } = options
  const logged: string[] = []
  const stream = new Writable({
    write(line, _encoding, done) {
      logged.push(String(line))
      done()
    },
  })
  const app = Fastify({ logger: { level: 'warn', stream }, ...appOptions })
  t.teardown(() => app.close())
  addHooks?.(app)
  const watchShips = async (request: WatchRequest) => {
    return { status: 200, contentType: request.accept, headers, body: getBody(request) }
  }
  await app.register(openapi, {
    document: await load(t, source),
    handlers: { watchShips },
    validateResponses,
    ...(keepAliveInterval !== undefined && { keepAliveInterval }),
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, origin, logged }
}

/** Requests the stream; resolves when the headers of the response have arrived. */
async function open(origin: string, accept: string): Promise<IncomingMessage> {
  const sent = request(origin + PATH, { headers: { accept } }).end()
  const [response] = await waitForEvent(sent, 'response')
  return response
}

/** Resolves with the code of the error with which a response ends. */
async function readError(response: IncomingMessage): Promise<unknown> {
  return readToEnd(response).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  )
}

const ships = [
  { imo: 9007199254740993n, owner: 'secret', berth: 7 },
  { imo: 1n, name: 'Fram' },
]

/** Items that come when they are pushed. Counts how often `return()` is called. */
function createFeed() {
  const waiting: ((result: IteratorResult<unknown>) => void)[] = []
  const feed = {
    returns: 0,
    isAwaited: () => waiting.length > 0,
    push: (value: unknown) => waiting.shift()?.({ done: false, value }),
    [Symbol.asyncIterator]: () => feed,
    next: () => new Promise<IteratorResult<unknown>>((resolve) => void waiting.push(resolve)),
    return: async () => {
      feed.returns++
      return { done: true as const, value: undefined }
    },
  }
  return feed
}

for (const [type, items, written] of [
  ['application/jsonl', ships, '{"imo":9007199254740993}\n{"imo":1,"name":"Fram"}\n'],
  ['application/x-ndjson', ships, '{"imo":9007199254740993}\n{"imo":1,"name":"Fram"}\n'],
  ['application/json-seq', ships, '\x1e{"imo":9007199254740993}\n\x1e{"imo":1,"name":"Fram"}\n'],
  ['application/geo+json-seq', [[1.5, 2], []], '\x1e[1.5,2]\n\x1e[]\n'],
  ['application/jsonl', [], ''],
  [
    'text/event-stream',
    [{ event: 'entry', id: '1', retry: 5, data: 'a\nb\r\n c\r' }, { data: '' }, { data: '{"imo":1}', more: 1 }],
    'event: entry\nid: 1\nretry: 5\ndata: a\ndata: b\ndata:  c\ndata: \n\ndata: \n\ndata: {"imo":1}\n\n',
  ],
] as const) {
  t.test(`${items.length} items of ${type} are written by their schema and framed`, async (t) => {
    const { origin } = await start(t, async function* () {
      yield* items
    })
    const response = await send(origin, 'GET', PATH, { headers: { accept: type } })
    t.match(response, {
      status: 200,
      headers: { 'content-type': type, 'x-port': 'oslo', 'cache-control': 'no-store', etag: undefined },
      text: written,
    })
    t.equal(response.text, written)
  })
}

t.test('a condition has no effect on a stream', async (t) => {
  const { origin } = await start(t, async function* () {})
  t.match(await send(origin, 'GET', PATH, { headers: { accept: 'application/jsonl', 'if-none-match': '*' } }), {
    status: 200,
    text: '',
  })
})

t.test('the headers are sent before the first item, and each item when it comes', async (t) => {
  const feed = createFeed()
  const { origin } = await start(t, () => feed)
  const response = await open(origin, 'application/jsonl')
  t.equal(response.statusCode, 200)
  for (const imo of [1n, 2n]) {
    await waitUntil(feed.isAwaited)
    feed.push({ imo })
    t.equal(String(await waitForEvent(response, 'data')), `{"imo":${imo}}\n`)
  }
  response.destroy()
})

for (const [what, type, items, message, validateResponses] of [
  ['has another type', 'application/jsonl', [{ imo: 1n }, { imo: 'x' }], 'item.imo must be of type integer'],
  ['is undefined', 'application/jsonl', [{ imo: 1n }, undefined], 'item must be of type object'],
  ['violates its schema', 'application/jsonl', [{ imo: 1n }, { imo: 1n, name: 'x'.repeat(11) }], '10 characters', true],
  ['has half of a character', 'text/event-stream', [{ data: 'x' }, { data: 'a\ud83d' }], 'no event has this item.data'],
  ['is no event', 'text/event-stream', [{ data: 'x' }, { data: 'x', id: 'a\nb' }], 'no event has this item.id'],
  ['has a negative time', 'text/event-stream', [{ data: 'x' }, { data: 'x', retry: -1 }], 'has this item.retry'],
  [
    'has too long a time',
    'text/event-stream',
    [{ data: 'x' }, { data: 'x', retry: 2n ** 53n + 1n }],
    'this item.retry',
  ],
] as const) {
  t.test(`an item that ${what} ends the connection, so that the client notices, and is logged`, async (t) => {
    let hasReturned = false
    const getItems = async function* () {
      try {
        yield* items
        t.fail('the next item is not asked for')
      } finally {
        hasReturned = true
      }
    }
    const { origin, logged } = await start(t, getItems, { validateResponses: validateResponses ?? false })
    const response = await open(origin, type)
    t.equal(await readError(response), 'ECONNRESET')
    t.equal(response.statusCode, 200)
    t.ok(hasReturned)
    await waitUntil(() => logged.length > 0)
    t.match(logged.join(''), message)
  })
}

t.test('the functions of an iterator need not return promises', async (t) => {
  const iterator = [{ imo: 1n }, { imo: 2n }][Symbol.iterator]()
  const { origin } = await start(t, () => ({ [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) }))
  const response = await send(origin, 'GET', PATH, { headers: { accept: 'application/jsonl' } })
  t.match(response, { status: 200, text: '{"imo":1}\n{"imo":2}\n' })
})

t.test('an iterable that has ended is not ended again', async (t) => {
  const feed = createFeed()
  const next = async () => ({ done: true, value: undefined })
  const { origin } = await start(t, () => Object.assign(feed, { next }))
  t.match(await send(origin, 'GET', PATH, { headers: { accept: 'application/jsonl' } }), { status: 200, text: '' })
  t.equal(feed.returns, 0)
})

t.test('an iterable that has thrown is not ended', async (t) => {
  const feed = createFeed()
  const { origin } = await start(t, () => Object.assign(feed, { next: () => Promise.reject(new Error('no ships')) }))
  t.equal(await readError(await open(origin, 'application/jsonl')), 'ECONNRESET')
  t.equal(feed.returns, 0)
})

t.test('a stream of events over HTTP/2 without TLS ends when the app stops', async (t) => {
  const app = Fastify({ http2: true })
  t.teardown(() => app.close())
  const watchShips = async ({ accept }: WatchRequest) => ({
    status: 200,
    contentType: accept,
    headers,
    body: createFeed(),
  })
  await app.register(openapi, { document: await load(t, source), handlers: { watchShips } })
  const client = connect(await app.listen({ port: 0, host: '127.0.0.1' }))
  t.teardown(() => client.close())
  const stream = client.request({ ':path': PATH, accept: 'text/event-stream' })
  await waitForEvent(stream, 'response')
  const ended = waitForEvent(stream.resume(), 'end')
  await within('end of the app', Promise.all([app.close(), ended]))
})

t.test('a stream over HTTP/2 may wait for longer than the timeout of its response', async (t) => {
  const feed = createFeed()
  const { promise: timedOut, resolve } = Promise.withResolvers<void>()
  const app = Fastify({ http2: true })
  t.teardown(() => app.close())
  app.addHook('onRequest', async (_request, { raw }) => void raw.setTimeout(50))
  // After the listener of the layer.
  app.addHook('onSend', async (_request, { raw }) => void raw.on('timeout', resolve))
  const watchShips = async ({ accept }: WatchRequest) => ({ status: 200, contentType: accept, headers, body: feed })
  await app.register(openapi, { document: await load(t, source), handlers: { watchShips } })
  const client = connect(await app.listen({ port: 0, host: '127.0.0.1' }))
  t.teardown(() => client.destroy())
  const stream = client.request({ ':path': PATH, accept: 'application/jsonl' })
  await waitForEvent(stream, 'response')
  await within('timeout of the response', timedOut)
  feed.push({ imo: 1n })
  t.equal(String(await waitForEvent(stream, 'data')), '{"imo":1}\n')
  client.destroy()
})

t.test('an iterable that throws ends the connection, also before its first item', async (t) => {
  const { origin, logged } = await start(t, async function* () {
    yield* []
    throw new Error('the radar is off')
  })
  t.equal(await readError(await open(origin, 'application/jsonl')), 'ECONNRESET')
  t.match(logged.join(''), 'the radar is off')
})

t.test('a body that is no iterable is a 500', async (t) => {
  for (const body of [ships, 'x', undefined]) {
    const { origin, logged } = await start(t, () => body)
    const response = await send(origin, 'GET', PATH, { headers: { accept: 'application/jsonl' } })
    t.match(response, { status: 500, body: { message: /^Internal Server Error$/ } })
    t.match(logged.join(''), 'invalid response: body must be an async iterable of items, but is of')
  }
})

t.test('an iterable that is not sent ends', async (t) => {
  const feed = createFeed()
  const { origin } = await start(t, () => feed)
  // JSON is negotiated, and an iterable is no array.
  t.match(await send(origin, 'GET', PATH, { headers: { accept: 'application/json' } }), { status: 500 })
  t.equal(feed.returns, 1)
})

t.test('HEAD asks for no item', async (t) => {
  const feed = createFeed()
  let hasBegun = false
  const generate = async function* () {
    hasBegun = true
    yield { imo: 1n }
  }
  const { origin } = await start(t, ({ accept }) => (accept === 'text/event-stream' ? feed : generate()))
  for (const type of ['text/event-stream', 'application/jsonl']) {
    const response = await send(origin, 'HEAD', PATH, { headers: { accept: type } })
    t.match(response, { status: 200, headers: { 'content-type': type, 'x-port': 'oslo' }, text: '' })
  }
  t.strictSame([feed.isAwaited(), feed.returns, hasBegun], [false, 1, false])
})

t.test('a slow client slows the iterable', async (t) => {
  const total = 20_000
  let asked = 0
  const name = 'x'.repeat(5000)
  const { origin } = await start(t, async function* () {
    for (; asked < total; asked++) yield { imo: BigInt(asked), name }
  })
  const response = await open(origin, 'application/jsonl')
  let before = -1
  // What the buffers of the system take is taken in between.
  while (before !== asked) {
    before = asked
    await sleep(200)
  }
  t.ok(asked < total / 2, `${asked} items were asked for`)
  let length = 0
  for await (const chunk of response) length += chunk.length
  t.equal(asked, total)
  t.ok(length > total * name.length)
})

t.test('items that are in memory let other requests run after each 64 KiB', async (t) => {
  const name = 'x'.repeat(1000)
  let [length, longest, isOver] = [0, 0, false]
  const { app } = await start(t, async function* () {
    for (let imo = 0n; imo < 1000n; imo++) {
      longest = Math.max(longest, length)
      length += name.length
      yield { imo, name }
    }
  })
  const beginIteration = () => {
    length = 0
    if (!isOver) setImmediate(beginIteration)
  }
  beginIteration()
  const { payload } = await app.inject({ url: PATH, headers: { accept: 'application/jsonl' } })
  isOver = true
  t.ok(payload.length > 1_000_000)
  t.ok(longest <= 65_536, `${longest} characters`)
})

t.test('a client that leaves ends the iterable, also one that waits for its next item', async (t) => {
  const feed = createFeed()
  const { origin, logged } = await start(t, () => feed)
  const response = await open(origin, 'application/jsonl')
  await waitUntil(feed.isAwaited)
  response.destroy()
  await waitUntil(() => feed.returns === 1)
  // What comes later is dropped.
  feed.push({ imo: 'x' })
  await sleep(50)
  t.strictSame([feed.returns, logged], [1, []])
})

t.test('a client that leaves aborts the signal, which ends what a generator waits for', async (t) => {
  const radar = new EventEmitter()
  let hasReturned = false
  const { origin } = await start(t, async function* ({ signal }) {
    try {
      for await (const [imo] of on(radar, 'ship', { signal })) yield { imo }
    } finally {
      hasReturned = true
    }
  })
  const response = await open(origin, 'application/jsonl')
  await waitUntil(() => radar.listenerCount('ship') > 0)
  radar.emit('ship', 1n)
  await waitForEvent(response, 'data')
  response.destroy()
  await waitUntil(() => hasReturned)
  t.equal(radar.listenerCount('ship'), 0)
})

t.test('the signal is aborted for a client that has left while a hook waited', async (t) => {
  let signal: AbortSignal | undefined
  const { origin } = await start(
    t,
    (watchRequest) => {
      signal = watchRequest.signal
      return []
    },
    {
      addHooks: (app) =>
        void app.addHook('preHandler', async (_request, { raw }) => {
          await waitForEvent(raw, 'close')
        }),
    },
  )
  const sent = request(origin + PATH, { headers: { accept: 'application/jsonl' } }).end()
  sent.on('error', () => {})
  await waitForEvent(sent, 'socket')
  setTimeout(() => sent.destroy(), 200)
  await waitUntil(() => signal?.aborted)
})

t.test('a hook may send something in place of a stream, which ends', async (t) => {
  const feed = createFeed()
  const { origin, logged } = await start(t, () => feed, {
    addHooks: (app) => void app.addHook('onSend', async () => 'replaced'),
  })
  const response = await open(origin, 'application/jsonl')
  t.equal(await readToEnd(response), 'replaced')
  // Its error ends no process, although nobody reads it.
  await waitUntil(() => feed.returns === 1)
  t.strictSame(logged, [])
})

t.test('a stream may wait for longer than the timeout of connections', async (t) => {
  const feed = createFeed()
  const { origin } = await start(t, () => feed, { connectionTimeout: 50 })
  const response = await open(origin, 'application/jsonl')
  for (const imo of [1n, 2n]) {
    await waitUntil(feed.isAwaited)
    await sleep(300)
    feed.push({ imo })
    t.equal(String(await waitForEvent(response, 'data')), `{"imo":${imo}}\n`)
  }
  response.destroy()
})

t.test('a client that does not read loses its connection after the timeout', async (t) => {
  let hasReturned = false
  const getItems = async function* () {
    try {
      for (;;) yield { imo: 1n, name: 'x'.repeat(100_000) }
    } finally {
      hasReturned = true
    }
  }
  const { origin } = await start(t, getItems, { connectionTimeout: 100 })
  await open(origin, 'application/jsonl')
  await waitUntil(() => hasReturned)
})

t.test('a stream of events that waits sends comments, between its events', async (t) => {
  const feed = createFeed()
  const { origin } = await start(t, () => feed, { keepAliveInterval: 10 })
  const response = await open(origin, 'text/event-stream')
  let text = ''
  response.on('data', (chunk) => {
    text += chunk
  })
  for (const data of ['a', 'b']) {
    await waitUntil(() => /(^|\n\n):\n:\n/.test(text) && feed.isAwaited())
    feed.push({ data })
    await waitUntil(() => text.endsWith(`data: ${data}\n\n`) || text.includes(`data: ${data}\n\n:`))
    t.match(text, /^(:\n|data: a\n\n|data: b\n\n)+$/)
  }
  response.destroy()
  await waitUntil(() => feed.returns === 1)
})

t.test('streams of JSON, and of events with an interval of 0, send no comments', async (t) => {
  for (const [type, keepAliveInterval] of [
    ['application/jsonl', 10],
    ['text/event-stream', 0],
  ] as const) {
    const { origin } = await start(t, createFeed, { keepAliveInterval })
    const response = await open(origin, type)
    response.on('data', (chunk) => t.fail(String(chunk)))
    await sleep(100)
    response.destroy()
  }
})

t.test('comments do not keep the connection of a client that does not read', async (t) => {
  let raw: ServerResponse | undefined
  let hasReturned = false
  const getEvents = async function* ({ signal }: WatchRequest) {
    try {
      do {
        yield { data: 'x'.repeat(1000) }
        // Until then, the response may have written nothing.
        await new Promise(setImmediate)
      } while (raw?.writableLength === 0)
      await waitForEvent(signal as never, 'abort')
    } finally {
      hasReturned = true
    }
  }
  const { app, origin } = await start(t, getEvents, { connectionTimeout: 100, keepAliveInterval: 10 })
  app.server.on('request', (_request, response) => {
    raw = response
  })
  await open(origin, 'text/event-stream')
  await waitUntil(() => hasReturned)
})

t.test('a stream of events ends when the app stops', async (t) => {
  const feed = createFeed()
  const { app, origin, logged } = await start(t, () => feed)
  const response = await open(origin, 'text/event-stream')
  await waitUntil(feed.isAwaited)
  feed.push({ data: 'a' })
  await waitForEvent(response, 'data')
  const ended = readToEnd(response)
  await within('end of the app', app.close())
  t.equal(await ended, '')
  t.strictSame([feed.returns, logged], [1, []])
})

t.test('a stream of JSON can send its rest when the app stops', async (t) => {
  const { app, origin } = await start(t, async function* ({ signal }) {
    yield { imo: 1n }
    await waitForEvent(signal as never, 'abort')
    yield { imo: 2n }
  })
  const response = await open(origin, 'application/jsonl')
  const whole = readToEnd(response)
  await within('end of the app', app.close())
  t.equal(await whole, '{"imo":1}\n{"imo":2}\n')
})

t.test('a stream of JSON without an end fails when the app stops', async (t) => {
  const feed = createFeed()
  const { app, origin } = await start(t, () => feed)
  const response = await open(origin, 'application/jsonl')
  const error = readError(response)
  await within('end of the app', app.close())
  t.equal(await error, 'ECONNRESET')
  t.equal(feed.returns, 1)
})

t.test('a handler returns items of the type of their schema', async (t) => {
  const types = generateServerTypes(await load(t, source), [])
  t.match(types, 'readonly contentType: "application/jsonl"; readonly body: AsyncIterable<Ship>;')
  t.match(types, 'readonly contentType: "text/event-stream"; readonly body: AsyncIterable<EventSchema>;')
  t.match(types, 'readonly signal: AbortSignal')
})

t.test('another type of items makes the generated types stale', async (t) => {
  const [before, after] = await Promise.all(
    [source, source.replace('items: { type: number }', 'items: { type: string }')].map(async (text) =>
      computeDigests(await load(t, text)),
    ),
  )
  t.not(before?.operations.watchShips, after?.operations.watchShips)
})
