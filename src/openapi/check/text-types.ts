/** Checks that a text in a parameter or form has one type, whichever branches the value satisfies. */
import { getFieldViews } from '../request/text-values.ts'
import type { SchemaView } from '../schema/view.ts'
import type { SchemaType } from '../shared/json.ts'

export const AMBIGUOUS_TYPES = 'alternatives give the same texts different types; use one of the types'

/**
 * True if branches give a member or an item different types, so that its text has several meanings: 1 and "1", with
 * `anyOf: [{ properties: { a: { type: integer } } }, { properties: { a: { type: string } } }]`.
 */
export function isAmbiguous(view: SchemaView): boolean {
  return [...view.memberViews, ...view.items].some(hasAmbiguousTexts)
}

function hasAmbiguousTexts(view: SchemaView): boolean {
  // Without branches, all declarations apply. If their types differ, no value is valid, so nothing is ambiguous.
  if (view.unconditional === view) return false
  const { declarationViews } = view
  // Is the text `1` the integer 1, or the array [1]?
  const types = declarationViews.map(getTextTypes)
  // If it is an array, is its item 1 or "1"?
  const itemTypes = declarationViews.map((declaration) => getFieldViews(declaration).flatMap(getTextTypes))
  return haveDifferentTypes(types) || haveDifferentTypes(itemTypes)
}

/** Returns the types that a text is parsed as. Integers and other numbers are parsed in the same way. */
function getTextTypes({ mentionedTypes }: SchemaView): readonly SchemaType[] {
  return mentionedTypes.filter((type) => type !== 'null').map((type) => (type === 'integer' ? 'number' : type))
}

/** True if declarations list different types. A declaration without types leaves the choice to the others. */
function haveDifferentTypes(typeLists: readonly (readonly SchemaType[])[]): boolean {
  const keys = typeLists.filter((types) => types.length > 0).map((types) => [...new Set(types)].sort().join())
  return new Set(keys).size > 1
}
