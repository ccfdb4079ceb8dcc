/**
 * The operations of a document, with everything resolved that says how each is called and what it answers.
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
} from './model.ts'
import { resolve } from './references.ts'
import { mapValues } from './schemas.ts'

/** One operation (OpenAPI 3.1, Operation Object) with its references resolved, but for those within schemas. */
export interface Operation {
  readonly id: string
  readonly method: Method
  /** The path template as the document has it, without the base path: `/pets/{petId}`. */
  readonly path: string
  readonly tag: string | undefined
  readonly parameters: readonly Parameter[]
  readonly requestBody: RequestBody | undefined
  readonly responses: ReadonlyMap<number, Response>
  /** The security scheme by its name in the document; undefined where the operation is open to all. */
  readonly security: string | undefined
  readonly lifecycle: Lifecycle | undefined
  /** For how many seconds the same request may be sent again; undefined where it carries no idempotency key. */
  readonly retryWindow: number | undefined
}

export interface Response {
  /** The schema of the JSON body; undefined where there is no body. */
  readonly body: Schema | undefined
  /** The headers by their names, each with its schema resolved. */
  readonly headers: Readonly<Record<string, Header>>
}

/** When a deprecated operation came to be so and is to go, as dates (RFC 3339), and the operation that replaces it. */
export interface Lifecycle {
  readonly deprecatedSince: string
  readonly sunset: string | undefined
  readonly replacedBy: string | undefined
}

/** The operations in the order of the document, which must have been checked. */
export function readOperations(root: OpenApi): Operation[] {
  return Object.entries(root.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      if (operation === undefined) return []
      // A parameter of the operation takes the place of the path's parameter of the same name and place.
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
          parameters,
          requestBody: operation.requestBody && resolve<RequestBody>(root, operation.requestBody),
          responses: readResponses(root, operation),
          security: schemeOf(operation.security ?? root.security),
          lifecycle: lifecycleOf(operation),
          retryWindow: parameters.find(isIdempotencyKey)?.['x-retry-window-seconds'],
        },
      ]
    }),
  )
}

/** Whether a parameter is the header field of draft-ietf-httpapi-idempotency-key-header. */
export function isIdempotencyKey(parameter: { readonly in?: unknown; readonly name?: unknown }): boolean {
  return parameter.in === 'header' && /^idempotency-key$/i.test(String(parameter.name))
}

/** The media type of every body, in requests and answers alike: the only one that is honoured. */
export const MEDIA_TYPE = 'application/json'

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

/** At most one scheme is honoured, so that the first name is the only one. */
function schemeOf(security: OperationObject['security']): string | undefined {
  return Object.keys(security?.[0] ?? {})[0]
}

/** `deprecated: true` puts the lifecycle in force; without it, its details say nothing yet. */
function lifecycleOf(operation: OperationObject): Lifecycle | undefined {
  if (operation.deprecated !== true) return undefined
  return {
    deprecatedSince: operation['x-deprecated-since'] as string,
    sunset: operation['x-sunset'],
    replacedBy: operation['x-replaced-by'],
  }
}
