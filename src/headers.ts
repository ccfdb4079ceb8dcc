/** The headers that the service sends by itself, besides those of the OpenAPI layer. */
export const SERVER_HEADERS = ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id']

/** The headers that depend on the origin of a request. */
export const CORS_HEADERS = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers', 'Vary']
