/**
 * The cache of responses.
 */
import t from 'tap'
import { createResponseCache, type Revision } from '../../../src/openapi/response/respond.ts'

type ResponseCache = ReturnType<typeof createResponseCache>

const response = (text: string) => ({ status: 200, headers: [], text, etag: '"e"' })

/** Adds a response as the second request for its URL does. */
function addAgain(cache: ResponseCache, url: string, text: string, revision: Revision): void {
  cache.add(url, response(text), revision)
  cache.add(url, response(text), revision)
}

t.test('a response is returned until the revision changes', async (t) => {
  let revision: number | undefined = 1
  const cache = createResponseCache(() => revision)
  addAgain(cache, '/a', 'a', cache.revise())
  t.equal(cache.revise(), 1)
  t.equal(cache.get('/a')?.text, 'a')
  t.equal(cache.get('/b'), undefined)
  revision = 2
  cache.revise()
  t.equal(cache.get('/a'), undefined)
})

t.test('a response of an older revision than the current one is not added', async (t) => {
  let revision = 1
  const cache = createResponseCache(() => revision)
  const before = cache.revise()
  revision = 2
  cache.revise()
  addAgain(cache, '/a', 'old', before)
  t.equal(cache.get('/a'), undefined)
})

t.test('without a revision, nothing is cached', async (t) => {
  const cache = createResponseCache(() => undefined)
  addAgain(cache, '/a', 'a', cache.revise())
  t.equal(cache.get('/a'), undefined)
})

t.test('the cache is bounded: a client that asks for many pages empties it', async (t) => {
  const cache = createResponseCache(() => 1)
  const revision = cache.revise()
  const text = 'x'.repeat(100_000)
  for (let index = 0; index < 30; index++) addAgain(cache, `/${index}`, text, revision)
  t.equal(cache.get('/29')?.text, text)
  for (let index = 30; index < 60; index++) addAgain(cache, `/${index}`, text, revision)
  t.equal(cache.get('/0'), undefined)
})

t.test('a response is cached from the second request for its URL on', async (t) => {
  const cache = createResponseCache(() => 1)
  const revision = cache.revise()
  cache.add('/a', response('a'), revision)
  t.equal(cache.get('/a'), undefined)
  // A walk through many pages, each of them once.
  for (let index = 0; index < 1000; index++) cache.add(`/${index}`, response('page'), revision)
  cache.add('/a', response('a'), revision)
  t.equal(cache.get('/a'), undefined, 'the first request is too long ago')
  cache.add('/a', response('a'), revision)
  t.equal(cache.get('/a')?.text, 'a')
})
