/** What checks compare a value with. */
import { readContent } from '../document/content.ts'
import { type DeclaredOperation, findOperations } from '../document/find-operations.ts'
import type { OpenApi, ParameterObject, RequestBodyObject, Schema } from '../document/model.ts'
import { readParameter } from '../document/parameters.ts'
import { toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { getReferences } from '../document/references.ts'
import { findSchemas } from '../document/subschemas.ts'
import { getFields } from '../document/values.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import type { Formats } from '../schema/formats.ts'
import { isObject } from '../shared/json.ts'

/** The parts of the document that checks compare a value with. */
export interface Context {
  readonly root: OpenApi
  readonly compile: SchemaCompiler
  /** The operations whose path item and id can be read. */
  readonly operations: readonly DeclaredOperation[]
  /** The pointers to values that contain a mistake or lead to a mistake, and so cannot be checked. */
  readonly tainted: ReadonlySet<string>
  /** All schemas of parameters and request bodies, at any depth. */
  readonly requestSchemas: ReadonlySet<Schema>
  /** The functions of the app for formats. */
  readonly formats: Formats
}

export type Check = (value: never, pointer: string, context: Context) => Iterable<Problem>

/** Creates the context of the checks, without the operations and schemas that are tainted. */
export function createContext(
  root: OpenApi,
  compile: SchemaCompiler,
  tainted: ReadonlySet<string>,
  formats: Formats = {},
): Context {
  const pathEntries = getFields(root.paths).filter(
    ([path, item]) => isObject(item) && !tainted.has(toPointer('paths', path, '$ref')),
  )
  const operations = findOperations({ ...root, paths: Object.fromEntries(pathEntries) }).filter(
    ({ pointer }) => !tainted.has(`${pointer}/operationId`),
  )
  const requestSchemas = findRequestSchemas(root, operations, tainted)
  return { root, compile, operations, tainted, requestSchemas, formats }
}

/** Finds all schemas of the operations' parameters and request bodies, at any depth, except for tainted ones. */
function findRequestSchemas(
  root: OpenApi,
  operations: readonly DeclaredOperation[],
  tainted: ReadonlySet<string>,
): ReadonlySet<Schema> {
  const schemas = operations.flatMap(({ path, item, operation, pointer }) => {
    const parameterLists = [
      { pointer: toPointer('paths', path, 'parameters'), list: item.parameters },
      { pointer: `${pointer}/parameters`, list: operation.parameters },
    ]
    const parameters = parameterLists.flatMap(({ pointer, list = [] }) => (tainted.has(pointer) ? [] : list))
    const hasBody = operation.requestBody !== undefined && !tainted.has(`${pointer}/requestBody`)
    const body = hasBody
      ? getReferences(root).resolve<RequestBodyObject>(operation.requestBody as RequestBodyObject)
      : undefined
    return [
      ...parameters.map((reference) => readParameter(root, getReferences(root).resolve<ParameterObject>(reference))),
      ...readContent(root, body?.content),
    ].map(({ schema }) => schema)
  })
  return new Set(findSchemas(root, ...schemas))
}
