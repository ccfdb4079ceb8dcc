/** Checks references within a document. */
import type { OpenApi, Schema } from '../document/model.ts'
import { getTarget, mapSubschemas, toObject } from '../document/references.ts'
import type { Place } from './place.ts'

/** A reference must lead to a value, and must not refer back to itself before it does. */
export function checkReference($ref: string, place: Place): void {
  if (getTarget(place.root, $ref) === undefined) {
    place.report(`"${$ref}" does not exist; add it or correct the reference`)
  } else if (findReferences(place.root, $ref).has($ref)) {
    place.report(`"${$ref}" refers back to itself without an object between; remove one of the references`)
  }
}

/** Finds the references that a value follows: its own, and the references of the schemas that apply to it. */
function findReferences(root: OpenApi, target: string): Set<string> {
  const found = new Set<string>()
  // The iteration includes what is added during it.
  const values = new Set([getTarget<Schema>(root, target)])
  for (const value of values) {
    mapSubschemas(toObject(value), (inner, keyword) => {
      if (/^(not|if|then|else|dependentSchemas|\w+Of)$/.test(keyword)) values.add(inner)
      return inner
    })
    const { $ref } = toObject(value)
    if (typeof $ref !== 'string') continue
    found.add($ref)
    values.add(getTarget(root, $ref))
  }
  return found
}
