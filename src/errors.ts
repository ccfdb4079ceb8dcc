/** The errors whose messages are for clients and operators: error responses, and failures at start. */
import type { Error as ErrorBody, ErrorCode } from '../generated/server.d.ts'

/** Response headers by name. */
export type ResponseHeaders = Readonly<Record<string, string>>

/** An error response. Thrown where the problem is found, it ends the request. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  /** 400 to 599. */
  readonly status: number
  readonly code: ErrorCode
  readonly headers: ResponseHeaders

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    { headers = {}, cause }: { readonly headers?: ResponseHeaders; readonly cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** The body of an error response. */
export function toErrorBody({ status, code, message }: Pick<HttpError, 'status' | 'code' | 'message'>): ErrorBody {
  return { code, message, status }
}

/** An error as a handler returns it: the compiler proves that the operation declares the status. */
export function errorResponse<Status extends number>(status: Status, code: ErrorCode, message: string) {
  return { status, body: toErrorBody({ status, code, message }) }
}

/** 503 with the advice to try again in a second (RFC 9110, section 10.2.3). The cause is for the log only. */
export function unavailable(message: string, cause?: unknown): HttpError {
  return new HttpError(503, 'service_unavailable', message, { headers: { 'Retry-After': '1' }, cause })
}

/** True if the error says that the same may succeed later. */
export function isUnavailable(error: unknown): error is HttpError {
  return error instanceof HttpError && error.status === 503
}

/** Returns a thrown value, or an error that it is the cause of, with the members that errors of Node and drivers may have. */
export function toError(thrown: unknown): NodeJS.ErrnoException {
  return thrown instanceof Error ? thrown : new Error('the thrown value is not an Error', { cause: thrown })
}

/** An error that prevents the service, or a command, from starting. Each line of the message: `what is wrong; what to do`. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError'
}

/** A document that cannot be served. The message has one line `file:LINE:COL: what is wrong; what to do` per problem. */
export class DocumentError extends StartupError {
  override readonly name = 'DocumentError'
}
