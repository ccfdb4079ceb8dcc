/** The operations of a document, resolved: parameters, bodies, responses and security of each. */

import { findOperations } from './find-operations.ts'
import { toLowerCaseNames } from './media-type.ts'
import type * as model from './model.ts'
import type { OpenApi } from './model.ts'
import { getTargetPointer, parsePointer } from './pointers.ts'
import { getReferences } from './references.ts'
import { collectReachable, toSchema } from './subschemas.ts'
import { getNamed } from './values.ts'

/** The media type of most bodies. */
export const MEDIA_TYPE = 'application/json'

/** The statuses whose responses have no body (RFC 9110, section 15), whatever a document says of them. */
export const STATUSES_WITHOUT_BODY: readonly number[] = [204, 205, 304]

/** The maximum size of a request body, in bytes, without `x-max-bytes`. */
const DEFAULT_MAX_BYTES = 1024 * 1024
/** The most levels of arrays and objects in a request body without `x-max-depth`: more than any useful body has. */
export const DEFAULT_MAX_DEPTH = 64

/** An operation (OpenAPI 3.1, Operation Object), with its references resolved except within schemas. */
export interface Operation {
  readonly id: string
  /** The pointer to the operation in the document. */
  readonly pointer: string
  readonly method: string
  /** The path template of the document, without the base path: `/pets/{petId}`. */
  readonly path: string
  readonly tag: string | undefined
  readonly summary: string | undefined
  readonly parameters: readonly Parameter[]
  readonly requestBody: Body | undefined
  readonly responses: Responses<Response>
  /** True if responses have an ETag, and the server sends 304 (RFC 9110, section 13.1.2: for GET and HEAD only). */
  readonly isConditional: boolean
  /** The ways to authenticate, of which a caller chooses one; [] if the operation needs no authentication. */
  readonly security: readonly SecurityAlternative[]
  /** Undefined without `deprecated: true`, whatever the dates. */
  readonly deprecation: Deprecation | undefined
}

/** A parameter with its style (OpenAPI 3.1, Parameter Object). */
export interface Parameter extends Omit<model.ParameterObject, 'content'> {
  readonly style: string
  readonly explode: boolean
  /** The schema of the value; with `content`, that of its media type. */
  readonly schema: model.Schema
  /** True with `content`: the value is JSON. */
  readonly isJson: boolean
}

/** A body of a request. */
export interface Body {
  readonly isRequired: boolean
  readonly content: readonly Content[]
  readonly maxBytes: number
  /** True if the document has the limit: with `x-max-bytes`. */
  readonly isLimited: boolean
  /** The most levels of arrays and objects. */
  readonly maxDepth: number
}

/** One media type that a body may have (OpenAPI 3.1, Media Type Object). */
export interface Content {
  /** A media type or media type range, with the parameters that the document gives it. All but their values is in lower case. */
  readonly type: string
  readonly schema: model.Schema
  /** The schema of each item of a stream; undefined if the body is no stream (OpenAPI 3.2, Sequential Media Types). */
  readonly itemSchema?: model.Schema | undefined
  /** Encoding Objects by the names of form fields: the media types that a file may have (OpenAPI 3.1, Encoding Object). */
  readonly encoding?: NonNullable<model.MediaTypeObject['encoding']>
  /** True if a handler reads the bytes as they arrive, or if the files of a form are written to disk. */
  readonly 'x-stream'?: boolean
  /** True if the app converts between the bytes of the body and its value, by a content type parser or a serializer. */
  readonly hasCodec?: boolean
  readonly example?: unknown
  readonly examples?: unknown
}

/** Values by response key: a status, a class of statuses, or `default` for all others (OpenAPI 3.1, Responses Object). */
export type Responses<Value> = ReadonlyMap<ResponseKey, Value>
export type ResponseKey = number | `${number}XX` | 'default'

export interface Response {
  /** The media types that the body may have; [] if there is no body. */
  readonly content: readonly Content[]
  /** Headers by name, in the document's case. */
  readonly headers: Readonly<Record<string, Header>>
}

/** A header of a response (OpenAPI 3.1, Header Object). */
export interface Header extends model.HeaderObject {
  /** The only values that the schema allows, by `const` and `enum`; undefined without these keywords. */
  readonly allowedValues?: readonly unknown[] | undefined
}

/** Security schemes, all of which a request needs; with [], a request without credentials is accepted. */
export type SecurityAlternative = readonly SecurityRequirement[]

/** One security scheme that a request needs, with the scopes that its caller needs. */
export interface SecurityRequirement {
  readonly name: string
  readonly scheme: model.SecurityScheme
  readonly scopes: readonly string[]
}

/** A deprecation, with its dates (RFC 3339, full-date) and the id of the operation that replaces the deprecated one. */
export interface Deprecation {
  readonly since: string | undefined
  readonly sunset: string | undefined
  readonly replacedBy: string | undefined
}

/** The header parameters that OpenAPI ignores (OpenAPI 3.1, Parameter Object). */
const IGNORED_PARAMETERS = /^(accept|content-type|authorization)$/i

/** Reads the operations of a checked document, in its order. */
export function readOperations(root: OpenApi): Operation[] {
  return findOperations(root).map(({ id, path, item, method, operation, pointer }) => {
    const parameters = readParameters(root, [...(item.parameters ?? []), ...(operation.parameters ?? [])])
    const responses = readResponses(root, operation)
    return {
      id,
      pointer,
      method,
      path,
      tag: operation.tags?.[0],
      summary: operation.summary,
      parameters,
      requestBody: readBody(root, operation),
      responses,
      isConditional: /^(get|head)$/.test(method) && responses.has(304),
      security: readSecurity(root, operation),
      deprecation: operation.deprecated
        ? {
            since: operation['x-deprecated-since'],
            sunset: operation['x-sunset'],
            replacedBy: operation['x-replaced-by'],
          }
        : undefined,
    }
  })
}

/**
 * Reads the parameters of a path and of its operation, in this order. A parameter of the operation replaces the path's parameter
 * with the same name and location.
 */
function readParameters(root: OpenApi, list: readonly (model.ParameterObject | model.Reference)[]): Parameter[] {
  const parameters = list
    .map((reference) => readParameter(root, getReferences(root).resolve<model.ParameterObject>(reference)))
    .filter((parameter) => parameter.in !== 'header' || !IGNORED_PARAMETERS.test(parameter.name))
  return [...new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()]
}

/** Returns the schemas of the parameters and the body of an operation. */
export function getRequestSchemas({ parameters, requestBody }: Operation): model.Schema[] {
  return [...parameters, ...(requestBody?.content ?? [])].map(({ schema }) => schema)
}

/** Returns the schemas of the headers, bodies and items of an operation's responses. */
export function getResponseSchemas({ responses }: Operation): model.Schema[] {
  return [...responses.values()].flatMap(({ content, headers }) => [
    ...content.flatMap(({ schema, itemSchema }) => (itemSchema === undefined ? [schema] : [schema, itemSchema])),
    ...Object.values(headers).map(({ schema }) => schema),
  ])
}

/** Finds the value for a status: by the status, or else by its class, or else by `default`. */
export function findResponse<Value>(responses: Responses<Value>, status: number): Value | undefined {
  return responses.get(status) ?? responses.get(`${Math.floor(status / 100)}XX`) ?? responses.get('default')
}

/** Returns all parameters except `If-None-Match` of a conditional operation, which the server evaluates. */
export function getHandlerParameters({ isConditional, parameters }: Operation): Parameter[] {
  const isIfNoneMatch = (parameter: Parameter) => parameter.in === 'header' && /^if-none-match$/i.test(parameter.name)
  return parameters.filter((parameter) => !isConditional || !isIfNoneMatch(parameter))
}

/** Reads a parameter, with the defaults of `style` and `explode` (OpenAPI 3.1, Parameter Object). */
export function readParameter(root: OpenApi, { content, schema, ...parameter }: model.ParameterObject): Parameter {
  const [jsonContent] = Object.values(content ?? {}).map((media) =>
    getReferences(root).resolve<model.MediaTypeObject>(media),
  )
  const style = parameter.style ?? (/^(query|cookie)$/.test(parameter.in) ? 'form' : 'simple')
  const explode = parameter.explode ?? style === 'form'
  return {
    ...parameter,
    style,
    explode,
    schema: toSchema(schema ?? jsonContent?.schema ?? {}),
    isJson: jsonContent !== undefined,
  }
}

function readBody(root: OpenApi, { requestBody }: model.OperationObject): Body | undefined {
  if (requestBody === undefined) return undefined
  const { required = false, content, ...limits } = getReferences(root).resolve<model.RequestBodyObject>(requestBody)
  return {
    isRequired: required,
    content: readContent(root, content),
    maxBytes: limits['x-max-bytes'] ?? DEFAULT_MAX_BYTES,
    isLimited: limits['x-max-bytes'] !== undefined,
    maxDepth: limits['x-max-depth'] ?? DEFAULT_MAX_DEPTH,
  }
}

/**
 * The declared headers that are dropped: the server derives them from the body and the connection (RFC 9110, section 8;
 * RFC 9112), and OpenAPI ignores Content-Type (OpenAPI 3.1, Response Object).
 */
export const FRAMING_HEADERS = /^(connection|content-(length|type)|keep-alive|trailer|transfer-encoding|upgrade)$/i

/** Matches the statuses of interim responses, which precede the final response (RFC 9110, section 15.2). */
export const INTERIM_STATUS = /^1/

/** The responses of an operation that declares no responses. */
const DEFAULT_RESPONSES: [key: string, response: model.ResponseObject][] = [['default', {}]]

function readResponses(root: OpenApi, operation: model.OperationObject): Responses<Response> {
  const declaredResponses = getNamed(operation.responses ?? {}).filter(([key]) => !INTERIM_STATUS.test(key))
  return new Map(
    (declaredResponses.length > 0 ? declaredResponses : DEFAULT_RESPONSES).map(([key, reference]) => {
      const response = getReferences(root).resolve<model.ResponseObject>(reference)
      const headerEntries = Object.entries(response.headers ?? {}).filter(([name]) => !FRAMING_HEADERS.test(name))
      const headers = headerEntries.map(([name, reference]) => {
        const header = getReferences(root).resolve<model.HeaderObject>(reference)
        const schema = toSchema(header.schema)
        return [name, { ...header, schema, allowedValues: findAllowedValues(root, schema) } satisfies Header]
      })
      const content = STATUSES_WITHOUT_BODY.includes(Number(key)) ? [] : readContent(root, response.content)
      return [toResponseKey(key), { content, headers: Object.fromEntries(headers) }]
    }),
  )
}

function toResponseKey(key: string): ResponseKey {
  if (key === 'default') return key
  return key.endsWith('XX') ? `${Number(key[0])}XX` : Number(key)
}

/**
 * Finds the only values that a schema allows, by `const` and `enum` of the schema and of those that `$ref` and `allOf` add;
 * undefined if there are no such keywords.
 */
export function findAllowedValues(root: OpenApi, schema: model.Schema): readonly unknown[] | undefined {
  const conjuncts = collectReachable([schema], ({ $ref, allOf = [] }) => [
    ...($ref === undefined ? [] : [toSchema(getReferences(root).getTarget($ref))]),
    ...allOf.map(toSchema),
  ])
  const [firstValues, ...otherLists] = conjuncts.flatMap((conjunct) => [
    ...('const' in conjunct ? [[conjunct.const]] : []),
    ...(conjunct.enum === undefined ? [] : [conjunct.enum]),
  ])
  return firstValues?.filter((value) => otherLists.every((values) => values.includes(value)))
}

/** Returns the parameter names in a path template: `id` for `/pets/{id}`. */
export function getPathParameters(template: string): string[] {
  return Array.from(template.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name)
}

/** Reads the media types that a body may have, the most specific first (OpenAPI 3.1, Media Type Object). */
export function readContent(root: OpenApi, content: model.ContentObject = {}): Content[] {
  const mediaTypes = Object.entries(content).map(([name, reference]) => {
    const { schema = {}, itemSchema, ...media } = getReferences(root).resolve<model.MediaTypeObject>(reference)
    const streamSchema = itemSchema !== undefined && { itemSchema: toSchema(itemSchema) }
    return { ...media, type: toLowerCaseNames(name), schema: toSchema(schema), ...streamSchema }
  })
  return mediaTypes.sort((first, second) => getRangeWidth(first.type) - getRangeWidth(second.type))
}

/** Returns 3 for any type, 2 for any subtype, 1 for a structured suffix, and 0 for one media type. */
function getRangeWidth(type: string): number {
  // A parameter does not make a range specific: `text/*; charset=utf-8`.
  const [range = ''] = type.split(';')
  if (range.startsWith('*')) return 3
  if (range.trimEnd().endsWith('/*')) return 2
  return range.includes('*+') ? 1 : 0
}

/** The way in which a body is read and written. */
export type Kind = 'json' | 'form' | 'text' | 'bytes'

/** Returns the kind of a media type. With a range, the media type of each body decides. */
export function getKind(type: string): Kind {
  if (/^[^;]+[/+]json *(;|$)/.test(type)) return 'json'
  if (/^(application\/x-www-form-urlencoded|multipart\/form-data) *(;|$)/.test(type)) return 'form'
  return type.startsWith('text/') ? 'text' : 'bytes'
}

/** Returns a media type without parameters. */
export function getEssence(type: string): string {
  return String(type.split(';')[0]).trim()
}

/**
 * Returns the pattern of the media types in a range, in any case. `parameters` is the source of an expression that matches their
 * parameters.
 */
export function toPattern(type: string, parameters = '.*'): RegExp {
  const [range = ''] = type.split(';')
  const source = range
    .trim()
    .replaceAll(/[^\w/*]/g, '\\$&')
    .replaceAll('*', '[^\\s;/]+')
  return new RegExp(`^${source}[ \\t]*(;[ \\t]*${parameters}|$)`, 'i')
}

/** True if an operation may respond with a stream of items. Its handler then receives a `signal`. */
export function sendsItems({ responses }: Operation): boolean {
  return [...responses.values()].some(({ content }) => content.some(({ itemSchema }) => itemSchema !== undefined))
}

/** True if a body has one of several media types. The handler then receives or returns `contentType`. */
export function isChoice(content: readonly Content[]): boolean {
  return content.length > 1 || content.some(({ type }) => type.includes('*'))
}

/** True if security alternatives accept a request without credentials, so that the caller may be undefined. */
export function allowsAnonymous(alternatives: readonly (readonly unknown[])[]): boolean {
  return alternatives.length === 0 || alternatives.some((requirements) => requirements.length === 0)
}

function readSecurity(root: OpenApi, operation: model.OperationObject): SecurityAlternative[] {
  return (operation.security ?? root.security ?? []).map((alternative) =>
    Object.entries(alternative).map(([key, scopes]) => {
      const name = getSchemeName(root, key)
      return { name, scheme: findScheme(root, name) as model.SecurityScheme, scopes }
    }),
  )
}

/**
 * Returns the name of a security scheme in the components. A requirement may also have its URI, which ends in the name (OpenAPI
 * 3.2, Security Requirement Object).
 */
export function getSchemeName({ components }: OpenApi, key: string): string {
  const isUri = key.startsWith('#/') && !Object.hasOwn(components?.securitySchemes ?? {}, key)
  return (isUri && parsePointer(getTargetPointer(key)).at(-1)) || key
}

/** Returns a security scheme of the components; undefined if there is none. */
export function findScheme(root: OpenApi, name: string): model.SecurityScheme | undefined {
  const schemes = new Map(Object.entries(root.components?.securitySchemes ?? {}))
  const scheme = schemes.get(name)
  return scheme && getReferences(root).resolve(scheme)
}
