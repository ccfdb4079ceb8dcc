/** What the hooks of an operation tell each other. */
import type { Cached, Result, Revision } from '../response/cache.ts'
import type { BodyReader } from './body.ts'
import type { Identity } from './security.ts'

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
