/**
 * The plan of an operation: everything that follows from the spec alone, computed once when the spec is loaded. A request
 * looks up its plan and does only what depends on the request.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { OpenApi, Schema, SecurityScheme } from './document/model.ts'
import { getSchemeKey, type Operation, readOperations } from './document/operations.ts'
import { checkContentType, checkNoBody } from './request/headers.ts'
import { createInputReader, type InputReader } from './request/input.ts'
import { createResponseCache, type ResponseCache, type Revision } from './response/cache.ts'
import { getConstantHeaders, getDeprecationHeaders, getSharedHeaders, type HeaderValues } from './response/headers.ts'
import { createSerializerCompiler, type Serializer } from './response/serializer.ts'
import { createSchemaCompiler } from './schema/compiler.ts'

/** Identifies the client of a request; throws a 401 if it cannot. */
export type Authenticator<Caller> = (request: FastifyRequest) => Caller | Promise<Caller>

/** Any handler of the generated `Handlers`: the compiler has proved that it receives what its operation declares. */
export type Handler = (request: never) => Promise<HandlerResponse>

export interface HandlerResponse {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string | number | bigint | boolean | undefined>>
}

export interface Plan<Caller> {
  readonly operation: Operation
  /** Undefined if the operation needs no authentication. */
  readonly authenticate: Authenticator<Caller> | undefined
  /** Checks what the headers say of the body. */
  readonly checkContent: (request: IncomingMessage) => void
  readonly readInput: InputReader
  readonly handle: Handler
  /** The declared responses by status. */
  readonly responses: ReadonlyMap<number, ResponsePlan>
  /** For statuses that are not declared. */
  readonly otherResponse: ResponsePlan
  /** Undefined if the responses cannot be cached. */
  readonly cache: ResponseCache | undefined
}

export interface ResponsePlan {
  /** The headers that follow from the spec, names and values in turns; without `Link`. */
  readonly headers: readonly string[]
  /** The links of the deprecation. */
  readonly link: string | undefined
  /** Undefined if there is no body. */
  readonly serialize: Serializer | undefined
}

/** Everything that a plan needs besides the document. */
export interface Implementation<Caller> {
  /** By operationId. */
  readonly handlers: Readonly<Record<string, Handler>>
  /** By the type and scheme that each implements, such as `http bearer`. */
  readonly authenticators: Readonly<Record<string, Authenticator<Caller>>>
  /** Returns the page that documents an operation, as a URI reference. */
  readonly getDocumentationUrl: (operation: Pick<Operation, 'id' | 'tag'>) => string
  /**
   * The operations whose responses depend on nothing but the URL and the data, by operationId, with the function that
   * identifies the state of the data.
   */
  readonly cacheable?: Readonly<Record<string, () => Revision>>
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
  basePath: string,
  { handlers, authenticators, getDocumentationUrl, cacheable = {} }: Implementation<Caller>,
): Plans<Caller> {
  const operations = readOperations(root)
  const urls = createUrlBuilders(operations, basePath)
  const compile = createSchemaCompiler(root)
  const compileSerializer = createSerializerCompiler(root, compile)
  const responses = operations.flatMap((operation) => [...operation.responses])
  const commonHeaders = getSharedHeaders(responses.map(([, response]) => response))
  const errorHeaders = getSharedHeaders(responses.flatMap(([status, response]) => (status >= 400 ? [response] : [])))

  function createPlan(operation: Operation): Plan<Caller> {
    const { id, deprecation, requestBody, security } = operation
    const getRevision = cacheable[id]
    const successor = deprecation?.replacedBy === undefined ? undefined : urls[deprecation.replacedBy]?.()
    const { Link: link, ...deprecationHeaders } =
      deprecation === undefined
        ? {}
        : getDeprecationHeaders(deprecation, { documentation: getDocumentationUrl(operation), successor })
    const createResponsePlan = (constants: HeaderValues, body: Schema | undefined): ResponsePlan => ({
      headers: Object.entries({ ...deprecationHeaders, ...constants }).flat(),
      link,
      serialize: body && compileSerializer(body),
    })
    return {
      operation,
      authenticate: security === undefined ? undefined : authenticators[getSchemeKey(getScheme(root, security))],
      checkContent: requestBody === undefined ? checkNoBody : checkContentType,
      readInput: createInputReader(root, operation, compile),
      handle: handlers[id] as Handler,
      responses: new Map(
        [...operation.responses].map(([status, response]) => [
          status,
          createResponsePlan(getConstantHeaders(response), response.body),
        ]),
      ),
      otherResponse: createResponsePlan(errorHeaders, undefined),
      cache: getRevision && createResponseCache(getRevision),
    }
  }

  return { plans: operations.map(createPlan), urls, commonHeaders, errorHeaders }
}

function getScheme(root: OpenApi, name: string): SecurityScheme {
  return root.components?.securitySchemes?.[name] as SecurityScheme
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
  // What follows each parameter: its name, and the text behind it.
  const segments = others.map((other) => {
    const [name = '', text = ''] = other.split('}')
    return { name, text }
  })
  return ({ path = {}, query = {} }: UrlParameters = {}): string => {
    let url = start
    for (const { name, text } of segments) url += encodeURIComponent(String(path[name])) + text
    let separator = '?'
    for (const name of Object.keys(query)) {
      for (const value of [query[name] ?? []].flat()) {
        url += `${separator}${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`
        separator = '&'
      }
    }
    return url
  }
}
