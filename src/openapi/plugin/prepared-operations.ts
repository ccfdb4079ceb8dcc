/** The operations of a document with what the options say of them, before it is checked that they match. */
import type { FastifyInstance } from 'fastify'
import type { OpenApiDocument } from '../check/document.ts'
import type { OperationRouteOptions } from '../check/route-options.ts'
import { findParsableTypes, markCodecs } from '../document/codecs.ts'
import type { Operation } from '../document/operations.ts'
import { getBasePath, parseBasePath } from '../document/servers.ts'
import { getOwn } from '../document/values.ts'
import { createUrlBuilder, type Urls } from '../operation/urls.ts'
import { getDeprecationHeaders } from '../response/deprecation.ts'
import type { ResponseHeaders } from '../shared/errors.ts'
import type { ApiOptions } from './plugin-options.ts'

export type PreparedOperations = ReturnType<typeof prepareOperations>

/** Prepares the operations for an app. Of its content type parsers, those for media types that the layer does not parse are used. */
export function prepareOperations(options: ApiOptions, app: FastifyInstance) {
  const { document, publicPath = '', serializers = {} } = options
  const routes = withoutSkipped(document, options.routes ?? {})
  const codecs = {
    parsers: [...findParsableTypes(document.operations)].filter((type) => app.hasContentTypeParser(type)).sort(),
    serializers: Object.keys(serializers).sort(),
  }
  const operations: readonly Operation[] = markCodecs(document.operations, codecs).map((operation) =>
    setBodyLimit(operation, getOwn(routes, operation.id)),
  )
  const basePath = options.basePath === undefined ? getServerPath(options) : (parseBasePath(options.basePath) ?? '')
  const publicBasePath = publicPath + basePath
  const urls: Urls = Object.fromEntries(
    operations.map((operation) => [operation.id, createUrlBuilder(publicBasePath, operation)]),
  )
  return {
    operations,
    codecs,
    handlers: withoutSkipped(document, options.handlers ?? {}),
    routes,
    /** In lower case. */
    serverHeaders: (options.serverHeaders ?? []).map((name) => name.toLowerCase()),
    basePath,
    publicBasePath,
    urls,
    /** By operation: {} unless it is deprecated. */
    deprecationHeaders: new Map(
      operations.map((operation) => [operation, createDeprecationHeaders(operation, urls, options)]),
    ),
  }
}

/** Returns values by operationId, without the values of skipped operations. */
function withoutSkipped<Values extends object>({ skippedOperations }: OpenApiDocument, values: Values): Values {
  if (skippedOperations.length === 0) return values
  const skippedIds = new Set(skippedOperations.map(({ id }) => id))
  return Object.fromEntries(Object.entries(values).filter(([id]) => !skippedIds.has(id))) as Values
}

/** Returns an operation with the app's limit for its body. If the document has a limit as well, `checkRoutes` reports it. */
function setBodyLimit(operation: Operation, routeOptions: OperationRouteOptions | undefined): Operation {
  const { requestBody } = operation
  // A program without types may give null: `checkRoutes` reports it.
  const bodyLimit = routeOptions?.bodyLimit
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

/** Returns the headers of a deprecated operation, and no headers for others. */
function createDeprecationHeaders(
  operation: Operation,
  urls: Urls,
  { getDocumentationUrl }: ApiOptions,
): ResponseHeaders {
  const { deprecation } = operation
  if (deprecation === undefined) return {}
  return getDeprecationHeaders(deprecation, {
    documentation: getDocumentationUrl?.(operation),
    // The successor has no path parameters (`checkSuccessor`), so its URL needs no values.
    successor: deprecation.replacedBy && urls[deprecation.replacedBy]?.(),
  })
}
