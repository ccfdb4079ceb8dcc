/** The operations of a document, with everything resolved that says how each is called and how it responds. */

import { findOperations } from './find-operations.ts'
import type * as model from './model.ts'
import type { OpenApi } from './model.ts'
import { getTargetPointer, parsePointer } from './pointers.ts'
import { getTarget, resolve } from './resolve.ts'
import { toSchema } from './subschemas.ts'
import { getNamed } from './values.ts'

/** The media type of most bodies. */
export const MEDIA_TYPE = 'application/json'

/** The statuses whose responses have no body (RFC 9110, section 15), whatever a document says of them. */
export const STATUSES_WITHOUT_BODY: readonly number[] = [204, 205, 304]

/** The maximum size of a request body, in bytes, if the spec does not say. */
const DEFAULT_MAX_BYTES = 1024 * 1024
/** The most levels of arrays and objects in a request body, if the spec does not say: more than any useful body has. */
export const DEFAULT_MAX_DEPTH = 64

/** One operation (OpenAPI 3.1, Operation Object), with its references resolved except within schemas. */
export type Operation = Readonly<ReturnType<typeof readOperations>[number]>

/** A body of a request; its limits are in bytes and in levels of nesting. */
export type Body = NonNullable<Operation['requestBody']>

/** What a body may be (OpenAPI 3.1, Media Type Object). */
export interface Content {
  /** A media type or a range of them, in lower case, as the document has it: with parameters, if there are any. */
  readonly type: string
  readonly schema: model.Schema
  /** The schema of each item of a stream; undefined if the body is not one (OpenAPI 3.2, Sequential Media Types). */
  readonly itemSchema?: model.Schema | undefined
  /** By the fields of a form: the media types that a file may have (OpenAPI 3.1, Encoding Object). */
  readonly encoding?: NonNullable<model.MediaType['encoding']>
  /** True if a handler reads the bytes as they arrive, or if the files of a form are written to disk. */
  readonly 'x-stream'?: boolean
  readonly example?: unknown
  readonly examples?: unknown
}

/** By status, class of statuses, or `default` for all others (OpenAPI 3.1, Responses Object). */
export type Responses<Value> = ReadonlyMap<ResponseKey, Value>
export type ResponseKey = number | `${number}XX` | 'default'

export interface Response {
  /** What the body may be; empty if there is none. */
  readonly content: readonly Content[]
  /** By the names that the document gives them. */
  readonly headers: Readonly<Record<string, Header>>
}

/** A header of a response (OpenAPI 3.1, Header Object). */
export interface Header extends model.Header {
  /** The only values that its schema allows, by `const` and `enum`; undefined if it has neither. */
  readonly allowedValues?: readonly unknown[] | undefined
}

/** Security schemes that are all needed; with none, a request without credentials is accepted. */
export type SecurityAlternative = Operation['security'][number]
export type SecurityRequirement = SecurityAlternative[number]

/** The dates (RFC 3339, full-date) of a deprecation, and the operation that replaces the deprecated one. */
export type Deprecation = NonNullable<Operation['deprecation']>

/** The header parameters that OpenAPI ignores (OpenAPI 3.1, Parameter Object). */
const IGNORED = /^(accept|content-type|authorization)$/i

/** Reads the operations of a checked document, in its order. */
export function readOperations(root: OpenApi) {
  return findOperations(root).map(({ id, path, item, method, operation, pointer }) => {
    const allParameters = [item.parameters, operation.parameters]
      .flatMap((list = []) => list.map((reference) => readParameter(root, resolve<model.Parameter>(root, reference))))
      .filter((parameter) => parameter.in !== 'header' || !IGNORED.test(parameter.name))
    // A parameter of the operation replaces the path's parameter with the same name and location.
    const parameters = [
      ...new Map(allParameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values(),
    ]
    const responses = readResponses(root, operation)
    return {
      id,
      /** The pointer to the operation in the document. */
      pointer,
      method,
      /** The path template of the document, without the base path: `/pets/{petId}`. */
      path,
      tag: operation.tags?.[0],
      summary: operation.summary,
      parameters,
      requestBody: readBody(root, operation),
      responses,
      /** True if responses have an ETag, and 304 is the server's (RFC 9110, section 13.1.2: of GET and HEAD alone). */
      isConditional: /^(get|head)$/.test(method) && responses.has(304),
      /** The ways to authenticate, any of which will do; none if the operation needs no authentication. */
      security: readSecurity(root, operation),
      /** Without `deprecated: true`, the dates have no effect yet. */
      deprecation: operation.deprecated
        ? {
            since: operation['x-deprecated-since'],
            sunset: operation['x-sunset'],
            replacedBy: operation['x-replaced-by'],
          }
        : undefined,
      /** The time for which idempotency keys are stored, in seconds; undefined if requests carry none. */
      idempotencyTtlSeconds: parameters.flatMap((parameter) => parameter['x-idempotency-ttl-seconds'] ?? [])[0],
    }
  })
}

/** Returns the schemas of the parameters and the body of an operation. */
export function getRequestSchemas({ parameters, requestBody }: Operation): model.Schema[] {
  return [...parameters, ...(requestBody?.content ?? [])].map(({ schema }) => schema)
}

/** Returns the schemas of the headers, bodies and items of an operation's responses. */
export function getResponseSchemas({ responses }: Operation): model.Schema[] {
  return [...responses.values()].flatMap(({ content, headers }) => [
    ...content.flatMap(({ schema, itemSchema = [] }) => [schema, itemSchema].flat()),
    ...Object.values(headers).map(({ schema }) => schema),
  ])
}

/** Finds what is declared for a status: for itself, for its class, or by default. */
export function findResponse<Value>(responses: Responses<Value>, status: number): Value | undefined {
  return responses.get(status) ?? responses.get(`${Math.floor(status / 100)}XX`) ?? responses.get('default')
}

/** Returns the parameters that a handler receives: the server evaluates `If-None-Match` of a conditional operation. */
export function getHandlerParameters({ isConditional, parameters }: Operation): Parameter[] {
  const isOfServer = (parameter: Parameter) => parameter.in === 'header' && /^if-none-match$/i.test(parameter.name)
  return parameters.filter((parameter) => !isConditional || !isOfServer(parameter))
}

export type Parameter = ReturnType<typeof readParameter>

/** A parameter with its style (OpenAPI 3.1, Parameter Object), and the schema of its value also if that is JSON. */
export function readParameter(root: OpenApi, { content, schema, ...parameter }: model.Parameter) {
  const [json] = Object.values(content ?? {}).map((media) => resolve<model.MediaType>(root, media))
  const style = parameter.style ?? (/^(query|cookie)$/.test(parameter.in) ? 'form' : 'simple')
  const explode = parameter.explode ?? style === 'form'
  return { ...parameter, style, explode, schema: toSchema(schema ?? json?.schema ?? {}), isJson: json !== undefined }
}

function readBody(root: OpenApi, { requestBody }: model.OperationObject) {
  if (requestBody === undefined) return undefined
  const { required = false, content, ...limits } = resolve<model.RequestBody>(root, requestBody)
  return {
    isRequired: required,
    content: readContent(root, content),
    maxBytes: limits['x-max-bytes'] ?? DEFAULT_MAX_BYTES,
    maxDepth: limits['x-max-depth'] ?? DEFAULT_MAX_DEPTH,
  }
}

/**
 * Headers that follow from the body and the connection (RFC 9110, section 8; RFC 9112), whatever a document says of them;
 * OpenAPI ignores Content-Type (OpenAPI 3.1, Response Object).
 */
const OF_MESSAGE = /^(connection|content-(length|type)|keep-alive|trailer|transfer-encoding|upgrade)$/i

/** The statuses of responses that come before the one of the handler (RFC 9110, section 15.2). */
export const INTERIM_STATUS = /^1/

const UNDECLARED_RESPONSES: [key: string, response: model.ResponseObject][] = [['default', {}]]

function readResponses(root: OpenApi, operation: model.OperationObject): Responses<Response> {
  const declaredResponses = getNamed(operation.responses ?? {}).filter(([key]) => !INTERIM_STATUS.test(key))
  return new Map(
    (declaredResponses.length > 0 ? declaredResponses : UNDECLARED_RESPONSES).map(([key, reference]) => {
      const response = resolve<model.ResponseObject>(root, reference)
      const declared = Object.entries(response.headers ?? {}).filter(([name]) => !OF_MESSAGE.test(name))
      const headers = declared.map(([name, reference]) => {
        const header = resolve<model.Header>(root, reference)
        const schema = toSchema(header.schema)
        return [name, { ...header, schema, allowedValues: findAllowedValues(root, schema) } satisfies Header]
      })
      const status = key === 'default' ? key : key.endsWith('XX') ? (`${Number(key[0])}XX` as const) : Number(key)
      const content = STATUSES_WITHOUT_BODY.includes(Number(key)) ? [] : readContent(root, response.content)
      return [status, { content, headers: Object.fromEntries(headers) }]
    }),
  )
}

/** Finds the only values that a schema allows, with those that `$ref` and `allOf` add to it; undefined if it allows others. */
export function findAllowedValues(root: OpenApi, schema: model.Schema): readonly unknown[] | undefined {
  // The iteration includes the schemas that are added during it.
  const conjuncts = new Set([schema])
  for (const { $ref, allOf = [] } of conjuncts) {
    if ($ref !== undefined) conjuncts.add(toSchema(getTarget(root, $ref)))
    for (const subschema of allOf) conjuncts.add(toSchema(subschema))
  }
  const [firstValues, ...otherLists] = [...conjuncts].flatMap((conjunct) => [
    ...('const' in conjunct ? [[conjunct.const]] : []),
    ...(conjunct.enum === undefined ? [] : [conjunct.enum]),
  ])
  return firstValues?.filter((value) => otherLists.every((values) => values.includes(value)))
}

/** Returns the names of the parameters in a path template: `id` for `/pets/{id}`. They are any text without "/". */
export function getPathParameters(template: string): string[] {
  return Array.from(template.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name)
}

/** Reads what a body may be, the most specific media types first (OpenAPI 3.1, Media Type Object). */
export function readContent(root: OpenApi, content: model.Content = {}): Content[] {
  const mediaTypes = Object.entries(content).map(([name, reference]) => {
    const { schema = {}, itemSchema, ...media } = resolve<model.MediaType>(root, reference)
    const schemaOfItems = itemSchema !== undefined && { itemSchema: toSchema(itemSchema) }
    return { ...media, type: name.toLowerCase(), schema: toSchema(schema), ...schemaOfItems }
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

/** How a body of a media type is read and written. */
export type Kind = 'json' | 'form' | 'text' | 'bytes'

/** Returns the kind of a media type. For a range, the kind follows from the type of each body. */
export function getKind(type: string): Kind {
  if (/^[^;]+[/+]json *(;|$)/.test(type)) return 'json'
  if (/^(application\/x-www-form-urlencoded|multipart\/form-data) *(;|$)/.test(type)) return 'form'
  return type.startsWith('text/') ? 'text' : 'bytes'
}

/** Matches the media types of a range, in any case and with any parameters. */
export function toPattern(type: string, parameters = '.*'): RegExp {
  const [range = ''] = type.split(';')
  const source = range
    .trim()
    .replaceAll(/[^\w/*]/g, '\\$&')
    .replaceAll('*', '[^\\s;/]+')
  return new RegExp(`^${source}[ \\t]*(;[ \\t]*${parameters}|$)`, 'i')
}

/** True if an operation may respond with a stream of items: its handler receives a `signal`. */
export function sendsItems({ responses }: Operation): boolean {
  return [...responses.values()].some(({ content }) => content.some(({ itemSchema }) => itemSchema !== undefined))
}

/** True if a body may have one of several media types: the handler receives or returns `contentType`. */
export function isChoice(content: readonly Content[]): boolean {
  return content.length > 1 || content.some(({ type }) => type.includes('*'))
}

/** True if a request without credentials is accepted, so that the caller may be undefined. */
export function isPublic({ security }: Pick<Operation, 'security'>): boolean {
  return security.length === 0 || security.some((requirements) => requirements.length === 0)
}

function readSecurity(root: OpenApi, operation: model.OperationObject) {
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
  return scheme && resolve(root, scheme)
}
