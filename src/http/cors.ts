/** Cross-origin requests (Fetch Standard, CORS protocol): from the pages of the configured origins, and no others. */
import type { FastifyInstance } from 'fastify'

/** The time for which a browser may remember the response to a preflight, in seconds. */
const MAX_AGE_SECONDS = 7200

/** Allows pages of these origins to send requests with any method and header, and to read every header of the responses. */
export async function registerCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  // Loaded only if it is needed.
  const { default: cors } = await import('@fastify/cors')
  await app.register(cors, {
    // Without a listed origin, a request is like any other.
    origin: (origin, done) => done(null, origin !== undefined && origins.includes(origin) && origin),
    // An asterisk stands for all, because a key is no credential in the sense of the standard.
    methods: '*',
    exposedHeaders: '*',
    maxAge: MAX_AGE_SECONDS,
    strictPreflight: false,
    // The plugin sends Content-Length, which a 204 must not have (RFC 9110, section 8.6).
    optionsSuccessStatus: 200,
  })
}
