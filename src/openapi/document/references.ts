/** Navigation in a document: JSON pointers (RFC 6901), references, operations, and schemas within schemas. */
import querystring from 'node:querystring'
import { isObject, type SchemaType } from '../shared/json.ts'
import { METHODS, type OpenApi, type OperationObject, type PathItem, type Reference, type Schema } from './model.ts'

export type Values = Readonly<Record<string, unknown>>

/** Makes the pointer that leads through these tokens: `toPointer('paths', '/pets')` is `/paths/~1pets`. */
export function toPointer(...tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Splits a pointer into its tokens: the inverse of `toPointer`. */
export function parsePointer(pointer: string): string[] {
  const [, ...tokens] = pointer.split('/')
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Returns the value at a pointer; undefined if there is none. */
export function getValueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const token of parsePointer(pointer)) {
    if (!Object.hasOwn(toObject(value), token)) return undefined
    value = toObject(value)[token]
  }
  return value
}

/** Returns the pointer of a reference, which is the fragment of a URI (RFC 6901, section 6). */
export function getTargetPointer($ref: string): string {
  return querystring.unescape($ref.slice(1))
}

/** Returns what a reference leads to. */
export function getTarget<T = Schema>(root: OpenApi, $ref: string): T {
  return getValueAt(root, getTargetPointer($ref)) as T
}

/** Returns the object itself, or what its `$ref` leads to, over any number of steps. The reference must be resolvable. */
export function resolve<T extends object>(root: OpenApi, object: T | Reference): T {
  // A schema may be a boolean.
  return isObject(object) && '$ref' in object ? resolve(root, getTarget<T>(root, String(object.$ref))) : (object as T)
}

/** Returns a path item with the fields of the one that it refers to (OpenAPI 3.1, Path Item Object). */
export function resolvePathItem(root: OpenApi, { $ref, ...fields }: PathItem): PathItem {
  return $ref === undefined ? fields : { ...resolvePathItem(root, getTarget<PathItem>(root, $ref)), ...fields }
}

/** Returns the pointer to the path item that has a field: the one at the pointer, or one that it refers to. */
function findOwner(root: OpenApi, pointer: string, field: string): string {
  const item = getValueAt(root, pointer) as PathItem
  return field in item || item.$ref === undefined ? pointer : findOwner(root, getTargetPointer(item.$ref), field)
}

/** Returns an object or array itself, and an empty object for anything else. */
export function toObject(value: unknown): Values {
  return typeof value === 'object' && value !== null ? (value as Values) : {}
}

/** Returns the entries of a map without its extensions (OpenAPI 3.1, Specification Extensions). */
export function getNamed<Value>(map: Readonly<Record<string, Value>>): [name: string, value: Value][] {
  return Object.entries({ ...map }).filter(([name]) => !name.startsWith('x-'))
}

export type FoundOperation = ReturnType<typeof findOperations>[number]

/** The start of the names of an operation's types: `ListPets` for `listPets` and for `list-pets`. */
export function getTypeName(id: string): string {
  const words = id.split(/[^A-Za-z0-9]+/)
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return /^[A-Z]/.test(name) ? name : `Operation${name}`
}

/**
 * Finds every operation, in the order of the document. One without an operationId has one that follows from its method and
 * path: `getPetsPetId`.
 */
export function findOperations(root: OpenApi) {
  const operations = listOperations(root)
  const usedIds = new Set(operations.map(({ operation }) => operation.operationId))
  return operations.map((listed) => {
    const { operation, method, path } = listed
    if (operation.operationId !== undefined) return { ...listed, id: operation.operationId }
    let id = method + getTypeName(path)
    while (usedIds.has(id)) id += '_'
    usedIds.add(id)
    return { ...listed, id }
  })
}

function listOperations(root: OpenApi) {
  return getNamed(root.paths).flatMap(([path, declaredItem]) => {
    const item = resolvePathItem(root, declaredItem)
    const describe = (method: string, operation: OperationObject, field: string, ...names: string[]) => {
      const owner = findOwner(root, toPointer('paths', path), field)
      return { method, operation, path, item, pointer: owner + toPointer(field, ...names) }
    }
    return [
      ...METHODS.flatMap((method) => (isObject(item[method]) ? describe(method, item[method], method) : [])),
      ...getNamed(item.additionalOperations ?? {}).map(([method, operation]) =>
        describe(method, operation, 'additionalOperations', method),
      ),
    ]
  })
}

/** The schema of any value. */
export const ANY: Schema = {}
/** The schema of no value. */
export const NEVER = { not: {} } as Schema

/** Returns a boolean schema as an object, and any other schema as it is. */
export function toSchema(schema: Schema | boolean): Schema {
  return typeof schema !== 'boolean' ? schema : schema ? ANY : NEVER
}

/** The types that a schema's own `type` allows; none if it has no `type`. */
export function getTypes({ type = [] }: Schema): readonly SchemaType[] {
  return [type].flat()
}

/** The keywords whose value is a schema, a list of schemas or a map of schemas (JSON Schema 2020-12, sections 10 and 11). */
export const SUBSCHEMA_KEYWORDS = {
  single: new Set(
    'not if then else items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties'.split(
      ' ',
    ),
  ),
  list: new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']),
  map: new Set(['properties', 'patternProperties', 'dependentSchemas']),
} as const

/**
 * Copies a schema with each direct subschema replaced; boolean subschemas stay. `name` is the key of a subschema in a map, such
 * as the name of a property.
 */
export function mapSubschemas(
  schema: Schema,
  change: (subschema: Schema, keyword: string, name?: string) => object | boolean,
): Schema {
  const { single, list, map } = SUBSCHEMA_KEYWORDS
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      const mapOne = (subschema: unknown, name?: string) =>
        isObject(subschema) ? change(subschema, keyword, name) : subschema
      if (single.has(keyword)) return [keyword, mapOne(value)]
      if (list.has(keyword)) return [keyword, Array.isArray(value) ? value.map((item) => mapOne(item)) : value]
      return [keyword, map.has(keyword) ? mapValues(toObject(value), mapOne) : value]
    }),
  )
}

/** Returns the direct subschemas of a schema that are objects, those of some keywords alone if `keywords` says so. */
export function getSubschemas(schema: Schema, keywords = /./): Schema[] {
  const { single, list, map } = SUBSCHEMA_KEYWORDS
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (!keywords.test(keyword)) return []
    if (single.has(keyword)) return isObject(value) ? [value] : []
    return list.has(keyword) || map.has(keyword) ? Object.values(toObject(value)).filter(isObject) : []
  })
}

/** Returns the schemas that are directly within a schema, and the one that it refers to. */
export function getInnerSchemas(root: OpenApi, schema: Schema): Schema[] {
  const targets: Schema[] = schema.$ref === undefined ? [] : [getTarget(root, schema.$ref)].filter(isObject)
  return [...targets, ...getSubschemas(schema)]
}

/** Finds a schema, those within it and those that they refer to, each once. */
export function findSchemas(root: OpenApi, schema: Schema): Schema[] {
  // An iteration includes what is added during it.
  const found = new Set([schema])
  for (const reached of found) for (const inner of getInnerSchemas(root, reached)) found.add(inner)
  return [...found]
}

/**
 * Creates the function that tells whether a schema, or any schema that it leads to, matches. Each schema is looked at once for
 * all calls, so that documents of linked schemas take linear time.
 */
export function createSchemaSearch(root: OpenApi, isMatch: (schema: Schema) => boolean): (schema: Schema) => boolean {
  const results = new WeakMap<Schema, boolean>()

  function search(schema: Schema): void {
    const referrers = new Map<Schema, Schema[]>([[schema, []]])
    // The iteration includes the schemas that are added during it.
    for (const candidate of referrers.keys()) {
      if (results.has(candidate)) continue
      for (const inner of getInnerSchemas(root, candidate)) {
        const referrersOfInner = referrers.get(inner) ?? []
        referrers.set(inner, referrersOfInner)
        referrersOfInner.push(candidate)
      }
    }
    const matching = new Set([...referrers.keys()].filter((candidate) => results.get(candidate) ?? isMatch(candidate)))
    for (const candidate of matching) for (const referrer of referrers.get(candidate) ?? []) matching.add(referrer)
    for (const candidate of referrers.keys()) results.set(candidate, matching.has(candidate))
  }

  return (schema) => {
    if (!results.has(schema)) search(schema)
    return results.get(schema) === true
  }
}

/** Copies a schema and applies the function to every schema within it, innermost first, and then to the copy. */
export function mapSchema(schema: Schema, change: (schema: Schema) => Schema): Schema {
  return change(mapSubschemas(schema, (inner) => mapSchema(inner, change)))
}

/** Copies an object with each value replaced by what the function returns for it. */
export function mapValues<In, Out>(
  object: Readonly<Record<string, In>>,
  change: (value: In, key: string) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]))
}
