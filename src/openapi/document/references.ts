/** Navigation in a document: JSON pointers (RFC 6901), references, operations, and schemas within schemas. */
import querystring from 'node:querystring'
import { isObject } from '../json.ts'
import {
  METHODS,
  type OpenApi,
  type OperationObject,
  type PathItem,
  type Reference,
  type Schema,
  type SchemaType,
} from './model.ts'

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
  return '$ref' in object ? resolve(root, getTarget<T | Reference>(root, object.$ref)) : object
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
  return getNamed(root.paths).flatMap(([path, reference]) => {
    const item = resolve<PathItem>(root, reference)
    const describe = (method: string, operation: OperationObject, ...fields: string[]) => {
      const id = operation.operationId ?? method + getTypeName(path)
      return { id, method, operation, path, item, pointer: toPointer('paths', path, ...fields) }
    }
    return [
      ...METHODS.flatMap((method) => (item[method] === undefined ? [] : describe(method, item[method], method))),
      ...getNamed(item.additionalOperations ?? {}).map(([method, operation]) =>
        describe(method, operation, 'additionalOperations', method),
      ),
    ]
  })
}

/** The types that a schema's own `type` allows; none if it has no `type`. */
export function getTypes({ type = [] }: Schema): readonly SchemaType[] {
  return [type].flat()
}

/** The keywords whose value is a schema, a list of schemas or a map of schemas (JSON Schema 2020-12, sections 10 and 11). */
const OF_ONE =
  /^(not|if|then|else|items|contains|additionalProperties|propertyNames|unevaluatedItems|unevaluatedProperties)$/
const OF_LIST = /^(allOf|anyOf|oneOf|prefixItems)$/
const OF_MAP = /^(properties|patternProperties|dependentSchemas)$/

/** Copies a schema with each schema directly within it replaced; one that is a boolean stays. */
export function mapSubschemas(schema: Schema, change: (inner: Schema, keyword: string) => object | boolean): Schema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      const mapOne = (inner: unknown) => (isObject(inner) ? change(inner, keyword) : inner)
      if (OF_ONE.test(keyword)) return [keyword, mapOne(value)]
      if (OF_LIST.test(keyword)) return [keyword, Array.isArray(value) ? value.map(mapOne) : value]
      return [keyword, OF_MAP.test(keyword) ? mapValues(toObject(value), mapOne) : value]
    }),
  )
}

/** Returns the schemas that are directly within a schema, and the one that it refers to. */
export function getInnerSchemas(root: OpenApi, schema: Schema): Schema[] {
  const found: Schema[] = schema.$ref === undefined ? [] : [getTarget(root, schema.$ref)].filter(isObject)
  mapSubschemas(schema, (inner) => {
    found.push(inner)
    return inner
  })
  return found
}

/** Finds a schema, those within it and those that they refer to, each once. */
export function findSchemas(root: OpenApi, schema: Schema): Schema[] {
  // An iteration includes what is added during it.
  const found = new Set([schema])
  for (const reached of found) for (const inner of getInnerSchemas(root, reached)) found.add(inner)
  return [...found]
}

/** Copies a schema and applies the function to every schema within it, innermost first, and then to the copy. */
export function mapSchema(schema: Schema, change: (schema: Schema) => Schema): Schema {
  return change(mapSubschemas(schema, (inner) => mapSchema(inner, change)))
}

/** Copies an object with each value replaced by what the function returns for it. */
export function mapValues<In, Out>(
  object: Readonly<Record<string, In>>,
  change: (value: In) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}
