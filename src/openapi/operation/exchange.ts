/** What is known of one request to an operation. Each step of the operation adds its part for the steps after it. */

import type { Operation } from '../document/operations.ts'
import type { AcceptedBody } from '../request/body.ts'
import type { Input } from '../request/input.ts'
import type { Caller } from '../request/security.ts'
import type { HandlerHeaders } from '../response/headers.ts'
import type { HttpError } from '../shared/errors.ts'
import type { CompiledResponse } from './responses.ts'

/** The request to an operation, as hooks and plugins see it: `request.openapi`. */
export interface OperationRequest {
  readonly operation: Operation
  /** The authenticated client, from the hooks `afterIdentify` on; undefined for an anonymous request. */
  readonly caller: Caller | undefined
  /** The validated and converted parameters and body, from `preHandler` on. A cache may set it before: see `saveInput`. */
  input: Input | undefined
  /** What the handler returned, once it has; undefined for errors, and for responses of hooks. */
  readonly result: Result | undefined
}

/** What a handler has returned. */
export interface Result {
  readonly status: number
  readonly body: unknown
  /** By names in lower case. */
  readonly headers: HandlerHeaders
  /** The media type of the body, if several are declared. */
  readonly contentType?: string | undefined
}

/** The same with what only the layer uses. */
export interface Exchange extends OperationRequest {
  caller: Caller | undefined
  /** The 403 of a caller that lacks a scope. `accept` throws it, once the hooks `afterIdentify` know the caller. */
  denial: HttpError | undefined
  accepted: Accepted | undefined
  /** Settles when the handler has returned; undefined before. */
  handled: Promise<unknown> | undefined
  /** Resolves when the response is sent, or cannot be sent any more; undefined unless the body is streamed. */
  closed: Promise<unknown> | undefined
  input: Input | undefined
  result: Result | undefined
  /** How a response with the status of the result is sent. */
  response: CompiledResponse | undefined
  /** Aborts when nobody waits for the response any more; undefined unless the operation sends streams of items. */
  signal: AbortSignal | undefined
  /** True until a JSON body reaches its serializer. Fastify sends some bodies without it. */
  isUnserialized: boolean
}

/** What the headers of a request say. */
export interface Accepted {
  /** The body to come; undefined if there is none. */
  readonly body: AcceptedBody | undefined
  /** The media type that the client prefers for the response; undefined unless the operation offers several. */
  readonly responseType: string | undefined
}

/** Begins an exchange with all of its properties, so that V8 gives all exchanges one hidden class. */
export function createExchange(operation: Operation): Exchange {
  return {
    operation,
    caller: undefined,
    denial: undefined,
    accepted: undefined,
    handled: undefined,
    closed: undefined,
    input: undefined,
    result: undefined,
    response: undefined,
    signal: undefined,
    isUnserialized: false,
  }
}
