/**
 * The objects of OpenAPI 3.1 as they are written, with the fields that code reads; `check/supported.yaml` lists all supported
 * fields. The names that end in `Object` distinguish objects from what `operations.ts` makes of them.
 */
import type { SchemaType } from '../shared/json.ts'

type ByName<Value> = Readonly<Record<string, Value>>

export interface OpenApi {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly servers?: readonly Server[]
  readonly security?: readonly SecurityRequirementObject[]
  readonly paths: ByName<PathItem>
  readonly webhooks?: ByName<PathItem>
  readonly components?: { readonly schemas?: ByName<Schema>; readonly securitySchemes?: ByName<SecurityScheme> }
}

export interface Server {
  readonly url: string
  readonly description?: string
  readonly variables?: ByName<ServerVariable>
}

export interface ServerVariable {
  readonly default: string
  readonly enum?: readonly string[]
}

export interface Reference {
  readonly $ref: string
}

/** The methods that have a field in a Path Item. HEAD precedes GET: otherwise, Fastify adds a HEAD route with the GET route. */
export const METHODS = ['head', 'get', 'put', 'post', 'delete', 'patch', 'options', 'trace', 'query'] as const

export interface PathItem extends Partial<Readonly<Record<(typeof METHODS)[number], OperationObject>>> {
  /** A reference to a path item, whose fields are added to these. */
  readonly $ref?: string
  /** Operations by method, for methods without a field (OpenAPI 3.2). */
  readonly additionalOperations?: ByName<OperationObject>
  readonly servers?: readonly Server[]
  readonly parameters?: readonly (ParameterObject | Reference)[]
}

export interface OperationObject {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly servers?: readonly Server[]
  readonly parameters?: readonly (ParameterObject | Reference)[]
  readonly requestBody?: RequestBodyObject | Reference
  readonly responses?: ByName<ResponseObject | Reference>
  readonly security?: readonly SecurityRequirementObject[]
  readonly callbacks?: ByName<CallbackObject | Reference>
  readonly deprecated?: boolean
  readonly 'x-deprecated-since'?: string
  readonly 'x-sunset'?: string
  readonly 'x-replaced-by'?: string
}

/** Path items by runtime expressions, which say where the request is sent. */
export type CallbackObject = ByName<PathItem>

export interface ParameterObject {
  readonly name: string
  readonly description?: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required?: boolean
  readonly schema?: Schema
  readonly content?: ContentObject
  readonly style?: string
  readonly explode?: boolean
  readonly allowEmptyValue?: boolean
}

export interface RequestBodyObject {
  readonly required?: boolean
  readonly content: ContentObject
  readonly 'x-max-bytes'?: number
  readonly 'x-max-depth'?: number
}

export interface ResponseObject {
  readonly headers?: ByName<HeaderObject | Reference>
  readonly content?: ContentObject
}

/** Media Type Objects by media type, or by range of media types. */
export type ContentObject = ByName<MediaTypeObject | Reference>

export interface MediaTypeObject {
  readonly schema?: Schema
  /** The schema of each item of a stream (OpenAPI 3.2, Sequential Media Types). */
  readonly itemSchema?: Schema
  readonly example?: unknown
  readonly examples?: unknown
  readonly 'x-stream'?: boolean
  readonly encoding?: ByName<Encoding>
}

/** How a field of a form is sent (OpenAPI 3.1, Encoding Object). */
export interface Encoding {
  readonly contentType?: string
  readonly headers?: ByName<HeaderObject | Reference>
  readonly style?: string
  readonly explode?: boolean
}

export interface HeaderObject {
  readonly required?: boolean
  readonly schema: Schema
}

/** Scopes by scheme name. A request needs every scheme. */
type SecurityRequirementObject = ByName<readonly string[]>

export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat?: string }
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'oauth2' | 'openIdConnect' | 'mutualTLS' }

/**
 * The direction of a message. Requests omit properties that are `readOnly`, and responses those that are `writeOnly` (OpenAPI 3.1,
 * Schema Object).
 */
export type Direction = 'request' | 'response'

/**
 * A Schema Object (JSON Schema 2020-12). Lists the keywords that code reads by name, grouped by the types of their values. A
 * subschema may also be a boolean; code reads it by `toSchema`.
 */
export interface Schema
  extends Keywords<'$ref' | 'format' | 'pattern' | 'contentEncoding' | 'contentMediaType' | 'description', string>,
    Keywords<'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf', number | bigint>,
    Keywords<
      | 'minLength'
      | 'maxLength'
      | 'minItems'
      | 'maxItems'
      | 'minContains'
      | 'maxContains'
      | 'minProperties'
      | 'maxProperties',
      number
    >,
    Keywords<'uniqueItems' | 'readOnly' | 'writeOnly', boolean>,
    Keywords<'items' | 'contains' | 'propertyNames' | 'not' | 'if' | 'then' | 'else', boolean | Schema>,
    Keywords<'additionalProperties' | 'unevaluatedProperties' | 'unevaluatedItems', boolean | Schema>,
    Keywords<'allOf' | 'anyOf' | 'oneOf' | 'prefixItems', readonly (boolean | Schema)[]>,
    Keywords<'properties' | 'patternProperties' | 'dependentSchemas', ByName<boolean | Schema>>,
    Keywords<'dependentRequired', ByName<readonly string[]>>,
    Keywords<'default' | 'const', unknown>,
    Keywords<'enum' | 'x-extensible-enum', readonly unknown[]> {
  readonly type?: SchemaType | readonly SchemaType[]
  readonly required?: readonly string[]
  readonly discriminator?: object
}

type Keywords<Name extends string, Value> = { readonly [Key in Name]?: Value }
