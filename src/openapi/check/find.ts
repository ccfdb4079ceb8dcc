/**
 * Looking for things in a document that may be wrong in any way: nothing is taken for granted here.
 */
import { METHODS, type OpenApi } from '../model.ts'
import { pointerTo } from '../pointer.ts'
import { valueAt } from '../references.ts'

export type Values = Readonly<Record<string, unknown>>

/** What stands where an operation is to stand, with the parameters of its path and its own. */
export interface FoundOperation {
  readonly path: string
  readonly method: string
  readonly pointer: string
  readonly operation: Values
  readonly parameters: readonly { readonly pointer: string; readonly parameter: Values }[]
}

/** Every operation, in the order of the document. */
export function* findOperations(root: OpenApi): Iterable<FoundOperation> {
  for (const [path, item] of entriesOf(root.paths)) {
    for (const [method, operation] of entriesOf(item)) {
      if (!METHODS.some((known) => known === method)) continue
      const pointer = pointerTo('paths', path, method)
      const parameters = [pointerTo('paths', path), pointer].flatMap((owner) =>
        entriesOf(valueAt(root, `${owner}/parameters`)).map(([index, parameter]) => ({
          pointer: `${owner}/parameters/${index}`,
          parameter: dereference(root, parameter),
        })),
      )
      yield { path, method, pointer, operation: valuesOf(operation), parameters }
    }
  }
}

/** The entries of an object or the items of a list; none of anything else. */
export function entriesOf(value: unknown): [string, unknown][] {
  return Object.entries(valuesOf(value))
}

/** The object itself, or one without entries where there is none. */
export function valuesOf(value: unknown): Values {
  return typeof value === 'object' && value !== null ? (value as Values) : {}
}

/** Follows references as far as they lead; in a circle, no further than a few steps. */
export function dereference(root: OpenApi, value: unknown): Values {
  let object = valuesOf(value)
  for (let step = 0; step < 10 && typeof object.$ref === 'string'; step++) {
    object = valuesOf(valueAt(root, object.$ref.slice(1)))
  }
  return object
}
