/**
 * The cache of responses.
 */
import t from 'tap'
import { createResponseCache, type Revision } from '../../../src/openapi/response/cache.ts'

type ResponseCache = ReturnType<typeof createResponseCache>

const entry = (text: string) => ({ input: {} as never, result: { body: text, headers: {}, text, etag: '"e"' } })

/** Adds a response as the second request for its URL does. */
function addAgain(cache: ResponseCache, url: string, text: string, revision: Revision): void {
  cache.add(url, entry(text), revision)
  cache.add(url, entry(text), revision)
}

t.test('a response is returned until the revision changes', async (t) => {
  let revision: number | undefined = 1
  const cache = createResponseCache(() => revision)
  addAgain(cache, '/a', 'a', cache.dropStale())
  t.equal(cache.dropStale(), 1)
  t.equal(cache.get('/a')?.result.text, 'a')
  t.equal(cache.get('/b'), undefined)
  revision = 2
  cache.dropStale()
  t.equal(cache.get('/a'), undefined)
})

t.test('a response of an older revision than the current one is not added', async (t) => {
  let revision = 1
  const cache = createResponseCache(() => revision)
  const before = cache.dropStale()
  revision = 2
  cache.dropStale()
  addAgain(cache, '/a', 'old', before)
  t.equal(cache.get('/a'), undefined)
})

t.test('without a revision, nothing is cached', async (t) => {
  const cache = createResponseCache(() => undefined)
  addAgain(cache, '/a', 'a', cache.dropStale())
  t.equal(cache.get('/a'), undefined)
})

t.test('the cache is bounded: a client that asks for many pages empties it', async (t) => {
  const cache = createResponseCache(() => 1)
  const revision = cache.dropStale()
  const text = 'x'.repeat(100_000)
  for (let index = 0; index < 15; index++) addAgain(cache, `/${index}`, text, revision)
  t.equal(cache.get('/14')?.result.text, text)
  for (let index = 15; index < 30; index++) addAgain(cache, `/${index}`, text, revision)
  t.equal(cache.get('/0'), undefined)
})

t.test('a response is cached from the second request for its URL on', async (t) => {
  const cache = createResponseCache(() => 1)
  const revision = cache.dropStale()
  cache.add('/a', entry('a'), revision)
  t.equal(cache.get('/a'), undefined)
  // A walk through many pages, each of them once.
  for (let index = 0; index < 1000; index++) cache.add(`/${index}`, entry('page'), revision)
  cache.add('/a', entry('a'), revision)
  t.equal(cache.get('/a'), undefined, 'the first request is too long ago')
  cache.add('/a', entry('a'), revision)
  t.equal(cache.get('/a')?.result.text, 'a')
})
