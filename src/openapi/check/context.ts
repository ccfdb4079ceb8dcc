/** What checks compare a value with. */
import { type DeclaredOperation, findOperations } from '../document/find-operations.ts'
import type { OpenApi, Schema } from '../document/model.ts'
import { getRequestSchemas, type Operation, readOperations } from '../document/operations.ts'
import { toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { findSchemas } from '../document/subschemas.ts'
import { getFields } from '../document/values.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import type { Formats } from '../schema/formats.ts'
import { isObject } from '../shared/json.ts'

/** The parts of the document that checks compare a value with. */
export interface Context {
  readonly root: OpenApi
  readonly compile: SchemaCompiler
  /** The operations without a mistake in their id and in the `$ref` of their path item. Other parts of them may have mistakes. */
  readonly declaredOperations: readonly DeclaredOperation[]
  /** The declared operations in which, and in whose security and path parameters, nothing is tainted. */
  readonly operations: readonly Operation[]
  /** The pointers to values that contain a mistake or lead to a mistake, and so cannot be checked. */
  readonly tainted: ReadonlySet<string>
  /** All schemas of parameters and request bodies of `operations`, at any depth. */
  readonly requestSchemas: ReadonlySet<Schema>
  /** The functions of the app for formats. */
  readonly formats: Formats
}

export type Check = (value: never, pointer: string, context: Context) => Iterable<Problem>

/** Creates the context of the checks, without what is tainted. */
export function createContext(
  root: OpenApi,
  compile: SchemaCompiler,
  tainted: ReadonlySet<string>,
  formats: Formats = {},
): Context {
  const pathsWithTarget = getFields(root.paths).filter(
    ([path, item]) => isObject(item) && !tainted.has(toPointer('paths', path, '$ref')),
  )
  const readableRoot = tainted.size === 0 ? root : { ...root, paths: Object.fromEntries(pathsWithTarget) }
  const declaredOperations = findOperations(readableRoot).filter(
    ({ pointer }) => !tainted.has(`${pointer}/operationId`),
  )
  const untaintedOperations = declaredOperations.filter(({ path, pointer }) => {
    // Security names its schemes, so a mistake in a scheme does not taint the operations. An operation without security has the document's.
    const requiredPointers = [
      pointer,
      toPointer('paths', path, 'parameters'),
      '/security',
      '/components/securitySchemes',
    ]
    return !requiredPointers.some((requiredPointer) => tainted.has(requiredPointer))
  })
  const operations = readOperations(root, untaintedOperations)
  const requestSchemas = new Set(findSchemas(root, ...operations.flatMap(getRequestSchemas)))
  return { root, compile, declaredOperations, operations, tainted, requestSchemas, formats }
}
