/** Responses that the service sends again while its data is the same. */
import t, { type Test } from 'tap'
import { cacheResponses, createResponseCache } from '../../src/http/response-cache.ts'
import type { OpenApiOptions } from '../../src/openapi/index.ts'
import { createLayer } from '../openapi/layer.ts'

const source = `openapi: 3.1.0
info: { title: Words, version: 1.0.0 }
paths:
  /words:
    get:
      operationId: listWords
      deprecated: true
      parameters: [{ name: limit, in: query, schema: { type: integer, maximum: 9 } }]
      responses:
        "200":
          description: All words.
          headers: { Link: { schema: { type: string } }, X-Total: { required: true, schema: { type: integer } } }
          content: { application/json: { schema: { type: array, items: { type: string } } } }
        "304": { description: Not modified. }
`

/** Starts an app with cached words. `data` is their state, and counts the calls of the handler. */
async function start(t: Test, options: Partial<OpenApiOptions> = {}) {
  const data = { revision: 1, calls: 0, isBroken: false }
  const getRevision = () => {
    if (data.isBroken) throw new Error('the disk is gone')
    return data.revision
  }
  const app = await createLayer(t, {
    source,
    handlers: {
      listWords: async ({ query }: { query: { limit?: number } }) => {
        data.calls++
        return {
          status: 200,
          body: [String(query.limit)],
          headers: { Link: '</words?limit=9>; rel="next"', 'X-Total': 9 },
        }
      },
    },
    getDocumentationUrl: () => '/docs',
    routes: { listWords: cacheResponses((read) => setImmediate(read), getRevision) },
    ...options,
  })
  return { app, data }
}

t.test('a response is sent again from the third request on, with its headers, until the data changes', async (t) => {
  const { app, data } = await start(t)
  const { headers } = await app.inject('/words?limit=3')
  const { etag, link, 'content-type': type } = headers
  t.match(link, /rel="next".*rel="deprecation"/)
  const again = { statusCode: 200, body: '["3"]', headers: { etag, link, 'content-type': type, 'x-total': '9' } }
  for (let count = 0; count < 3; count++) t.match(await app.inject('/words?limit=3'), again)
  t.equal(data.calls, 2)
  const conditional = { url: '/words?limit=3', headers: { 'if-none-match': String(etag) } }
  t.match(await app.inject(conditional), { statusCode: 304, body: '', headers: { etag } })
  t.match(await app.inject({ ...conditional, method: 'HEAD' }), { statusCode: 304, body: '' })
  t.match(await app.inject('/words?limit=4'), { body: '["4"]' })
  t.equal(data.calls, 3)
  data.revision = 2
  t.match(await app.inject('/words?limit=3'), again)
  t.equal(data.calls, 4)
})

t.test(
  'a response that a 304 adds to the cache has all its headers, and those that are not declared are not sent',
  async (t) => {
    const headers = { 'X-Total': 9, Link: '</words?limit=9>; rel="next"', 'X-Secret': 'a' }
    const listWords = async () => ({ status: 200, body: ['a'], headers })
    const { app } = await start(t, { handlers: { listWords } })
    const first = await app.inject('/words')
    const etag = String(first.headers.etag)
    t.equal((await app.inject({ url: '/words', headers: { 'if-none-match': etag } })).statusCode, 304)
    const { date: _date, ...cachedHeaders } = (await app.inject('/words')).headers
    t.match(first.headers, cachedHeaders)
    t.match(cachedHeaders, { etag, 'x-total': '9', link: /rel="next".*rel="deprecation"/, 'x-secret': undefined })
  },
)

t.test('a state of the data that cannot be read is an error of each request that waits for it', async (t) => {
  const { app, data } = await start(t)
  data.isBroken = true
  const responses = await Promise.all([app.inject('/words'), app.inject('/words')])
  for (const { statusCode, body } of responses) {
    t.strictSame({ statusCode, body }, { statusCode: 500, body: '{"error":"the disk is gone"}' })
  }
  data.isBroken = false
  t.equal((await app.inject('/words')).statusCode, 200)
})

t.test('a hook before the cache may respond in place of a cached response, also to HEAD', async (t) => {
  let isClosed = false
  const { preHandler, ...hooks } = cacheResponses(
    (read) => read(),
    () => 1,
  )
  const close: typeof preHandler = (_request, reply, done) => {
    if (isClosed) reply.code(418).send({ error: 'closed' })
    else done()
  }
  const { app, data } = await start(t, { routes: { listWords: { ...hooks, preHandler: [close, preHandler] } } })
  for (const _time of [1, 2, 3]) t.equal((await app.inject('/words')).body, '["undefined"]')
  t.equal(data.calls, 2)
  isClosed = true
  t.match(await app.inject('/words'), { statusCode: 418, body: '{"error":"closed"}' })
  t.equal((await app.inject({ method: 'HEAD', url: '/words' })).statusCode, 418)
})

/** A cache whose revision is that of the data, and how a response is added by the second request for its URL. */
function useCache(data: { revision: number | undefined }) {
  const cache = createResponseCache(() => data.revision)
  const get = (url: string) => cache.get(url)?.text
  const add = (url: string, text: string, revision: number | undefined) =>
    cache.add(url, revision, { text, headers: {}, input: undefined })
  const addTwice = (...args: Parameters<typeof add>) => {
    add(...args)
    add(...args)
  }
  return { dropStale: cache.dropStale, get, add, addTwice }
}

t.test('a cached response is that of the current revision; without one, nothing is cached', async (t) => {
  const data: { revision: number | undefined } = { revision: 1 }
  const { dropStale, get, addTwice } = useCache(data)
  const first = dropStale()
  addTwice('/a', 'a', first)
  t.equal(dropStale(), 1)
  t.strictSame([get('/a'), get('/b')], ['a', undefined])
  data.revision = 2
  dropStale()
  t.equal(get('/a'), undefined)
  addTwice('/a', 'old', first)
  t.equal(get('/a'), undefined)
  data.revision = undefined
  addTwice('/a', 'a', dropStale())
  t.equal(get('/a'), undefined)
})

t.test('the cache is bounded, and has responses from the second request for their URL on', async (t) => {
  const { dropStale, get, add, addTwice } = useCache({ revision: 1 })
  const revision = dropStale()
  add('/a', 'a', revision)
  t.equal(get('/a'), undefined)
  // A walk through many pages, each of them once.
  for (let index = 0; index < 1000; index++) add(`/${index}`, 'page', revision)
  add('/a', 'a', revision)
  t.equal(get('/a'), undefined, 'the first request is too long ago')
  add('/a', 'a', revision)
  t.equal(get('/a'), 'a')
  const text = 'x'.repeat(100_000)
  for (let index = 0; index < 30; index++) addTwice(`/large/${index}`, text, revision)
  t.equal(get('/large/29'), text)
  for (let index = 30; index < 60; index++) addTwice(`/large/${index}`, text, revision)
  t.equal(get('/large/0'), undefined)
})

t.test('a response that concurrent requests add counts once towards the bound', async (t) => {
  const { dropStale, get, add, addTwice } = useCache({ revision: 1 })
  const revision = dropStale()
  addTwice('/a', 'a', revision)
  const text = 'x'.repeat(100_000)
  for (let count = 0; count < 100; count++) add('/large', text, revision)
  t.strictSame([get('/a'), get('/large')], ['a', text])
})
