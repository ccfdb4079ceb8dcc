/**
 * Finds the schemas that may change the type of another schema for the same value: with other schemas alone, same-type.ts need not
 * compare types. Two schemas are for the same value only if they describe the same member: properties with one name, or items.
 */
import type { Schema } from '../document/model.ts'
import { ANY, getTypes, toSchema } from '../document/subschemas.ts'
import { getOwn } from '../document/values.ts'
import { isInt64 } from '../schema/types.ts'
import { findDocumentSchemas, type TypedDocument } from './typed-document.ts'

/** The tests of two schemas of which the first changes the type of the second. */
type Contest = readonly [changesType: (schema: Schema) => boolean, isChanged: (schema: Schema) => boolean]

const CONTESTS: readonly Contest[] = [
  [isInt64, mayBeOtherNumber],
  [({ readOnly }) => readOnly === true, ({ readOnly }) => readOnly !== true],
  [({ writeOnly }) => writeOnly === true, ({ writeOnly }) => writeOnly !== true],
]

/** Finds the schemas that make a bigint of a number or hide a member, of members that another schema describes without that. */
export function findContestedSchemas(document: TypedDocument): ReadonlySet<Schema> {
  const contestedSchemas = listMemberSchemas(document).flatMap((schemas) =>
    CONTESTS.flatMap(([changesType, isChanged]) => (schemas.some(isChanged) ? schemas.filter(changesType) : [])),
  )
  return new Set(contestedSchemas)
}

const OTHER_PROPERTIES = Symbol('other properties')
const ITEMS = Symbol('items')

/** Lists for each member the schemas that describe it anywhere in a document, with those behind references and branches. */
function listMemberSchemas(document: TypedDocument): (readonly Schema[])[] {
  const entries = findDocumentSchemas(document).flatMap(listMembers)
  const members = Map.groupBy(entries, ([member]) => member)
  const otherProperties = members.get(OTHER_PROPERTIES) ?? []
  return [...members].map(([member, memberEntries]) => {
    // Any name may match a pattern.
    const allEntries = member === ITEMS ? memberEntries : [...memberEntries, ...otherProperties]
    const declarations = allEntries.map(([, schema]) => toSchema(schema))
    return document.compile.views.getByDeclarations({ declarations }).schemas
  })
}

/** Lists the members that a schema describes, each with its schema: for a required name without a schema, ANY. */
function listMembers(schema: Schema): [member: string | symbol, schema: Schema | boolean][] {
  const { properties = {}, required = [], patternProperties = {}, prefixItems = [] } = schema
  const { additionalProperties = [], unevaluatedProperties = [], items = [], unevaluatedItems = [] } = schema
  const names = new Set([...Object.keys(properties), ...required])
  const otherProperties = [Object.values(patternProperties), additionalProperties, unevaluatedProperties].flat()
  return [
    ...Array.from(names, (name): [string, Schema | boolean] => [name, getOwn(properties, name) ?? ANY]),
    ...otherProperties.map((property): [symbol, Schema | boolean] => [OTHER_PROPERTIES, property]),
    ...[prefixItems, items, unevaluatedItems].flat().map((item): [symbol, Schema | boolean] => [ITEMS, item]),
  ]
}

/** True if a schema allows numbers that are no 64-bit integers, unless the schemas that it refers to or contains have the types. */
function mayBeOtherNumber(schema: Schema): boolean {
  const types = getTypes(schema)
  if (isInt64(schema)) return false
  if (types.length > 0) return types.some((type) => type === 'number' || type === 'integer')
  return (schema.$ref ?? schema.allOf ?? schema.anyOf ?? schema.oneOf) === undefined
}
