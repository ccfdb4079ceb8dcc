/** Texts of parameters and forms whose type is ambiguous. */
import { getFieldViews } from '../request/text-values.ts'
import type { SchemaView } from '../schema/view.ts'
import type { SchemaType } from '../shared/json.ts'

export const AMBIGUOUS_TYPES = 'alternatives give the same texts different types; use one of the types'

/**
 * True if branches give a member or an item different types, so that its text has several meanings: 1 and "1", with
 * `anyOf: [{ properties: { a: { type: integer } } }, { properties: { a: { type: string } } }]`.
 */
export function isAmbiguous(view: SchemaView): boolean {
  const members = [...view.memberViews, view.item(Infinity)]
  return members.some((member) => {
    const { declarationViews, unconditional } = member
    if (unconditional === member) return false
    const types = declarationViews.map(getTextTypes)
    const itemTypes = declarationViews.map((declaration) => getFieldViews(declaration).flatMap(getTextTypes))
    return areDifferent(types) || areDifferent(itemTypes)
  })
}

/** Returns the types that a text is read as. Integers and other numbers are read in the same way. */
function getTextTypes({ mentionedTypes }: SchemaView): readonly SchemaType[] {
  return mentionedTypes.filter((type) => type !== 'null').map((type) => (type === 'integer' ? 'number' : type))
}

function areDifferent(typeLists: readonly (readonly SchemaType[])[]): boolean {
  const keys = typeLists.filter((types) => types.length > 0).map((types) => [...new Set(types)].sort().join())
  return new Set(keys).size > 1
}
