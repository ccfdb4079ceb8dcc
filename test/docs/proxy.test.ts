/**
 * The service behind a real nginx, with docs/nginx.conf: every reference in a response leads somewhere, through the proxy,
 * and instances are replaced without a failed request.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createTraffic, startInstance } from '../faults/traffic.ts'
import { sqlite } from '../helpers/databases.ts'
import { type HttpResponse, readResponse, readToEnd } from '../helpers/http.ts'
import { findFreePort } from '../helpers/port.ts'
import { startCommand } from '../helpers/process.ts'
import { findProgram, skipLoudly } from '../helpers/program.ts'
import { addStream, type Service, type ServiceOptions, startService } from '../helpers/service.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitForEvent, waitUntil } from '../helpers/wait.ts'

const config = readFileSync(join(import.meta.dirname, '../../docs/nginx.conf'), 'utf8')

const sourceWithStream = addStream('{ text/event-stream: { itemSchema: { type: object } } }')

interface Way {
  readonly name: string
  readonly options: ServiceOptions
  /** The scheme and path of the public URL, and the port that docs/nginx.conf has for it. */
  readonly scheme: 'http' | 'https'
  readonly path: string
  readonly port: number
}

const shop = { publicUrl: 'https://shop.example/animals' }
const deployments = (path: string) => ({
  base_url: `https://shop.example${path}`,
  staging_base_url: `https://staging.example${path}`,
})
const TAKES_OFF = { scheme: 'http', path: '/animals', port: 8081 } as const
const KEEPS = { scheme: 'http', path: '/animals', port: 8082 } as const
const keepsPath: Way = { name: 'keeps its path', options: shop, ...KEEPS }
const endsTls: Way = { name: 'ends TLS', options: {}, scheme: 'https', path: '', port: 443 }
const ways: readonly Way[] = [
  endsTls,
  { name: 'takes its path off', options: shop, ...TAKES_OFF },
  keepsPath,
  {
    name: 'takes its path off, which BASE_URL has too',
    options: { ...shop, servers: deployments('/animals/v1') },
    ...TAKES_OFF,
  },
  { name: 'keeps the path of an API without one', options: { ...shop, servers: deployments('/animals') }, ...KEEPS },
]

const [nginx, openssl] = ['nginx', 'openssl'].map(findProgram)
if (nginx === undefined || openssl === undefined) {
  skipLoudly('behind nginx', 'NO PROXY IS TESTED: there is no nginx or no openssl; install nginx-light and openssl')
} else {
  const certificate = await createCertificate(t, openssl)
  for (const way of ways) {
    t.test(`references are right behind a proxy that ${way.name}`, async (t) => {
      const service = await startService(t, { ...way.options, trustProxy: ['127.0.0.1'] })
      const { url } = await startNginx(t, nginx, [service.origin, service.origin], way, certificate)
      await passes(t, service, way, new URL(`${url}/`))
    })
  }

  t.test('a request to port 80 is redirected to TLS, with its method, and to no other host', async (t) => {
    const { origin } = await startService(t)
    const { plainUrl } = await startNginx(t, nginx, [origin, origin], endsTls, certificate)
    const headers = { host: 'other.example' }
    const { status, headers: sent } = await call('POST', new URL('/v1/pets?limit=1', plainUrl), headers, {})
    t.strictSame([status, sent.location], [308, 'https://animals.example/v1/pets?limit=1'])
  })

  t.test('one address has at most 32 requests in progress, and keeps no other from being served', async (t) => {
    const { origin, key } = await startService(t, keepsPath.options)
    const { url } = await startNginx(t, nginx, [origin, origin], keepsPath, certificate)
    const headers = { authorization: `Bearer ${key}` }
    const begin = () => requestHttp(`${url}/livez`, { method: 'POST', headers: { 'content-length': 9 }, agent: false })
    const unfinished = Array.from({ length: 32 }, begin)
    for (const request of unfinished) request.on('error', () => {}).flushHeaders()
    t.teardown(() => {
      for (const request of unfinished) request.destroy()
    })
    const list = (localAddress: string) =>
      readResponse(requestHttp(`${url}/v1/pets`, { headers, localAddress, agent: false }).end())
    await waitUntil(async () => (await list('127.0.0.1')).status === 503)
    t.equal((await list('127.0.0.2')).status, 200)
    unfinished[0]?.destroy()
    await waitUntil(async () => (await list('127.0.0.1')).status === 200)
  })

  for (const version of ['1.1', '1.0']) {
    t.test(`a stream that fails is cut off behind nginx, which sends HTTP/${version} to the service`, async (t) => {
      const received = Promise.withResolvers<void>()
      const watchBirths = async () => ({ status: 200, body: failAfter(received.promise) })
      const service = await startService(t, {
        source: sourceWithStream,
        extend: (_app, layer) => ({ ...layer, handlers: { ...layer.handlers, watchBirths } }),
      })
      const origins = [service.origin, service.origin]
      const edit = (text: string) =>
        text.replace('proxy_http_version 1.1', `proxy_buffering off; proxy_http_version ${version}`)
      const { url } = await startNginx(t, nginx, origins, endsTls, certificate, edit)
      const sent = requestHttps(`${url}/v1/births`, { rejectUnauthorized: false }).end()
      const [response] = (await waitForEvent(sent, 'response')) as [IncomingMessage]
      response.once('data', () => received.resolve())
      await t.rejects(readToEnd(response), { code: 'ECONNRESET' })
    })
  }

  t.test('two rolling restarts of two instances on one file fail no request and lose no animal', async (t) => {
    const databaseUrl = await sqlite.fresh(t)
    const env = { PUBLIC_URL: shop.publicUrl, STOP_DELAY: '1000' }
    const start = (port: number) => startInstance(t, databaseUrl, { env: { ...env, PORT: String(port) } })
    const ports = [await findFreePort(), await findFreePort()]
    const instances = await Promise.all(ports.map(start))
    const origins = instances.map(({ origin }) => origin)
    const { url: proxy } = await startNginx(t, nginx, origins, keepsPath, certificate)
    const traffic = createTraffic(t)
    const stop = traffic.run(() => proxy, { clients: 2 })
    await traffic.until(() => traffic.outcomes.length > 100)
    for (const index of [0, 1, 0, 1]) {
      instances[index]?.kill('SIGTERM')
      t.match(await instances[index]?.waitForEnd(), { status: 0, stderr: '' })
      // The other one is stopped as soon as this one listens.
      instances[index] = await start(ports[index] as number)
    }
    const { length } = traffic.outcomes
    await traffic.until(() => traffic.outcomes.length > length + 100)
    await stop()
    const failed = traffic.outcomes.filter(({ response }) => response?.status !== 200 && response?.status !== 201)
    t.equal(failed.length, 0)
    t.match(await traffic.passes(String(origins[0])), { unknown: 0 })
  })
}

/** Sends an event, and fails when the client has it. */
async function* failAfter(received: Promise<void>) {
  yield { data: 'Rex' }
  await received
  throw new Error('the stable is closed')
}

/** Walks from the root of the service as clients see it to everything that responses refer to. */
async function passes(t: Test, { key, logged }: Service, { path, options }: Way, root: URL): Promise<void> {
  const base = options.servers?.base_url === 'https://shop.example/animals' ? path : `${path}/v1`
  const authorization = `Bearer ${key}`
  const get = (url: URL, headers = {}) => call('GET', url, { authorization, ...headers })

  const pets = new URL(`${base}/pets`, root)
  for (const name of ['Rex', 'Tom', 'Kit']) {
    const headers = { authorization, 'content-type': 'application/json' }
    const added = await call('POST', pets, headers, { name, categoryId: 1 })
    t.equal(added.status, 201)
    const location = new URL(String(added.headers.location), pets)
    t.equal(location.origin, root.origin)
    t.match((await get(location)).body, { name })
  }

  const names: unknown[] = []
  let page: URL | undefined = new URL('?limit=2', pets)
  while (page !== undefined) {
    const response = await get(page)
    t.equal(response.status, 200)
    names.push(...(response.body as { name: string }[]).map(({ name }) => name))
    const next: string | undefined = /<([^>]+)>; rel="next"/.exec(response.headers.link ?? '')?.[1]
    page = next === undefined ? undefined : new URL(next, page)
  }
  t.same(names, ['Rex', 'Tom', 'Kit'])

  const pet = new URL(`${base}/pets/1`, root)
  const links = [...String((await get(pet)).headers.link).matchAll(/<([^>]+)>/g)].map(([, url]) => String(url))
  t.ok(links.length > 0)
  for (const link of links) t.equal((await get(new URL(link, pet))).status, 200, link)

  // A person who follows the redirect sees the docs, whose files are all there.
  const redirect = await get(root)
  t.equal(redirect.status, 302)
  const docs = new URL(String(redirect.headers.location), root)
  for (const address of [docs, new URL(`${docs}/`)]) {
    const html = await get(address)
    t.equal(html.status, 200)
    t.match(html.text, '<title>Animal Store</title>')
    const files = [...html.text.matchAll(/(?:href|src)="((?!#|https:)[^"]+)"/g)].map(([, url]) => String(url))
    t.ok(files.length > 3)
    for (const file of files) t.equal((await get(new URL(file, address))).status, 200, file)
  }
  const json = await get(new URL(`${docs}/json`))
  const [server] = (json.body as { servers: { url: string }[] }).servers
  t.equal((await get(new URL(`${server?.url}/pets`, docs))).status, 200)
  t.equal((await get(new URL(`${docs}/openapi.yaml`))).status, 200)
  t.equal((await get(new URL('readyz', root))).status, 200)

  // The service takes over the ids of the proxy, and not those of a client.
  const response = await get(pets, { 'x-request-id': 'mine', traceparent })
  t.match(response.headers['x-request-id'], /^[0-9a-f]{32}$/)
  const line = await waitUntil(() => logged().find(({ reqId }) => reqId === response.headers['x-request-id']))
  t.equal(line.traceparent, traceparent)
}

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

/**
 * Runs docs/nginx.conf with the servers of one way alone, in front of two instances. Resolves with the URL of the service, and
 * the URL that stands for port 80.
 */
async function startNginx(
  t: Test,
  nginx: string,
  origins: readonly string[],
  way: Way,
  certificate: Certificate,
  edit = (text: string) => text,
) {
  const folder = temporaryFolder(t)
  const port = await findFreePort()
  const plainPort = await findFreePort()
  const url = `${way.scheme}://127.0.0.1:${port}${way.path}`
  const [start = '', ...servers] = edit(config).split(/(?=^# \d\. )/m)
  const server = servers.find((server) => server.includes(`listen ${way.port}`)) ?? ''
  const site = [
    start.replaceAll(/127\.0\.0\.1:300([01])/g, (_, index) => new URL(String(origins[index])).host),
    server
      .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
      .replace(`listen ${way.port}`, `listen 127.0.0.1:${port}`)
      .replace('/etc/ssl/animals.example.crt', certificate.file)
      .replace('/etc/ssl/animals.example.key', certificate.keyFile),
  ]
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};\n`)
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `${process.getuid?.() === 0 ? 'user root;' : ''}
     pid nginx.pid; error_log stderr; daemon off; master_process off;
     events {}
     http { access_log off; ${temporary.join('')} ${site.join('')} }`,
  )
  const process_ = startCommand(t, [nginx, '-p', folder, '-c', file, '-e', 'stderr'], { folder })
  await waitUntil(async () => {
    const outcome = process_.outcome()
    if (outcome !== undefined) throw new Error(`nginx does not start: ${JSON.stringify(outcome)}`)
    return call('GET', new URL(`${url}/livez`)).then(
      () => true,
      () => false,
    )
  })
  return { url, plainUrl: `http://127.0.0.1:${plainPort}` }
}

interface Certificate {
  readonly file: string
  readonly keyFile: string
}

async function createCertificate(t: Test, openssl: string): Promise<Certificate> {
  const folder = temporaryFolder(t)
  const [file, keyFile] = [join(folder, 'crt'), join(folder, 'key')]
  const subject = ['-subj', '/CN=animals.example', '-days', '1', '-nodes', '-x509']
  const { status, stderr } = await startCommand(t, [
    openssl,
    ...['req', '-newkey', 'rsa:2048', ...subject, '-out', file, '-keyout', keyFile],
  ]).waitForEnd()
  if (status !== 0) throw new Error(stderr)
  return { file, keyFile }
}

async function call(method: string, url: URL, headers = {}, json?: unknown): Promise<HttpResponse> {
  const options = { method, headers, agent: false, rejectUnauthorized: false } as const
  const sent = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options)
  sent.end(json === undefined ? undefined : JSON.stringify(json))
  return readResponse(sent)
}
