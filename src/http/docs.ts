/**
 * The docs: Swagger UI for the spec, with all its files from this server. They are rendered and compressed on first use,
 * and from then on served from memory.
 */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import {
  fillServers,
  matchesETag,
  type OpenApiDocument,
  type ServerVariables,
  stringifyExactly,
} from '../openapi/index.ts'

/** The path of the docs; their files are below it. */
export const DOCS_PATH = '/docs'

/** The folder of the files that make Swagger UI the page of this service. */
const PAGE = new URL('../../docs/page/', import.meta.url)

const PRESET = '/static/swagger-ui-standalone-preset.js'

/** The files of the page, without those of Swagger UI that it does not use. */
const FILES = [
  '',
  '/',
  '/json',
  '/static/swagger-ui.css',
  '/static/index.css',
  '/static/theme/page.css',
  '/static/theme/favicon.svg',
  '/static/swagger-ui-bundle.js',
  PRESET,
  '/static/swagger-initializer.js',
  '/static/theme/page.js',
]

/**
 * Content Security Policy Level 3: the page loads only its own files, and calls only its own server. Without the plugin's
 * upgrade-insecure-requests, which leaves the page blank over plain HTTP on any host but localhost.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

type Coding = 'br' | 'gzip' | 'identity'

/** A file as it is sent, in each content coding (RFC 9110, section 8.4.1). */
interface File {
  readonly type: string
  readonly bodies: Readonly<Record<Coding, Buffer>>
  readonly hash: string
}

type Files = ReadonlyMap<string, File>

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
  let files: Files | undefined
  let rendering: Promise<Files> | undefined
  // After a failure, the next request tries again.
  const forget = () => {
    rendering = undefined
  }
  for (const path of [...FILES, '/openapi.yaml']) {
    app.get(DOCS_PATH + path, async (request, reply) => {
      if (files === undefined) {
        rendering ??= renderFiles(options).finally(forget)
        files = await rendering
      }
      const { type, bodies, hash } = files.get(path) as File
      const coding = chooseCoding(request.headers['accept-encoding'])
      const etag = `"${hash}-${coding}"`
      reply.headers({
        'Content-Security-Policy': POLICY,
        'Cache-Control': 'no-cache',
        Vary: 'Accept-Encoding',
        ETag: etag,
      })
      if (matchesETag(request.headers['if-none-match'], etag)) return reply.code(304).send()
      if (coding !== 'identity') reply.header('Content-Encoding', coding)
      return reply.type(type).send(bodies[coding])
    })
  }
  app.get('/', (_request, reply) => reply.redirect(options.publicPath + DOCS_PATH, 302))
}

/** The URL at which the docs show an operation. */
export function getDocumentationUrl({ id, tag }: { readonly id: string; readonly tag: string | undefined }): string {
  return `${DOCS_PATH}#/${encodeURIComponent(tag ?? 'default')}/${id}`
}

/**
 * Lets the plugins render each file once, in an app of their own. They take a tenth of a second to load, and would open a
 * file for each request.
 */
async function renderFiles(options: DocsOptions): Promise<Files> {
  const { root, source } = options.document
  const { default: swagger } = await import('@fastify/swagger')
  const { default: swaggerUi } = await import('@fastify/swagger-ui')
  const icon = await readPage('favicon.svg')
  const app = Fastify()
  // The page reads integers beyond 2^53 as they are.
  app.setReplySerializer((payload) => stringifyExactly(payload))
  await app.register(swagger, {
    mode: 'static',
    specification: { document: describeServers(options) as never },
  })
  await app.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    indexPrefix: options.publicPath,
    theme: {
      title: root.info.title,
      css: [{ filename: 'page.css', content: await readPage('page.css') }],
      js: [{ filename: 'page.js', content: (await readPage('page.js')) + options.docsScript }],
      favicon: [{ filename: 'favicon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: icon }],
    },
    uiConfig: {
      // Without the bar that loads other documents.
      layout: 'BaseLayout',
      // Collapsed, so that the operations are in view.
      defaultModelsExpandDepth: 0,
      persistAuthorization: true,
      tryItOutEnabled: true,
      showExtensions: true,
      displayOperationId: true,
      displayRequestDuration: true,
    },
  })
  const files = new Map([['/openapi.yaml', await compress(source, 'application/yaml; charset=utf-8')]])
  // One after the other, and as bytes where they stay as they are: otherwise, the process would take 5 MB more.
  for (const path of FILES) {
    const { headers, rawPayload } = await app.inject(DOCS_PATH + path)
    files.set(path, await compress(adapt(path, rawPayload), String(headers['content-type'])))
  }
  await app.close()
  return files
}

/** The spec with one server, the one that the page may call; the deployments become a paragraph of its introduction. */
function describeServers({ document: { root }, servers: variables, publicBasePath }: DocsOptions): object {
  const deployments = fillServers(root, variables).map(({ url, description = 'Server' }) => `${description}: <${url}>`)
  const description = `${root.info.description ?? ''}\n\n**Servers.** ${deployments.join('; ')}.`
  const servers = [{ url: publicBasePath || '/', description: 'This server' }]
  return { ...root, info: { ...root.info, description }, servers }
}

function readPage(name: string): Promise<string> {
  return readFile(new URL(name, PAGE), 'utf8')
}

/**
 * Changes what the plugin has no option for: adds a viewport; puts Swagger UI's rules into a layer, so that every rule of
 * page.css wins (CSS Cascade 5); and leaves out the preset of the bar that is not shown, a sixth of the transfer.
 */
function adapt(path: string, body: Buffer): Buffer {
  if (path === PRESET) return Buffer.from('const SwaggerUIStandalonePreset = []')
  if (path === '' || path === '/') {
    const viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    return Buffer.from(String(body).replace('<meta charset="UTF-8">', `$&\n${viewport}`))
  }
  return path === '/static/swagger-ui.css' ? Buffer.from(`@layer swagger-ui{${body}}`) : body
}

async function compress(body: Buffer, type: string): Promise<File> {
  // Quality 5 takes a seventh of a second for all files; the best takes five seconds, and makes them a tenth smaller.
  const br = await promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
  return {
    type,
    bodies: { br, gzip: await promisify(gzip)(body), identity: body },
    hash: hash('sha1', body, 'base64url'),
  }
}

/** Returns the content coding that makes the response smallest, of those that the client accepts (RFC 9110, section 12.5.3). */
function chooseCoding(accepted = ''): Coding {
  const codings = accepted.split(',').filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each))
  const names = codings.map((each) => each.replace(/;.*/, '').trim().toLowerCase())
  return (['br', 'gzip'] as const).find((coding) => names.includes(coding)) ?? 'identity'
}
