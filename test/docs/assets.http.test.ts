/**
 * The files of the documentation page as they are sent: compressed, validated by their ETags, and from memory.
 */
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import t from 'tap'
import { addDocs } from '../../src/http/docs.ts'
import { loadDocument } from '../../src/openapi/index.ts'
import { send } from '../helpers/http.ts'
import { contractFile, startService } from '../helpers/service.ts'

/** What a browser loads: the page, what the page names, and the spec. */
async function findPaths(origin: string): Promise<string[]> {
  const { text } = await send(origin, 'GET', '/docs')
  const named = [...text.matchAll(/<(?:link|script) [^>]*(?:href|src)="([^"]+)"/g)].map(([, path]) => String(path))
  return ['/docs', ...named, '/docs/json']
}

/** Sends a request, and takes the body as it comes. */
async function getBytes(origin: string, path: string, coding: string) {
  const sent = request(origin + path, { agent: false, headers: { 'accept-encoding': coding } }).end()
  const [{ statusCode, headers }, bytes] = await new Promise<[IncomingMessage, Buffer]>((resolve, reject) => {
    sent.on('response', (response) => buffer(response).then((body) => resolve([response, body]), reject))
    sent.on('error', reject)
  })
  return { status: statusCode, bytes, coding: headers['content-encoding'], vary: headers.vary, etag: headers.etag }
}

t.test('the page and its files are at most 600 KB, compressed', async (t) => {
  const { origin } = await startService(t)
  const paths = await findPaths(origin)
  t.ok(paths.includes('/docs/static/swagger-ui-bundle.js'))
  for (const encoding of ['br', 'gzip']) {
    const responses = await Promise.all(paths.map((path) => getBytes(origin, path, encoding)))
    t.same(
      responses.map(({ status, coding, vary }) => [status, coding, vary]),
      paths.map(() => [200, encoding, 'Accept-Encoding']),
    )
    const total = responses.reduce((sum, { bytes }) => sum + bytes.length, 0)
    t.ok(total > 100_000 && total < 600_000, `${total} bytes in ${encoding}`)
  }
})

t.test('each file has the media type of its name', async (t) => {
  const { origin } = await startService(t)
  const types = {
    css: /^text\/css/,
    js: /^application\/javascript/,
    svg: /^image\/svg\+xml/,
    json: /^application\/json/,
  }
  for (const path of await findPaths(origin)) {
    const { headers } = await send(origin, 'HEAD', path)
    const [extension = ''] = /[^./]+$/.exec(path) ?? []
    t.match(headers['content-type'], types[extension as keyof typeof types] ?? /^text\/html/, path)
  }
})

t.test('a browser that has the files gets 304 for each, without a body', async (t) => {
  const { origin } = await startService(t)
  for (const path of [...(await findPaths(origin)), '/docs/openapi.yaml']) {
    const headers = { 'accept-encoding': 'gzip' }
    const first = await send(origin, 'GET', path, { headers })
    t.equal(first.headers['cache-control'], 'no-cache')
    const again = await send(origin, 'GET', path, { headers: { ...headers, 'if-none-match': first.headers.etag } })
    t.match(again, { status: 304, text: '', headers: { etag: first.headers.etag, vary: 'Accept-Encoding' } }, path)
    t.equal((await send(origin, 'GET', path, { headers: { ...headers, 'if-none-match': '"another"' } })).status, 200)
  }
})

t.test('each content coding has its own ETag, and stands for the same bytes', async (t) => {
  const { origin } = await startService(t)
  const path = '/docs/static/swagger-ui.css'
  const plain = await send(origin, 'GET', path)
  t.match(plain.text, /^@layer swagger-ui\{/)
  t.equal(plain.headers['content-encoding'], undefined)
  const tags = new Set([plain.headers.etag])
  for (const [coding, decompress] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const { bytes, etag } = await getBytes(origin, path, coding)
    t.equal(decompress(bytes).toString(), plain.text)
    tags.add(etag)
  }
  t.equal(tags.size, 3)
})

t.test('the coding that the client likes best is sent, and of several the smallest', async (t) => {
  const { origin } = await startService(t)
  for (const [accepted, sent] of [
    ['gzip, deflate, br', 'br'],
    ['gzip;q=0.5, br;q=0.1', 'gzip'],
    ['gzip; q=0.5, BR ;q=0.500', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.0, gzip;q=0', undefined],
    ['identity, br;q=0.9', undefined],
    ['*', 'br'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['*;q=0', undefined],
    ['deflate, zstd', undefined],
    ['', undefined],
  ] as const) {
    const { headers } = await send(origin, 'HEAD', '/docs/json', { headers: { 'accept-encoding': accepted } })
    t.equal(headers['content-encoding'], sent, accepted)
  }
})

t.test('a Vary that a hook has set stays', async (t) => {
  const app = Fastify()
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('Vary', 'Origin')
    done()
  })
  addDocs(app, {
    document: await loadDocument(contractFile),
    servers: {},
    publicPath: '',
    publicBasePath: '/v1',
  })
  t.equal((await app.inject('/docs')).headers.vary, 'Origin, Accept-Encoding')
})

t.test('the first requests, at once, get the same', async (t) => {
  const { origin } = await startService(t)
  const responses = await Promise.all(Array.from({ length: 20 }, () => send(origin, 'GET', '/docs')))
  t.equal(new Set(responses.map(({ headers }) => headers.etag)).size, 1)
  t.match(responses[0]?.text, '<meta name="viewport" content="width=device-width, initial-scale=1">')
})

t.test('after a file that could not be rendered, the next request renders it', async (t) => {
  let isBroken = true
  const document = await loadDocument(contractFile)
  const toJSON = () => {
    if (isBroken) throw new Error('out of memory')
    return document.root
  }
  const app = Fastify()
  const broken = { ...document, root: Object.assign({}, document.root, { toJSON }) }
  addDocs(app, { document: broken, servers: {}, publicPath: '', publicBasePath: '/v1' })
  t.equal((await app.inject('/docs/openapi.json')).statusCode, 500)
  isBroken = false
  const { statusCode, body } = await app.inject('/docs/openapi.json')
  t.equal(statusCode, 200)
  t.match(JSON.parse(body), { openapi: '3.1.0' })
})
