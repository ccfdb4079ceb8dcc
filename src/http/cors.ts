/** Cross-origin requests (Fetch Standard, CORS protocol): from the pages of the configured origins, and no others. */
import type { FastifyInstance } from 'fastify'
import { type OpenApi, readOperations } from '../openapi/index.ts'

/** The time for which a browser may remember the response to a preflight, in seconds. */
const MAX_AGE_SECONDS = 7200

/** Allows pages of these origins to call the service with any header, and to read every header that the operations declare. */
export async function registerCors(app: FastifyInstance, root: OpenApi, origins: readonly string[]): Promise<void> {
  // Loaded only if it is needed.
  const { default: cors } = await import('@fastify/cors')
  const operations = readOperations(root)
  const responses = operations.flatMap((operation) => [...operation.responses.values()])
  const distinct = (names: readonly string[]) => [...new Set(names)]
  await app.register(cors, {
    // Without a listed origin, a request is like any other.
    origin: (origin, done) => done(null, origin !== undefined && origins.includes(origin) && origin),
    methods: distinct(operations.map(({ method }) => method.toUpperCase())),
    exposedHeaders: distinct(responses.flatMap(({ headers }) => Object.keys(headers))),
    maxAge: MAX_AGE_SECONDS,
    strictPreflight: false,
    // The plugin sends Content-Length, which a 204 must not have (RFC 9110, section 8.6).
    optionsSuccessStatus: 200,
  })
}
