/** The files of the documentation page as they are sent: compressed, validated by their ETags, and from memory. */
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import t from 'tap'
import { addDocs } from '../../src/http/docs.ts'
import { loadDocument } from '../../src/openapi/index.ts'
import { send } from '../helpers/http.ts'
import { contractFile, startService } from '../helpers/service.ts'
import { within } from '../helpers/wait.ts'

/** What a browser loads: the page, what the page names, and the spec. */
async function findPaths(origin: string): Promise<string[]> {
  const { text } = await send(origin, 'GET', '/docs')
  const named = [...text.matchAll(/<(?:link|script) [^>]*(?:href|src)="([^"]+)"/g)].map(([, path]) => String(path))
  return ['/docs', ...named, '/docs/json']
}

/** Sends a request, and takes the body as it comes. */
async function getBytes(origin: string, path: string, coding: string) {
  const sent = request(origin + path, { agent: false, headers: { 'accept-encoding': coding } }).end()
  const [{ statusCode, headers }, bytes] = await within(
    `response of ${path}`,
    new Promise<[IncomingMessage, Buffer]>((resolve, reject) => {
      sent.on('response', (response) => buffer(response).then((body) => resolve([response, body]), reject))
      sent.on('error', reject)
    }),
  )
  return { status: statusCode, bytes, headers, coding: headers['content-encoding'], vary: headers.vary }
}

t.test('the page and its files are at most 600 KB, compressed, and get 304 when they are repeated', async (t) => {
  const { origin } = await startService(t)
  // The first requests, at once, get the same.
  const responses = await Promise.all(Array.from({ length: 20 }, () => send(origin, 'GET', '/docs')))
  t.equal(new Set(responses.map(({ headers }) => headers.etag)).size, 1)
  const types: Record<string, RegExp> = {
    css: /^text\/css/,
    js: /^application\/javascript/,
    svg: /^image\/svg\+xml/,
    json: /^application\/json/,
    yaml: /^application\/yaml/,
  }
  const paths = [...(await findPaths(origin)), '/docs/openapi.yaml']
  t.ok(paths.includes('/docs/static/swagger-ui-bundle.js'))
  const coding = 'gzip'
  let total = 0
  for (const path of paths) {
    const { bytes, headers, ...first } = await getBytes(origin, path, coding)
    t.strictSame(first, { status: 200, coding, vary: 'Accept-Encoding' }, path)
    t.equal(headers['cache-control'], 'no-cache')
    t.match(headers['content-type'], types[/[^./]+$/.exec(path)?.[0] ?? ''] ?? /^text\/html/, path)
    if (path !== '/docs/openapi.yaml') total += bytes.length
    for (const [tag, status] of [
      [headers.etag, 304],
      ['"another"', 200],
    ] as const) {
      const repeated = { 'accept-encoding': coding, 'if-none-match': tag }
      const again = await send(origin, 'GET', path, { headers: repeated })
      t.match(again, { status, headers: { etag: headers.etag, vary: 'Accept-Encoding' } }, path)
      if (status === 304) t.equal(again.text, '')
    }
  }
  t.ok(total > 100_000 && total < 600_000, `${total} bytes`)
})

t.test('each content coding has its own ETag, and stands for the same bytes', async (t) => {
  const { origin } = await startService(t)
  const path = '/docs/static/swagger-ui.css'
  const plain = await send(origin, 'GET', path)
  t.match(plain.text, /^@layer swagger-ui\{/)
  t.equal(plain.headers['content-encoding'], undefined)
  const { bytes, headers } = await getBytes(origin, path, 'gzip')
  t.equal(gunzipSync(bytes).toString(), plain.text)
  t.not(headers.etag, plain.headers.etag)
})

t.test('gzip is sent to a client that accepts it', async (t) => {
  const { origin } = await startService(t)
  for (const [accepted, sent] of [
    ['gzip, deflate, br', 'gzip'],
    ['br;q=0.1, gzip;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
    ['br, gzip;q=0', undefined],
    ['br, gzip; q=0.0, deflate', undefined],
    ['br', undefined],
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
