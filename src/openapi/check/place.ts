/** The places of a document, as the checks know them that compare values with each other. */
import type { OpenApi } from '../document/model.ts'
import type { Problem } from '../document/parse.ts'
import { toPointer } from '../document/references.ts'
import { getType } from '../json.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'

/** The place of a value in a document, and what checks need besides the value. */
export interface Place {
  readonly root: OpenApi
  readonly compile: SchemaCompiler
  /** The pointers to what references may lead to: objects that are checked themselves. */
  readonly targets: ReadonlySet<string>
  at(...tokens: readonly (string | number)[]): Place
  /** Adds a problem: `what is wrong; what to do`, with the pointer to what it repeats. */
  report(message: string, other?: string): void
}

/** Makes the place of the value at a pointer. */
export function createPlace(
  context: Pick<Place, 'root' | 'compile' | 'targets'>,
  pointer: string,
  report: (problem: Problem) => void,
): Place {
  return {
    ...context,
    at: (...tokens) => createPlace(context, pointer + toPointer(...tokens), report),
    report: (message, other) => report({ pointer, message, other }),
  }
}

/** Finds the items with the same key as one before, each with that. */
export function* findRepeated<Item>(
  items: readonly Item[],
  getKey: (item: Item) => unknown,
): Iterable<[item: Item, other: Item]> {
  const seen = new Map<unknown, Item>()
  for (const item of items) {
    const key = getKey(item)
    const other = seen.get(key)
    if (other !== undefined) yield [item, other]
    seen.set(key, item)
  }
}

/** Formats a value of the document; of an object or array, only its type. */
export function formatValue(value: unknown): string {
  if (value !== null && typeof value === 'object') return `an ${getType(value)}`
  return JSON.stringify(typeof value === 'bigint' ? Number(value) : value)
}
