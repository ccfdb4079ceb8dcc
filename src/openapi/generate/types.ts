/**
 * Writes schemas as types of TypeScript. A type has every valid value: keywords that no type can express do not narrow it. Each
 * schema is written in the context of all schemas that describe its value (`SchemaView`). A component has its name there, unless
 * another schema makes bigints of its numbers, hides a member or makes a default invalid (same-type.ts): then it is written out.
 */

import type { OpenApiDocument } from '../check/document.ts'
import type { Direction, Schema } from '../document/model.ts'
import { getRequestSchemas, getResponseSchemas } from '../document/operations.ts'
import { getReferences } from '../document/references.ts'
import { findSchemas, getTypes, toSchema } from '../document/subschemas.ts'
import type { Branching } from '../schema/branching.ts'
import type { NumberType } from '../schema/types.ts'
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
import { createSameTypeTest } from './same-type.ts'

/** What the types follow from. */
export type TypedDocument = Pick<OpenApiDocument, 'root' | 'operations' | 'sentRequests' | 'compile'>

/** Returns the name of the type of a component; the type in requests has another name if it differs. */
type NameType = (component: string, isOfRequest: boolean) => string

/** What the other schemas say of the value that a schema describes. */
interface Context {
  /** The view of all schemas that may describe the value if it satisfies the branches that lead to the schema. */
  readonly view: SchemaView
  /** What numbers become; `mixed` where other schemas may make a bigint of them. */
  readonly numberType: NumberType
  /** The types that the schemas around the schema allow; undefined if they allow any. */
  readonly types?: readonly SchemaType[] | undefined
  /** Says that the value is a form, or what a field of it has: binary texts of a field are files. */
  readonly formPart?: 'form' | 'field' | undefined
}

/** A member of an object type. */
interface Member {
  readonly name: string
  readonly type: Expression
  readonly isOptional: boolean
  /** The lines before the member. */
  readonly comment: string
}

/** Returns the expression of the type of a schema; `isForm` says that the value is a form, whose binary texts are files. */
export type ToType = (schema: Schema | boolean, direction: Direction, isForm?: boolean) => string

/** Creates the function that writes the types of a document's schemas. */
export function createTypeWriter(document: TypedDocument, nameType: NameType): ToType {
  const { root, compile } = document
  const { views } = compile
  const components = Object.entries(root.components?.schemas ?? {})
  const componentNames = new Map<unknown, string>(components.map(([name, schema]) => [schema, name]))
  const branchSchemas = findBranchSchemas(document)
  /** The schemas that are being written in place of their names: within itself, such a schema is of any type. */
  const openSchemas = new Set<Schema>()

  const hasSameType = createSameTypeTest(document)
  const isSameType = (component: Schema, direction: Direction, context: Context) =>
    hasSameType(component, direction, context, direction === 'request' && !branchSchemas.has(component))

  /** Returns the context of a schema whose values have one of these views. */
  function enter(schema: Schema | boolean, [view, ...otherViews]: readonly [SchemaView, ...SchemaView[]]): Context {
    const { numberType } = views.get(schema)
    // A number to this schema is a bigint if another schema of the same value says so, perhaps in another branch.
    const mayBeBigint = ({ numberType: viewType }: SchemaView) =>
      viewType === 'mixed' || (viewType === 'int64' && numberType !== 'int64')
    const isMixed = [view, ...otherViews].some(mayBeBigint)
    return { view, numberType: isMixed ? 'mixed' : view.numberType }
  }

  /** Writes a schema within another one: a component by its name, unless its type differs in the context. */
  function write(schema: Schema | boolean, direction: Direction, context: Context): Expression {
    if (typeof schema === 'boolean') return schema ? UNKNOWN : NEVER
    if (context.formPart === 'field' && isFile(context.view)) return toExpression('File')
    const name = componentNames.get(schema)
    if (name !== undefined && !hasFiles(context) && isSameType(schema, direction, context)) {
      return toExpression(nameType(name, direction === 'request'))
    }
    if (openSchemas.has(schema)) return UNKNOWN
    openSchemas.add(schema)
    const type = writeExpression(schema, direction, context)
    openSchemas.delete(schema)
    return type
  }

  function writeExpression(schema: Schema, direction: Direction, outerContext: Context): Expression {
    const { types, isNever } = views.get(schema)
    if (isNever) return NEVER
    const context = { ...outerContext, types: types ?? outerContext.types }
    // No type expresses a condition.
    const unions = views.getBranchings(schema).filter(({ isUnion }) => isUnion)
    const inPlaceTypes = [
      ...(schema.$ref === undefined ? [] : [write(getReferences(root).getTarget(schema.$ref), direction, context)]),
      ...(schema.allOf ?? []).map((subschema) => write(subschema, direction, context)),
      ...unions.map((union) => writeUnion(union, direction, context)),
    ]
    const type = writeKeywords(schema, direction, context)
    // The other schemas already describe an object of which this schema says nothing.
    const isCovered = type === ANY_OBJECT && inPlaceTypes.some(({ text }) => text !== UNKNOWN.text)
    return intersect(isCovered ? inPlaceTypes : [...inPlaceTypes, type])
  }

  /**
   * Writes the union of the branches. In the context of a branch are the other branches that the value may also satisfy: those of other
   * keywords, and of the same one unless it allows only one branch.
   */
  function writeUnion(union: Branching, direction: Direction, context: Context): Expression {
    const { keyword, branches } = union
    const { view } = context
    const areExclusive = keyword === 'oneOf' || views.getDispatch(union, view.getHiddenNames(direction)) !== undefined
    const otherBranchings = view.branchings.filter((branching) => branching !== union || !areExclusive)
    const otherBranches = otherBranchings.flatMap(({ selectableSchemas }) => selectableSchemas)
    const types = branches.map((branch) => {
      const possibleBranches = areExclusive ? [branch, ...otherBranches] : otherBranches
      return write(branch, direction, { ...context, view: views.selectBranches(view, possibleBranches) })
    })
    return unite(types)
  }

  /** Writes what the schema itself says. Without a `type`, `properties` do not say that a value is an object. */
  function writeKeywords(schema: Schema, direction: Direction, context: Context): Expression {
    const { types: allowedTypes = [] } = context
    const listedValues = 'const' in schema ? [schema.const] : (schema['x-extensible-enum'] ?? schema.enum)
    if (listedValues !== undefined) {
      const isAllowed = (value: unknown) =>
        allowedTypes.length === 0 ||
        allowedTypes.some((type) => (type === 'integer' ? isInteger(value) : getType(value) === type))
      return unite(listedValues.filter(isAllowed).flatMap((value) => writeLiteral(value, context)))
    }
    const schemaTypes = getTypes(schema)
    const hasTypeKeywords = (['object', 'array'] as const).some(
      (type) => allowedTypes.includes(type) && TYPE_KEYWORDS[type].some((keyword) => keyword in schema),
    )
    const types = schemaTypes.length > 0 ? schemaTypes : hasTypeKeywords ? allowedTypes : []
    return types.length === 0 ? UNKNOWN : unite(types.flatMap((type) => writeType(type, schema, direction, context)))
  }

  /** Writes the values of one type, as the members of a union. */
  function writeType(type: SchemaType, schema: Schema, direction: Direction, context: Context): Expression[] {
    if (type === 'object') return [writeObject(schema, direction, context)]
    if (type === 'array') return [writeArray(schema, direction, context)]
    if (type !== 'number' && type !== 'integer') return [toExpression(type)]
    const { numberType } = context
    return [
      ...(numberType === 'int64' ? [] : [toExpression('number')]),
      ...(numberType === 'integer' || numberType === 'number' ? [] : [toExpression('bigint')]),
    ]
  }

  function writeArray(schema: Schema, direction: Direction, { view, formPart }: Context): Expression {
    const { prefixItems = [], items = true, minItems = 0 } = schema
    const otherViews = view.items.slice(prefixItems.length) as [SchemaView, ...SchemaView[]]
    const otherType = formatPart(write(items, direction, { ...enter(items, otherViews), formPart }))
    if (prefixItems.length === 0) return toExpression(`${otherType}[]`)
    const prefixTypes = prefixItems.map((subschema, index) => {
      const type = write(subschema, direction, { ...enter(subschema, [view.item(index)]), formPart })
      return formatPart(type) + (index < minItems ? '' : '?')
    })
    const otherTypes = otherType === NEVER.text ? [] : [`...${otherType}[]`]
    return toExpression(`[${[...prefixTypes, ...otherTypes].join(', ')}]`)
  }

  function writeObject(schema: Schema, direction: Direction, outerContext: Context): Expression {
    const context = { ...outerContext, formPart: outerContext.formPart === 'form' ? ('field' as const) : undefined }
    const { patternProperties = {}, additionalProperties } = schema
    const isShown = (subschema: Schema | boolean) => !views.get(subschema).isHidden(direction)
    const members = [
      ...listDeclaredMembers(schema, direction, context),
      ...listRequiredMembers(schema, direction, context),
    ]
    const patterns = Object.values(patternProperties).filter(isShown)
    const additional = isShown(additionalProperties ?? true) ? additionalProperties : false
    const isIndexed =
      patterns.length > 0 || typeof additional === 'object' || (additional === true && members.length > 0)
    if (members.length === 0 && !isIndexed) return additional === false ? EMPTY_OBJECT : ANY_OBJECT
    const lines = members.map(({ name, isOptional, type, comment }) => {
      return `${comment}${formatKey(name)}${isOptional ? '?' : ''}: ${type.text};`
    })
    if (isIndexed) {
      const indexTypes = [additional ?? true, ...patterns].map((subschema) =>
        writeIndexed(schema, subschema, direction, context),
      )
      // An index signature has the types of all members.
      const memberTypes = members.flatMap(({ type, isOptional }) => (isOptional ? [type, UNDEFINED] : [type]))
      lines.push(`[key: string]: ${unite([...indexTypes, ...memberTypes]).text};`)
    }
    return toExpression(`{\n${lines.join('\n').replaceAll(/^(?=.)/gm, '  ')}\n}`)
  }

  function writeMember(name: string, subschema: Schema | boolean, direction: Direction, context: Context): Expression {
    const { view, formPart } = context
    return write(subschema, direction, { ...enter(subschema, [view.property(name)]), formPart })
  }

  /** Lists the members in `properties` that messages in the direction may have. */
  function listDeclaredMembers(schema: Schema, direction: Direction, context: Context): Member[] {
    const { properties = {}, required = [] } = schema
    const { view } = context
    const isHidden = (name: string, subschema: Schema | boolean) =>
      views.get(subschema).isHidden(direction) || view.isPropertyHidden(name, direction)
    const isFilledIn = (name: string) =>
      direction === 'request' && !branchSchemas.has(schema) && views.getDefault(view.property(name)) !== undefined
    return Object.entries(properties)
      .filter(([name, subschema]) => !isHidden(name, subschema))
      .map(([name, subschema]) => ({
        name,
        type: writeMember(name, subschema, direction, context),
        isOptional: !required.includes(name) && !isFilledIn(name),
        comment: formatComment(describe(toSchema(subschema))),
      }))
  }

  /** Lists the members that the schema requires, and that other schemas or none declare. */
  function listRequiredMembers(schema: Schema, direction: Direction, context: Context): Member[] {
    const { properties = {}, required = [] } = schema
    return required
      .filter((name) => !Object.hasOwn(properties, name) && !context.view.isPropertyHidden(name, direction))
      .map((name) => {
        const subschema = views.get(schema).property(name).unconditional.schema
        return { name, type: writeMember(name, subschema, direction, context), isOptional: false, comment: '' }
      })
  }

  /** Writes a schema of members that the object's schema does not name. */
  function writeIndexed(
    { properties = {} }: Schema,
    subschema: Schema | boolean,
    direction: Direction,
    { view, formPart }: Context,
  ): Expression {
    const otherNames = [...view.propertyNames].filter((name) => !Object.hasOwn(properties, name))
    const otherViews = [view.undeclaredProperty, ...otherNames.map((name) => view.property(name))] as const
    // No view is that of all names that match a pattern: each pattern may match a name together with any other one.
    const possibleViews = view.hasPatterns
      ? ([views.get(subschema), ...view.patternViews, ...otherViews] as const)
      : otherViews
    return write(subschema, direction, { ...enter(subschema, possibleViews), formPart })
  }

  /** Writes a listed value, as the members of a union. */
  function writeLiteral(value: unknown, { view, numberType }: Context): Expression[] {
    if (typeof value === 'number' || typeof value === 'bigint') return writeNumber(value, numberType).map(toExpression)
    const write = (inner: unknown, innerView: SchemaView) => unite(writeLiteral(inner, enter(true, [innerView]))).text
    if (Array.isArray(value)) {
      return [toExpression(`[${value.map((item, index) => write(item, view.item(index))).join(', ')}]`)]
    }
    if (typeof value !== 'object' || value === null) return [toExpression(JSON.stringify(value))]
    const members = Object.entries(value).map(([name, member]) => {
      return `${formatKey(name)}: ${write(member, view.property(name))}`
    })
    return [toExpression(`{ ${members.join('; ')} }`)]
  }

  return (schema, direction, isForm = false) => {
    const context = { ...enter(schema, [views.get(schema)]), formPart: isForm ? ('form' as const) : undefined }
    const type =
      typeof schema === 'boolean' ? write(schema, direction, context) : writeExpression(schema, direction, context)
    return type.text
  }
}

/** True if a type has files in place of binary texts. */
function hasFiles({ view, formPart }: Context): boolean {
  const hasField = (field: SchemaView) => isFile(field) || (isArray(field) && field.items.some(isFile))
  if (formPart === 'form') return [...view.propertyNames].some((name) => hasField(view.property(name)))
  return formPart === 'field' && hasField(view)
}

function isFile(view: SchemaView): boolean {
  return view.mayBeBytes && !isArray(view)
}

function isArray({ mentionedTypes }: SchemaView): boolean {
  return mentionedTypes.includes('array')
}

/** Finds the schemas that branches of unions lead to. Their defaults are not filled in. */
export function findBranchSchemas({ root, operations, sentRequests }: TypedDocument): Set<Schema> {
  const components = Object.values(root.components?.schemas ?? {}).map(toSchema)
  const messageSchemas = [...operations, ...sentRequests].flatMap((operation) => [
    ...getRequestSchemas(operation),
    ...getResponseSchemas(operation),
  ])
  const schemas = findSchemas(root, ...components, ...messageSchemas)
  const branches = schemas.flatMap(({ anyOf = [], oneOf = [] }) => [...anyOf, ...oneOf])
  return new Set(findSchemas(root, { anyOf: branches }))
}

/** The keywords that say of a value of a type what its type in TypeScript is. */
const TYPE_KEYWORDS = { object: ['properties', 'required', 'additionalProperties'], array: ['items'] }

const EMPTY_OBJECT = toExpression('Record<string, never>')
const UNDEFINED = toExpression('undefined')

/** Writes a listed number, as the members of a union. No literal expresses a number that is not exact. */
function writeNumber(value: number | bigint, numberType: NumberType): string[] {
  const bigintLiteral = isInteger(value) ? [`${BigInt(value)}n`] : []
  const numberLiteral = typeof value === 'bigint' ? [] : [String(value)]
  if (numberType === 'int64') return bigintLiteral
  if (numberType === 'mixed') return [...numberLiteral, ...bigintLiteral]
  if (typeof value === 'number') return numberLiteral
  return numberType === undefined ? bigintLiteral : ['number']
}

function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}

function describe({ description, default: value }: Schema): string | undefined {
  const text = typeof value === 'string' ? value : stringifyExactly(value)
  return [description?.trim() ?? [], value === undefined ? [] : `@default ${text}`].flat().join('\n') || undefined
}
