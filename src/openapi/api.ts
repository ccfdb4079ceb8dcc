/**
 * An OpenAPI document and its implementation: checked together, and compiled into plans.
 */

import { checkErrorBodies, checkImplementation, checkReserved } from './check/implementation.ts'
import { checkOperations } from './check/operations.ts'
import { openApi } from './check/supported.ts'
import { type OpenApiDocument, type Problem, throwProblems } from './document/load.ts'
import type { OpenApi } from './document/model.ts'
import { checkServers, getBasePath, type ServerVariables } from './document/servers.ts'
import { createPlans, type Implementation, type Plans } from './plan.ts'
import { createSchemaCompiler, type SchemaCompiler } from './schema/compiler.ts'

export interface ApiOptions<Caller> extends Implementation<Caller> {
  readonly document: OpenApiDocument
  readonly servers: ServerVariables
  /** What a proxy puts in front of every path, without a trailing slash. */
  readonly publicPath?: string
  /** Returns the body of an error response with this status. */
  readonly getErrorBody?: (status: number) => unknown
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
}

/**
 * Checks a document and compiles it. Throws a DocumentError that lists everything that is not supported or does not match
 * the implementation.
 */
export function compileApi<Caller>(options: ApiOptions<Caller>): Api<Caller> {
  const { document, servers, publicPath = '', getErrorBody, reserved = [] } = options
  const { root } = document
  throwProblems(document, [
    ...checkDocument(root),
    ...checkServers(root, servers),
    ...checkImplementation(root, options),
  ])
  const path = getBasePath(root, servers)
  const basePath = `${path}/`.startsWith(`${publicPath}/`) ? path.slice(publicPath.length) : path
  const publicBasePath = publicPath + basePath
  const compiled = createPlans(root, publicBasePath, options)
  throwProblems(document, [
    ...checkReserved(root, basePath, reserved),
    ...(getErrorBody === undefined ? [] : checkErrorBodies(compiled.plans, getErrorBody)),
  ])
  return { ...compiled, root, basePath, publicBasePath }
}

/** Finds everything that is wrong with a document by itself: what is invalid, contradictory or not supported. */
export function checkDocument(root: OpenApi): Problem[] {
  let compiler: SchemaCompiler | undefined
  const compile: SchemaCompiler = (schema) => {
    compiler ??= createSchemaCompiler(root)
    return compiler(schema)
  }
  return [...openApi(root, { root, pointer: '', compile }), ...checkOperations(root)]
}
