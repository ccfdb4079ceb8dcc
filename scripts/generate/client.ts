/**
 * The types for clients, as openapi-typescript writes them.
 */
import {
  astToString,
  type GlobalContext,
  type OpenAPI3,
  resolveRef,
  type SchemaObject,
  transformSchema,
} from 'openapi-typescript'
import ts from 'typescript'
import { getNamed, mapSchema, mapValues, type OpenApi, resolve, type Schema } from '../../src/openapi/index.ts'

/** Generates the types of everything that is sent. */
export function generateClientTypes(root: OpenApi): string {
  // openapi-typescript makes every header behind a $ref required; a copy of the header is as the header says.
  const isHeaderReference = ({ $ref }: Values) => String($ref).startsWith('#/components/headers/')
  return astToString(
    transform(mapObjects(root, (object) => (isHeaderReference(object) ? resolve(root, object) : object))),
  )
}

/** Turns a document into declarations of types. The function may give a schema a type of its own. */
export function transform(document: unknown, toType = toBigint): ts.Node[] {
  const schema = openSchemas(document) as OpenAPI3
  // Not by the default export, which first lints the document with a tool that fails at a property named `valueOf`.
  return transformSchema(schema, {
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    transform: toType,
    discriminators: { objects: {}, refsHandled: [] },
    injectFooter: [],
    resolve: ($ref) => resolveRef(schema, $ref, { silent: true }),
  } as Partial<GlobalContext> as GlobalContext)
}

export type Values = Record<string, unknown>

/** Copies a document, with every object replaced by what the function returns for it, innermost first. */
export function mapObjects(value: unknown, change: (object: Values) => object): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change))
  // Numbers are only in comments, and openapi-typescript does not support bigint.
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapObjects(inner, change)])))
}

/** The fields whose value is a map, of names that the document chooses: such a name may be that of a field, too. */
const MAPS = ['headers', 'content']

/** Copies an object of OpenAPI, with the schemas in it as openapi-typescript understands them. */
function openSchemas(object: unknown): unknown {
  if (Array.isArray(object)) return object.map(openSchemas)
  if (typeof object !== 'object' || object === null) return object
  return Object.fromEntries(
    Object.entries(object).map(([field, value]) => {
      if (field === 'components') return [field, openComponents(value)]
      if (field === 'schema') return [field, mapSchema(value, simplify)]
      // Examples are values, in which a member may have any name.
      if (field === 'example' || field === 'examples') return [field, value]
      if (field === 'paths' || field === 'responses') {
        return [field, mapValues(Object.fromEntries(getNamed(value)), openSchemas)]
      }
      return [field, MAPS.includes(field) ? mapValues(value, openSchemas) : openSchemas(value)]
    }),
  )
}

function openComponents({ schemas = {}, ...others }: Record<string, Record<string, Schema>>) {
  const open = (schema: Schema) => mapSchema(schema, simplify)
  return { ...mapValues(others, (each) => mapValues(each, openSchemas)), schemas: mapValues(schemas, open) }
}

/**
 * Without a type, a value need not be an object, whatever members it must have if it is one. The listed values of an int64
 * would be numbers.
 */
function simplify(schema: Schema): Schema {
  if (schema.format === 'int64') {
    const { enum: _values, const: _value, ...open } = schema
    return open
  }
  if (schema.type !== undefined) return schema
  const { properties: _properties, required: _required, additionalProperties: _others, ...open } = schema
  return open
}

/** A number cannot hold every int64. */
export function toBigint({ format, type }: SchemaObject): ts.TypeNode | undefined {
  if (format !== 'int64') return undefined
  const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)
  if (!Array.isArray(type) || !type.includes('null')) return bigint
  return ts.factory.createUnionTypeNode([bigint, ts.factory.createLiteralTypeNode(ts.factory.createNull())])
}
