/**
 * Writes schemas as types of TypeScript. A type has every valid value: keywords that no type can express do not narrow it. Each
 * schema is written in the context of all schemas that describe its value. A component has its name there, unless another schema makes
 * bigints of its numbers, hides a member or makes a default invalid (same-type.ts): then it is written out.
 */
import type { Direction, OpenApi, Schema } from '../document/model.ts'
import { getReferences } from '../document/references.ts'
import { getTypes, toSchema } from '../document/subschemas.ts'
import type { Branching } from '../schema/branching.ts'
import type { SchemaViews } from '../schema/selection.ts'
import { isBinary, type NumberType } from '../schema/types.ts'
import type { SchemaView } from '../schema/view.ts'
import { getType, type SchemaType, stringifyExactly } from '../shared/json.ts'
import {
  ANY_OBJECT,
  type Expression,
  formatComment,
  formatKey,
  formatPart,
  intersect,
  NEVER,
  toExpression,
  UNKNOWN,
  unite,
} from './expressions.ts'
import { createSameTypeTest, type SameTypeTest } from './same-type.ts'
import { hasFiles, type TypeContext } from './type-context.ts'
import { type FilledInDefaults, findFilledInDefaults, type TypedDocument } from './typed-document.ts'

/** Returns the name of the type of a component, in requests or in responses. */
type GetTypeName = (component: string, isOfRequest: boolean) => string

/** Returns the expression of the type of a schema; `isForm` says that the value is a form, whose binary texts are files. */
export type ToType = (schema: Schema | boolean, direction: Direction, isForm?: boolean) => string

/** What the functions below look up in the document. */
interface TypeSource extends FilledInDefaults {
  readonly root: OpenApi
  readonly views: SchemaViews
  readonly nameType: GetTypeName
  /** The names of components, by their schemas. */
  readonly componentNames: ReadonlyMap<unknown, string>
  readonly hasSameType: SameTypeTest
  /** The schemas that are being written in place of their names. Within itself, such a schema is written as `unknown`. */
  readonly openSchemas: Set<Schema>
}

/** Creates the function that writes the types of a document's schemas. */
export function createTypeWriter(document: TypedDocument, nameType: GetTypeName): ToType {
  const { root, compile } = document
  const { views } = compile
  const components = Object.entries(root.components?.schemas ?? {})
  const source: TypeSource = {
    root,
    views,
    nameType,
    componentNames: new Map<unknown, string>(components.map(([name, schema]) => [schema, name])),
    ...findFilledInDefaults(document),
    hasSameType: createSameTypeTest(document),
    openSchemas: new Set(),
  }
  return (schema, direction, isForm = false) => {
    const view = views.get(schema)
    const formPart = isForm ? ('form' as const) : undefined
    const context: TypeContext = { direction, view, numberType: view.numberType, formPart }
    // Not `writeSchema`: the declaration of a component would be its own name.
    return writeInPlaceSchemas(source, toSchema(schema), context).text
  }
}

/**
 * The views that the values of a member or item may have. The first decides the type. If another one makes bigints of the numbers,
 * they are `number | bigint`.
 */
type PossibleViews = readonly [SchemaView, ...SchemaView[]]

/** Creates the context of a member or item. */
function createMemberContext(
  { views }: TypeSource,
  schema: Schema | boolean,
  possibleViews: PossibleViews,
  { direction, formPart }: TypeContext,
): TypeContext {
  const numberType = findMemberNumberType(views.get(schema).numberType, possibleViews)
  return { direction, view: possibleViews[0], numberType, formPart }
}

/** Finds what the numbers of a schema become: `mixed` if a view adds bigints to a schema that has numbers alone. */
function findMemberNumberType(schemaNumberType: NumberType, possibleViews: PossibleViews): NumberType {
  const addsBigints = ({ numberType }: SchemaView) =>
    numberType === 'mixed' || (numberType === 'int64' && schemaNumberType !== 'int64')
  return possibleViews.some(addsBigints) ? 'mixed' : possibleViews[0].numberType
}

/** Writes a schema within another one: a component by its name, unless its type differs in the context. */
function writeSchema(source: TypeSource, schema: Schema | boolean, context: TypeContext): Expression {
  const { branchSchemas, componentNames, hasSameType, nameType, openSchemas } = source
  if (typeof schema === 'boolean') return schema ? UNKNOWN : NEVER
  const name = componentNames.get(schema)
  const isRequest = context.direction === 'request'
  const fillsInDefaults = isRequest && !branchSchemas.has(schema)
  if (name !== undefined && !hasFiles(context) && hasSameType(schema, context, fillsInDefaults))
    return toExpression(nameType(name, isRequest))
  if (openSchemas.has(schema)) return UNKNOWN
  openSchemas.add(schema)
  const type = writeInPlaceSchemas(source, schema, context)
  openSchemas.delete(schema)
  return type
}

/** Writes a schema without its name: the intersection of what `$ref`, `allOf`, its unions and its own keywords say. */
function writeInPlaceSchemas(source: TypeSource, schema: Schema, outerContext: TypeContext): Expression {
  const { root, views } = source
  const { types, isNever } = views.get(schema)
  if (isNever) return NEVER
  const context = { ...outerContext, types: types ?? outerContext.types }
  // No type expresses a condition.
  const unions = views.getBranchings(schema).filter(({ isUnion }) => isUnion)
  const targets = schema.$ref === undefined ? [] : [getReferences(root).getTarget(schema.$ref)]
  const inPlaceTypes = [
    ...[...targets, ...(schema.allOf ?? [])].map((subschema) => writeSchema(source, subschema, context)),
    ...unions.map((union) => writeUnion(source, union, context)),
  ]
  const type = writeKeywords(source, schema, context)
  // The other schemas already describe an object of which this schema says nothing.
  const isCovered = type.text === ANY_OBJECT.text && inPlaceTypes.some(({ text }) => text !== UNKNOWN.text)
  return intersect(isCovered ? inPlaceTypes : [...inPlaceTypes, type])
}

/**
 * Writes the union of the branches, each in the view of the branches that a value may satisfy at once. With `anyOf: [A, B]`, a value of
 * A may also be a B, so A is written in the view of A and B. With `oneOf`, or if a tag tells the branches apart, it is written in the
 * view of A alone. The branches of other keywords are in each view.
 */
function writeUnion(source: TypeSource, union: Branching, context: TypeContext): Expression {
  const { views } = source
  const { keyword, branches } = union
  const { direction, formPart, view } = context
  const areExclusive = keyword === 'oneOf' || views.getDispatch(union, view.getHiddenNames(direction)) !== undefined
  // Unless they exclude each other, a value may also satisfy the other branches of the union itself.
  const simultaneousBranchings = view.branchings.filter((branching) => branching !== union || !areExclusive)
  const simultaneousBranches = simultaneousBranchings.flatMap(({ selectableSchemas }) => selectableSchemas)
  const types = branches.map((branch) => {
    const possibleBranches = areExclusive ? [branch, ...simultaneousBranches] : simultaneousBranches
    const { mayBeBytes, mentionedTypes } = views.get(branch)
    // With `anyOf` of a text and a file, the branch of the text is `string`, not `File`.
    const isText = formPart === 'field' && !mayBeBytes && mentionedTypes.includes('string')
    return writeSchema(source, branch, {
      ...context,
      view: views.selectBranches(view, possibleBranches),
      formPart: isText ? undefined : formPart,
    })
  })
  return unite(types)
}

/** The keywords with which a type is more exact than any object or array. */
const TYPE_KEYWORDS = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'prefixItems'],
}

/**
 * Writes what the schema's own keywords say. Without a `type`, a schema with `properties` is `unknown`, unless the schemas around it
 * allow objects: `properties` alone do not say that a value is an object.
 */
function writeKeywords(source: TypeSource, schema: Schema, context: TypeContext): Expression {
  const { types: allowedTypes = [] } = context
  const listedValues = 'const' in schema ? [schema.const] : (schema['x-extensible-enum'] ?? schema.enum)
  if (listedValues !== undefined) {
    const hasType = (value: unknown, type: SchemaType) =>
      type === 'integer' ? isInteger(value) : getType(value) === type
    const isAllowed = (value: unknown) => allowedTypes.length === 0 || allowedTypes.some((type) => hasType(value, type))
    return unite(listedValues.filter(isAllowed).flatMap((value) => writeLiteral(value, context)))
  }
  const schemaTypes = getTypes(schema)
  const hasTypeKeywords = (['object', 'array'] as const).some(
    (type) => allowedTypes.includes(type) && TYPE_KEYWORDS[type].some((keyword) => keyword in schema),
  )
  const types = schemaTypes.length > 0 ? schemaTypes : hasTypeKeywords ? allowedTypes : []
  if (types.length === 0 && context.formPart === 'field' && isBinary(schema)) return FILE
  return types.length === 0 ? UNKNOWN : unite(types.flatMap((type) => writeType(source, type, schema, context)))
}

/** The type of a binary text in a form. */
const FILE = toExpression('File')

/** Writes the values of one type, as the members of a union. */
function writeType(source: TypeSource, type: SchemaType, schema: Schema, context: TypeContext): Expression[] {
  if (type === 'object') return [writeObject(source, schema, context)]
  if (type === 'array') return [writeArray(source, schema, context)]
  if (type === 'string' && context.formPart === 'field' && context.view.mayBeBytes) return [FILE]
  if (type !== 'number' && type !== 'integer') return [toExpression(type)]
  const { numberType } = context
  return [
    ...(numberType === 'int64' ? [] : [toExpression('number')]),
    ...(numberType === 'integer' || numberType === 'number' ? [] : [toExpression('bigint')]),
  ]
}

function writeArray(source: TypeSource, schema: Schema, context: TypeContext): Expression {
  const { view } = context
  const { prefixItems = [], items = true, minItems = 0 } = schema
  const writeItem = (subschema: Schema | boolean, itemViews: readonly SchemaView[]) => {
    const [firstView = view.item(Infinity), ...otherViews] = itemViews
    return formatPart(
      writeSchema(source, subschema, createMemberContext(source, subschema, [firstView, ...otherViews], context)),
    )
  }
  // The last view describes all items beyond `prefixItems`.
  const otherType = writeItem(items, view.items.slice(prefixItems.length))
  if (prefixItems.length === 0) return toExpression(`${otherType}[]`)
  const prefixTypes = prefixItems.map(
    (subschema, index) => writeItem(subschema, [view.item(index)]) + (index < minItems ? '' : '?'),
  )
  const otherTypes = otherType === NEVER.text ? [] : [`...${otherType}[]`]
  return toExpression(`[${[...prefixTypes, ...otherTypes].join(', ')}]`)
}

const EMPTY_OBJECT = toExpression('Record<string, never>')
const UNDEFINED = toExpression('undefined')

/**
 * Writes an object. `patternProperties` always add an index signature, and `additionalProperties` have this effect:
 *
 * | additionalProperties | type                                             |
 * |----------------------|--------------------------------------------------|
 * | absent               | the members alone, or any object without members |
 * | `true`               | an index signature of `unknown`, beside members  |
 * | a schema             | an index signature                               |
 * | `false`, or hidden   | the members alone, or no members                 |
 */
function writeObject(source: TypeSource, schema: Schema, outerContext: TypeContext): Expression {
  const { direction, formPart } = outerContext
  const context = { ...outerContext, formPart: formPart === 'form' ? ('field' as const) : undefined }
  const { patternProperties = {}, additionalProperties } = schema
  const isShown = (subschema: Schema | boolean) => !source.views.get(subschema).isHidden(direction)
  const members = [...listDeclaredMembers(source, schema, context), ...listRequiredMembers(source, schema, context)]
  const patterns = Object.values(patternProperties).filter(isShown)
  const additional = isShown(additionalProperties ?? true) ? additionalProperties : false
  const isIndexed = patterns.length > 0 || typeof additional === 'object' || (additional === true && members.length > 0)
  if (members.length === 0 && !isIndexed) return additional === false ? EMPTY_OBJECT : ANY_OBJECT
  const lines = members.map(
    ({ name, isOptional, type, comment }) => `${comment}${formatKey(name)}${isOptional ? '?' : ''}: ${type.text};`,
  )
  if (isIndexed) {
    // Without `additionalProperties`, names outside the patterns may have any value.
    const indexTypes = [additional ?? true, ...patterns].map((subschema) =>
      writeIndexed(source, schema, subschema, context),
    )
    // An index signature has the types of all members.
    const memberTypes = members.flatMap(({ type, isOptional }) => (isOptional ? [type, UNDEFINED] : [type]))
    lines.push(`[key: string]: ${unite([...indexTypes, ...memberTypes]).text};`)
  }
  return toExpression(`{\n${lines.join('\n').replaceAll(/^(?=.)/gm, '  ')}\n}`)
}

/** A member of an object type. */
interface Member {
  readonly name: string
  readonly type: Expression
  readonly isOptional: boolean
  /** The lines before the member. */
  readonly comment: string
}

/** Lists the members in `properties` that messages in the direction may have. */
function listDeclaredMembers(source: TypeSource, schema: Schema, context: TypeContext): Member[] {
  const { isFilledIn, views } = source
  const { properties = {}, required = [] } = schema
  const { direction, view } = context
  const isHidden = (name: string, subschema: Schema | boolean) =>
    views.get(subschema).isHidden(direction) || view.isPropertyHidden(name, direction)
  const mayBeMissing = (name: string) => direction === 'response' || !isFilledIn(schema, name, view)
  return Object.entries(properties)
    .filter(([name, subschema]) => !isHidden(name, subschema))
    .map(([name, subschema]) => ({
      name,
      type: writeMember(source, name, subschema, context),
      isOptional: !required.includes(name) && mayBeMissing(name),
      comment: formatComment(formatDescription(toSchema(subschema))),
    }))
}

/** Lists the members that the schema requires, and its `properties` lack: another schema declares them, or none. */
function listRequiredMembers(source: TypeSource, schema: Schema, context: TypeContext): Member[] {
  const { properties = {}, required = [] } = schema
  const { direction, view } = context
  return required
    .filter((name) => !Object.hasOwn(properties, name) && !view.isPropertyHidden(name, direction))
    .map((name) => {
      // Without the branches: their own types describe the member.
      const subschema = source.views.get(schema).property(name).unconditional.schema
      return { name, type: writeMember(source, name, subschema, context), isOptional: false, comment: '' }
    })
}

function writeMember(source: TypeSource, name: string, subschema: Schema | boolean, context: TypeContext): Expression {
  const memberContext = createMemberContext(source, subschema, [context.view.property(name)], context)
  return writeSchema(source, subschema, memberContext)
}

/** Writes the type of members by `patternProperties` or `additionalProperties`. */
function writeIndexed(
  source: TypeSource,
  { properties = {} }: Schema,
  subschema: Schema | boolean,
  context: TypeContext,
): Expression {
  const { view } = context
  // Other schemas of the object may declare names that this one does not.
  const namesElsewhere = [...view.propertyNames].filter((name) => !Object.hasOwn(properties, name))
  const memberViews = [view.undeclaredProperty, ...namesElsewhere.map((name) => view.property(name))] as const
  // A name may match several patterns, as `az` matches `^a` and `z$`: a member may then have the view of each pattern.
  const possibleViews: PossibleViews = view.hasPatterns
    ? [source.views.get(subschema), ...view.patternViews, ...memberViews]
    : memberViews
  return writeSchema(source, subschema, createMemberContext(source, subschema, possibleViews, context))
}

/** Writes a listed value, as the members of a union. */
function writeLiteral(value: unknown, { view, numberType }: Pick<TypeContext, 'view' | 'numberType'>): Expression[] {
  if (typeof value === 'number' || typeof value === 'bigint') return writeNumber(value, numberType).map(toExpression)
  const writeInner = (inner: unknown, innerView: SchemaView) =>
    unite(writeLiteral(inner, { view: innerView, numberType: findMemberNumberType(undefined, [innerView]) })).text
  if (Array.isArray(value)) {
    return [toExpression(`[${value.map((item, index) => writeInner(item, view.item(index))).join(', ')}]`)]
  }
  if (typeof value !== 'object' || value === null) return [toExpression(JSON.stringify(value))]
  const members = Object.entries(value).map(([name, member]) => {
    return `${formatKey(name)}: ${writeInner(member, view.property(name))}`
  })
  return [toExpression(`{ ${members.join('; ')} }`)]
}

/** Writes a listed number, as the members of a union. */
function writeNumber(value: number | bigint, numberType: NumberType): string[] {
  const bigintLiteral = isInteger(value) ? [`${BigInt(value)}n`] : []
  const numberLiteral = typeof value === 'bigint' ? [] : [String(value)]
  if (numberType === 'int64') return bigintLiteral
  if (numberType === 'mixed') return [...numberLiteral, ...bigintLiteral]
  if (typeof value === 'number') return numberLiteral
  // In a schema of numbers, the integer is rounded to a number, which no literal expresses.
  return numberType === undefined ? bigintLiteral : ['number']
}

function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}

/** Formats the description of a schema, with its default; undefined without both. */
function formatDescription({ description, default: value }: Schema): string | undefined {
  if (value === undefined) return description?.trim() || undefined
  const defaultLine = `@default ${typeof value === 'string' ? value : stringifyExactly(value)}`
  return description === undefined ? defaultLine : `${description.trim()}\n${defaultLine}`
}
