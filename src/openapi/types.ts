/**
 * The types of handlers, derived from the `operations` that openapi-typescript generates. With them the compiler proves
 * that every operation has a handler, and that each handler answers with nothing but what the document declares.
 */

/** The function behind each operation, by operationId. */
export type Handlers<Operations, Caller> = {
  readonly [Id in keyof Operations]: (
    request: Input<Operations[Id], Caller> & { readonly urlOf: UrlOf<Operations> },
  ) => Promise<Output<Operations[Id]>>
}

/** What a handler is given: validated values, defaults filled in, and who sends them, if the document asks for that. */
export interface Input<Operation, Caller> {
  readonly path: ParametersIn<Operation, 'path'>
  readonly query: ParametersIn<Operation, 'query'>
  readonly header: ParametersIn<Operation, 'header'>
  readonly body: RequestBody<Operation>
  readonly caller: Caller | undefined
  /** For how many seconds the same request may be sent again (`x-retry-window-seconds`), where it carries an idempotency key. */
  readonly retryWindow: RetryWindow<ParametersIn<Operation, 'header'>>
}

/** What a handler returns: one of the declared statuses with the body and the headers that go with it. */
export type Output<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses]: Answer<Status, Responses[Status]> }[keyof Responses]
  : never

/** The path (and query) at which an operation is found, from the root of the server: `/v1/pets/7`. */
export type UrlOf<Operations> = <Id extends keyof Operations>(
  operation: Id,
  parameters: UrlParameters<Operations[Id]>,
) => string

type UrlParameters<Operation> = PathParameters<ParametersIn<Operation, 'path'>> & {
  readonly query?: OrUndefined<ParametersIn<Operation, 'query'>>
}

type PathParameters<Values> = [Values] extends [never] ? { readonly path?: never } : { readonly path: Values }

type OrUndefined<Values> = { readonly [Name in keyof Values]?: Values[Name] | undefined }

type ParametersIn<Operation, Place extends string> = Operation extends { parameters: Record<Place, infer Values> }
  ? Values
  : Operation extends { parameters: { [P in Place]?: infer Values } }
    ? NonNullable<Values>
    : never

type RetryWindow<Headers> = [Headers] extends [never]
  ? undefined
  : 'idempotency-key' extends Lowercase<keyof Headers & string>
    ? number
    : undefined

type RequestBody<Operation> = Operation extends { requestBody: { content: Record<string, infer Body> } }
  ? Body
  : Operation extends { requestBody?: { content: Record<string, infer Body> } }
    ? Body | undefined
    : undefined

type Answer<Status, Response> = { readonly status: Status } & BodyOf<Response> & HeadersOf<Response>

type BodyOf<Response> = Response extends { content: Record<string, infer Body> }
  ? { readonly body: Body }
  : { readonly body?: undefined }

type HeadersOf<Response> = Response extends { headers: infer Headers }
  ? [keyof OwnHeaders<Headers>] extends [never]
    ? { readonly headers?: undefined }
    : Record<never, never> extends OwnHeaders<Headers>
      ? { readonly headers?: OwnHeaders<Headers> }
      : { readonly headers: OwnHeaders<Headers> }
  : { readonly headers?: undefined }

/** The headers that are up to the handler: the declared ones, but for those that the engine sends, or that others may. */
type OwnHeaders<Headers> = Sendable<Declared<Headers>>

/** Without the index signature of headers that are not declared. */
type Declared<Headers> = { [Name in keyof Headers as string extends Name ? never : Name]: Headers[Name] }

type Sendable<Headers> = {
  [Name in keyof Headers as Name extends ByEngine<Headers, Name> | Shared<Headers> ? never : Name]: Headers[Name]
} & {
  [Name in keyof Headers as Name extends Shared<Headers> ? Name : never]?: Headers[Name]
}

/** Values that the document states, and the lifecycle. */
type ByEngine<Headers, Name extends keyof Headers> =
  // Where the document has one value alone, there is nothing left to say.
  IsConstant<Headers[Name]> extends true ? Name : 'Deprecation' extends keyof Headers ? 'Deprecation' | 'Sunset' : never

/** What others send as well: the links of the lifecycle, to which a handler may add. */
type Shared<Headers> = ByOthers | ('Deprecation' extends keyof Headers ? 'Link' : never)

/** Authentication, load, and which request this is: what the server knows by itself, and a handler rarely does. */
type ByOthers = 'WWW-Authenticate' | 'Retry-After' | 'RateLimit' | 'RateLimit-Policy' | 'X-Request-Id'

type IsConstant<Value> = [Value] extends [string | number | bigint | boolean]
  ? Record<never, never> extends Record<`${Value}`, unknown>
    ? false // Text, or any number.
    : IsUnion<Value> extends true
      ? false
      : true
  : false

type IsUnion<Value, Each = Value> = Value extends Each ? ([Each] extends [Value] ? false : true) : never
