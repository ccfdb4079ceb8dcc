/**
 * The docs: Swagger UI for the spec, with all its files from this server. Its plugins take a while to load, so they are
 * loaded at the first request. Each file is read and compressed once, and from then on sent from memory.
 */
import { hash } from 'node:crypto'
import { readdirSync } from 'node:fs'
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

/** Content Security Policy Level 3: the page loads only its own files, and calls only its own server. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Content types by the extensions of paths. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'application/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  yaml: 'application/yaml; charset=utf-8',
}

/** The folder of the page: its style, its icon and its scripts, which are modules. */
const PAGE = new URL('page/', import.meta.url)

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
  for (const [path, read] of Object.entries(listFiles(options))) {
    const type = CONTENT_TYPES[path.split(/[./]/).at(-1) ?? ''] ?? 'text/html; charset=utf-8'
    const getFile = memoize(async () => renderFile(await read()))
    app.get(DOCS_PATH + path, async (request, reply) => {
      const { plain, gzipped } = await getFile()
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

/** The URL at which the docs show an operation. */
export function getDocumentationUrl({ id, tag }: { readonly id: string; readonly tag: string | undefined }): string {
  return `${DOCS_PATH}#/${encodeURIComponent(tag ?? 'default')}/${encodeURIComponent(id)}`
}

/** Reads a file of the docs. */
type Read = () => Buffer | string | Promise<Buffer | string>

/** Lists the files by their paths below `/docs`. Each stays in memory, so no client can add others. */
function listFiles(options: DocsOptions): Record<string, Read> {
  const { root, source } = options.document
  const names = readdirSync(PAGE)
  const page = renderPage(root.info.title, options.publicPath + DOCS_PATH, names)
  const pageFiles = names.map((name): [string, Read] => [`/static/${name}`, () => readFile(new URL(name, PAGE))])
  const getPlugins = memoize(() => createPlugins(options))
  const readFromPlugins = async (path: string) => (await (await getPlugins()).inject(DOCS_PATH + path)).rawPayload
  return {
    '': () => page,
    '/': () => page,
    '/json': () => readFromPlugins('/json'),
    // With the URLs of this deployment, which generators of clients read, and all digits of integers beyond 2^53.
    '/openapi.json': () => stringifyExactly({ ...root, servers: fillServers(root, options.servers) }),
    '/openapi.yaml': () => source,
    '/static/swagger-ui-bundle.js': () => readFromPlugins('/static/swagger-ui-bundle.js'),
    // In a layer, so that page.css overrides all rules of Swagger UI.
    '/static/swagger-ui.css': async () => `@layer swagger-ui{${await readFromPlugins('/static/swagger-ui.css')}}`,
    ...Object.fromEntries(pageFiles),
  }
}

/** Creates a separate app for the plugins, which serve the files of Swagger UI and the document that the page shows. */
async function createPlugins(options: DocsOptions): Promise<FastifyInstance> {
  const { default: swagger } = await import('@fastify/swagger')
  const { default: swaggerUi } = await import('@fastify/swagger-ui')
  const app = Fastify()
  // With all digits of integers beyond 2^53.
  app.setReplySerializer((payload) => stringifyExactly(payload))
  await app.register(swagger, { mode: 'static', specification: { document: toPageDocument(options) as never } })
  await app.register(swaggerUi, { routePrefix: DOCS_PATH })
  return app
}

/** Renders the page, which `page.js` fills. It imports the other scripts of the page. */
function renderPage(title: string, docsPath: string, names: readonly string[]): string {
  const escapedTitle = title.replaceAll(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
  const scripts = names.filter((name) => name.endsWith('.js'))
  const preloads = scripts.map((name) => `<link rel="modulepreload" href="${docsPath}/static/${name}">`)
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="UTF-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapedTitle}</title>
    <link rel="stylesheet" href="${docsPath}/static/swagger-ui.css">
    <link rel="stylesheet" href="${docsPath}/static/page.css">
    <link rel="icon" type="image/svg+xml" href="${docsPath}/static/favicon.svg">
    ${preloads.join('\n    ')}
  </head>
  <body>
    <div id="swagger-ui"></div>
    <noscript><p>This page needs JavaScript. The spec itself is <a href="${docsPath}/openapi.yaml">openapi.yaml</a>.</p></noscript>
    <script src="${docsPath}/static/swagger-ui-bundle.js"></script>
    <script type="module" src="${docsPath}/static/page.js"></script>
  </body>
</html>
`
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

/** Returns a file as it is and compressed, each with its ETag. */
async function renderFile(content: Buffer | string) {
  const withETag = (body: Buffer) => ({ body, etag: `"${hash('sha1', body, 'base64url')}"` })
  const body = Buffer.from(content)
  return { plain: withETag(body), gzipped: withETag(await compress(body)) }
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
