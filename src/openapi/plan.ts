/**
 * The plan of an operation: everything that follows from the spec alone, computed once when the spec is loaded. A request
 * looks up its plan and does only what depends on the request.
 */
import type { IncomingMessage } from 'node:http'
import type { OpenApi } from './document/model.ts'
import {
  findResponse,
  isServerParameter,
  type Operation,
  type Response,
  type ResponseKey,
} from './document/operations.ts'
import { checkContentType, checkNoBody } from './request/headers.ts'
import { createInputReader, type InputReader } from './request/input.ts'
import { type Authenticate, createAuthenticate, type Security } from './request/security.ts'
import { createResponseCache, type ResponseCache, type Revision } from './response/cache.ts'
import {
  createHeaderSelector,
  getConstantHeaders,
  getDeprecationHeaders,
  getSharedHeaders,
  type HandlerHeaders,
  type HeaderSelector,
  type HeaderValues,
} from './response/headers.ts'
import { createSerializerCompiler, type Serializer } from './response/serializer.ts'
import type { SchemaCompiler } from './schema/compiler.ts'

/** Any handler of the generated `Handlers`: the compiler has proved that it receives what its operation declares. */
export type Handler = (request: never) => Promise<HandlerResponse>

export interface HandlerResponse {
  readonly status: number
  readonly body?: unknown
  readonly headers?: HandlerHeaders
}

export interface Plan<Caller> {
  readonly operation: Operation
  readonly authenticate: Authenticate<Caller>
  /** Checks what the headers say of the body. */
  readonly checkContent: (request: IncomingMessage) => void
  readonly readInput: InputReader
  readonly handle: Handler
  /** Returns what is declared for a status; undefined if nothing is. */
  readonly findResponse: (status: number) => ResponsePlan | undefined
  /** For statuses that are not declared. */
  readonly otherResponse: ResponsePlan
  /** The headers of the deprecation, which every response has. */
  readonly deprecationHeaders: HeaderValues
  /** Undefined if the responses cannot be cached. */
  readonly cache: ResponseCache | undefined
}

export interface ResponsePlan {
  /** The headers that follow from the spec, without `Link`, as alternating names and values. */
  readonly headers: readonly string[]
  /** The links of the deprecation. */
  readonly link: string | undefined
  /** Undefined if there is no body. */
  readonly serialize: Serializer | undefined
  /** Returns those headers of a handler that are declared. */
  readonly selectHeaders: HeaderSelector
}

/** Everything that a plan needs besides the document. */
export interface Implementation<Caller> {
  /** By operationId. */
  readonly handlers: Readonly<Record<string, Handler>>
  readonly security: Security<Caller>
  /** Returns the page that documents an operation, as a URI reference. */
  readonly getDocumentationUrl: (operation: Pick<Operation, 'id' | 'tag'>) => string
  /**
   * The operations whose responses depend on nothing but the URL and the data, by operationId, with the function that
   * identifies the state of the data.
   */
  readonly cacheable?: Readonly<Record<string, () => Revision>>
  /** True to validate every response completely; by default the handlers are trusted with the values. */
  readonly validatesResponses?: boolean
}

export interface Plans<Caller> {
  /** In the order of the document. */
  readonly plans: readonly Plan<Caller>[]
  readonly urls: UrlBuilders
  /** The headers that the spec fixes for every response. */
  readonly commonHeaders: HeaderValues
  /** The headers that the spec fixes for every error response: also those of paths that have no operation. */
  readonly errorHeaders: HeaderValues
}

/** Makes the plan of every operation of a document that has been checked, together with the implementation. */
export function createPlans<Caller>(
  root: OpenApi,
  operations: readonly Operation[],
  basePath: string,
  compile: SchemaCompiler,
  { handlers, security, getDocumentationUrl, cacheable = {}, validatesResponses = false }: Implementation<Caller>,
): Plans<Caller> {
  const urls = createUrlBuilders(operations, basePath)
  const compileSerializer = createSerializerCompiler(root, validatesResponses)
  const responses = operations.flatMap((operation) => [...operation.responses])
  const commonHeaders = getSharedHeaders(responses.map(([, response]) => response))
  const errorHeaders = getSharedHeaders(responses.flatMap(([key, response]) => (isError(key) ? [response] : [])))

  function createPlan(operation: Operation): Plan<Caller> {
    const { id, deprecation, requestBody } = operation
    // A cached response is sent before the headers of the request are read.
    const dependsOnHeaders = operation.parameters.some((each) => each.in === 'header' && !isServerParameter(each))
    const getRevision = dependsOnHeaders || !Object.hasOwn(cacheable, id) ? undefined : cacheable[id]
    const successor = deprecation?.replacedBy === undefined ? undefined : urls[deprecation.replacedBy]?.()
    const deprecationHeaders: HeaderValues =
      deprecation === undefined
        ? {}
        : getDeprecationHeaders(deprecation, { documentation: getDocumentationUrl(operation), successor })
    const { Link: link, ...others } = deprecationHeaders
    const createResponsePlan = (constants: HeaderValues, { body, headers }: Response): ResponsePlan => ({
      headers: Object.entries({ ...others, ...constants }).flat(),
      link,
      serialize: body && compileSerializer(body),
      selectHeaders: createHeaderSelector(headers, validatesResponses ? compile : undefined),
    })
    const responses = new Map(
      [...operation.responses].map(([key, response]) => [
        key,
        createResponsePlan(getConstantHeaders(response), response),
      ]),
    )
    return {
      operation,
      authenticate: createAuthenticate(operation.security, security),
      checkContent: requestBody === undefined ? checkNoBody : checkContentType,
      readInput: createInputReader(root, operation, compile),
      handle: handlers[id] as Handler,
      findResponse: (status) => findResponse(responses, status),
      deprecationHeaders,
      otherResponse: createResponsePlan(errorHeaders, { body: undefined, headers: {} }),
      cache: getRevision && createResponseCache(getRevision),
    }
  }

  return { plans: operations.map(createPlan), urls, commonHeaders, errorHeaders }
}

/** True if only errors are declared under the key. */
function isError(key: ResponseKey): boolean {
  return typeof key === 'number' ? key >= 400 : key !== 'default'
}

export interface UrlParameters {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
}

/** By operationId, a function that returns the path and query of the operation: `/v1/pets/7`. */
export type UrlBuilders = Readonly<Record<string, (parameters?: UrlParameters) => string>>

export function createUrlBuilders(
  operations: readonly Pick<Operation, 'id' | 'path'>[],
  basePath: string,
): UrlBuilders {
  return Object.fromEntries(operations.map(({ id, path }) => [id, createUrlBuilder(basePath + path)]))
}

function createUrlBuilder(template: string) {
  const [start = '', ...others] = template.split('{')
  // Each parameter: its name, and the text after it.
  const segments = others.map((other) => {
    const [name = '', text = ''] = other.split('}')
    return { name, text }
  })
  return ({ path = {}, query = {} }: UrlParameters = {}): string => {
    let url = start
    for (const { name, text } of segments) url += encodeURIComponent(String(path[name])) + text
    let separator = '?'
    for (const name of Object.keys(query)) {
      const value = query[name] ?? []
      for (const each of Array.isArray(value) ? value : [value]) {
        url += `${separator}${encodeURIComponent(name)}=${encodeURIComponent(String(each))}`
        separator = '&'
      }
    }
    return url
  }
}
