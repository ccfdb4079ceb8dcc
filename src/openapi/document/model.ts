/** The objects of OpenAPI 3.1, as far as the service reads them; `check/supported.yaml` lists all that is supported. */
import type { SchemaType } from '../shared/json.ts'

type Named<Value> = Readonly<Record<string, Value>>

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly servers?: readonly Server[]
  readonly security?: readonly SecurityRequirement[]
  readonly openapi: string
  readonly paths: Named<PathItem>
  readonly components?: { readonly schemas?: Named<Schema>; readonly securitySchemes?: Named<SecurityScheme> }
}

export interface Server {
  readonly url: string
  readonly description?: string
  readonly variables?: Named<ServerVariable>
}

export interface ServerVariable {
  readonly default: string
  readonly enum?: readonly string[]
}

export interface Reference {
  readonly $ref: string
}

/** The methods with a field of their own. HEAD is before GET: the route of GET then adds none for it. */
export const METHODS = ['head', 'get', 'put', 'post', 'delete', 'patch', 'options', 'trace', 'query'] as const

export interface PathItem extends Partial<Readonly<Record<(typeof METHODS)[number], OperationObject>>> {
  /** Leads to a path item with further fields. */
  readonly $ref?: string
  /** By the names of other methods. */
  readonly additionalOperations?: Named<OperationObject>
  readonly servers?: readonly Server[]
  readonly parameters?: readonly (Parameter | Reference)[]
}

export interface OperationObject {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly servers?: readonly Server[]
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: RequestBody | Reference
  readonly responses?: Named<ResponseObject | Reference>
  readonly security?: readonly SecurityRequirement[]
  readonly deprecated?: boolean
  readonly 'x-deprecated-since'?: string
  readonly 'x-sunset'?: string
  readonly 'x-replaced-by'?: string
}

export interface Parameter {
  readonly name: string
  readonly description?: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required?: boolean
  readonly schema?: Schema
  readonly content?: Content
  readonly style?: string
  readonly explode?: boolean
  readonly allowEmptyValue?: boolean
  readonly 'x-idempotency-ttl-seconds'?: number
}

export interface RequestBody {
  readonly required?: boolean
  readonly content: Content
  readonly 'x-max-bytes'?: number
  readonly 'x-max-depth'?: number
}

export interface ResponseObject {
  readonly headers?: Named<Header | Reference>
  readonly content?: Content
}

/** By media type, or range of media types. */
export type Content = Named<MediaType | Reference>

export interface MediaType {
  readonly schema?: Schema
  /** The schema of each item of a stream (OpenAPI 3.2, Sequential Media Types). */
  readonly itemSchema?: Schema
  readonly example?: unknown
  readonly examples?: unknown
  readonly 'x-stream'?: boolean
  readonly encoding?: Named<Encoding>
}

/** How a field of a form is sent (OpenAPI 3.1, Encoding Object). */
export interface Encoding {
  readonly contentType?: string
  readonly headers?: Named<Header | Reference>
  readonly style?: string
  readonly explode?: boolean
}

export interface Header {
  readonly required?: boolean
  readonly schema: Schema
}

/** The schemes that are all needed, by name, each with its scopes. */
type SecurityRequirement = Named<readonly string[]>

export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat?: string }
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'oauth2' | 'openIdConnect' | 'mutualTLS' }

/** A request has no property that is `readOnly`, and a response none that is `writeOnly` (OpenAPI 3.1, Schema Object). */
export type Direction = 'request' | 'response'

/**
 * A Schema Object (JSON Schema 2020-12): the keywords that are read by name, by the types of their values. Within one, a
 * schema may also be a boolean.
 */
export interface Schema
  extends Keywords<'$ref' | 'format' | 'pattern' | 'contentEncoding' | 'contentMediaType' | 'description', string>,
    Keywords<'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf', number | bigint>,
    Keywords<'minLength' | 'maxLength' | 'minItems' | 'minContains' | 'maxContains', number>,
    Keywords<'uniqueItems' | 'readOnly' | 'writeOnly', boolean>,
    Keywords<'items' | 'contains' | 'propertyNames' | 'not' | 'if' | 'then' | 'else', Schema>,
    Keywords<'additionalProperties' | 'unevaluatedProperties' | 'unevaluatedItems', boolean | Schema>,
    Keywords<'allOf' | 'anyOf' | 'oneOf' | 'prefixItems', readonly Schema[]>,
    Keywords<'properties' | 'patternProperties' | 'dependentSchemas', Named<Schema>>,
    Keywords<'default' | 'const', unknown>,
    Keywords<'enum' | 'x-extensible-enum', readonly unknown[]> {
  readonly type?: SchemaType | readonly SchemaType[]
  readonly required?: readonly string[]
  readonly discriminator?: object
}

type Keywords<Name extends string, Value> = { readonly [Key in Name]?: Value }
