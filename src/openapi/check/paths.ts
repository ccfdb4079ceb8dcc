/** Checks the paths and their operations (OpenAPI 3.1, Paths Object, Path Item Object). */
import type { DeclaredOperation } from '../document/find-operations.ts'
import type { OpenApi, ParameterObject } from '../document/model.ts'
import { readParameter } from '../document/parameters.ts'
import { getPathParameters } from '../document/path-templates.ts'
import { toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { getReferences } from '../document/references.ts'
import { findRepeated, getFields } from '../document/values.ts'
import { isExplodedObject } from '../request/styles.ts'
import type { SchemaView } from '../schema/view.ts'
import type { Context } from './context.ts'

/** Reports paths and operationIds that occur twice, and checks each operation, except for its tainted parts. */
export function* checkPaths(paths: OpenApi['paths'], pointer: string, context: Context): Iterable<Problem> {
  const { declaredOperations: operations, tainted } = context
  const names = getFields(paths).map(([path]) => path)
  for (const [path, earlierPath] of findRepeated(names, (name) => name.replaceAll(/\{[^{}]+\}/g, '{}'))) {
    const message = `the path matches the same requests as "${earlierPath}"; remove one of them`
    yield { pointer: pointer + toPointer(path), message }
  }
  for (const [operation, earlierOperation] of findRepeated(operations, ({ id }) => id)) {
    const owner = `${earlierOperation.method.toUpperCase()} ${earlierOperation.path}`
    const message = `the operationId "${operation.id}" belongs to ${owner}, too; choose another one`
    yield {
      pointer: `${operation.pointer}/operationId`,
      message,
      relatedPointer: `${earlierOperation.pointer}/operationId`,
    }
  }
  for (const operation of operations) {
    const parameterLists = [toPointer('paths', operation.path, 'parameters'), `${operation.pointer}/parameters`]
    if (!parameterLists.some((list) => tainted.has(list))) yield* checkParameters(operation, context)
    yield* checkSuccessor(operation, operations)
  }
}

/** Compares the parameters of an operation with its path, and reports parameters that are declared twice. */
function* checkParameters(
  { path, pointer: operationPointer, item, operation }: DeclaredOperation,
  { compile, root }: Context,
): Iterable<Problem> {
  const lists = [
    { owner: toPointer('paths', path), list: item.parameters },
    { owner: operationPointer, list: operation.parameters },
  ]
  const parameters = lists.flatMap(({ owner, list = [] }) =>
    list.map((reference, index) => ({
      owner,
      pointer: `${owner}/parameters/${index}`,
      ...readParameter(root, getReferences(root).resolve<ParameterObject>(reference)),
    })),
  )
  const pathParameters = parameters.filter((parameter) => parameter.in === 'path')
  const declaredNames = pathParameters.map(({ name }) => name)
  for (const name of getPathParameters(path).filter((templateName) => !declaredNames.includes(templateName))) {
    const message = `the path parameter "${name}" is not declared; add it to the parameters`
    yield { pointer: operationPointer, message }
  }
  for (const { pointer, name, schema } of pathParameters) {
    const message = describePathParameterMistake(path, name, compile.views.get(schema))
    if (message !== undefined) yield { pointer, message }
  }
  // RFC 9110, section 5.1
  const toParameterKey = ({ in: location, name }: ParameterObject) =>
    `${location} ${location === 'header' ? name.toLowerCase() : name}`
  const fields = parameters.flatMap((parameter) => {
    const view = compile.views.get(parameter.schema)
    const isSentByMembers = parameter.style === 'form' && isExplodedObject(parameter, view)
    return isSentByMembers ? [...view.propertyNames].map((name) => ({ ...parameter, name })) : [parameter]
  })
  for (const [{ owner, pointer, name }, earlierParameter] of findRepeated(fields, toParameterKey)) {
    // A parameter of the operation may replace the path's parameter.
    if (earlierParameter.name === name && earlierParameter.owner !== owner) continue
    yield { pointer, message: `the parameter "${name}" is declared twice; remove one` }
  }
}

function describePathParameterMistake(path: string, name: string, { isScalar }: SchemaView): string | undefined {
  if (!getPathParameters(path).includes(name)) {
    return `the path has no parameter "${name}"; remove it or add {${name}} to the path`
  }
  if (isScalar || path.split('/').includes(`{${name}}`)) return undefined
  return 'an array or object needs a segment of its own in the path; remove the text beside it'
}

/** Reports a successor to which no link can lead: the link has one URL, so its path has no parameters. */
function* checkSuccessor(
  { operation, pointer }: DeclaredOperation,
  operations: readonly DeclaredOperation[],
): Iterable<Problem> {
  const { 'x-replaced-by': successor } = operation
  if (successor === undefined || operations.some(({ id, path }) => id === successor && !path.includes('{'))) return
  const what = `"${successor}" is not the operationId of an operation without path parameters`
  yield { pointer: `${pointer}/x-replaced-by`, message: `${what}; name one, or remove it` }
}
