/**
 * An OpenAPI document and its implementation: checked together, and compiled into a plan for each operation, which is
 * everything that follows from the spec alone. A request does only what depends on the request.
 */
import type { RouteOptions } from 'fastify'
import type { ResponseHeaders } from '../errors.ts'
import { checkHeaders, checkImplementation, checkReserved } from './check/implementation.ts'
import { checkDigests, type Digests } from './digests.ts'
import {
  isServerParameter,
  type Operation,
  type Response,
  type ResponseKey,
  readOperations,
} from './document/operations.ts'
import { throwProblems } from './document/parse.ts'
import type { Values } from './document/references.ts'
import { checkServers, getBasePath, type ServerVariables } from './document/servers.ts'
import type { OpenApiDocument } from './load.ts'
import { createBodyReaders } from './request/body.ts'
import { createInputReader } from './request/input.ts'
import { createIdentify, type Security } from './request/security.ts'
import { writeParameter } from './request/styles.ts'
import { createResponseCache, type Revision } from './response/cache.ts'
import { createContentPlan, findNegotiated } from './response/content.ts'
import {
  getConstantHeaders,
  getDeprecationHeaders,
  getHandlerHeaders,
  getSharedHeaders,
  type HandlerHeaders,
  type ServerHeaders,
} from './response/headers.ts'
import { createResponseCheck, createSerializerCompiler } from './response/serializer.ts'
import type { Snapshot } from './together.ts'

/** Any handler of the generated `Handlers`: the compiler has proved that it receives what its operation declares. */
export type Handler = (request: never) => Promise<HandlerResponse>

export interface HandlerResponse {
  readonly status: number
  readonly body?: unknown
  readonly headers?: HandlerHeaders
  /** The media type of the body, if several are declared. */
  readonly contentType?: string
}

export interface OpenApiOptions {
  readonly document: OpenApiDocument
  /** By operationId. */
  readonly handlers: Readonly<Record<string, Handler>>
  /** By the names in `components.securitySchemes`; each returns the client that has a credential. */
  readonly security?: Security
  /** Values for the variables of the servers, by name; by default, those of the document. */
  readonly servers?: ServerVariables
  /** The path that a proxy puts in front of every other, without a trailing slash; URLs for clients begin with it. */
  readonly publicPath?: string
  /** The digests of the spec that the types of the handlers were generated from; without them, they are not compared. */
  readonly digests?: Digests
  /** The names of headers that the host sends by itself, and no handler. */
  readonly serverHeaders?: ServerHeaders
  /** The paths that the host uses for something else, each with all paths below it (`/` is itself alone). */
  readonly reserved?: readonly string[]
  /** Returns the page that documents an operation, as a URI reference: for the links of deprecated ones (RFC 9745). */
  readonly getDocumentationUrl?: (operation: Pick<Operation, 'id' | 'tag'>) => string
  /**
   * The operations whose responses depend on nothing but the URL and the data, by operationId, with the function that
   * identifies the state of the data. Their input and bodies are frozen, because other callers get the same objects: a
   * handler returns objects of its own.
   */
  readonly cacheable?: Readonly<Record<string, () => Revision>>
  /** The reads of requests of one iteration of the event loop happen between its `begin` and `end`. */
  readonly snapshot?: Snapshot | undefined
  /** True to validate every response of a handler completely; by default the handlers are trusted with the values. */
  readonly validateResponses?: boolean
  /**
   * Called with each route before it is added. Its `onRequest` is `[authenticate, authorize]`: a hook between them knows
   * `request.caller`, and sees requests that lack a scope, too.
   */
  readonly onOperation?: (route: RouteOptions & { onRequest: unknown[] }, operation: Operation) => void
}

export type Plan = ReturnType<typeof createPlans>['plans'][number]

/** What is declared for a status. */
export type ResponsePlan = Plan['otherResponse']

/** A document that matches its implementation. */
export type Api = ReturnType<typeof compileApi>

/** Compiles a document with its implementation. Throws a DocumentError with everything in which they do not match. */
export function compileApi(options: OpenApiOptions) {
  const { document, handlers, security = {}, servers = {}, publicPath = '', digests, reserved = [] } = options
  const { root, compile } = document
  const operations = readOperations(root)
  const wrongServers = checkServers(root, servers)
  const path = wrongServers.length > 0 ? '' : getBasePath(root, servers)
  const basePath = `${path}/`.startsWith(`${publicPath}/`) ? path.slice(publicPath.length) : path
  const problems = [
    ...wrongServers,
    ...checkImplementation(operations, handlers, security),
    ...(digests === undefined ? [] : checkDigests(root, digests)),
    ...(wrongServers.length > 0 ? [] : checkReserved(root, basePath, reserved)),
  ]
  const urls = Object.fromEntries(
    operations.map((operation) => [operation.id, createUrlBuilder(publicPath + basePath, operation)]),
  )
  const deprecations = new Map(
    operations.map((operation) => [operation, describeDeprecation(operation, urls, options.getDocumentationUrl)]),
  )
  for (const [operation, headers] of deprecations) {
    problems.push(...checkHeaders(operation, headers, options.serverHeaders ?? [], compile))
  }
  throwProblems(document, problems)
  return {
    ...createPlans(operations, urls, deprecations, options),
    /** The path of the operations, without a trailing slash, and without the public path if that is a part of it. */
    basePath,
    /** The base path as clients see it. */
    publicBasePath: publicPath + basePath,
  }
}

type Urls = Readonly<Record<string, ReturnType<typeof createUrlBuilder>>>

function describeDeprecation(
  { id, tag, deprecation }: Operation,
  urls: Urls,
  getDocumentationUrl: OpenApiOptions['getDocumentationUrl'],
): Readonly<Record<string, string>> {
  if (deprecation === undefined) return {}
  const successor = urls[deprecation.replacedBy ?? '']?.()
  return getDeprecationHeaders(deprecation, { documentation: getDocumentationUrl?.({ id, tag }), successor })
}

function createPlans(
  operations: readonly Operation[],
  urls: Urls,
  deprecations: ReadonlyMap<Operation, Readonly<Record<string, string>>>,
  { document, handlers, security = {}, serverHeaders = [], cacheable = {}, validateResponses = false }: OpenApiOptions,
) {
  const { root, compile } = document
  const compileSerializer = createSerializerCompiler(root, compile)
  const all = operations.flatMap(({ responses }) => [...responses])
  const commonHeaders = getSharedHeaders(all.map(([, response]) => response))
  const errorHeaders = getSharedHeaders(all.flatMap(([key, response]) => (isError(key) ? [response] : [])))

  function createPlan(operation: Operation) {
    const { id, method, parameters, requestBody } = operation
    const { Link: link, ...lifecycle } = { ...deprecations.get(operation) }

    const createCheck = (declared: Parameters<typeof createResponseCheck>[0], required: readonly string[]) =>
      validateResponses ? createResponseCheck(declared, compile, required) : undefined

    const createResponsePlan = (declared: Response, constants: ResponseHeaders, required: readonly string[]) => ({
      /** The headers that follow from the spec, without `Link`; their names in lower case, as Fastify has them. */
      headers: Object.fromEntries(
        Object.entries({ ...lifecycle, ...constants }).map(([name, value]) => [name.toLowerCase(), value]),
      ),
      /** The links of the deprecation. */
      link,
      /** How a body is written; none if there is none. */
      content: declared.content.map((content) =>
        createContentPlan(content, compileSerializer, createCheck({ ...declared, content }, required)),
      ),
      /** The headers that a handler may return: types alone do not exclude others. */
      declaredHeaders: declared.headers,
      /** Throws if a response without a body is not valid. Undefined if the handlers are trusted with the values. */
      check: createCheck({ ...declared, content: undefined }, required),
    })

    const responses = new Map(
      Array.from(operation.responses, ([key, response]) => {
        const required = getHandlerHeaders(response, serverHeaders, operation, key)
        return [key, createResponsePlan(response, getConstantHeaders(response), required)]
      }),
    )
    const notModified = responses.get(304)
    // A cached response is found before the headers of the request are read.
    const dependsOnHeaders = parameters.some(
      (parameter) => /^(header|cookie)$/.test(parameter.in) && !isServerParameter(parameter),
    )
    const types = findNegotiated(operation)
    const isOfUrl = !dependsOnHeaders && types.length === 0
    const isCacheable = method === 'get' && notModified !== undefined && isOfUrl && Object.hasOwn(cacheable, id)
    const getRevision = isCacheable ? cacheable[id] : undefined
    return {
      operation,
      identify: createIdentify(operation.security, security, root.info.title),
      /** Finds the reader of a body by its Content-Type. */
      findReader: requestBody && createBodyReaders(root, requestBody, compile),
      readInput: createInputReader(root, operation, compile),
      /** The media types among which a client may choose. */
      types,
      handle: handlers[id] as Handler,
      responses,
      /** For errors whose status is not declared. */
      otherResponse: createResponsePlan({ content: [], headers: {} }, errorHeaders, []),
      /** What is declared for 304; if nothing is, responses have no ETag. */
      notModified,
      /** Undefined if the responses cannot be cached. */
      cache: getRevision && createResponseCache(getRevision),
    }
  }

  return {
    /** In the order of the document. */
    plans: operations.map(createPlan),
    /** By operationId. */
    urls,
    /** The headers that the spec fixes for every response. */
    commonHeaders,
    /** The headers that the spec fixes for every error response: also those of paths that have no operation. */
    errorHeaders,
  }
}

/** True if only errors are declared under the key. */
function isError(key: ResponseKey): boolean {
  return typeof key === 'number' ? key >= 400 : key !== 'default'
}

/** Makes the function that returns the path and query of an operation: `/v1/pets/7`. */
function createUrlBuilder(base: string, { path: template, parameters }: Operation) {
  // After the start, names of parameters alternate with the texts that follow them.
  const [start = '', ...parts] = (base + template).split(/[{}]/)
  const declared = new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]))
  const write = (location: 'path' | 'query', name: string, value: unknown) => {
    const parameter = declared.get(`${location} ${name}`)
    return parameter === undefined ? [] : writeParameter(parameter, value)
  }
  return ({ path = {}, query = {} }: { readonly path?: Values; readonly query?: Values } = {}): string => {
    let url = start
    for (const [index, part] of parts.entries()) url += index % 2 === 0 ? write('path', part, path[part])[0]?.[1] : part
    let separator = '?'
    for (const name of Object.keys(query)) {
      for (const [key, text] of write('query', name, query[name])) {
        url += `${separator}${key}=${text}`
        separator = '&'
      }
    }
    return url
  }
}
