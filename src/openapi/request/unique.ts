/**
 * Whether the items of a list are all different. Ajv compares each with each, which takes long for long lists, and it
 * calls the `toString` that an item may have as a member.
 */
import type { FuncKeywordDefinition } from 'ajv'

/** JSON Schema Validation 2020-12, section 6.4.3, for Ajv. */
export const uniqueItemsKeyword: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  compile: (isAsked: boolean) => (items: readonly unknown[]) =>
    !isAsked || new Set(items.map(canonical)).size === items.length,
}

/** The JSON text of a value, which is the same for all that are equal: members in the order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (typeof inner === 'bigint') return JSON.rawJSON(String(inner))
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
  })
}
