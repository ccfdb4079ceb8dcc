/**
 * The docs: Swagger UI over the document, served from here alone.
 */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { ApiDocument } from '../openapi/document.ts'
import { basePath, fillServers, type ServerVariables } from '../openapi/servers.ts'

/** The path of the docs, and of their files below it. */
export const DOCS = '/docs'

/** The page has the method of a deprecated operation in white on light grey. */
const CONTRAST = '.swagger-ui .opblock.opblock-deprecated .opblock-summary-method { background: #6b6b6b; }'

/** Content Security Policy Level 3: the page needs nothing but its own files, and calls nothing but its own server. */
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
 * Adds `/docs` and its files, and leads `/` there. `/docs/openapi.yaml` is the document as it was written; the page has
 * it with the servers filled in, the one that shows the page first, so that "Try it out" works.
 */
export async function addDocs(app: FastifyInstance, document: ApiDocument, variables: ServerVariables): Promise<void> {
  const { root, source } = document
  const servers = [
    { url: basePath(root, variables) || '/', description: 'This server' },
    ...fillServers(root, variables).map(({ url, description }) => ({ url, description })),
  ]
  await app.register(swagger, { mode: 'static', specification: { document: printable({ ...root, servers }) as never } })
  await app.register(swaggerUi, {
    routePrefix: DOCS,
    theme: { title: root.info.title, css: [{ filename: 'contrast.css', content: CONTRAST }] },
    uiConfig: {
      // Without the bar for loading other documents.
      layout: 'BaseLayout',
      // Folded up, they leave the operations in view.
      defaultModelsExpandDepth: 0,
      persistAuthorization: true,
      tryItOutEnabled: true,
      showExtensions: true,
      displayOperationId: true,
    },
    // Stricter than the plugin's own, and without its upgrade-insecure-requests, which over plain HTTP, on anything but
    // localhost, leaves the page blank.
    staticCSP: POLICY,
  })
  app.get(`${DOCS}/openapi.yaml`, (_request, reply) => reply.type('application/yaml; charset=utf-8').send(source))
  app.get('/', (_request, reply) => reply.redirect(DOCS, 302))
}

/** Where the docs show an operation. */
export function documentationOf({ id, tag }: { readonly id: string; readonly tag: string | undefined }): string {
  return `${DOCS}#/${encodeURIComponent(tag ?? 'default')}/${id}`
}

/** The page is given JSON, for which numbers are rounded. */
function printable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? Number(each) : each)))
}
