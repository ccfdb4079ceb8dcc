/** The response headers that the service sets itself; the OpenAPI layer sets others. */
export const SERVER_HEADERS = ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id']
