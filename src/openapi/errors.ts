/**
 * The requests that the engine refuses, whatever the operation.
 */

/** No operation of the path has the method of the request. */
export class MethodNotAllowedError extends Error {
  override readonly name = 'MethodNotAllowedError'
  /** The methods that the path has, as the `Allow` header lists them (RFC 9110, section 10.2.1). */
  readonly allow: string

  constructor(allow: string) {
    super(`this path has only ${allow}`)
    this.allow = allow
  }
}

/** The body is declared to be something else than what the operation takes. */
export class UnsupportedMediaTypeError extends Error {
  override readonly name = 'UnsupportedMediaTypeError'
}
