/**
 * Finds the operations that use a part of a document.
 */

import { findOperations, getValueAt, type OpenApi, toObject, toPointer, type Values } from '../../src/openapi/index.ts'
/** An operation of one of the two documents. */
export interface SpecOperation {
  /** The same in both documents: the method, and the path without the names of its parameters. */
  readonly id: string
  /** `GET /pets` */
  readonly name: string
  readonly pointer: string
  readonly path: string
  readonly method: string
  readonly values: Values
}

export type Direction = 'request' | 'response'

/** The operations that use a part of the document, by id; each with the place of the use, unless the part is its own. */
export type Uses = ReadonlyMap<string, ReadonlySet<Direction>>

export function listOperations(root: OpenApi): SpecOperation[] {
  return [...findOperations(root)].map(({ path, method, pointer, operation }) => ({
    id: `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`,
    name: `${method.toUpperCase()} ${path}`,
    pointer,
    path,
    method,
    values: toObject(operation),
  }))
}

/** Makes the function that finds the operations that use the value at a pointer. */
export function createFindUses(root: OpenApi, operations: readonly SpecOperation[]): (pointer: string) => Uses {
  const parts = operations.map(({ id, pointer, path }) => {
    const request = [`${pointer}/parameters`, `${pointer}/requestBody`, `${toPointer('paths', path)}/parameters`]
    const reached: Record<Direction, string[]> = {
      request: reach(root, request),
      response: reach(root, [`${pointer}/responses`]),
    }
    return { id, pointer, reached }
  })
  return (pointer) => {
    const uses = parts.flatMap(({ id, pointer: own, reached }): [string, Set<Direction>][] => {
      const directions = (['request', 'response'] as const).filter((direction) =>
        reached[direction].some((part) => isWithin(pointer, part)),
      )
      return directions.length > 0 || isWithin(pointer, own) ? [[id, new Set(directions)]] : []
    })
    return new Map(uses)
  }
}

/** True if a pointer is the other one or leads further. */
export function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`)
}

/** Returns the pointers, and those of everything that the values refer to, over any number of steps. */
function reach(root: OpenApi, pointers: readonly string[]): string[] {
  const found = new Set(pointers)
  // The loop also visits the elements that are added to the set meanwhile.
  for (const pointer of found) {
    for (const reference of findReferences(getValueAt(root, pointer))) found.add(reference)
  }
  return [...found]
}

function findReferences(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner.slice(1)] : findReferences(inner),
  )
}
