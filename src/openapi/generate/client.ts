/**
 * The types for clients: operations as openapi-typescript writes them, with the types of schemas by our own writer (types.ts). To
 * this end, openapi-typescript gets a document in which each schema is replaced by `{ type: string, x-type: "…" }`, and is told to
 * write the text of `x-type`.
 */
import { astToString, type GlobalContext, type OpenAPI3, resolveRef, transformSchema } from 'openapi-typescript'
import ts from 'typescript'
import type { Direction, OpenApi, Schema } from '../document/model.ts'
import { getReferences } from '../document/references.ts'
import { getNamed, mapValues, toObject } from '../document/values.ts'
import { isObject } from '../shared/json.ts'
import { toRequestName } from './schemas.ts'
import { createDirectionTest, createTypeWriter, type ToType, type TypedDocument } from './types.ts'

type Values = Record<string, unknown>

/** Generates the types of everything that is sent. */
export function generateClientTypes(document: TypedDocument): string {
  const { root } = document
  const isDirected = createDirectionTest(document, { isServer: false })
  const nameType = (name: string, isOfRequest: boolean) =>
    `components["schemas"][${JSON.stringify(isOfRequest ? toRequestName(name) : name)}]`
  const toType = createTypeWriter(document, { isServer: false, nameType })
  const components = Object.entries(root.components?.schemas ?? {})
  const schemas = Object.fromEntries(
    components.flatMap(([name, schema]) => [
      [name, toTypedSchema(schema, toType, 'response')],
      ...(isDirected(schema) ? [[toRequestName(name), toTypedSchema(schema, toType, 'request')]] : []),
    ]),
  )
  const withoutSchemas = { ...root, paths: getPaths(document), components: { ...root.components, schemas: {} } }
  const typed = writeTypes(root, withoutSchemas, toType, 'response') as Values
  const typedDocument = { ...typed, components: { ...(typed.components as Values), schemas } } as unknown as OpenAPI3
  // Not by the default export, which first lints the document with a tool that fails at a property named `valueOf`.
  const nodes = transformSchema(typedDocument, {
    transform: (schema: Values) =>
      TYPE in schema ? ts.factory.createTypeReferenceNode(String(schema[TYPE])) : undefined,
    discriminators: { objects: {}, refsHandled: [] },
    injectFooter: [],
    resolve: ($ref: string) => resolveRef(typedDocument, $ref, { silent: true }),
  } as unknown as GlobalContext)
  return astToString(nodes)
}

/** Returns the path items without references. Of paths that share an operation, all but the first have another id than its own. */
function getPaths({ root, operations }: TypedDocument): Record<string, object> {
  const ids = new Map(operations.map(({ id, path, method }) => [`${method} ${path}`, id]))
  return mapValues(root.paths, (item, path) =>
    mapValues(getReferences(root).resolvePathItem(item) as Values, (field, method) => {
      const operationId = ids.get(`${method} ${path}`)
      return isObject(field) && 'operationId' in field ? { ...field, operationId } : field
    }),
  )
}

/** Copies a value with numbers in place of bigints, which openapi-typescript does not support. They are only in comments. */
function withNumbers(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? Number(inner) : inner)))
}

const TYPE = 'x-type'

/** Returns a schema with its type and its description alone. openapi-typescript calls `transform` only for a schema with a `type`. */
function toTypedSchema(schema: Schema | boolean, toType: ToType, direction: Direction): object {
  const { description } = Object(schema) as Schema
  return { ...(description !== undefined && { description }), type: 'string', [TYPE]: toType(schema, direction) }
}

/** The fields whose value is a map of names that the document chooses: such a name may look like a field. */
const MAPS = /^(content|parameters|requestBodies|responses)$/

/** The references that openapi-typescript has names for. */
const NAMED_REFERENCE = /^#\/components\/(parameters|requestBodies|responses|headers|pathItems)\/[^/]+$/

/** Copies an object of OpenAPI, with the types of the schemas in it. */
function writeTypes(root: OpenApi, object: unknown, toType: ToType, direction: Direction): unknown {
  if (Array.isArray(object)) return object.map((item) => writeTypes(root, item, toType, direction))
  if (typeof object !== 'object' || object === null) return object
  if ('$ref' in object && !NAMED_REFERENCE.test(String(object.$ref))) {
    return writeTypes(root, getReferences(root).resolve(object), toType, direction)
  }
  return Object.fromEntries(
    Object.entries(object).flatMap(([field, value]): [string, unknown][] => {
      if (field === 'schema') return [[field, toTypedSchema(value, toType, direction)]]
      // These are values, in which a member may have any name.
      if (/^(examples?|links|x-.*)$/.test(field)) return [[field, withNumbers(value)]]
      // openapi-typescript has no types for them, and they may refer to each other.
      if (field === 'callbacks') return []
      const inner = /^(parameters|requestBody|requestBodies)$/.test(field) ? 'request' : direction
      const write = (member: unknown) => writeTypes(root, member, toType, inner)
      // To openapi-typescript, every header behind a reference is required.
      if (field === 'headers')
        return [[field, mapValues(toObject(value), (header) => write(getReferences(root).resolve(toObject(header))))]]
      if (Array.isArray(value) || !MAPS.test(field)) return [[field, write(value)]]
      return [[field, mapValues(Object.fromEntries(getNamed(value as Values)), write)]]
    }),
  )
}
