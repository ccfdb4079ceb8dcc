/** Checks the paths and their operations (OpenAPI 3.1, Paths Object, Path Item Object). */
import { type DeclaredOperation, findOwner } from '../document/find-operations.ts'
import type { OpenApi, OperationObject, ParameterObject } from '../document/model.ts'
import { type Parameter, readParameter } from '../document/parameters.ts'
import { getPathParameters, PATH_PARAMETER } from '../document/path-templates.ts'
import { toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { getReferences } from '../document/references.ts'
import { findRepeated, getFields } from '../document/values.ts'
import { isExplodedObject } from '../request/styles.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import type { SchemaView } from '../schema/view.ts'
import type { Context } from './context.ts'

/** Reports paths and operationIds that occur twice, and checks each operation, except for its tainted parts. */
export function* checkPaths(paths: OpenApi['paths'], pointer: string, context: Context): Iterable<Problem> {
  const { declaredOperations: operations, tainted } = context
  const names = getFields(paths).map(([path]) => path)
  for (const [path, earlierPath] of findRepeated(names, (name) => name.replaceAll(PATH_PARAMETER, '{}'))) {
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

/** A parameter with the pointer to its place in the list of the path or of the operation. */
type ListedParameter = Parameter & { readonly pointer: string }

/** Checks the parameters of an operation: its own, and the path's parameters that it does not replace. */
function* checkParameters({ path, pointer, item, operation }: DeclaredOperation, context: Context): Iterable<Problem> {
  const { compile, root } = context
  const readList = (owner: string, list: OperationObject['parameters'] = []): ListedParameter[] =>
    list.map((reference, index) => ({
      pointer: `${owner}/parameters/${index}`,
      ...readParameter(root, getReferences(root).resolve<ParameterObject>(reference)),
    }))
  const operationParameters = readList(pointer, operation.parameters)
  const itemPointer = findOwner(root, toPointer('paths', path), 'parameters')
  const pathParameters = readList(itemPointer, item.parameters).filter((parameter) => {
    return !operationParameters.some(({ in: location, name }) => location === parameter.in && name === parameter.name)
  })
  const parameters = [...pathParameters, ...operationParameters]
  const templateParameters = parameters.filter((parameter) => parameter.in === 'path')
  const declaredNames = templateParameters.map(({ name }) => name)
  for (const name of getPathParameters(path).filter((templateName) => !declaredNames.includes(templateName))) {
    yield { pointer, message: `the path parameter "${name}" is not declared; add it to the parameters` }
  }
  for (const parameter of templateParameters) {
    const message = describePathParameterMistake(path, parameter.name, compile.views.get(parameter.schema))
    if (message !== undefined) yield { pointer: parameter.pointer, message }
  }
  yield* checkRepeatedParameters(parameters, compile)
}

/** Reports names that are sent for two parameters. An exploded object has the names of its members (OpenAPI 3.1, Style Values). */
function* checkRepeatedParameters(parameters: ListedParameter[], { views }: SchemaCompiler): Iterable<Problem> {
  const sentParameters = parameters.flatMap((parameter) => {
    const view = views.get(parameter.schema)
    const isSentByMembers = parameter.style === 'form' && isExplodedObject(parameter, view)
    return isSentByMembers ? Array.from(view.propertyNames, (name) => ({ ...parameter, name })) : [parameter]
  })
  // RFC 9110, section 5.1
  const toParameterKey = ({ in: location, name }: Parameter) =>
    `${location} ${location === 'header' ? name.toLowerCase() : name}`
  for (const [{ pointer, name }] of findRepeated(sentParameters, toParameterKey)) {
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
  if (typeof successor !== 'string' || operations.some(({ id, path }) => id === successor && !path.includes('{')))
    return
  const what = `"${successor}" is not the operationId of an operation without path parameters`
  yield { pointer: `${pointer}/x-replaced-by`, message: `${what}; name one, or remove it` }
}
