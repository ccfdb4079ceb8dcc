/** Finds the operations of a document, as they are written, with their ids and pointers. */
import { isObject } from '../shared/json.ts'
import { type CallbackObject, METHODS, type OpenApi, type OperationObject, type PathItem } from './model.ts'
import { getTargetPointer, getValueAt, toPointer } from './pointers.ts'
import { getReferences } from './references.ts'
import { getFields } from './values.ts'

/** An operation as it is written. */
export interface DeclaredOperation {
  /**
   * The operationId. Without it, or if an earlier path has the same operation, an id that is made from method and path, such as
   * `getPetsPetId`.
   */
  readonly id: string
  readonly method: string
  readonly path: string
  /** The path item, with the fields of the one that it refers to. */
  readonly item: PathItem
  readonly operation: OperationObject
  readonly pointer: string
}

/** Finds every operation, in the order of the document. */
export function findOperations(root: OpenApi): DeclaredOperation[] {
  // Paths share an operation if one of them refers to the other, or both refer to the same path item.
  const namedOperations = new Set<OperationObject>()
  const listedOperations = getFields(root.paths).flatMap(([path, item]) =>
    listItem(root, path, item, toPointer('paths', path)),
  )
  return listedOperations.map((listedOperation) => {
    const { operation, method, path } = listedOperation
    const declaredId = namedOperations.has(operation) ? undefined : operation.operationId
    namedOperations.add(operation)
    return { ...listedOperation, id: declaredId ?? method + getTypeName(path) }
  })
}

/** Returns an id in the form of a type name: `ListPets` for `listPets` and `list-pets`, and `Operation1` for `1`. */
export function getTypeName(id: string): string {
  const words = id.split(/[^A-Za-z0-9]+/)
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return /^[A-Z]/.test(name) ? name : `Operation${name}`
}

/**
 * Finds the requests that the app sends. The path of a webhook is its name. The path of a callback is `subscribe.onEvent`, after its
 * operation, and if it has several expressions, `subscribe.onEvent EXPRESSION`.
 */
export function findSentRequests(root: OpenApi): DeclaredOperation[] {
  const { resolve, resolvePointer } = getReferences(root)
  const webhooks = Object.entries(root.webhooks ?? {}).map(([name, item]) =>
    listItem(root, name, item, toPointer('webhooks', name)),
  )
  const callbacks = findOperations(root).flatMap(({ id, operation, pointer }) =>
    Object.entries(operation.callbacks ?? {}).flatMap(([name, reference]) => {
      const callbackPointer = resolvePointer(pointer + toPointer('callbacks', name))
      return getFields(resolve<CallbackObject>(reference)).map(([expression, item], _index, { length }) => {
        const path = length === 1 ? `${id}.${name}` : `${id}.${name} ${expression}`
        return listItem(root, path, item, callbackPointer + toPointer(expression))
      })
    }),
  )
  return [...webhooks, ...callbacks].flat().map((listed) => ({ ...listed, id: `${listed.path}.${listed.method}` }))
}

/** Returns the pointer to the path item that has a field: the one at the pointer, or one that it refers to. */
export function findOwner(root: OpenApi, pointer: string, field: string): string {
  const item = getValueAt(root, pointer) as PathItem
  return field in item || item.$ref === undefined ? pointer : findOwner(root, getTargetPointer(item.$ref), field)
}

type ListedOperation = Omit<DeclaredOperation, 'id'>

/** Lists the operations of the path item at a pointer, without ids. */
function listItem(root: OpenApi, path: string, itemObject: PathItem, itemPointer: string): ListedOperation[] {
  const item = getReferences(root).resolvePathItem(itemObject)
  const getFieldPointer = (field: string) => findOwner(root, itemPointer, field) + toPointer(field)
  const usualOperations = METHODS.flatMap((method) => {
    const operation = item[method]
    return operation === undefined ? [] : { method, operation, path, item, pointer: getFieldPointer(method) }
  })
  const additionalOperations = Object.entries(item.additionalOperations ?? {}).map(([method, operation]) => {
    return { method, operation, path, item, pointer: getFieldPointer('additionalOperations') + toPointer(method) }
  })
  // In an unchecked document, an operation may be anything.
  return [...usualOperations, ...additionalOperations].filter(({ operation }) => isObject(operation))
}
