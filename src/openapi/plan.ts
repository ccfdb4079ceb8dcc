/**
 * An OpenAPI document and its implementation: checked together, and compiled into a plan for each operation, which is
 * everything that follows from the spec alone. A request looks up its plan and does only what depends on the request.
 */
import type { ResponseHeaders } from '../errors.ts'
import { checkImplementation, checkReserved, checkResponses, type Samples } from './check/implementation.ts'
import { inspect } from './check/rules.ts'
import { openApi } from './check/supported.ts'
import { checkDigests, type Digests } from './digests.ts'
import { type OpenApiDocument, throwProblems } from './document/document.ts'
import type { OpenApi } from './document/model.ts'
import {
  isServerParameter,
  type Operation,
  type Response,
  type ResponseKey,
  readOperations,
} from './document/operations.ts'
import type { Values } from './document/references.ts'
import { checkServers, getBasePath, type ServerVariables } from './document/servers.ts'
import { checkContentType, checkNoBody } from './request/body.ts'
import { createInputReader } from './request/input.ts'
import { createAuthenticate, type Security } from './request/security.ts'
import {
  getConstantHeaders,
  getDeprecationHeaders,
  getOwedHeaders,
  getSharedHeaders,
  type HandlerHeaders,
} from './response/headers.ts'
import { createResponseCache, type Revision } from './response/respond.ts'
import { createResponseCheck, createSerializerCompiler } from './response/serializer.ts'
import { createSchemaCompiler, type SchemaCompiler } from './schema/compiler.ts'

/** Any handler of the generated `Handlers`: the compiler has proved that it receives what its operation declares. */
export type Handler = (request: never) => Promise<HandlerResponse>

export interface HandlerResponse {
  readonly status: number
  readonly body?: unknown
  readonly headers?: HandlerHeaders
}

export interface ApiOptions {
  readonly document: OpenApiDocument
  readonly servers: ServerVariables
  /** The path that a proxy puts in front of every other, without a trailing slash. */
  readonly publicPath?: string
  /** True if the number of requests is limited. */
  readonly hasRateLimit?: boolean
  readonly samples: Samples
  /** The digests of the spec that the types of the handlers were generated from. */
  readonly digests: Digests
  /** The paths that the service uses for something else, each with all paths below it. */
  readonly reserved?: readonly string[]
  /** By operationId. */
  readonly handlers: Readonly<Record<string, Handler>>
  readonly security: Security
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

export type Plan = ReturnType<typeof createPlans>['plans'][number]

/** What is declared for a status. */
export type ResponsePlan = Plan['otherResponse']

/** A document that is completely supported and matches its implementation. */
export type Api = ReturnType<typeof compileApi>

/**
 * Checks a document and compiles it. Throws a DocumentError that lists everything that is not supported; or else everything
 * that is inconsistent, in the document or with the implementation.
 */
export function compileApi(options: ApiOptions) {
  const { document, servers, publicPath = '', hasRateLimit = false, samples, reserved = [] } = options
  const { root } = document
  const compile = createSchemaCompiler(root, document.validators)
  const { unsupported, inconsistent, documented } = document.findings ?? inspect(openApi, root, compile)
  throwProblems(document, unsupported)
  const operations = readOperations(root)
  throwProblems(document, [
    ...inconsistent,
    ...checkServers(root, servers),
    ...checkImplementation(root, operations, options.handlers, options.security.authenticators),
  ])
  if (document.findings === undefined) throwProblems(document, checkDigests(root, options.digests))
  const path = getBasePath(root, servers)
  const basePath = `${path}/`.startsWith(`${publicPath}/`) ? path.slice(publicPath.length) : path
  const publicBasePath = publicPath + basePath
  const compiled = createPlans(root, operations, publicBasePath, compile, options)
  throwProblems(document, [
    ...checkReserved(root, basePath, reserved),
    ...checkResponses(compiled.plans, compile, hasRateLimit, samples),
  ])
  return {
    ...compiled,
    /** The path of the servers, without a trailing slash, and without the public path if that is a part of it. */
    basePath,
    /** The base path as clients see it. */
    publicBasePath,
    /** The pointers of the parts that are documentation alone, and not served. */
    documented,
  }
}

/** Finds what is wrong with a document by itself, and the pointers of what is documentation alone. */
export function checkDocument(root: OpenApi) {
  const compile = createSchemaCompiler(root)
  const { unsupported, inconsistent, documented } = inspect(openApi, root, compile)
  return { problems: [...unsupported, ...inconsistent], documented }
}

/** Makes the plans of a document that has been checked, together with the implementation. */
function createPlans(
  root: OpenApi,
  operations: readonly Operation[],
  basePath: string,
  compile: SchemaCompiler,
  { handlers, security, getDocumentationUrl, cacheable = {}, validatesResponses = false }: ApiOptions,
) {
  const urls = Object.fromEntries(operations.map(({ id, path }) => [id, createUrlBuilder(basePath + path)]))
  const compileSerializer = createSerializerCompiler(root)
  const all = operations.flatMap(({ responses }) => [...responses])
  const commonHeaders = getSharedHeaders(all.map(([, response]) => response))
  const errorHeaders = getSharedHeaders(all.flatMap(([key, response]) => (isError(key) ? [response] : [])))

  function createPlan(operation: Operation) {
    const { id, deprecation, parameters, requestBody } = operation
    const documentation = getDocumentationUrl(operation)
    const successor = urls[deprecation?.replacedBy ?? '']?.()
    const deprecationHeaders = deprecation ? getDeprecationHeaders(deprecation, { documentation, successor }) : {}
    const { Link: link, ...lifecycle } = deprecationHeaders

    const createResponsePlan = (declared: Response, constants: ResponseHeaders, owed: readonly string[]) => ({
      /** The headers that follow from the spec, without `Link`, as alternating names and values. */
      headers: Object.entries({ ...lifecycle, ...constants }).flat(),
      /** The links of the deprecation. */
      link,
      /** Undefined if there is no body. */
      serialize: declared.body && compileSerializer(declared.body),
      /** The headers that a handler may return: types alone do not exclude others. */
      declaredHeaders: declared.headers,
      /** Throws if a response is not valid. Undefined if the handlers are trusted with the values. */
      check: validatesResponses ? createResponseCheck(declared, compile, owed) : undefined,
    })

    const responses = new Map(
      Array.from(operation.responses, ([key, each]) => {
        const owed = getOwedHeaders(each, operation, key)
        return [key, createResponsePlan(each, getConstantHeaders(each), owed)]
      }),
    )
    const notModified = responses.get(304)
    // A cached response is sent before the headers of the request are read.
    const dependsOnHeaders = parameters.some((each) => each.in === 'header' && !isServerParameter(each))
    const isCacheable = notModified !== undefined && !dependsOnHeaders && Object.hasOwn(cacheable, id)
    const getRevision = isCacheable ? cacheable[id] : undefined
    return {
      operation,
      /** Returns the client of a request, or throws a 401 or 403. */
      authenticate: createAuthenticate(operation.security, security),
      /** Checks what the headers say of the body. */
      checkContent: requestBody === undefined ? checkNoBody : checkContentType,
      readInput: createInputReader(root, operation, compile),
      handle: handlers[id] as Handler,
      responses,
      /** For errors whose status is not declared. */
      otherResponse: createResponsePlan({ body: undefined, headers: {} }, errorHeaders, []),
      /** What is declared for 304; if nothing is, responses have no ETag. */
      notModified,
      /** The headers of the deprecation, which every response has. */
      deprecationHeaders,
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
function createUrlBuilder(template: string) {
  // After the start, by turns the name of a parameter and the text that follows it.
  const [start = '', ...parts] = template.split(/[{}]/)
  return ({ path = {}, query = {} }: { readonly path?: Values; readonly query?: Values } = {}): string => {
    let url = start
    for (const [index, part] of parts.entries()) url += index % 2 === 0 ? encode(path[part]) : part
    let separator = '?'
    for (const name of Object.keys(query)) {
      const value = query[name] ?? []
      for (const each of Array.isArray(value) ? value : [value]) {
        url += `${separator}${encode(name)}=${encode(each)}`
        separator = '&'
      }
    }
    return url
  }
}

function encode(value: unknown): string {
  return encodeURIComponent(String(value))
}
