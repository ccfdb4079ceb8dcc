// Generated from plugin.yaml; do not edit.

/** The request that the handler of getWord receives: validated, with defaults filled in. */
export type GetWordRequest<Caller> = {
  readonly path: {
    readonly word: string
  }
  /** The authenticated client. */
  readonly caller: Caller
  /** Writes log lines that have the id of the request. */
  readonly log: Log
  /** The id of the request in its log lines. */
  readonly requestId: string
  /** Builds the URLs of operations. */
  readonly urls: Urls
}

/** The responses that the handler of getWord may return. */
export type GetWordResponse =
  | { readonly status: 200; readonly body: { word: string; length: number; } }

/** The handler of each operation; `Caller` is the type of an authenticated client. */
export type Handlers<Caller> = {
  getWord(request: GetWordRequest<Caller>): Promise<GetWordResponse>
}

/** The types of this document for `openapi` of fastify-openapi-first; `Caller` is the type of an authenticated client. */
export type Api<Caller> = {
  readonly handlers: Handlers<Caller>
  readonly caller: Caller
  /** The security schemes that operations need. */
  readonly schemes: "Key"
}

/** Returns the path and query of each operation, from the root of the server. */
export type Urls = {
  getWord(parameters: { path: { readonly word: string } }): string
}

/** Writes log lines: a message, or fields with one. */
export type Log = Record<'debug' | 'info' | 'warn' | 'error', (fields: object | string, message?: string) => void>
