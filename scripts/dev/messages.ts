/**
 * The messages between the processes of `npm run dev`.
 */

/** To a version of the service. */
export type ToService =
  /** The documentation page shows these problems. */
  | { readonly type: 'problems'; readonly text: string }
  /** Get ready to start soon. */
  | { readonly type: 'prepare' }
  /** Read the spec and listen. */
  | { readonly type: 'start' }
  /** Another version listens: finish the requests in progress, and end. */
  | { readonly type: 'retire' }
  /** Finish the requests in progress, and end. */
  | { readonly type: 'stop' }

/** From a version of the service. */
export type FromService =
  | { readonly type: 'listening'; readonly address: string }
  /** `isSetup` is true if the reason is neither the spec nor the code. */
  | { readonly type: 'failed'; readonly message: string; readonly isSetup: boolean }

/** To the process that writes the types. */
export interface ToGenerator {
  readonly file: string
  readonly folder: string
}

/** From it, for each message: what is wrong, or an empty text. */
export interface FromGenerator {
  readonly message: string
}
