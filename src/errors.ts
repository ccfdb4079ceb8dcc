/**
 * The body of every answer that is not a success.
 */
import type { components } from '../generated/server.d.ts'

export type ErrorBody = components['schemas']['Error']

/** An answer of this status (400 to 599): a word for programs, one of those that the contract lists, and a text for people. */
export function errorAnswer<Status extends number>(status: Status, code: string, message: string) {
  return { status, body: { code, message, status } satisfies ErrorBody }
}

/** Thrown to end a request with an error answer, wherever it has got to. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string | number>>

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string | number>> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}
