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

  function write(schema: Schema | boolean, direction: Direction, context: Context = { types: [], hidden: [] }): string {
    if (typeof schema === 'boolean') return schema ? 'unknown' : 'never'
    const hidden = [...context.hidden, ...findHidden(root, schema, direction)]
    const inner = { types: getTypes(schema).length > 0 ? getTypes(schema) : context.types, hidden }
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
    if (name !== undefined)
      return nameType(decodeURIComponent(name), direction === 'request' && isDirected(root, target))
    if (open.has(target)) return 'unknown'
    open.add(target)
    const type = write(target, direction)
    open.delete(target)
    return type
  }

  /** What the schema says by itself. Without a `type`, `properties` do not say that a value is an object. */
  function writeOwn(schema: Schema, direction: Direction, { types: known, hidden }: Context): string {
    const extensible = isServer ? schema['x-extensible-enum'] : undefined
    const listed = 'const' in schema ? [schema.const] : (extensible ?? schema.enum)
    if (listed !== undefined) {
      const fits = (value: unknown) =>
        known.length === 0 || known.some((type) => getType(value) === (type === 'integer' ? 'number' : type))
      return unite(listed.filter(fits).map((value) => writeLiteral(value, isInt64(schema))))
    }
    const isOfObjects =
      known.includes('object') && ['properties', 'required', 'additionalProperties'].some((key) => key in schema)
    const inherited = isOfObjects
      ? ['object' as const]
      : known.includes('array') && 'items' in schema
        ? ['array' as const]
        : []
    const types = getTypes(schema).length > 0 ? getTypes(schema) : inherited
    return types.length === 0 ? 'unknown' : unite(types.map((type) => writeType(type, schema, direction, hidden)))
  }

  function writeType(type: SchemaType, schema: Schema, direction: Direction, hidden: readonly string[]): string {
    if (type === 'object') return writeObject(schema, direction, hidden)
    if (type === 'array') return writeArray(schema, direction)
    if (type === 'number' || type === 'integer') {
      if (isInt64(schema)) return 'bigint'
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
    const { properties = {}, patternProperties, additionalProperties: others, required = [] } = schema
    const names = Object.keys(properties).filter(
      (name) => !isHidden(root, toSchema(properties[name] as Schema), direction),
    )
    const more = required.filter((name) => !Object.hasOwn(properties, name) && !hidden.includes(name))
    const members = [...names, ...more].map((name) => {
      const own = properties[name]
      const schemas = own === undefined ? getPropertySchemas(findInPlace(root, [schema]), name) : [own]
      const isFilled =
        own !== undefined && isServer && isReached(schema) && findDefault(root, [toSchema(own)]).length > 0
      const isOptional = !(required.includes(name) && !hidden.includes(name)) && !isFilled
      return { name, own, isOptional, type: intersect(schemas.map((part) => write(part, direction))) }
    })
    const index =
      typeof others === 'object' || patternProperties !== undefined
        ? unite([
            ...(patternProperties === undefined || others !== false ? [write(others ?? true, direction)] : []),
            ...Object.values(patternProperties ?? {}).map((part) => write(part, direction)),
            ...members.flatMap(({ type, isOptional }) => (isOptional ? [type, 'undefined'] : [type])),
          ])
        : others === true && members.length > 0
          ? 'unknown'
          : undefined
    if (members.length === 0 && index === undefined) return others === false ? 'Record<string, never>' : ANY_OBJECT
    const lines = members.map(({ name, own, isOptional, type }) => {
      return `${formatComment(describe(own))}${formatKey(name)}${isOptional ? '?' : ''}: ${type};`
    })
    if (index !== undefined) lines.push(`[key: string]: ${index};`)
    return `{\n${lines.join('\n').replaceAll(/^(?=.)/gm, '  ')}\n}`
  }

  /** The schemas that alternatives lead to: their defaults are not filled in. */
  let behind: Set<Schema> | undefined
  function isReached(schema: Schema): boolean {
    behind ??= findBehindAlternatives(root)
    return !behind.has(schema)
  }

  return write
}

function findBehindAlternatives(root: OpenApi): Set<Schema> {
  const found = new Set<Schema>()
  const all = new Set<unknown>([root])
  for (const value of all) {
    if (typeof value !== 'object' || value === null) continue
    for (const inner of Object.values(value)) all.add(inner)
    const { anyOf = [], oneOf = [] } = value as Schema
    if (!Array.isArray(anyOf) || !Array.isArray(oneOf)) continue
    for (const part of [...anyOf, ...oneOf]) for (const inner of findSchemas(root, toSchema(part))) found.add(inner)
  }
  return found
}

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
  return `{ ${Object.entries(value)
    .map(([name, item]) => `${formatKey(name)}: ${writeLiteral(item, false)}`)
    .join('; ')} }`
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

function describe(schema: Schema | undefined): string | undefined {
  const { description, default: value } = toSchema(schema ?? true)
  const lines = [
    description?.trim(),
    value === undefined
      ? undefined
      : `@default ${typeof value === 'string' ? value : JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? String(item) : item))}`,
  ]
  return lines.every((line) => line === undefined) ? undefined : lines.filter((line) => line !== undefined).join('\n')
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
