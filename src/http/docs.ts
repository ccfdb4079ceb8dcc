/**
 * The docs: Swagger UI for the spec, with all its files from this server. Each file is read and compressed at its first
 * request, and from then on sent from memory.
 */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import Negotiator from 'negotiator'
import {
  fillServers,
  matchesETag,
  type OpenApiDocument,
  type ServerVariables,
  stringifyExactly,
} from '../openapi/index.ts'

const compress = promisify(gzip)

/** The path of the docs; their files are below it. */
export const DOCS_PATH = '/docs'

/** Content Security Policy Level 3: the page loads only its own files, and calls only its own server. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export interface DocsOptions {
  readonly document: OpenApiDocument
  readonly servers: ServerVariables
  /** The path at which clients see the root of the service. */
  readonly publicPath: string
  /** The path at which clients see the operations. */
  readonly publicBasePath: string
}

/** Adds `/docs` with its files, and redirects `/` there. `/docs/openapi.yaml` is the file of the spec. */
export function addDocs(app: FastifyInstance, options: DocsOptions): void {
  for (const [path, type, getContent] of listFiles(options)) {
    let file: ReturnType<typeof encodeFile> | undefined
    app.get(DOCS_PATH + path, async (request, reply) => {
      file ??= encodeFile(getContent())
      const { plain, gzipped } = await file
      const isGzipped = new Negotiator(request).encoding(['gzip', 'identity']) === 'gzip'
      const { body, etag } = isGzipped ? gzipped : plain
      reply.headers({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache', ETag: etag })
      reply.header('Vary', [reply.getHeader('Vary') ?? [], 'Accept-Encoding'].flat().join(', '))
      if (matchesETag(request.headers['if-none-match'], etag)) return reply.code(304).send()
      if (isGzipped) reply.header('Content-Encoding', 'gzip')
      return reply.type(`${type}; charset=utf-8`).send(body)
    })
  }
  // A document may have an operation there.
  if (app.hasRoute({ method: 'GET', url: '/' })) return
  app.get('/', (_request, reply) => reply.redirect(options.publicPath + DOCS_PATH, 302))
}

/** The URL at which the docs show an operation. */
export function getDocumentationUrl({ id, tag }: { readonly id: string; readonly tag: string | undefined }): string {
  return `${DOCS_PATH}#/${encodeURIComponent(tag ?? 'default')}/${encodeURIComponent(id)}`
}

/** Lists the files below `/docs`: the path, the media type, and a function that gets the content. */
function listFiles(options: DocsOptions) {
  const { root, source } = options.document
  const read = (file: string) => readFile(new URL(import.meta.resolve(file)), 'utf8')
  const readOwn = (name: string) => read(`./page/${name}`)
  const readSwaggerUi = (name: string) => read(`@fastify/swagger-ui/static/${name}`)
  const getPage = async () => fillPage(await readOwn('index.html'), options)
  // With the URLs of this deployment: generators of clients read them.
  const getDeployed = () => stringifyExactly({ ...root, servers: fillServers(root, options.servers) })
  return [
    ['', 'text/html', getPage],
    ['/', 'text/html', getPage],
    ['/json', 'application/json', () => stringifyExactly(describe(options))],
    ['/openapi.json', 'application/json', getDeployed],
    ['/openapi.yaml', 'application/yaml', () => String(source)],
    // In a layer, so that the rules of page.css win over all of Swagger UI's.
    ['/static/swagger-ui.css', 'text/css', async () => `@layer swagger-ui{${await readSwaggerUi('swagger-ui.css')}}`],
    ['/static/swagger-ui-bundle.js', 'text/javascript', () => readSwaggerUi('swagger-ui-bundle.js')],
    ['/static/index.css', 'text/css', () => readSwaggerUi('index.css')],
    ['/static/page.css', 'text/css', () => readOwn('page.css')],
    ['/static/page.js', 'text/javascript', () => readOwn('page.js')],
    ['/static/favicon.svg', 'image/svg+xml', () => readOwn('favicon.svg')],
  ] as const
}

/** Returns the content of a file, as it is and compressed, each with its ETag. */
async function encodeFile(content: string | Promise<string>) {
  const withETag = (body: Buffer) => ({ body, etag: `"${hash('sha1', body, 'base64url')}"` })
  const body = Buffer.from(await content)
  return { plain: withETag(body), gzipped: withETag(await compress(body)) }
}

/** Enters the title of the spec and the path of the docs into the page. */
function fillPage(page: string, { document, publicPath }: DocsOptions): string {
  const title = document.root.info.title.replaceAll(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
  return page.replaceAll('{docs}', publicPath + DOCS_PATH).replace('{title}', () => title)
}

/** The spec as the page shows it: with this server alone, the only one that its policy lets it call; the others are named. */
function describe({ document: { root }, servers: variables, publicBasePath }: DocsOptions) {
  const deployments = fillServers(root, variables).map(({ url, description = 'Server' }) => `${description}: <${url}>`)
  const paragraphs = [root.info.description, `**Servers.** ${deployments.join('; ')}.`]
  const info = { ...root.info, description: paragraphs.filter(Boolean).join('\n\n') }
  return { ...root, info, servers: [{ url: publicBasePath || '/', description: 'This server' }] }
}
