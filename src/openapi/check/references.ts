/** Checks references within a document. */
import { COMBINATORS, type OpenApi } from '../document/model.ts'
import { getValueAt, toObject } from '../document/references.ts'
import type { Place } from './place.ts'

/** A reference must lead to a value, and must not refer back to itself before it does. */
export function checkReference($ref: string, place: Place): void {
  if (getValueAt(place.root, $ref.slice(1)) === undefined) {
    place.report(`"${$ref}" does not exist; add it or correct the reference`)
  } else if (findReferences(place.root, $ref).has($ref)) {
    place.report(`"${$ref}" refers back to itself without an object between; remove one of the references`)
  }
}

/** Finds the references that a value follows: its own, and those of its items and of the schemas that it combines. */
function findReferences(root: OpenApi, target: string): Set<string> {
  const found = new Set<string>()
  // The iteration includes what is added during it.
  const values = new Set([getValueAt(root, target.slice(1))])
  for (const value of values) {
    const { $ref, items, ...others } = toObject(value)
    // TypeScript has no type for an array of itself.
    values.add(items)
    for (const keyword of COMBINATORS) for (const part of Object.values(toObject(others[keyword]))) values.add(part)
    if (typeof $ref !== 'string') continue
    found.add($ref)
    values.add(getValueAt(root, $ref.slice(1)))
  }
  return found
}
