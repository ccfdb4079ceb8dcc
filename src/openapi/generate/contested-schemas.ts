/**
 * Finds the members that a document describes in different ways: only of these, same-type.ts compares types. If all members with the
 * name `id` are int64, no context changes one. Without this file, the types are the same, and most documents take no longer. But in a
 * document with hundreds of components that refer to each other by `anyOf`, each with an int64 or a `readOnly` member, the comparisons
 * of all combinations take minutes, or do not end.
 */
import type { Schema } from '../document/model.ts'
import { ANY, getSubschemas, toSchema } from '../document/subschemas.ts'
import { isInt64 } from '../schema/types.ts'
import type { SchemaView } from '../schema/view.ts'
import { findDocumentSchemas, type TypedDocument } from './typed-document.ts'

/** Two tests of the declarations of one member: if any pass the first test, and any the second, those of the first change types. */
type Contest = readonly [changesType: (view: SchemaView) => boolean, isChanged: (view: SchemaView) => boolean]

const CONTESTS: readonly Contest[] = [
  [({ schemas }) => schemas.some(isInt64), mayBeOtherNumber],
  [(view) => view.isHidden('request'), (view) => !view.isHidden('request')],
  [(view) => view.isHidden('response'), (view) => !view.isHidden('response')],
]

/** Finds the schemas that make a bigint of a number or hide a member, where another schema of a member with the same name does not. */
export function findContestedSchemas(document: TypedDocument): ReadonlySet<Schema> {
  const members = Map.groupBy(findDocumentSchemas(document).flatMap(listMembers), ({ key }) => key)
  // Any name may be described by a pattern, or by the schema of other properties.
  const otherProperties = members.get(OTHER_PROPERTIES) ?? []
  const contestedSchemas = [...members.values()].flatMap((sameMembers) => {
    const schemas = [...sameMembers, ...otherProperties].map(({ schema }) => schema)
    const filter = (test: Contest[number]) => schemas.filter((schema) => test(document.compile.views.get(schema)))
    return CONTESTS.flatMap(([changesType, isChanged]) => (filter(isChanged).length > 0 ? filter(changesType) : []))
  })
  return new Set(contestedSchemas)
}

const [OTHER_PROPERTIES, ITEMS] = [Symbol('other properties'), Symbol('items')]

/** Lists the subschemas for members. A name that is only required has ANY. */
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
