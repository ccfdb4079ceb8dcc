/**
 * The keyword `uniqueItems`. Ajv's own compares each item with each, which takes long for long lists, and it calls the
 * `toString` that an item may have as a member.
 */
import type { FuncKeywordDefinition } from 'ajv'

/** JSON Schema Validation 2020-12, section 6.4.3, for Ajv. */
export const uniqueItemsKeyword: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  compile: (isRequired: boolean) => (items: readonly unknown[]) =>
    !isRequired || new Set(items.map(toCanonicalJson)).size === items.length,
}

/** The JSON text of a value, with members in the order of their names: equal values have equal texts. */
function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (typeof inner === 'bigint') return JSON.rawJSON(String(inner))
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
  })
}
