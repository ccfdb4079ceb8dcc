/** The response headers that the service sets itself; the OpenAPI layer sets others. */
export const SERVER_HEADERS = ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id']

/** The headers that depend on the origin of a request. */
export const CORS_HEADERS = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers', 'Vary']
