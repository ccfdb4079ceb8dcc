/**
 * The types and numbers of values. `type`, or else `const` and `enum`, allow types, which values really have; `properties` and `items`
 * only imply types, by which the text of a parameter is parsed.
 */

import { getListedValues } from '../document/allowed-values.ts'
import { getKind } from '../document/content.ts'
import type { Schema } from '../document/model.ts'
import { getTypes } from '../document/subschemas.ts'
import { getType, type SchemaType } from '../shared/json.ts'

/** What an int64 is in handlers. A number holds integers of at most 53 bits. */
export type Int64Type = 'bigint' | 'number'

/**
 * What the numbers of a value are: 64-bit integers that are bigints (`int64`, also for the format uint64), integers that are numbers,
 * any numbers, or a mixture, where the branches of a union differ in this. Undefined if no schema says that the value is a number.
 */
export type NumberType = 'int64' | 'integer' | 'number' | 'mixed' | undefined

/** The types of the values of a branch: a part of its view. */
interface BranchTypes {
  readonly types: readonly SchemaType[] | undefined
  readonly numberType: NumberType
}

/** The branches of one keyword. */
type Branches = readonly BranchTypes[]

/** Finds the types of values that satisfy all conjuncts, and a branch of each union: undefined for any type, [] for none. */
export function findTypes(
  conjuncts: readonly Schema[],
  unions: readonly Branches[],
): readonly SchemaType[] | undefined {
  const typeLists = [...conjuncts.map(getAllowedTypes), ...unions.map(uniteTypes)].filter(
    (types) => types !== undefined,
  )
  if (typeLists.length === 0) return undefined
  const isInList = (type: SchemaType, types: readonly SchemaType[]) =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  return [...new Set(typeLists.flat())].filter((type) => typeLists.every((types) => isInList(type, types)))
}

/** Unites the types of the branches of one union: undefined if a branch allows any type. */
function uniteTypes(branches: Branches): readonly SchemaType[] | undefined {
  return branches.some(({ types }) => types === undefined) ? undefined : branches.flatMap(({ types }) => types ?? [])
}

/** Finds the types that any schema mentions: [] if no schema limits the types. */
export function findMentionedTypes(schemas: readonly Schema[]): readonly SchemaType[] {
  return [...new Set(schemas.flatMap(getMentionedTypes))]
}

/** Finds what handlers receive as a number that satisfies all conjuncts, a branch of each union, and `then` or `else` of each `if`. */
export function findNumberType(
  conjuncts: readonly Schema[],
  unions: readonly Branches[],
  conditionals: readonly Branches[],
  int64: Int64Type,
): NumberType {
  const mayBeInt64 = ({ numberType }: BranchTypes) => numberType === 'int64' || numberType === 'mixed'
  // Skip the other conditionals: they never make a bigint, so they do not change what handlers receive.
  const int64Conditionals = conditionals.filter((branches) => branches.some(mayBeInt64))
  const numberTypes = new Set<NumberType>([
    ...conjuncts.map((schema) => getNumberType(schema, int64)),
    ...[...unions, ...int64Conditionals].map(uniteNumberTypes),
  ])
  return NUMBER_TYPE_PRECEDENCE.find((type) => numberTypes.has(type))
}

/**
 * Where several of these describe a number, the first one decides. `mixed` is before `integer`: a branch that makes a bigint of an
 * integer does so although another schema of the value says `integer`.
 */
const NUMBER_TYPE_PRECEDENCE = ['int64', 'mixed', 'integer', 'number'] as const

function getNumberType(schema: Schema, int64: Int64Type): NumberType {
  if (isInt64(schema)) return int64 === 'number' ? 'integer' : 'int64'
  const types = getTypes(schema)
  return (['number', 'integer'] as const).find((type) => types.includes(type))
}

/**
 * Unites the number types of the branches of one keyword. Integers and numbers are numbers; int64 beside another type is a mixture,
 * also beside a branch without a number type, which leaves a bigint as it is.
 */
function uniteNumberTypes(branches: Branches): NumberType {
  const mayBeNumber = ({ types }: BranchTypes) =>
    types === undefined || types.includes('integer') || types.includes('number')
  const numberTypes = [...new Set(branches.filter(mayBeNumber).map(({ numberType }) => numberType))]
  if (numberTypes.length <= 1) return numberTypes[0]
  return numberTypes.every((type) => type === 'integer' || type === 'number') ? 'number' : 'mixed'
}

/** Returns the types that a schema allows by `type`, `const` or `enum`: undefined without these keywords. */
function getAllowedTypes(schema: Schema): readonly SchemaType[] | undefined {
  return schema.type === undefined ? getListedValues(schema)?.map(getType) : getTypes(schema)
}

/** Returns the types that a schema allows, or else implies by other keywords: [] without such keywords. */
function getMentionedTypes(schema: Schema): readonly SchemaType[] {
  if (schema.type !== undefined) return getTypes(schema)
  const impliedTypes: SchemaType[] = []
  if (schema.properties !== undefined) impliedTypes.push('object')
  if (schema.items !== undefined) impliedTypes.push('array')
  return [...(getAllowedTypes(schema) ?? []), ...impliedTypes]
}

/** True for the formats of 64-bit integers (OpenAPI Format Registry). */
export function is64Bit(format: unknown): boolean {
  return format === 'int64' || format === 'uint64'
}

/** True if a schema says that numbers are 64-bit integers. Without `type`, the format says so alone. */
export function isInt64({ format, type }: Schema): boolean {
  return is64Bit(format) && (type === undefined || /integer|number/.test(String(type)))
}

/** True if all numbers of a view are integers, whatever handlers receive. */
export function hasIntegers({ numberType }: Pick<BranchTypes, 'numberType'>): boolean {
  return numberType === 'int64' || numberType === 'integer'
}

/**
 * True if a schema says that strings are bytes: in JSON a string, in a form a file (OpenAPI 3.0 and 3.1, binary data). Texts are the
 * same media types as in bodies, JSON and `text/*`; with a `contentEncoding`, the string is a text whatever it encodes.
 */
export function isBinary({ format, contentMediaType, contentEncoding }: Schema): boolean {
  if (format === 'binary') return true
  if (contentMediaType === undefined || contentEncoding !== undefined) return false
  return !['json', 'text'].includes(getKind(contentMediaType.toLowerCase()))
}
