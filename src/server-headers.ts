/**
 * The response headers that the service sets itself; the OpenAPI layer sets others. A file, because the generator of types needs
 * the names and must not load the app.
 */
export const SERVER_HEADERS = ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id']
