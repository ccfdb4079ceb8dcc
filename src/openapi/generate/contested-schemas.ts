/**
 * Finds the schemas because of which a component may have another type in a context (same-type.ts). An int64 `id` changes nothing if
 * each `id` in the document is int64. This only saves time: with every int64 and `readOnly` schema in the set, the types are the same,
 * but with hundreds of components that refer to each other by `anyOf`, the comparisons of all combinations take minutes, or do not end.
 */
import type { Schema } from '../document/model.ts'
import { ANY, getSubschemas, toSchema } from '../document/subschemas.ts'
import { isInt64 } from '../schema/types.ts'
import type { SchemaView } from '../schema/view.ts'
import { findDocumentSchemas, type TypedDocument } from './typed-document.ts'

/**
 * Two tests of the schemas that members with one name have. The schemas that pass the first make a bigint of a number, or hide the
 * member. They change a type only if another schema passes the second.
 */
type Conflict = readonly [changesType: (view: SchemaView) => boolean, isChanged: (view: SchemaView) => boolean]

const CONFLICTS: readonly Conflict[] = [
  [({ schemas }) => schemas.some(isInt64), mayBeOtherNumber],
  [(view) => view.isHidden('request'), (view) => !view.isHidden('request')],
  [(view) => view.isHidden('response'), (view) => !view.isHidden('response')],
]

/** Finds the schemas that make a bigint of a number or hide a member, where another schema of a member with the same name does not. */
export function findContestedSchemas(document: TypedDocument): ReadonlySet<Schema> {
  const members = Map.groupBy(findDocumentSchemas(document).flatMap(listMembers), ({ key }) => key)
  // A pattern, or the schema of other properties, may describe any name. For items, this is harmless.
  const otherProperties = members.get(OTHER_PROPERTIES) ?? []
  const contestedSchemas = [...members.values()].flatMap((sameMembers) => {
    const schemas = [...sameMembers, ...otherProperties].map(({ schema }) => schema)
    const filter = (test: Conflict[number]) => schemas.filter((schema) => test(document.compile.views.get(schema)))
    return CONFLICTS.flatMap(([changesType, isChanged]) => (filter(isChanged).length > 0 ? filter(changesType) : []))
  })
  return new Set(contestedSchemas)
}

const [OTHER_PROPERTIES, ITEMS] = [Symbol('other properties'), Symbol('items')]

/** Lists the subschemas for members. A name that is only required has ANY, because another schema may make an int64 of it. */
function listMembers(schema: Schema): { readonly key: string | symbol; readonly schema: Schema }[] {
  const { properties = {}, required = [] } = schema
  const undeclaredNames = required.filter((name) => !Object.hasOwn(properties, name))
  const otherProperties = getSubschemas(schema, /^(pattern|additional|unevaluated)Properties$/)
  const items = getSubschemas(schema, /^(items|prefixItems|unevaluatedItems)$/)
  return [
    ...Object.entries(properties).map(([key, property]) => ({ key, schema: toSchema(property) })),
    ...undeclaredNames.map((key) => ({ key, schema: ANY })),
    ...otherProperties.map((property) => ({ key: OTHER_PROPERTIES, schema: property })),
    ...items.map((item) => ({ key: ITEMS, schema: item })),
  ]
}

function mayBeOtherNumber({ numberType, types }: SchemaView): boolean {
  return numberType !== 'int64' && (types === undefined || types.includes('number') || types.includes('integer'))
}
