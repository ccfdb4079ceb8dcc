/**
 * Checks an OpenAPI document against its implementation, and compiles a plan for each operation: everything that can be computed
 * before a request arrives.
 */
import type { RouteOptions } from 'fastify'
import type { ResponseHeaders } from '../errors.ts'
import { checkHeaders, checkImplementation } from './check/implementation.ts'
import { checkDigests, type Digests } from './digests.ts'
import {
  getHandlerParameters,
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
  getCommonHeaders,
  getConstantHeaders,
  getDeprecationHeaders,
  getHandlerHeaders,
  type HandlerHeaders,
  type ServerHeaders,
} from './response/headers.ts'
import { createResponseCheck, createSerializerCompiler, type ResponseOfOneType } from './response/serializer.ts'
import type { Snapshot } from './together.ts'

/** Any handler of the generated `Handlers`. `never`, because each takes a request of another type. */
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
  /** By the names in `components.securitySchemes`: a function that finds the client with a given credential. */
  readonly security?: Security
  /** Values for the variables of the servers, by name; by default, the defaults of the document. */
  readonly servers?: ServerVariables
  /** The path below which a proxy publishes the app, without a trailing slash; URLs for clients begin with it. */
  readonly publicPath?: string
  /** The digests of the spec that the handlers' types were generated from. Without them, nothing is compared. */
  readonly digests?: Digests
  /** The names of the headers that the app sets, so that handlers need not. */
  readonly serverHeaders?: ServerHeaders
  /** Returns the page that documents an operation, as a URI reference: for the `Link` of a deprecated one (RFC 9745). */
  readonly getDocumentationUrl?: (operation: Pick<Operation, 'id' | 'tag'>) => string
  /**
   * By operationId: the operations whose responses depend on nothing but the URL and the data, each with a function that
   * returns a number that changes with the data. Requests share cached inputs and bodies, which are frozen: a handler must
   * return new objects, and must not change its input.
   */
  readonly cacheable?: Readonly<Record<string, () => Revision>>
  /** `begin` and `end` enclose the handlers of all GET requests of one iteration of the event loop, up to their first `await`. */
  readonly snapshot?: Snapshot | undefined
  /**
   * True to validate every response of a handler against its schemas. By default, only the types and the required members of
   * JSON bodies are checked.
   */
  readonly validateResponses?: boolean
  /**
   * Called with each route before it is added. Its `onRequest` is `[authenticate, authorize]`: a hook between them knows
   * `request.caller`, and sees requests that lack a scope, too.
   */
  readonly onOperation?: (route: RouteOptions & { onRequest: unknown[] }, operation: Operation) => void
}

export type Plan = ReturnType<typeof createPlans>['plans'][number]

/** The headers, contents and check of a declared response, or of one whose status is not declared. */
export type ResponsePlan = Plan['undeclaredResponse']

/** What is compiled from a document and its implementation. */
export type CompiledApi = ReturnType<typeof compileApi>

/** Compiles a document with its implementation. Throws a DocumentError that lists every mismatch. */
export function compileApi(options: OpenApiOptions) {
  const { document, handlers, security = {}, servers = {}, publicPath = '', digests } = options
  const { root, compile } = document
  const operations = readOperations(root)
  const serverProblems = checkServers(root, servers)
  // Without valid servers, the rest is checked as if all were at the root.
  const serverPath = serverProblems.length > 0 ? '' : getBasePath(root, servers)
  // Behind a proxy at `/shop`, the servers may have the path `/shop/v1` or `/v1`; the routes have `/v1`.
  const includesPublicPath = `${serverPath}/`.startsWith(`${publicPath}/`)
  const basePath = includesPublicPath ? serverPath.slice(publicPath.length) : serverPath
  const problems = [
    ...serverProblems,
    ...checkImplementation(operations, handlers, security),
    ...(digests === undefined ? [] : checkDigests(root, digests)),
  ]
  const urls = Object.fromEntries(
    operations.map((operation) => [operation.id, createUrlBuilder(publicPath + basePath, operation)]),
  )
  /** The headers of each operation that is deprecated, and none of the others. */
  const deprecationHeaders = new Map(
    operations.map((operation) => [operation, createDeprecationHeaders(operation, urls, options.getDocumentationUrl)]),
  )
  for (const [operation, headers] of deprecationHeaders) {
    problems.push(...checkHeaders(operation, headers, options.serverHeaders ?? [], compile))
  }
  throwProblems(document, problems)
  return {
    ...createPlans(operations, urls, deprecationHeaders, options),
    operations,
    /** The path with which all routes begin, without a trailing slash and without the public path. */
    basePath,
    /** The base path as clients see it. */
    publicBasePath: publicPath + basePath,
  }
}

type Urls = Readonly<Record<string, ReturnType<typeof createUrlBuilder>>>

function createDeprecationHeaders(
  { id, tag, deprecation }: Operation,
  urls: Urls,
  getDocumentationUrl: OpenApiOptions['getDocumentationUrl'],
): Readonly<Record<string, string>> {
  if (deprecation === undefined) return {}
  const { replacedBy } = deprecation
  // The successor has no path parameters (`checkLifecycle`), so its URL needs no values.
  const successor = replacedBy === undefined ? undefined : urls[replacedBy]?.()
  return getDeprecationHeaders(deprecation, { documentation: getDocumentationUrl?.({ id, tag }), successor })
}

function createPlans(
  operations: readonly Operation[],
  urls: Urls,
  deprecationHeaders: ReadonlyMap<Operation, Readonly<Record<string, string>>>,
  { document, handlers, security = {}, serverHeaders = [], cacheable = {}, validateResponses = false }: OpenApiOptions,
) {
  const { root, compile } = document
  const compileSerializer = createSerializerCompiler(root, compile)
  const allResponses = operations.flatMap(({ responses }) => [...responses])
  const commonHeaders = getCommonHeaders(allResponses.map(([, response]) => response))
  const errorHeaders = getCommonHeaders(allResponses.flatMap(([key, response]) => (isError(key) ? [response] : [])))

  function createPlan(operation: Operation) {
    const { id, method, requestBody } = operation
    const { Link: deprecationLink, ...otherDeprecationHeaders } = deprecationHeaders.get(operation) ?? {}

    const createCheck = (declared: ResponseOfOneType, requiredHeaders: readonly string[]) =>
      validateResponses ? createResponseCheck(root, declared, compile, requiredHeaders) : undefined

    /** `requiredHeaders` are those that the handler must set. */
    const createResponsePlan = (
      declared: Response,
      constants: ResponseHeaders,
      requiredHeaders: readonly string[],
    ) => ({
      /** The headers with constant values, without `Link`; their names in lower case, as Fastify keeps them. */
      constantHeaders: Object.fromEntries(
        Object.entries({ ...otherDeprecationHeaders, ...constants }).map(([name, value]) => [
          name.toLowerCase(),
          value,
        ]),
      ),
      /** The `Link` of a deprecated operation. */
      deprecationLink,
      /** How a body of each media type is written; empty if there is no body. */
      content: declared.content.map((content) =>
        createContentPlan(root, content, compileSerializer, createCheck({ ...declared, content }, requiredHeaders)),
      ),
      /** The headers that a handler may return. TypeScript accepts others, too; they are not sent. */
      declaredHeaders: declared.headers,
      /** Throws if a response without a body is not valid. Undefined unless `validateResponses` is set. */
      checkWithoutBody: createCheck({ ...declared, content: undefined }, requiredHeaders),
    })

    const responses = new Map(
      Array.from(operation.responses, ([key, response]) => {
        const requiredHeaders = getHandlerHeaders(response, serverHeaders, operation, key)
        return [key, createResponsePlan(response, getConstantHeaders(response), requiredHeaders)]
      }),
    )
    const hasETag = responses.has(304)
    const dependsOnHeaders = getHandlerParameters(operation).some(({ in: location }) =>
      /^(header|cookie)$/.test(location),
    )
    const negotiableTypes = findNegotiated(operation)
    // The key of the cache is the URL.
    const dependsOnMore = requestBody !== undefined || dependsOnHeaders || negotiableTypes.length > 0
    // Without an ETag, no response would be added to the cache.
    const isCacheable = method === 'get' && hasETag && !dependsOnMore && Object.hasOwn(cacheable, id)
    const getRevision = isCacheable ? cacheable[id] : undefined
    return {
      operation,
      identify: createIdentify(operation.security, security, root.info.title),
      /** Finds the reader of a body by its Content-Type. */
      findReader: requestBody && createBodyReaders(root, requestBody, compile),
      readInput: createInputReader(root, operation, compile),
      /** The media types of responses among which a client may choose; none if there is no choice. */
      negotiableTypes,
      handle: handlers[id] as Handler,
      responses,
      /** For statuses that are not declared: of hooks, and of errors. */
      undeclaredResponse: createResponsePlan({ content: [], headers: {} }, errorHeaders, []),
      /** True if 304 is declared: only then do responses have an ETag. */
      hasETag,
      /** Undefined if the responses cannot be cached. */
      cache: getRevision && createResponseCache(getRevision),
    }
  }

  return {
    /** In the order of the document. */
    plans: operations.map(createPlan),
    /** By operationId. */
    urls,
    /** The headers with the same constant value in every declared response. */
    commonHeaders,
    /** The headers with the same constant value in every declared error: errors of paths without an operation have them, too. */
    errorHeaders,
  }
}

/** True for 4xx and 5xx; `default` may be a success. */
function isError(key: ResponseKey): boolean {
  return /^[45]/.test(String(key))
}

/** Makes the function that returns the path and query of an operation: `/v1/pets?limit=7`. Without a value, a parameter of the path is an empty text. */
function createUrlBuilder(base: string, { path: template, parameters }: Operation) {
  // `/pets/{id}/tags` is split into `/pets/`, `id` and `/tags`: the names are at even indexes of `parts`.
  const [start = '', ...parts] = (base + template).split(/[{}]/)
  const declared = new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]))
  const write = (location: 'path' | 'query', name: string, value: unknown) => {
    const parameter = declared.get(`${location} ${name}`)
    return parameter === undefined ? [] : writeParameter(parameter, value)
  }
  return ({ path = {}, query = {} }: { readonly path?: Values; readonly query?: Values } = {}): string => {
    let url = start
    for (const [index, part] of parts.entries())
      url += index % 2 === 0 ? (write('path', part, path[part])[0]?.[1] ?? '') : part
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
