/**
 * The docs: Swagger UI for the spec, with all its files from this server. They are rendered and compressed on first use,
 * and from then on served from memory.
 */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { escapeHtml, renderPreview } from '../../docs/page/preview.ts'
import {
  fillServers,
  matchesETag,
  type OpenApi,
  type OpenApiDocument,
  type ServerVariables,
  stringifyExactly,
} from '../openapi/index.ts'

/** The path of the docs; their files are below it. */
export const DOCS_PATH = '/docs'

/** The files that make Swagger UI the page of this service. */
const PAGE = new URL('../../docs/page/', import.meta.url)

/** The files that the plugins render. */
const RENDERED = [
  ...['', '/', '/json', '/static/swagger-initializer.js'],
  ...['page.css', 'page.js', 'start.js', 'favicon.svg'].map((name) => `/static/theme/${name}`),
]

/**
 * Swagger UI's own files, as far as the page uses them; `page.js` says why the preset is left out. They are read: the plugin
 * would load a package for static files first, which takes 9 MB.
 */
const ASSETS = {
  '/static/swagger-ui.css': 'text/css; charset=utf-8',
  '/static/index.css': 'text/css; charset=utf-8',
  '/static/swagger-ui-bundle.js': 'application/javascript; charset=utf-8',
}

/**
 * Content Security Policy Level 3: the page loads only its own files, and calls only its own server. Without the plugin's
 * upgrade-insecure-requests, which leaves the page blank over plain HTTP on any host but localhost.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Quality 5 takes a seventh of a second for all files; the best takes five seconds, and makes them a tenth smaller. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

type File = ReturnType<typeof toFile>

export interface DocsOptions {
  readonly document: OpenApiDocument
  readonly servers: ServerVariables
  /** The path at which clients see the root of the service, and that of the operations. */
  readonly publicPath: string
  readonly publicBasePath: string
  /** The page runs it, too. */
  readonly docsScript: string
}

/**
 * Adds `/docs` with its files, and redirects `/` there. `/docs/openapi.yaml` is the file of the spec; the page shows the
 * spec with this server alone, which is the only one that its policy lets it call.
 */
export function addDocs(app: FastifyInstance, options: DocsOptions): void {
  const getFiles = doOnce(() => renderFiles(options))
  for (const path of [...Object.keys(ASSETS), ...RENDERED, '/openapi.yaml']) {
    app.get(DOCS_PATH + path, async (request, reply) => {
      const { type, hash, encode } = (await getFiles()).get(path) as File
      const coding = chooseCoding(request.headers['accept-encoding'])
      const etag = `"${hash}-${coding}"`
      reply.headers({
        'Content-Security-Policy': POLICY,
        'Cache-Control': 'no-cache',
        Vary: [reply.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', '),
        ETag: etag,
      })
      if (matchesETag(request.headers['if-none-match'], etag)) return reply.code(304).send()
      if (coding !== 'identity') reply.header('Content-Encoding', coding)
      return reply.type(type).send(await encode[coding]())
    })
  }
  app.get('/', (_request, reply) => reply.redirect(options.publicPath + DOCS_PATH, 302))
}

/** The URL at which the docs show an operation. */
export function getDocumentationUrl({ id, tag }: { readonly id: string; readonly tag: string | undefined }): string {
  return `${DOCS_PATH}#/${encodeURIComponent(tag ?? 'default')}/${encodeURIComponent(id)}`
}

/**
 * Reads Swagger UI's files, and has the plugins render the others, in an app of their own. They take a tenth of a second to
 * load, and would open a file for each request.
 */
async function renderFiles(options: DocsOptions): Promise<ReadonlyMap<string, File>> {
  const { root, source } = options.document
  const { default: swagger } = await import('@fastify/swagger')
  const { default: swaggerUi } = await import('@fastify/swagger-ui')
  const document = describeServers(options)
  const preview = renderPreview(document, `${options.publicPath}${DOCS_PATH}/openapi.yaml`)
  const app = Fastify()
  // The page reads integers beyond 2^53 as they are.
  app.setReplySerializer((payload) => stringifyExactly(payload))
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    indexPrefix: options.publicPath,
    theme: {
      title: escapeHtml(root.info.title),
      css: [await readPage('page.css')],
      js: [await readPage('page.js', options.docsScript), await readPage('start.js')],
      favicon: [{ ...(await readPage('favicon.svg')), rel: 'icon', type: 'image/svg+xml', sizes: 'any' }],
    },
  })
  const files = new Map([['/openapi.yaml', toFile(source, 'application/yaml; charset=utf-8')]])
  for (const [path, type] of Object.entries(ASSETS)) {
    const body = await readFile(new URL(`.${path}`, import.meta.resolve('@fastify/swagger-ui')))
    files.set(path, toFile(adapt(path, body, preview), type))
  }
  for (const path of RENDERED) {
    const { rawPayload, headers } = await app.inject(DOCS_PATH + path)
    files.set(path, toFile(adapt(path, rawPayload, preview), String(headers['content-type'])))
  }
  await app.close()
  return files
}

/** The spec with one server, the one that the page may call; the deployments become a paragraph of its introduction. */
function describeServers({ document: { root }, servers: variables, publicBasePath }: DocsOptions): OpenApi {
  const deployments = fillServers(root, variables).map(({ url, description = 'Server' }) => `${description}: <${url}>`)
  const description = `${root.info.description ?? ''}\n\n**Servers.** ${deployments.join('; ')}.`
  const servers = [{ url: publicBasePath || '/', description: 'This server' }]
  return { ...root, info: { ...root.info, description }, servers }
}

/** Reads a file of the page, for the plugin. */
async function readPage(filename: string, addition = '') {
  return { filename, content: (await readFile(new URL(filename, PAGE), 'utf8')) + addition }
}

/**
 * Adds what the plugins have no option for: to the page a viewport, and what it shows until Swagger UI is ready, whose scripts
 * start.js loads; to Swagger UI's style a layer, so that every rule of page.css wins (CSS Cascade 5).
 */
function adapt(path: string, body: Buffer, preview: string): Buffer {
  if (path === '/static/swagger-ui.css') return Buffer.from(`@layer swagger-ui{${body}}`)
  if (path !== '' && path !== '/') return body
  const viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">'
  const page = String(body)
    .replace('<meta charset="UTF-8">', `$&\n${viewport}`)
    .replace('<div id="swagger-ui">', (start) => preview + start)
    .replace(/<script src="[^"]+-preset\.js" [^>]*> <\/script>/, '')
    .replaceAll(
      /<script src="([^"]+(?<!\/start\.js))" [^>]*> <\/script>/g,
      '<link rel="preload" as="script" href="$1">',
    )
  return Buffer.from(page)
}

/** A file as it is sent. */
function toFile(body: Buffer, type: string) {
  /** In each content coding (RFC 9110, section 8.4.1). */
  const encode = {
    br: doOnce(() => promisify(brotliCompress)(body, BROTLI)),
    gzip: doOnce(() => promisify(gzip)(body)),
    identity: async () => body,
  }
  return { type, hash: hash('sha1', body, 'base64url'), encode }
}

/** Makes the function that does the work when it is first called; if that fails, the next call does it again. */
function doOnce<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined
  return () => {
    result ??= work().catch((error) => {
      result = undefined
      throw error
    })
    return result
  }
}

/** Returns the content coding that makes the response smallest, of those that the client accepts (RFC 9110, section 12.5.3). */
function chooseCoding(accepted = ''): keyof File['encode'] {
  const codings = accepted.split(',').filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each))
  const names = codings.map((each) => each.replace(/;.*/, '').trim().toLowerCase())
  return (['br', 'gzip'] as const).find((coding) => names.includes(coding)) ?? 'identity'
}
