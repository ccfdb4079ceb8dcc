/** The errors of the layer: error responses, and documents that cannot be served. */

/** Response headers by name. */
export type ResponseHeaders = Readonly<Record<string, string>>

/** One thing in a request that is not as the document says. */
export interface Violation {
  /** The part of the request. */
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body'
  /**
   * A JSON pointer (RFC 6901) to the value in that part: `/limit` for a parameter, `/owner/tags/0` in a body, and an empty text for
   * the whole part. For a missing member, it leads to the object that lacks the member; for a member that is not allowed, to the
   * member. Above 1,000 characters, it leads to a value around that.
   */
  readonly pointer: string
  /** The keyword of JSON Schema, or `syntax`, `encoding` or `complexity`. */
  readonly keyword: string
  /** What the document says by the keyword, such as `{ limit: 100 }`. It has nothing of the request, and can be written as JSON. */
  readonly params: Readonly<Record<string, unknown>>
  /** A sentence for people. It may quote names and malformed texts of the request. */
  readonly message: string
}

/** The optional parts of an error response. */
interface Details {
  readonly headers?: ResponseHeaders
  /** The violations of the document in a request. */
  readonly violations?: readonly Violation[]
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
  /** What is wrong with the request: at most 10 violations, and one more to show that there are more; empty unless the status is 400. */
  readonly violations: readonly Violation[]

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
 * A mistake of the app or the layer: a handler or a security function returned what it must not return, or a function of a format
 * threw. Fastify sends the message of an error to the client, so the details are in `cause`, which only the log has.
 */
export class ServerError extends Error {
  override readonly name = 'ServerError'

  constructor(cause: unknown) {
    super('Internal Server Error', { cause })
  }
}

/** Returns an error response as it is, and whatever else was thrown as the cause of a ServerError. */
export function toServerError(thrown: unknown): HttpError | ServerError {
  return thrown instanceof HttpError ? thrown : new ServerError(thrown)
}

/**
 * Wraps a function: whatever it throws becomes the cause of a ServerError, even an HttpError, because the client has not caused it.
 * `toThrown` replaces this rule.
 */
export function withServerErrors<Args extends unknown[], Result>(
  run: (...args: Args) => Result,
  toThrown = (thrown: unknown): Error => (thrown instanceof ServerError ? thrown : new ServerError(thrown)),
): (...args: Args) => Result {
  return (...args) => {
    try {
      return run(...args)
    } catch (thrown) {
      throw toThrown(thrown)
    }
  }
}

/** Wraps a thrown value that is not an Error; the type has the members that errors of Node and drivers may have. */
export function toError(thrown: unknown): NodeJS.ErrnoException {
  return thrown instanceof Error ? thrown : new Error('the thrown value is not an Error', { cause: thrown })
}

/** Names the type of a value for messages: of an object, its class. */
export function describeType(value: unknown): string {
  if (value === null) return 'null'
  return typeof value === 'object' ? (value.constructor?.name ?? 'object') : typeof value
}

/**
 * A text that cannot be read. The message is a predicate, such as `is not UTF-8`: the caller knows the subject, such
 * as `body` or `query.filter`.
 */
export class TextError extends Error {
  override readonly name = 'TextError'
  /** The keyword of the violation, for programs. By default, the text is malformed. */
  readonly keyword: string
  readonly params: Violation['params']

  constructor(message: string, keyword = 'syntax', params: Violation['params'] = {}) {
    super(message)
    this.keyword = keyword
    this.params = params
  }
}

/** A document that cannot be served. The message has one line `file:LINE:COL: what is wrong; what to do` per problem. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
}
