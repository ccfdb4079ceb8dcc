/**
 * What is known of one request to an operation. Each step of its route adds its part for the steps after it:
 *
 * | step               | hook of Fastify | adds                                                          |
 * |--------------------|-----------------|---------------------------------------------------------------|
 * | `identifyCaller`   | `onRequest`     | `operation`, `caller`, `denial`                               |
 * | `accept`           | `onRequest`     | `accepted`                                                    |
 * | `validate`         | `preValidation` | `input`                                                       |
 * | `respond`          | the handler     | `result`                                                      |
 * | `onSend`           | `onSend`        | `earlierHeaders`, of a stream                                 |
 * | `discardResponse`  | `onError`       | nothing; it takes back the response: another one is sent      |
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../document/operations.ts'
import type { AcceptedBody } from '../request/body.ts'
import type { Input } from '../request/input.ts'
import type { Caller } from '../request/security.ts'
import type { HandlerHeaders } from '../response/headers.ts'
import type { HttpError } from '../shared/errors.ts'
import type { Upload } from './upload.ts'

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
  /** In place of items, the stream that Fastify sends of them. */
  readonly body: unknown
  /** By names in lower case. */
  readonly headers: HandlerHeaders
  /** The media type of the body, if several are declared. */
  readonly contentType?: string | undefined
}

/** The same with what only the layer uses. */
export interface Exchange extends OperationRequest {
  caller: Caller | undefined
  /** The 403 of a caller that lacks a scope: `accept` throws it, once the hooks `afterIdentify` know the caller. */
  denial: HttpError | undefined
  /** What the headers say. */
  accepted: Accepted | undefined
  result: Result | undefined
  /** The headers that hooks have set, before the layer adds those of a stream: the stream may fail before its first byte. */
  earlierHeaders: ReturnType<FastifyReply['getHeaders']> | undefined
}

interface Accepted {
  /** The body to come; undefined if there is none. */
  readonly body: AcceptedBody | undefined
  /** The media type that the client prefers for the response; undefined unless the operation offers several. */
  readonly responseType: string | undefined
  /** Only for bodies with `x-stream`. */
  readonly upload: Upload | undefined
}

export function createExchange(operation: Operation): Exchange {
  return {
    operation,
    caller: undefined,
    denial: undefined,
    accepted: undefined,
    input: undefined,
    result: undefined,
    earlierHeaders: undefined,
  }
}

/** Returns the exchange of a request, from `identifyCaller` on, with what only the layer sees of it. */
export function getExchange({ openapi }: FastifyRequest): Exchange {
  return openapi as Exchange
}
