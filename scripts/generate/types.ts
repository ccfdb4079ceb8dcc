/**
 * Writes schemas as types of TypeScript. A type has every value that is valid: keywords that no type can express narrow none.
 */
import {
  type Direction,
  findDefault,
  findHidden,
  findInPlace,
  findSchemas,
  getPropertySchemas,
  getTarget,
  getType,
  getTypes,
  isHidden,
  isInt64,
  type OpenApi,
  type Schema,
  type SchemaType,
  stringifyExactly,
  toObject,
  toSchema,
} from '../../src/openapi/index.ts'

export interface TypeOptions {
  /** The types of handlers: defaults are filled in, extensible enums are closed, and numbers with fractions are marked. */
  readonly isServer: boolean
  /** The name of the type of a component; the type in requests has a name of its own if it differs. */
  nameType(component: string, isOfRequest: boolean): string
}

/** What is known of a value besides its schema: what another schema that applies to it says. */
interface Context {
  readonly types: readonly SchemaType[]
  readonly hidden: readonly string[]
  readonly isLong?: boolean
}

/** Returns the expression of the type of a schema. */
export type ToType = (schema: Schema | boolean, direction: Direction) => string

/** True if requests and responses have different values of a schema. */
export function isDirected(root: OpenApi, schema: Schema): boolean {
  return findSchemas(root, toSchema(schema)).some((part) => part.readOnly === true || part.writeOnly === true)
}

/** Makes the function that writes the types of a document's schemas. */
export function createTypeWriter(root: OpenApi, { isServer, nameType }: TypeOptions): ToType {
  const open = new Set<Schema>()
  const behindAlternatives = findBehindAlternatives(root)

  function write(schema: Schema | boolean, direction: Direction, context: Context = { types: [], hidden: [] }): string {
    if (typeof schema === 'boolean') return schema ? 'unknown' : 'never'
    const hidden = [...context.hidden, ...findHidden(root, schema, direction)]
    const applied = findInPlace(root, [schema])
    const types = applied.map(getTypes).find((list) => list.length > 0) ?? context.types
    const inner = { types, hidden, isLong: context.isLong || applied.some(isInt64) }
    const alternatives = [schema.anyOf ?? [], schema.oneOf ?? []].filter((list) => list.length > 0)
    const parts = [
      ...(schema.$ref === undefined ? [] : [writeReference(schema.$ref, direction)]),
      ...(schema.allOf ?? []).map((part) => write(part, direction, inner)),
      ...alternatives.map((list) => unite(list.map((part) => write(part, direction, inner)))),
    ]
    const own = writeOwn(schema, direction, inner)
    // An object of which this schema says nothing is described by the other parts.
    return intersect(own === ANY_OBJECT && parts.some((part) => part !== 'unknown') ? parts : [...parts, own])
  }

  function writeReference($ref: string, direction: Direction): string {
    const target = getTarget(root, $ref)
    const [, name] = /^#\/components\/schemas\/([^/]+)$/.exec($ref) ?? []
    const isOfRequest = direction === 'request' && isDirected(root, target)
    if (name !== undefined) return nameType(decodeURIComponent(name), isOfRequest)
    if (open.has(target)) return 'unknown'
    open.add(target)
    const type = write(target, direction)
    open.delete(target)
    return type
  }

  /** What the schema says by itself. Without a `type`, `properties` do not say that a value is an object. */
  function writeOwn(schema: Schema, direction: Direction, context: Context): string {
    const { types: known, isLong } = context
    const extensible = isServer ? schema['x-extensible-enum'] : undefined
    const listed = 'const' in schema ? [schema.const] : (extensible ?? schema.enum)
    if (listed !== undefined) {
      const fits = (value: unknown) =>
        known.length === 0 || known.some((type) => getType(value) === (type === 'integer' ? 'number' : type))
      return unite(listed.filter(fits).map((value) => writeLiteral(value, isLong === true)))
    }
    const inherited = (['object', 'array'] as const).filter(
      (type) => known.includes(type) && TYPE_KEYWORDS[type].some((keyword) => keyword in schema),
    )
    const types = getTypes(schema).length > 0 ? getTypes(schema) : inherited.length > 0 ? known : []
    return types.length === 0 ? 'unknown' : unite(types.map((type) => writeType(type, schema, direction, context)))
  }

  function writeType(type: SchemaType, schema: Schema, direction: Direction, { hidden, isLong }: Context): string {
    if (type === 'object') return writeObject(schema, direction, hidden)
    if (type === 'array') return writeArray(schema, direction)
    if (type === 'number' || type === 'integer') {
      if (isLong) return 'bigint'
      return type === 'number' && isServer ? FRACTIONAL : 'number'
    }
    return type
  }

  function writeArray({ prefixItems, items = toSchema(true), minItems = 0 }: Schema, direction: Direction): string {
    const others = wrap(write(items, direction))
    if (prefixItems === undefined) return `${others}[]`
    const first = prefixItems.map((part, index) => wrap(write(part, direction)) + (index < minItems ? '' : '?'))
    return `[${[...first, ...(others === 'never' ? [] : [`...${others}[]`])].join(', ')}]`
  }

  function writeObject(schema: Schema, direction: Direction, hidden: readonly string[]): string {
    const { properties = {}, patternProperties = {}, additionalProperties, required = [] } = schema
    const isShown = (own: Schema | boolean) => !isHidden(root, [own], direction)
    const isFilledIn = isServer && !behindAlternatives.has(schema)
    const declared = Object.entries(properties).filter(([, own]) => isShown(own))
    const more = required.filter((name) => !Object.hasOwn(properties, name) && !hidden.includes(name))
    const members = [
      ...declared.map(([name, own]) => {
        const isSent = required.includes(name) && !hidden.includes(name)
        const isOptional = !isSent && !(isFilledIn && findDefault(root, [toSchema(own)]).length > 0)
        return { name, isOptional, type: write(own, direction), comment: formatComment(describe(toSchema(own))) }
      }),
      ...more.map((name) => {
        const schemas = getPropertySchemas(findInPlace(root, [schema]), name)
        const type = intersect(schemas.map((part) => write(part, direction)))
        return { name, isOptional: false, type, comment: '' }
      }),
    ]
    const patterns = Object.values(patternProperties).filter(isShown)
    const others = isShown(additionalProperties ?? true) ? additionalProperties : false
    const isIndexed = patterns.length > 0 || typeof others === 'object' || (others === true && members.length > 0)
    if (members.length === 0 && !isIndexed) return others === false ? 'Record<string, never>' : ANY_OBJECT
    const lines = members.map(({ name, isOptional, type, comment }) => {
      return `${comment}${formatKey(name)}${isOptional ? '?' : ''}: ${type};`
    })
    if (isIndexed) {
      const types = [others ?? true, ...patterns].map((part) => write(part, direction))
      // An index signature has the types of all members.
      const all = members.flatMap(({ type, isOptional }) => (isOptional ? [type, 'undefined'] : [type]))
      lines.push(`[key: string]: ${unite([...types, ...all])};`)
    }
    return `{\n${lines.join('\n').replaceAll(/^(?=.)/gm, '  ')}\n}`
  }

  return write
}

/** Finds the schemas that alternatives lead to: their defaults are not filled in. */
function findBehindAlternatives(root: OpenApi): Set<Schema> {
  // An iteration includes what is added during it.
  const all = new Set<unknown>([root])
  for (const value of all) for (const inner of Object.values(toObject(value))) all.add(inner)
  const lists = [...all].map(toObject).flatMap(({ anyOf, oneOf }) => [anyOf, oneOf].filter(Array.isArray))
  return new Set(lists.flat().flatMap((part) => findSchemas(root, toSchema(part))))
}

/** The keywords that say of a value of a type what its type in TypeScript is. */
const TYPE_KEYWORDS = { object: ['properties', 'required', 'additionalProperties'], array: ['items'] }

const ANY_OBJECT = 'Record<string, unknown>'

/**
 * A number that may have a fraction is marked, so that code for integers can refuse it: `Integer` in src/stores/store.ts.
 * Numbers of TypeScript have no mark, and can be assigned to both.
 */
const FRACTIONAL = 'number & { readonly fraction?: true; }'

function writeLiteral(value: unknown, isLong: boolean): string {
  if (typeof value === 'bigint' || (isLong && typeof value === 'number')) return isLong ? `${value}n` : 'number'
  if (Array.isArray(value)) return `[${value.map((item) => writeLiteral(item, false)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, item]) => `${formatKey(name)}: ${writeLiteral(item, false)}`)
  return `{ ${members.join('; ')} }`
}

function unite(types: readonly string[]): string {
  return types.includes('unknown') ? 'unknown' : join(types, '|', 'never')
}

function intersect(types: readonly string[]): string {
  return join(types, '&', 'unknown')
}

/** Joins types; without any but the neutral one, the result is that one. */
function join(types: readonly string[], operator: string, neutral: string): string {
  const distinct = [...new Set(types)].filter((type) => type !== neutral)
  return distinct.length < 2 ? (distinct[0] ?? neutral) : distinct.map(wrap).join(` ${operator} `)
}

/** Puts a type that has an operator into parentheses. */
function wrap(type: string): string {
  let outer = type.replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
  for (let before = ''; before !== outer; ) {
    before = outer
    outer = outer.replaceAll(/\{[^{}]*\}|\([^()]*\)|\[[^[\]]*\]/g, '')
  }
  return /[|&]/.test(outer) ? `(${type})` : type
}

function describe({ description, default: value }: Schema): string | undefined {
  const text = typeof value === 'string' ? value : stringifyExactly(value)
  return [description?.trim() ?? [], value === undefined ? [] : `@default ${text}`].flat().join('\n') || undefined
}

/** Formats a description as a comment; nothing without one. */
export function formatComment(description: string | undefined, indent = ''): string {
  if (description === undefined) return ''
  const lines = description.trim().replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

export function formatKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}
