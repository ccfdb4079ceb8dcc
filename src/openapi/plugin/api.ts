/** Compiles a document with its implementation. */

import { checkCodecs, findParsers, markCodecs } from '../check/codecs.ts'
import { checkDigests, type Digests } from '../check/digests.ts'
import type { OpenApiDocument } from '../check/document.ts'
import {
  checkBasePath,
  checkChoice,
  checkDeprecation,
  checkImplementation,
  checkInterval,
  checkUploads,
} from '../check/implementation.ts'
import { checkRoutes, type OperationRouteOptions } from '../check/route-options.ts'
import type { Operation } from '../document/operations.ts'
import { throwProblems } from '../document/problems.ts'
import type { ResponseKey } from '../document/responses.ts'
import { checkServers, getBasePath, parseBasePath, type ServerVariables } from '../document/servers.ts'
import { getOwn } from '../document/values.ts'
import type { Implementation } from '../operation/implementation.ts'
import { createRoute } from '../operation/route.ts'
import { compileSentRequests } from '../operation/sent-requests.ts'
import { createStreams } from '../operation/streams.ts'
import { createUrlBuilder, type Urls } from '../operation/urls.ts'
import type { UploadFolder } from '../request/upload-folder.ts'
import { getCommonHeaders, getDeprecationHeaders } from '../response/headers.ts'
import { createAppSerializerCompiler, createSerializerCompiler } from '../response/serializer.ts'
import { HttpError, type ResponseHeaders } from '../shared/errors.ts'

export interface ApiOptions extends Implementation {
  readonly document: OpenApiDocument
  /** Values for the variables of the servers, by name; by default, the defaults of the document. */
  readonly servers?: ServerVariables
  /**
   * The path before that of each operation: `/v1`, or an empty string for the root. By default, it is the path of the first server
   * of the document. With this option, servers may have any path.
   */
  readonly basePath?: string
  /** The path below which a proxy publishes the app, without a trailing slash; URLs for clients begin with it. */
  readonly publicPath?: string
  /** The folder for the files of streamed forms, while their requests last; by default, that of the system for temporary files. */
  readonly uploadFolder?: string
  /** The digests of the spec that the handlers' types were generated from: a document with others is rejected. */
  readonly digests?: Digests
}

export type CompiledApi = ReturnType<typeof compileApi>

/**
 * Compiles the operations of a document. `hasParser` tells whether the app has a content type parser for a media type. Throws a
 * DocumentError that lists every mismatch between the document and the options.
 */
export function compileApi(options: ApiOptions, uploadFolder: UploadFolder, hasParser: (type: string) => boolean) {
  const { document, missingHandlers, serializers = {} } = options
  const parts = combine(options, hasParser)
  const { basePath, deprecationHeaders, operations, publicBasePath, serverHeaders, urls } = parts
  const warnings = checkParts(parts, options, uploadFolder)
  const { views } = document.compile
  const responses = operations.flatMap((operation) => [...operation.responses])
  const errorHeaders = getCommonHeaders(responses.flatMap(([key, response]) => (isError(key) ? [response] : [])))
  const operationOptions = {
    ...options,
    ...parts,
    uploadFolder,
    streams: createStreams(),
    errorHeaders,
    compileSerializer: createSerializerCompiler(views),
    compileAppSerializer: createAppSerializerCompiler(views, serializers),
    createMock:
      typeof missingHandlers === 'function' ? missingHandlers(document, serverHeaders) : () => rejectNotImplemented,
  }
  return {
    document,
    operations,
    /** Lines `file:LINE:COL: what is wrong; what to do` about what has no effect or is missing. The plugin logs them. */
    warnings: [...document.warnings, ...warnings],
    /** In the order of the operations. */
    routes: Array.from(deprecationHeaders, ([operation, headers]) =>
      createRoute(document, operation, headers, operationOptions),
    ),
    streams: operationOptions.streams,
    /** By operationId. */
    urls,
    /** The functions that write the requests of webhooks, and of callbacks, by name: `newPet`, `subscribe.onEvent`. */
    webhooks: compileSentRequests(document, operationOptions.compileSerializer),
    /** The path before that of each operation, without a trailing slash and without the public path. */
    basePath,
    /** The base path as clients see it. */
    publicBasePath,
    /** The headers with the same constant value in every declared response. */
    commonHeaders: getCommonHeaders(responses.map(([, response]) => response)),
    /** The headers with the same constant value in every declared error. The app sends them with its own errors. */
    errorHeaders,
  }
}

type Parts = ReturnType<typeof combine>

/** Combines the operations of a document with the options, before it is checked that they match. */
function combine(options: ApiOptions, hasParser: (type: string) => boolean) {
  const { document, publicPath = '', serializers = {} } = options
  const routes = withoutSkipped(document, options.routes ?? {})
  const codecs = {
    parsers: findParsers(document.operations, hasParser),
    serializers: Object.keys(serializers).sort(),
  }
  const operations: readonly Operation[] = markCodecs(document.operations, codecs).map((operation) =>
    setBodyLimit(operation, getOwn(routes, operation.id)),
  )
  const basePath = options.basePath === undefined ? getServerPath(options) : (parseBasePath(options.basePath) ?? '')
  const publicBasePath = publicPath + basePath
  const urls = Object.fromEntries(
    operations.map((operation) => [operation.id, createUrlBuilder(publicBasePath, operation)]),
  )
  return {
    operations,
    codecs,
    handlers: withoutSkipped(document, options.handlers ?? {}),
    routes,
    serverHeaders: (options.serverHeaders ?? []).map((name) => name.toLowerCase()),
    basePath,
    publicBasePath,
    urls,
    deprecationHeaders: new Map(
      operations.map((operation) => [operation, describeDeprecation(operation, urls, options)]),
    ),
  }
}

/** Throws a DocumentError that lists every mismatch. Returns the lines of the warnings. */
function checkParts(parts: Parts, options: ApiOptions, uploadFolder: UploadFolder): readonly string[] {
  const { codecs, deprecationHeaders, handlers, operations, routes, serverHeaders } = parts
  const { basePath, digests, document, missingHandlers = 'error', security = {}, servers = {} } = options
  const hasDocumentation = options.getDocumentationUrl !== undefined
  const substitute = missingHandlers === 'error' ? undefined : missingHandlers === 'notImplemented' ? '501' : 'examples'
  const staleTypes = digests === undefined ? [] : checkDigests(document, digests, codecs)
  const choices = typeof missingHandlers === 'function' ? [missingHandlers] : ['error', 'notImplemented']
  const problems = [
    ...checkBasePath(basePath),
    ...checkChoice('missingHandlers', missingHandlers, choices),
    ...checkChoice('validateResponses', options.validateResponses, [true, false, 'report']),
    ...checkInterval(options.keepAliveInterval),
    ...checkServers(document.root, servers, basePath !== undefined),
    ...checkImplementation(operations, handlers, substitute, security, serverHeaders, hasDocumentation),
    ...checkRoutes(operations, routes),
    ...checkCodecs(operations, codecs),
    ...checkUploads(operations, uploadFolder),
    ...[...deprecationHeaders].flatMap(([operation, headers]) => [
      ...checkDeprecation(operation, headers, document.compile),
    ]),
    ...staleTypes,
  ]
  // A default that has lost its effect, of which a warning tells, changes the types.
  return throwProblems(document, problems, staleTypes.length > 0 ? document.warnings : [])
}

async function rejectNotImplemented(): Promise<never> {
  throw new HttpError(501, 'not_implemented', 'this operation is not implemented')
}

/** Returns values by operationId without those of operations that the document skips. */
function withoutSkipped<Values extends object>(
  { operations, skippedOperations }: OpenApiDocument,
  values: Values,
): Values {
  if (skippedOperations.length === 0) return values
  const servedIds = new Set(operations.map(({ id }) => id))
  const skippedIds = new Set(skippedOperations.map(({ id }) => id)).difference(servedIds)
  return Object.fromEntries(Object.entries(values).filter(([id]) => !skippedIds.has(id))) as Values
}

/** Returns an operation with the limit that the app has for its body. `checkRoutes` reports a limit that the document has, too. */
function setBodyLimit(operation: Operation, { bodyLimit }: OperationRouteOptions = {}): Operation {
  const { requestBody } = operation
  if (bodyLimit === undefined || requestBody === undefined) return operation
  return { ...operation, requestBody: { ...requestBody, maxBytes: bodyLimit } }
}

/** Returns the path of the first server, without the public path. */
function getServerPath({ document, publicPath = '', servers = {} }: ApiOptions): string {
  const serverPath = getBasePath(document.root, servers)
  // Behind a proxy at `/shop`, the servers may have the path `/shop/v1` or `/v1`; the routes have `/v1`.
  const includesPublicPath = `${serverPath}/`.startsWith(`${publicPath}/`)
  return includesPublicPath ? serverPath.slice(publicPath.length) : serverPath
}

/** True for 4xx and 5xx; `default` may be a success. */
function isError(key: ResponseKey): boolean {
  return /^[45]/.test(String(key))
}

/** Returns the headers of a deprecated operation, and no headers for others. */
function describeDeprecation(operation: Operation, urls: Urls, { getDocumentationUrl }: ApiOptions): ResponseHeaders {
  const { deprecation } = operation
  if (deprecation === undefined) return {}
  return getDeprecationHeaders(deprecation, {
    documentation: getDocumentationUrl?.(operation),
    // The successor has no path parameters (`checkLifecycle`), so its URL needs no values.
    successor: deprecation.replacedBy && urls[deprecation.replacedBy]?.(),
  })
}
