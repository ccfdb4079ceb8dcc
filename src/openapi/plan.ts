/** Compiles a plan for each operation of a document: everything that can be computed before a request arrives. */
import type { RouteOptions } from 'fastify'
import type { ResponseHeaders } from '../errors.ts'
import type { OpenApiDocument } from './check/document.ts'
import { checkDeprecation, checkImplementation } from './check/implementation.ts'
import { checkDigests, type Digests } from './digests.ts'
import {
  findResponse,
  getHandlerParameters,
  type Operation,
  type Response,
  type ResponseKey,
  readOperations,
} from './document/operations.ts'
import { type Problem, throwProblems } from './document/parse.ts'
import type { Values } from './document/references.ts'
import { checkServers, getBasePath, type ServerVariables } from './document/servers.ts'
import { type BodyReader, createBodyReaders } from './request/body.ts'
import { createInputReader } from './request/input.ts'
import { createIdentify, type Identity, type Security } from './request/security.ts'
import { writeParameter } from './request/styles.ts'
import { type Cached, createResponseCache, type Result, type Revision } from './response/cache.ts'
import { createContentPlan, findNegotiated } from './response/content.ts'
import {
  getCommonHeaders,
  getConstantHeaders,
  getDeprecationHeaders,
  getHandlerHeaders,
  type HandlerHeaders,
  OF_NOT_MODIFIED,
  type ServerHeaders,
} from './response/headers.ts'
import { createResponseCheck, createSerializerCompiler } from './response/serializer.ts'
import type { Snapshot } from './together.ts'

/** Any handler of the generated `Handlers`. Each takes a request of its own type, so only `never` fits all of them. */
export type Handler = (request: never) => Promise<HandlerResponse | Replay>

export interface HandlerResponse {
  readonly status: number
  readonly body?: unknown
  readonly headers?: HandlerHeaders
  /** The media type of the body, if several are declared. */
  readonly contentType?: string
  readonly written?: undefined
}

/** A response that `write` of a request has made, perhaps long ago: its status, headers and body are sent as they were. */
export interface Replay {
  readonly written: string
  /** Headers to send besides. */
  readonly headers?: HandlerHeaders
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
  /** The digests of the spec that the handlers' types were generated from: a document with others is rejected. */
  readonly digests?: Digests
  /** The names of the headers that the app sets. Of these, a handler may return only Link, Retry-After and WWW-Authenticate. */
  readonly serverHeaders?: ServerHeaders
  /** Returns the page that documents an operation, as a URI reference: for the `Link` of a deprecated one (RFC 9745). */
  readonly getDocumentationUrl?: (operation: Pick<Operation, 'id' | 'tag'>) => string
  /**
   * By operationId: the operations whose responses depend on nothing but the URL and the data, each with a function that
   * returns the revision of the data: nothing is cached while that is undefined, or unless the operation is a GET that declares
   * 304 and depends on its URL alone. Requests share cached inputs and bodies, which are frozen: a handler must return new
   * objects, and must not change its input.
   */
  readonly cacheable?: Readonly<Record<string, () => Revision>>
  /** `begin` and `end` enclose GET handlers of one iteration of the event loop, up to their first `await` (`together.ts`). */
  readonly snapshot?: Snapshot | undefined
  /**
   * True to validate the headers and the JSON of every response of a handler against their schemas. By default, only the
   * types and the required members of JSON are checked.
   */
  readonly validateResponses?: boolean
  /**
   * Called with each route before it is added. Its `onRequest` is `[authenticate, authorize]`: a hook between them knows
   * `request.caller`, and sees requests that lack a scope, too.
   */
  readonly onOperation?: (route: RouteOptions & { onRequest: unknown[] }, operation: Operation) => void
}

export type CompiledApi = ReturnType<typeof compileApi>

export type Plan = CompiledApi['plans'][number]

/** How a response is sent and checked; declared responses have the same type. */
export type ResponsePlan = Plan['undeclaredResponse']

/** State passed between the hooks of one request, from authentication on. */
export interface OperationState {
  /** The 403 of a caller that lacks a scope: `authorize` fails with it. */
  readonly denial: Identity['denial']
  /** The revision of the data that this request reads; undefined unless its response may be cached. */
  revision?: Revision
  /** The cached request of this URL with its response; undefined if there is none for the revision. */
  cached?: Cached | undefined
  /** Reads the body; undefined before `preParsing`, and if there is no body. */
  reader?: BodyReader | undefined
  /** The media type that the client prefers, if the operation offers several. */
  accept?: string | undefined
  /** What the handler has returned; undefined for errors, and for responses of hooks. */
  result?: Result | undefined
  /** True while a JSON body has not reached its serializer. */
  isUnserialized?: boolean
}

/**
 * Compiles a document with its implementation. Throws a DocumentError that lists every mismatch; those of the headers of a
 * deprecation only if there is no other.
 */
export function compileApi(options: OpenApiOptions) {
  const { document, handlers, security = {}, servers = {}, publicPath = '', serverHeaders = [] } = options
  const { cacheable = {}, digests, getDocumentationUrl, validateResponses = false } = options
  const { root, compile } = document
  const operations = readOperations(root)
  throwProblems(document, [
    ...checkServers(root, servers),
    ...checkImplementation(operations, handlers, security, serverHeaders),
    ...(digests === undefined ? [] : checkDigests(compile.views, digests)),
  ])
  const serverPath = getBasePath(root, servers)
  // Behind a proxy at `/shop`, the servers may have the path `/shop/v1` or `/v1`; the routes have `/v1`.
  const includesPublicPath = `${serverPath}/`.startsWith(`${publicPath}/`)
  const basePath = includesPublicPath ? serverPath.slice(publicPath.length) : serverPath
  const publicBasePath = publicPath + basePath
  const urls = Object.fromEntries(
    operations.map((operation) => [operation.id, createUrlBuilder(publicBasePath, operation)]),
  )
  const compileSerializer = createSerializerCompiler(compile.views)
  const allResponses = operations.flatMap(({ responses }) => [...responses])
  const commonHeaders = getCommonHeaders(allResponses.map(([, response]) => response))
  const errorHeaders = getCommonHeaders(allResponses.flatMap(([key, response]) => (isError(key) ? [response] : [])))
  const problems: Problem[] = []

  function createPlan(operation: Operation) {
    const { deprecation, id, method, requestBody } = operation
    const lifecycleHeaders: ResponseHeaders =
      deprecation === undefined
        ? {}
        : getDeprecationHeaders(deprecation, {
            documentation: getDocumentationUrl?.(operation),
            // The successor has no path parameters (`checkLifecycle`), so its URL needs no values.
            successor: deprecation.replacedBy && urls[deprecation.replacedBy]?.(),
          })
    problems.push(...checkDeprecation(operation, lifecycleHeaders, compile))
    const { Link: deprecationLink, ...deprecationHeaders } = lifecycleHeaders

    /** `requiredHeaders` are those that the handler must set. */
    function createResponsePlan(declared: Response, constants: ResponseHeaders, requiredHeaders: readonly string[]) {
      const constantHeaders = new Map(
        Object.entries({ ...deprecationHeaders, ...constants }).map(([name, value]) => [name.toLowerCase(), value]),
      )
      const names = Object.keys(declared.headers)
      return {
        /** The headers with constant values, but for `deprecationLink`; their names in lower case, as Fastify keeps them. */
        constantHeaders: Object.fromEntries(constantHeaders),
        /** The `Link` of a deprecated operation. */
        deprecationLink,
        /** How a body of each media type is written; empty if there is no body. */
        content: declared.content.map((content) => createContentPlan(compile.views, content, compileSerializer)),
        /** The names of the declared headers whose values are for the handler. Others that it returns are not sent. */
        handlerHeaders: new Set(names.filter((name) => !constantHeaders.has(name.toLowerCase()))),
        /** The declared headers with constant values. A handler must not return other values. */
        fixedHeaders: names.flatMap((name) => {
          const value = constantHeaders.get(name.toLowerCase())
          return value === undefined ? [] : [{ name, value }]
        }),
        /** Throws if the response is not valid. Undefined unless `validateResponses` is set. */
        check: validateResponses ? createResponseCheck(declared, compile, requiredHeaders) : undefined,
      }
    }

    const responses = new Map(
      Array.from(operation.responses, ([key, response]) => {
        const requiredHeaders = getHandlerHeaders(response, serverHeaders, operation, key)
        // A 304 has the stored headers that only the 200 declares, too.
        const whole = key === 304 && operation.isConditional ? findResponse(operation.responses, 200) : undefined
        const stored = Object.entries(whole?.headers ?? {}).filter(([name]) => OF_NOT_MODIFIED.test(name))
        const declared = { ...response, headers: { ...Object.fromEntries(stored), ...response.headers } }
        return [key, createResponsePlan(declared, getConstantHeaders(declared), requiredHeaders)]
      }),
    )
    const negotiableTypes = findNegotiated(operation)
    const dependsOnUrlAlone =
      requestBody === undefined &&
      negotiableTypes.length === 0 &&
      getHandlerParameters(operation).every((parameter) => /^(path|query)$/.test(parameter.in))
    // The key of the cache is the URL, and only responses with an ETag are added.
    const isCacheable = method === 'get' && operation.isConditional && dependsOnUrlAlone && Object.hasOwn(cacheable, id)
    const getRevision = isCacheable ? cacheable[id] : undefined
    return {
      operation,
      identify: createIdentify(operation.security, security, root.info.title),
      /** Finds the reader of a body by its Content-Type. */
      findReader: requestBody && createBodyReaders(requestBody, compile),
      readInput: createInputReader(operation, compile),
      /** The media types of responses among which a client may choose; none if there is no choice. */
      negotiableTypes,
      handle: handlers[id] as Handler,
      responses,
      /** For responses whose status is not declared. Only hooks and the error handler send them. */
      undeclaredResponse: createResponsePlan({ content: [], headers: {} }, errorHeaders, []),
      /** Undefined if the responses cannot be cached. */
      cache: getRevision && createResponseCache(getRevision),
    }
  }

  const plans = operations.map(createPlan)
  throwProblems(document, problems)
  return {
    document,
    operations,
    /** In the order of the operations. */
    plans,
    /** By operationId. */
    urls,
    /** The path before that of each operation, without a trailing slash and without the public path. */
    basePath,
    /** The base path as clients see it. */
    publicBasePath,
    /** The headers with the same constant value in every declared response. */
    commonHeaders,
    /** The headers with the same constant value in every declared error. The app sends them with its own errors, too. */
    errorHeaders,
  }
}

/** True for 4xx and 5xx; `default` may be a success. */
function isError(key: ResponseKey): boolean {
  return /^[45]/.test(String(key))
}

/** Makes the function that returns the path and query of an operation: `/v1/pets?limit=7`. */
function createUrlBuilder(base: string, { path: template, parameters }: Operation) {
  const toPairs = (location: 'path' | 'query', name: string, value: unknown) => {
    const parameter = parameters.find((declared) => declared.in === location && declared.name === name)
    return parameter === undefined ? [] : writeParameter(parameter, value)
  }
  return ({ path = {}, query = {} }: { readonly path?: Values; readonly query?: Values } = {}): string => {
    // Without a value, a parameter of the path is an empty text.
    const filled = template.replaceAll(
      /\{([^{}]+)\}/g,
      (_text, name) => toPairs('path', name, path[name])[0]?.[1] ?? '',
    )
    let url = base + filled
    let separator = '?'
    for (const name of Object.keys(query)) {
      for (const [key, text] of toPairs('query', name, query[name])) {
        url += `${separator}${key}=${text}`
        separator = '&'
      }
    }
    return url
  }
}
