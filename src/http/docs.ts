/**
 * The docs: Swagger UI for the spec, with all its files from this server. Its plugins take a tenth of a second to load, so
 * they are loaded at the first request; each file is compressed once, and from then on sent from memory.
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

/** What is below that path. Another one would be another entry in the memory, under as many names as it has. */
const FILES = [
  ...['', '/', '/json', '/openapi.json', '/openapi.yaml', '/static/swagger-ui.css', '/static/index.css'],
  ...['swagger-ui-bundle', 'swagger-ui-standalone-preset', 'swagger-initializer'].map((name) => `/static/${name}.js`),
  ...['page.css', 'page.js', 'favicon.svg'].map((name) => `/static/theme/${name}`),
]

/** Content Security Policy Level 3: the page loads only its own files, and calls only its own server. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The content codings (RFC 9110, section 8.4.1), the smallest first. Better brotli takes seconds, and saves a tenth. */
const CODINGS = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
  identity: async (body: Buffer) => body,
}

export interface DocsOptions {
  readonly document: OpenApiDocument
  readonly servers: ServerVariables
  /** The path at which clients see the root of the service, and that of the operations. */
  readonly publicPath: string
  readonly publicBasePath: string
  /** The page runs it, too. */
  readonly docsScript: string
}

/** Adds `/docs` with its files, and redirects `/` there. `/docs/openapi.yaml` is the file of the spec. */
export function addDocs(app: FastifyInstance, options: DocsOptions): void {
  const getPages = remember(() => createPages(options))
  const getFile = remember(async (path: string, coding: keyof typeof CODINGS) => {
    const { headers, rawPayload } = await (await getPages()).inject(DOCS_PATH + path)
    const body = await CODINGS[coding](adapt(path, rawPayload))
    return { body, type: String(headers['content-type']), etag: `"${hash('sha1', body, 'base64url')}"` }
  })
  for (const path of FILES) {
    app.get(DOCS_PATH + path, async (request, reply) => {
      const coding = chooseCoding(request.headers['accept-encoding'])
      const { body, type, etag } = await getFile(path, coding)
      reply.headers({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache', ETag: etag })
      reply.header('Vary', [reply.getHeader('Vary') ?? [], 'Accept-Encoding'].flat().join(', '))
      if (matchesETag(request.headers['if-none-match'], etag)) return reply.code(304).send()
      if (coding !== 'identity') reply.header('Content-Encoding', coding)
      return reply.type(type).send(body)
    })
  }
  app.get('/', (_request, reply) => reply.redirect(options.publicPath + DOCS_PATH, 302))
}

/** The URL at which the docs show an operation. */
export function getDocumentationUrl({ id, tag }: { readonly id: string; readonly tag: string | undefined }): string {
  return `${DOCS_PATH}#/${encodeURIComponent(tag ?? 'default')}/${encodeURIComponent(id)}`
}

/** Creates an app of its own for the plugins, which serve Swagger UI and what the page shows. */
async function createPages(options: DocsOptions): Promise<FastifyInstance> {
  const { root, source } = options.document
  const { default: swagger } = await import('@fastify/swagger')
  const { default: swaggerUi } = await import('@fastify/swagger-ui')
  const readPage = (name: string) => readFile(new URL(`../../docs/page/${name}`, import.meta.url), 'utf8')
  const pages = Fastify()
  // With all digits of integers beyond 2^53.
  pages.setReplySerializer((payload) => stringifyExactly(payload))
  await pages.register(swagger, { mode: 'static', specification: { document: describe(options) as never } })
  await pages.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    indexPrefix: options.publicPath,
    theme: {
      title: root.info.title.replaceAll(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`),
      css: [{ filename: 'page.css', content: await readPage('page.css') }],
      js: [{ filename: 'page.js', content: (await readPage('page.js')) + options.docsScript }],
      favicon: [
        {
          filename: 'favicon.svg',
          content: await readPage('favicon.svg'),
          rel: 'icon',
          type: 'image/svg+xml',
          sizes: 'any',
        },
      ],
    },
  })
  pages.get(`${DOCS_PATH}/openapi.json`, () => root)
  pages.get(`${DOCS_PATH}/openapi.yaml`, (_request, reply) =>
    reply.type('application/yaml; charset=utf-8').send(source),
  )
  return pages
}

/** The spec as the page shows it: with this server alone, the only one that its policy lets it call; the others are named. */
function describe({ document: { root }, servers: variables, publicBasePath }: DocsOptions) {
  const deployments = fillServers(root, variables).map(({ url, description = 'Server' }) => `${description}: <${url}>`)
  const paragraphs = [root.info.description, `**Servers.** ${deployments.join('; ')}.`]
  const info = { ...root.info, description: paragraphs.filter(Boolean).join('\n\n') }
  return { ...root, info, servers: [{ url: publicBasePath || '/', description: 'This server' }] }
}

/** Adds what the plugin has no option for: a viewport; a layer, so that page.css wins over all of Swagger UI's rules. */
function adapt(path: string, body: Buffer): Buffer {
  const viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">'
  if (path === '' || path === '/') return Buffer.from(String(body).replace('<meta charset="UTF-8">', `$&\n${viewport}`))
  return path === '/static/swagger-ui.css' ? Buffer.from(`@layer swagger-ui{${body}}`) : body
}

/** Makes the function that remembers the results of another one, but not its failures. */
function remember<Values extends string[], Result>(compute: (...values: Values) => Promise<Result>) {
  const results = new Map<string, Promise<Result>>()
  return (...values: Values): Promise<Result> => {
    const key = values.join()
    const result = results.get(key) ?? compute(...values)
    results.set(key, result)
    result.catch(() => results.delete(key))
    return result
  }
}

/** Returns the content coding that the client likes best, and of these the smallest (RFC 9110, section 12.5.3). */
function chooseCoding(accepted = ''): keyof typeof CODINGS {
  const weights = new Map(
    accepted.split(',').map((each) => {
      const [, name = '', weight = '1'] = /^\s*([^\s;]*)\s*(?:;\s*q=([\d.]+))?/i.exec(each) ?? []
      return [name.toLowerCase(), Number(weight)]
    }),
  )
  const weigh = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const codings = (['br', 'gzip', 'identity'] as const).filter((coding) => weigh(coding) > 0)
  return codings.toSorted((a, b) => weigh(b) - weigh(a))[0] ?? 'identity'
}
