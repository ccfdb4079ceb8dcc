/** Compiles a document with its implementation, in three steps: prepare the operations, check that the options match, compile the routes. */
import type { FastifyInstance } from 'fastify'
import { checkCodecs } from '../check/codecs.ts'
import { checkDigests } from '../check/digests.ts'
import { checkHandlers, checkSecurityFunctions } from '../check/implementation.ts'
import { checkBasePath, checkChoice, checkInterval, checkRouterOptions, checkUploads } from '../check/options.ts'
import { checkRoutes } from '../check/route-options.ts'
import { checkDeprecationHeaders, checkSentHeaders } from '../check/sent-headers.ts'
import { checkServers } from '../check/servers.ts'
import type { Operation } from '../document/operations.ts'
import { throwProblems } from '../document/problems.ts'
import type { ResponseKey } from '../document/responses.ts'
import type { OperationOptions } from '../operation/implementation.ts'
import { createRoute } from '../operation/route.ts'
import { compileSentRequests } from '../operation/sent-requests.ts'
import { createStreams } from '../operation/streams.ts'
import type { UploadFolder } from '../request/upload-folder.ts'
import { getCommonHeaders } from '../response/headers.ts'
import { createAppSerializerCompiler, createSerializerCompiler } from '../response/serializer.ts'
import type { ResponseHeaders } from '../shared/errors.ts'
import { notImplemented } from './path-routes.ts'
import type { ApiOptions } from './plugin-options.ts'
import { type PreparedOperations, prepareOperations } from './prepared-operations.ts'

export type CompiledApi = ReturnType<typeof compileApi>

/**
 * Compiles the operations of a document for an app, which has content type parsers and options of its router. Throws a DocumentError that
 * lists every mismatch between the document and the options.
 */
export function compileApi(options: ApiOptions, uploadFolder: UploadFolder, app: FastifyInstance) {
  const { document } = options
  const prepared = prepareOperations(options, app)
  const { basePath, operations, publicBasePath, urls } = prepared
  const warnings = checkOptions(prepared, options, uploadFolder, app)
  // Without `default`, which may describe a success.
  const errorHeaders = findCommonHeaders(operations, (key) => /^[45]/.test(String(key)))
  const compileSerializer = createSerializerCompiler(document.compile.views)
  const streams = createStreams()
  return {
    document,
    operations,
    /** Lines `file:LINE:COL: what is wrong; what to do` about what has no effect or is missing. The plugin logs them. */
    warnings: [...document.warnings, ...warnings],
    /** In the order of the operations. */
    routes: compileRoutes(prepared, options, { compileSerializer, errorHeaders, streams, uploadFolder }),
    streams,
    /** By operationId. */
    urls,
    /** The functions that write the requests of webhooks, and of callbacks, by name: `newPet`, `subscribe.onEvent`. */
    webhooks: compileSentRequests(document, compileSerializer),
    /** The path that precedes the path of each operation, without a trailing slash and without the public path. */
    basePath,
    /** The base path as clients see it. */
    publicBasePath,
    /** The headers with the same constant value in every declared response. */
    commonHeaders: findCommonHeaders(operations),
    /** The headers with the same constant value in every declared error. The app sends them with its own errors. */
    errorHeaders,
  }
}

/** Throws a DocumentError that lists every mismatch. Returns the lines of the warnings. */
function checkOptions(
  prepared: PreparedOperations,
  options: ApiOptions,
  uploadFolder: UploadFolder,
  { initialConfig }: FastifyInstance,
): readonly string[] {
  const { codecs, deprecationHeaders, handlers, operations, routes, serverHeaders } = prepared
  const { digests, document, missingHandlers = 'error', security = {}, servers = {} } = options
  const hasDocumentation = options.getDocumentationUrl !== undefined
  const staleTypes = digests === undefined ? [] : checkDigests(document, digests, codecs)
  const problems = [
    ...checkBasePath(options.basePath),
    ...(typeof missingHandlers === 'function'
      ? []
      : checkChoice('missingHandlers', missingHandlers, ['error', 'notImplemented'])),
    ...checkChoice('validateResponses', options.validateResponses, [true, false, 'report']),
    ...checkInterval(options.keepAliveInterval),
    ...checkServers(document.root, servers, options.basePath !== undefined),
    ...checkHandlers(operations, handlers, missingHandlers),
    ...checkSecurityFunctions(operations, security),
    ...checkRoutes(operations, routes),
    ...checkCodecs(operations, codecs),
    ...checkUploads(operations, uploadFolder),
    ...checkRouterOptions(operations, initialConfig, document.compile),
    ...operations.flatMap((operation) => [
      ...checkSentHeaders(operation, { serverHeaders, hasDocumentation }),
      ...checkDeprecationHeaders(operation, deprecationHeaders.get(operation) ?? {}, document.compile),
    ]),
    ...staleTypes,
  ]
  // A default that became invalid makes the types stale, and only its warning says so.
  return throwProblems(document, problems, staleTypes.length > 0 ? document.warnings : [])
}

/** Compiles the routes of checked operations, in their order. */
function compileRoutes(
  { deprecationHeaders, operations, serverHeaders, ...prepared }: PreparedOperations,
  options: ApiOptions,
  shared: Pick<OperationOptions, 'compileSerializer' | 'errorHeaders' | 'streams' | 'uploadFolder'>,
) {
  const { document, missingHandlers, serializers = {} } = options
  const operationOptions: OperationOptions = {
    ...options,
    // After the options: these handlers and routes are without skipped operations.
    ...prepared,
    ...shared,
    serverHeaders,
    compileAppSerializer: createAppSerializerCompiler(document.compile.views, serializers),
    createMock:
      typeof missingHandlers === 'function'
        ? missingHandlers(document, serverHeaders)
        : () => async () => {
            throw notImplemented()
          },
  }
  return operations.map((operation) =>
    createRoute(document, operation, deprecationHeaders.get(operation) ?? {}, operationOptions),
  )
}

/** Finds the headers with the same constant value in every declared response, or in all that are included. */
function findCommonHeaders(
  operations: readonly Operation[],
  isIncluded: (key: ResponseKey) => boolean = () => true,
): ResponseHeaders {
  const responses = operations.flatMap((operation) => [...operation.responses])
  return getCommonHeaders(responses.flatMap(([key, response]) => (isIncluded(key) ? [response] : [])))
}
