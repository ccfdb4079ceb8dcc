/**
 * The docs: Swagger UI for the spec, with all its files from this server. Its plugins take a tenth of a second to load, so
 * they are loaded at the first request. Each file is rendered and compressed once, and from then on sent from memory.
 */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import type { OpenApiDocument, ServerVariables } from 'fastify-openapi-first'
import { matchesETag, stringifyExactly } from 'fastify-openapi-first/shared'
import { fillServers } from 'fastify-openapi-first/tools'
import Negotiator from 'negotiator'

const compress = promisify(gzip)

/** The path of the docs; their files are below it. */
export const DOCS_PATH = '/docs'

/** The scripts of the page, which are modules. */
const SCRIPTS = [
  'page.js',
  'links.js',
  'members.js',
  'navigation.js',
  'programs.js',
  'sample.js',
  'schema.js',
  'spec.js',
  'streams.js',
]

/** The paths below `/docs` that are served. They are listed because each file stays in memory: no client can add others. */
const FILES = [
  ...['', '/', '/json', '/openapi.json', '/openapi.yaml', '/static/swagger-ui.css', '/static/index.css'],
  ...['/static/swagger-ui-bundle.js', '/static/swagger-initializer.js', '/static/theme/favicon.svg'],
  ...['page.css', ...SCRIPTS].map((filename) => `/static/theme/${filename}`),
]

/** Content Security Policy Level 3: the page loads only its own files, and calls only its own server. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export interface DocsOptions {
  readonly document: OpenApiDocument
  readonly servers: ServerVariables
  /** The path at which clients see the root of the service. */
  readonly publicPath: string
  /** The path at which clients see the operations. */
  readonly publicBasePath: string
}

/** Adds `/docs` with its files, and redirects `/` there. `/docs/openapi.yaml` is the file of the spec, or the one that its files make. */
export function addDocs(app: FastifyInstance, options: DocsOptions): void {
  const getPages = memoize(() => createPages(options))
  for (const path of FILES) {
    const getFile = memoize(async () => renderFile(await getPages(), path, options.publicPath + DOCS_PATH))
    app.get(DOCS_PATH + path, async (request, reply) => {
      const { type, plain, gzipped } = await getFile()
      const isGzipped = new Negotiator(request).encoding(['gzip', 'identity']) === 'gzip'
      const { body, etag } = isGzipped ? gzipped : plain
      reply.headers({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache', ETag: etag })
      reply.header('Vary', [reply.getHeader('Vary') ?? [], 'Accept-Encoding'].flat().join(', '))
      if (matchesETag(request.headers['if-none-match'], etag)) return reply.code(304).send()
      if (isGzipped) reply.header('Content-Encoding', 'gzip')
      return reply.type(type).send(body)
    })
  }
  // The document may have an operation at this path.
  if (app.hasRoute({ method: 'GET', url: '/' })) return
  app.get('/', (_request, reply) => reply.redirect(options.publicPath + DOCS_PATH, 302))
}

/** Renders a file of the docs, as it is and compressed, each with its ETag. */
async function renderFile(pages: FastifyInstance, path: string, docsPath: string) {
  const { statusCode, headers, rawPayload } = await pages.inject(DOCS_PATH + path)
  if (statusCode !== 200) throw new Error(`${path} cannot be rendered: ${rawPayload}`)
  const withETag = (body: Buffer) => ({ body, etag: `"${hash('sha1', body, 'base64url')}"` })
  const body = adaptFile(path, rawPayload, docsPath)
  return { type: String(headers['content-type']), plain: withETag(body), gzipped: withETag(await compress(body)) }
}

/** The URL at which the docs show an operation. */
export function getDocumentationUrl({ id, tag }: { readonly id: string; readonly tag: string | undefined }): string {
  return `${DOCS_PATH}#/${encodeURIComponent(tag ?? 'default')}/${encodeURIComponent(id)}`
}

/** Creates a separate app for the plugins, which serve Swagger UI and what the page shows. */
async function createPages(options: DocsOptions): Promise<FastifyInstance> {
  const { root, source } = options.document
  const { default: swagger } = await import('@fastify/swagger')
  const { default: swaggerUi } = await import('@fastify/swagger-ui')
  const pages = Fastify()
  // With all digits of integers beyond 2^53.
  pages.setReplySerializer((payload) => stringifyExactly(payload))
  await pages.register(swagger, { mode: 'static', specification: { document: toPageDocument(options) as never } })
  await pages.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    indexPrefix: options.publicPath,
    theme: {
      title: root.info.title.replaceAll(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`),
      css: [await readTheme('page.css')],
      js: await Promise.all(SCRIPTS.map(readTheme)),
      favicon: [{ ...(await readTheme('favicon.svg')), rel: 'icon', type: 'image/svg+xml', sizes: 'any' }],
    },
  })
  // With the URLs of this deployment: generators of clients read them.
  const deployed = { ...root, servers: fillServers(root, options.servers) }
  pages.get(`${DOCS_PATH}/openapi.json`, () => deployed)
  pages.get(`${DOCS_PATH}/openapi.yaml`, (_request, reply) =>
    reply.type('application/yaml; charset=utf-8').send(source),
  )
  return pages
}

/** Reads a file of the page, for the plugin. */
async function readTheme(filename: string) {
  return { filename, content: await readFile(new URL(`./page/${filename}`, import.meta.url), 'utf8') }
}

/** The spec as the page shows it: with this server alone, because its policy allows no calls to others. Their URLs are text. */
function toPageDocument({ document: { root }, servers: variables, publicBasePath }: DocsOptions) {
  const deployments = fillServers(root, variables).map(
    ({ url, description = 'Server' }) => `${description}: \`${url}\``,
  )
  const paragraphs = [root.info.description, `**Servers.** ${deployments.join('; ')}.`]
  const info = { ...root.info, description: paragraphs.filter(Boolean).join('\n\n') }
  return { ...root, info, servers: [{ url: publicBasePath || '/', description: 'This server' }] }
}

/**
 * Changes what the plugin has no option for. In the page, adds a viewport and a sentence for browsers without scripts, makes modules
 * of our scripts, and removes the script of Swagger UI's top bar, which the page does not show.
 */
function adaptFile(path: string, body: Buffer, docsPath: string): Buffer {
  // In a layer, so that page.css overrides all rules of Swagger UI.
  if (path === '/static/swagger-ui.css') return Buffer.from(`@layer swagger-ui{${body}}`)
  const isPage = path === '' || path === '/'
  if (!isPage) return body
  const viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">'
  const link = `<a href="${docsPath}/openapi.yaml">openapi.yaml</a>`
  const unscripted = `<noscript><p>This page needs JavaScript. The spec itself is ${link}.</p></noscript>`
  const page = String(body)
    .replace('<meta charset="UTF-8">', `$&\n${viewport}`)
    .replace('<div id="swagger-ui"></div>', `$&\n${unscripted}`)
    .replaceAll(/<script (?=src="[^"]+\/theme\/)/g, '$&type="module" ')
  return Buffer.from(page.replace(/<script src="[^"]+-preset\.js" [^>]*> <\/script>/, ''))
}

/** Creates a function that computes a result at its first call, and again after a failure. */
function memoize<Result>(compute: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined
  return () => {
    result ??= compute().catch((error) => {
      // The failure may be transient: perhaps the process had no file descriptor left.
      result = undefined
      throw error
    })
    return result
  }
}
