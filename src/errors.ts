/**
 * The body of every answer that is not a success.
 */
import type { components } from '../generated/server.d.ts'

export type ErrorBody = components['schemas']['Error']

/** An answer of this status (400 to 599): a word for programs, and a text for people. */
export function errorAnswer<Status extends number>(status: Status, code: ErrorBody['code'], message: string) {
  return { status, body: { code, message, status } satisfies ErrorBody }
}

/** Thrown to end a request with an error answer, wherever it has got to. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly code: ErrorBody['code']
  readonly headers: Readonly<Record<string, string | number>>

  constructor(
    status: number,
    code: ErrorBody['code'],
    message: string,
    headers: Readonly<Record<string, string | number>> = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** The service cannot answer for the moment; in a second it may (RFC 9110, section 10.2.3). */
export function unavailable(message: string): HttpError {
  return new HttpError(503, 'service_unavailable', message, { 'Retry-After': 1 })
}
