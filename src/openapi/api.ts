/** An OpenAPI document and its implementation: checked together, and compiled into plans. */
import { checkImplementation, checkReserved, checkResponses, type Samples } from './check/implementation.ts'
import { inspect } from './check/rules.ts'
import { openApi } from './check/supported.ts'
import { checkDigests, type Digests } from './digests.ts'
import { type OpenApiDocument, throwProblems } from './document/document.ts'
import type { OpenApi } from './document/model.ts'
import { readOperations } from './document/operations.ts'
import { checkServers, getBasePath, type ServerVariables } from './document/servers.ts'
import { createPlans, type Implementation } from './plan.ts'
import { createSchemaCompiler } from './schema/compiler.ts'

export interface ApiOptions extends Implementation {
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
}

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
