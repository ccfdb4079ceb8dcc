/**
 * The operations of a document, with everything resolved that says how each is called and how it responds.
 */
import {
  type Header,
  METHODS,
  type Method,
  type OpenApi,
  type OperationObject,
  type Parameter,
  type RequestBody,
  type ResponseObject,
  type Schema,
  type SecurityScheme,
} from './model.ts'
import { resolve } from './references.ts'
import { mapValues } from './schemas.ts'

/** The media type of every body, in requests and responses: the only supported one. */
export const MEDIA_TYPE = 'application/json'

/** One operation (OpenAPI 3.1, Operation Object), with its references resolved except within schemas. */
export interface Operation {
  readonly id: string
  readonly method: Method
  /** The path template of the document, without the base path: `/pets/{petId}`. */
  readonly path: string
  readonly tag: string | undefined
  readonly summary: string | undefined
  readonly parameters: readonly Parameter[]
  readonly requestBody: RequestBody | undefined
  readonly responses: ReadonlyMap<number, Response>
  /** The name of the security scheme; undefined if the operation needs none. */
  readonly security: string | undefined
  readonly deprecation: Deprecation | undefined
  /** How long idempotency keys are stored, in seconds; undefined if requests carry none. */
  readonly idempotencyTtlSeconds: number | undefined
}

export interface Response {
  /** The schema of the JSON body; undefined if there is no body. */
  readonly body: Schema | undefined
  /** The headers by name, each with its schema resolved. */
  readonly headers: Readonly<Record<string, Header>>
}

/** The dates (RFC 3339, full-date) of a deprecation, and the operation that replaces the deprecated one. */
export interface Deprecation {
  readonly since: string
  readonly sunset: string | undefined
  readonly replacedBy: string | undefined
}

/** Reads the operations of a checked document, in its order. */
export function readOperations(root: OpenApi): Operation[] {
  return Object.entries(root.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      if (operation === undefined) return []
      // A parameter of the operation replaces the path's parameter with the same name and place.
      const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((each) =>
        resolve<Parameter>(root, each),
      )
      const parameters = [...new Map(all.map((each) => [`${each.in} ${each.name}`, each])).values()]
      return [
        {
          id: operation.operationId,
          method,
          path,
          tag: operation.tags?.[0],
          summary: operation.summary,
          parameters,
          requestBody: operation.requestBody && resolve<RequestBody>(root, operation.requestBody),
          responses: readResponses(root, operation),
          security: readSecurity(operation.security ?? root.security),
          deprecation: readDeprecation(operation),
          idempotencyTtlSeconds: parameters.find(isIdempotencyKey)?.['x-idempotency-ttl-seconds'],
        },
      ]
    }),
  )
}

/** The key of an authenticator: type and scheme, such as `http bearer`. Schemes ignore case (RFC 9110, section 11.1). */
export function getSchemeKey({ type, scheme }: SecurityScheme): string {
  return `${type} ${scheme.toLowerCase()}`
}

/** True if the server evaluates a parameter, so that the handler does not receive it (RFC 9110, section 13.1.2). */
export function isServerParameter({ in: place, name }: Parameter): boolean {
  return place === 'header' && /^if-none-match$/i.test(name)
}

/** True if a parameter is the header of draft-ietf-httpapi-idempotency-key-header. */
export function isIdempotencyKey(parameter: { readonly in?: unknown; readonly name?: unknown }): boolean {
  return parameter.in === 'header' && /^idempotency-key$/i.test(String(parameter.name))
}

function readResponses(root: OpenApi, operation: OperationObject): ReadonlyMap<number, Response> {
  return new Map(
    Object.entries(operation.responses).map(([status, reference]) => {
      const response = resolve<ResponseObject>(root, reference)
      const headers = mapValues(response.headers ?? {}, (each) => {
        const header = resolve<Header>(root, each)
        return { ...header, schema: resolve<Schema>(root, header.schema) }
      })
      return [Number(status), { body: response.content?.[MEDIA_TYPE]?.schema, headers }]
    }),
  )
}

/** The name of the scheme: at most one is supported. */
function readSecurity(security: OperationObject['security']): string | undefined {
  return Object.keys(security?.[0] ?? {})[0]
}

/** Without `deprecated: true`, the dates have no effect yet. */
function readDeprecation(operation: OperationObject): Deprecation | undefined {
  if (operation.deprecated !== true) return undefined
  return {
    since: operation['x-deprecated-since'] as string,
    sunset: operation['x-sunset'],
    replacedBy: operation['x-replaced-by'],
  }
}
