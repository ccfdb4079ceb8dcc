/** An OpenAPI document and its implementation: checked together, and compiled into plans. */
import { checkImplementation, checkReserved, checkResponses, type Samples } from './check/implementation.ts'
import { createPlace } from './check/rules.ts'
import { openApi } from './check/supported.ts'
import { checkDigests, type Digests } from './digests.ts'
import { type OpenApiDocument, type Problem, throwProblems } from './document/load.ts'
import type { OpenApi } from './document/model.ts'
import { checkServers, getBasePath, type ServerVariables } from './document/servers.ts'
import { createPlans, type Implementation, type Plans } from './plan.ts'
import type { Features } from './response/headers.ts'
import { createSchemaCompiler, type SchemaCompiler } from './schema/compiler.ts'

export interface ApiOptions<Caller> extends Implementation<Caller> {
  readonly document: OpenApiDocument
  readonly servers: ServerVariables
  /** What a proxy puts in front of every path, without a trailing slash. */
  readonly publicPath?: string
  readonly features: Features
  readonly samples: Samples
  /** Those of the spec that the types of the handlers were generated from. */
  readonly digests: Digests
  /** The paths that the service uses for something else, each with all paths below it. */
  readonly reserved?: readonly string[]
}

/** A document that is completely supported and matches its implementation. */
export interface Api<Caller> extends Plans<Caller> {
  readonly root: OpenApi
  /** The path of the servers, without a trailing slash, and without the public path if that is a part of it. */
  readonly basePath: string
  /** The same as clients see it. */
  readonly publicBasePath: string
  /** The pointers of the parts that are documentation alone, and not served. */
  readonly documented: readonly string[]
}

/**
 * Checks a document and compiles it. Throws a DocumentError that lists everything that is not supported or does not match
 * the implementation.
 */
export function compileApi<Caller>(options: ApiOptions<Caller>): Api<Caller> {
  const { document, servers, publicPath = '', features, samples, reserved = [] } = options
  const { root } = document
  const documented: string[] = []
  const compile = createSchemaCompiler(root)
  throwProblems(document, [
    ...checkDocument(root, documented, compile),
    ...checkServers(root, servers),
    ...checkImplementation(root, options.handlers, options.security.authenticators),
  ])
  throwProblems(document, checkDigests(root, options.digests))
  const path = getBasePath(root, servers)
  const basePath = `${path}/`.startsWith(`${publicPath}/`) ? path.slice(publicPath.length) : path
  const publicBasePath = publicPath + basePath
  const compiled = createPlans(root, publicBasePath, compile, options)
  const operations = compiled.plans.map(({ operation }) => operation)
  throwProblems(document, [
    ...checkReserved(root, basePath, reserved),
    ...checkResponses(operations, compile, features, samples),
  ])
  return { ...compiled, root, basePath, publicBasePath, documented }
}

/** Finds everything that is wrong with a document by itself. Adds what is documentation alone to `documented`. */
export function checkDocument(
  root: OpenApi,
  documented: string[] = [],
  compile: SchemaCompiler = createSchemaCompiler(root),
): Problem[] {
  const problems: Problem[] = []
  openApi(root, createPlace({ root, compile, documented, problems }))
  return problems
}
