/** The errors of the layer: error responses, and documents that cannot be served. */

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

/**
 * A mistake of the app: a handler or a security function returned what it must not return. Fastify sends the message of an error
 * to the client, so the details are in `cause`, which only the log has.
 */
export class ServerError extends Error {
  override readonly name = 'ServerError'

  constructor(cause: unknown) {
    super('Internal Server Error', { cause })
  }
}

/** Wraps a function, so that whatever it throws is the cause of a ServerError. */
export function withServerErrors<Args extends unknown[], Result>(
  run: (...args: Args) => Result,
): (...args: Args) => Result {
  return (...args) => {
    try {
      return run(...args)
    } catch (thrown) {
      throw new ServerError(thrown)
    }
  }
}

/** Wraps a thrown value that is not an Error; the type has the members that errors of Node and drivers may have. */
export function toError(thrown: unknown): NodeJS.ErrnoException {
  return thrown instanceof Error ? thrown : new Error('the thrown value is not an Error', { cause: thrown })
}

/**
 * A text that cannot be read. The message is a predicate, such as `is not UTF-8 at byte 5`: the caller knows the subject, such
 * as `body` or `query.filter`.
 */
export class TextError extends Error {
  override readonly name = 'TextError'
}

/** A document that cannot be served. The message has one line `file:LINE:COL: what is wrong; what to do` per problem. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
}
