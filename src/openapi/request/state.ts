/** What the hooks of an operation add to Fastify's request. */
import type { Operation } from '../document/operations.ts'
import type { Cached, Result, Revision } from '../response/cache.ts'
import type { BodyReader } from './body.ts'
import type { Input } from './input.ts'
import type { Caller, Identity } from './security.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The operation; set at the start of authentication, and undefined on other routes. */
    operation: Operation | undefined
    /** The authenticated client; undefined for an anonymous request. */
    caller: Caller | undefined
    /** The validated and converted parameters and body. */
    input: Input | undefined
    /** Internal to the layer. */
    operationState: OperationState | undefined
  }
  interface FastifyContextConfig {
    /** The operation of a route. */
    operation?: Operation
  }
}

/** The names of the members above. */
export const REQUEST_DECORATORS = ['operation', 'caller', 'input', 'operationState']

/** State passed between the hooks of one request, from authentication on. */
export interface OperationState {
  /** The 403 of a caller that lacks a scope: `authorize` fails with it. */
  readonly denial: Identity['denial']
  /** The state of the data that this request reads. */
  revision?: Revision
  /** The response to this URL, if it was made from the same state of the data. */
  cached?: Cached | undefined
  /** Reads the body; undefined if there is none. */
  reader?: BodyReader | undefined
  /** The media type that the client prefers, if there are several. */
  accept?: string | undefined
  /** What the handler has returned; undefined for errors, and for responses of hooks. */
  result?: Result | undefined
}
