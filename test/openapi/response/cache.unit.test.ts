/**
 * The cache of responses.
 */
import t from 'tap'
import { createResponseCache } from '../../../src/openapi/response/cache.ts'

const response = (text: string) => ({ headers: [], text, etag: '"e"' })

t.test('a response is returned until the revision changes', async (t) => {
  let revision: number | undefined = 1
  const cache = createResponseCache(() => revision)
  cache.add('/a', response('a'), cache.revise())
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
  cache.add('/a', response('old'), before)
  t.equal(cache.get('/a'), undefined)
})

t.test('without a revision, nothing is cached', async (t) => {
  const cache = createResponseCache(() => undefined)
  cache.add('/a', response('a'), cache.revise())
  t.equal(cache.get('/a'), undefined)
})

t.test('the cache is bounded: a client that asks for many pages empties it', async (t) => {
  const cache = createResponseCache(() => 1)
  const revision = cache.revise()
  const text = 'x'.repeat(100_000)
  for (let index = 0; index < 30; index++) cache.add(`/${index}`, response(text), revision)
  t.equal(cache.get('/29')?.text, text)
  for (let index = 30; index < 60; index++) cache.add(`/${index}`, response(text), revision)
  t.equal(cache.get('/0'), undefined)
})
