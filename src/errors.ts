/** The errors whose messages are for clients and operators: error responses, and failures at start. */

/** Response headers by name. */
export type ResponseHeaders = Readonly<Record<string, string>>

/** The optional parts of an error response. */
interface Details {
  readonly headers?: ResponseHeaders
  /** All violations of the spec in a request. */
  readonly violations?: readonly string[]
  /** For the log only. */
  readonly cause?: unknown
}

/** An error response. Whatever throws it ends the request. Fastify reads `statusCode` and `headers`. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  /** 400 to 599. */
  readonly statusCode: number
  /** For programs, in snake_case. */
  readonly code: string
  readonly headers: ResponseHeaders
  readonly violations: readonly string[]

  constructor(
    statusCode: number,
    code: string,
    message: string,
    { headers = {}, violations = [], ...options }: Details = {},
  ) {
    super(message, options)
    this.statusCode = statusCode
    this.code = code
    this.headers = headers
    this.violations = violations
  }
}

/** 503 with the advice to try again in a second (RFC 9110, section 10.2.3). The cause is for the log only. */
export function unavailable(message: string, cause?: unknown): HttpError {
  return new HttpError(503, 'service_unavailable', message, { headers: { 'Retry-After': '1' }, cause })
}

/** True for a 503: the same request may succeed later. */
export function isUnavailable(error: unknown): error is HttpError {
  return error instanceof HttpError && error.statusCode === 503
}

/** Wraps a thrown value that is not an Error; the type has the members that errors of Node and drivers may have. */
export function toError(thrown: unknown): NodeJS.ErrnoException {
  return thrown instanceof Error ? thrown : new Error('the thrown value is not an Error', { cause: thrown })
}

/** An error that prevents the service, or a command, from starting. Each line of the message: `what is wrong; what to do`. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError'
}

/** A mistake in the configuration or the spec: the same start fails again. */
export class ConfigError extends StartupError {
  override readonly name: string = 'ConfigError'
}

/** A document that cannot be served. The message has one line `file:LINE:COL: what is wrong; what to do` per problem. */
export class DocumentError extends ConfigError {
  override readonly name = 'DocumentError'
}
