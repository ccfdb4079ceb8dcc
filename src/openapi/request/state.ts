/** What the hooks of an operation tell each other. */
import type { Cached, Result, Revision } from '../response/cache.ts'
import type { BodyReader } from './body.ts'
import type { Identity } from './security.ts'

/** State passed between the hooks of one request, from authentication on. */
export interface OperationState {
  /** The 403 of a caller that lacks a scope: `authorize` fails with it. */
  readonly denial: Identity['denial']
  /** The revision of the data that this request reads; undefined unless its response may be cached. */
  revision?: Revision
  /** The last request of this URL with its response, if that was made of the same revision. */
  cached?: Cached | undefined
  /** Reads the body; undefined before `preParsing`, and if there is no body. */
  reader?: BodyReader | undefined
  /** The media type to respond with, if the operation offers several. */
  accept?: string | undefined
  /** What the handler has returned; undefined for errors, and for responses of hooks. */
  result?: Result | undefined
}
