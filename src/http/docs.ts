/**
 * The docs: Swagger UI for the spec, with all its files from this server.
 */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { fillServers, getBasePath, type OpenApiDocument, type ServerVariables } from '../openapi/index.ts'

/** The path of the docs; their files are below it. */
export const DOCS_PATH = '/docs'

/** By default, the method of a deprecated operation is white on light grey. */
const CONTRAST = '.swagger-ui .opblock.opblock-deprecated .opblock-summary-method { background: #6b6b6b; }'

/** Content Security Policy Level 3: the page loads only its own files, and calls only its own server. */
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

/**
 * Adds `/docs` with its files, and redirects `/` there. `/docs/openapi.yaml` is the file of the spec; the page shows the
 * spec with its server variables replaced, and lists this server first, so that "Try it out" works. It runs `script`, too.
 */
export async function addDocs(
  app: FastifyInstance,
  document: OpenApiDocument,
  variables: ServerVariables,
  script?: string,
): Promise<void> {
  const { root, source } = document
  const servers = [
    { url: getBasePath(root, variables) || '/', description: 'This server' },
    ...fillServers(root, variables).map(({ url, description }) => ({ url, description })),
  ]
  await app.register(swagger, {
    mode: 'static',
    specification: { document: toJsonValue({ ...root, servers }) as never },
  })
  await app.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    theme: {
      title: root.info.title,
      css: [{ filename: 'contrast.css', content: CONTRAST }],
      js: script === undefined ? [] : [{ filename: 'added.js', content: script }],
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
    },
    // Stricter than the plugin's own, and without its upgrade-insecure-requests, which leaves the page blank over plain
    // HTTP on any host but localhost.
    staticCSP: POLICY,
  })
  app.get(`${DOCS_PATH}/openapi.yaml`, (_request, reply) => reply.type('application/yaml; charset=utf-8').send(source))
  app.get('/', (_request, reply) => reply.redirect(DOCS_PATH, 302))
}

/** The URL at which the docs show an operation. */
export function getDocumentationUrl({ id, tag }: { readonly id: string; readonly tag: string | undefined }): string {
  return `${DOCS_PATH}#/${encodeURIComponent(tag ?? 'default')}/${id}`
}

/** The page receives JSON, so bigints are rounded. */
function toJsonValue(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? Number(each) : each)))
}
