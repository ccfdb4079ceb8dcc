/**
 * Finds things in a document that may be wrong in any way: nothing is assumed about its values.
 */
import { METHODS, type OpenApi } from '../document/model.ts'
import { getValueAt, toPointer } from '../document/references.ts'

export type Values = Readonly<Record<string, unknown>>

/** The value in the place of an operation, with the parameters of its path and its own. */
export interface FoundOperation {
  readonly path: string
  readonly method: string
  readonly pointer: string
  readonly operation: Values
  readonly parameters: readonly { readonly pointer: string; readonly parameter: Values }[]
}

/** Finds every operation, in the order of the document. */
export function* findOperations(root: OpenApi): Iterable<FoundOperation> {
  for (const [path, item] of getEntries(root.paths)) {
    for (const [method, operation] of getEntries(item)) {
      if (!METHODS.some((known) => known === method)) continue
      const pointer = toPointer('paths', path, method)
      const parameters = [toPointer('paths', path), pointer].flatMap((owner) =>
        getEntries(getValueAt(root, `${owner}/parameters`)).map(([index, parameter]) => ({
          pointer: `${owner}/parameters/${index}`,
          parameter: dereference(root, parameter),
        })),
      )
      yield { path, method, pointer, operation: toObject(operation), parameters }
    }
  }
}

/** Returns the entries of an object or the items of an array; none for anything else. */
export function getEntries(value: unknown): [string, unknown][] {
  return Object.entries(toObject(value))
}

/** Returns an object or array itself, and an empty object for anything else. */
export function toObject(value: unknown): Values {
  return typeof value === 'object' && value !== null ? (value as Values) : {}
}

/** Follows references as far as they lead; in a circle, only a few steps. */
export function dereference(root: OpenApi, value: unknown): Values {
  let object = toObject(value)
  for (let step = 0; step < 10 && typeof object.$ref === 'string'; step++) {
    object = toObject(getValueAt(root, object.$ref.slice(1)))
  }
  return object
}
