/**
 * The plan of an operation: everything that follows from the spec alone, computed once when the spec is loaded. A request
 * looks up its plan and does only what depends on the request.
 */
import type { ResponseHeaders } from '../errors.ts'
import type { OpenApi } from './document/model.ts'
import { isServerParameter, type Operation, type Response, type ResponseKey } from './document/operations.ts'
import type { Values } from './document/references.ts'
import { checkContentType, checkNoBody } from './request/body.ts'
import { createInputReader } from './request/input.ts'
import { createAuthenticate, type Security } from './request/security.ts'
import { createResponseCache, type Revision } from './response/cache.ts'
import {
  getConstantHeaders,
  getDeprecationHeaders,
  getOwedHeaders,
  getSharedHeaders,
  type HandlerHeaders,
} from './response/headers.ts'
import { createResponseCheck, createSerializerCompiler } from './response/serializer.ts'
import type { SchemaCompiler } from './schema/compiler.ts'

/** Any handler of the generated `Handlers`: the compiler has proved that it receives what its operation declares. */
export type Handler = (request: never) => Promise<HandlerResponse>

export interface HandlerResponse {
  readonly status: number
  readonly body?: unknown
  readonly headers?: HandlerHeaders
}

/** Everything that a plan needs besides the document. */
export interface Implementation {
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

/** Makes the plans of a document that has been checked, together with the implementation. */
export function createPlans(
  root: OpenApi,
  operations: readonly Operation[],
  basePath: string,
  compile: SchemaCompiler,
  { handlers, security, getDocumentationUrl, cacheable = {}, validatesResponses = false }: Implementation,
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
