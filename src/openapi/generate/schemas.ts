/** The types of schemas as handlers use them: defaults of requests filled in, extensible enums limited to the listed values. */
import ts from 'typescript'
import { getTypeName } from '../document/find-operations.ts'
import type { Direction, Schema } from '../document/model.ts'
import { getRequestSchemas, getResponseSchemas, type Operation } from '../document/operations.ts'
import { getReferences } from '../document/references.ts'
import { createSchemaSearch, findSchemas, toSchema } from '../document/subschemas.ts'
import { formatComment } from './expressions.ts'
import { findFilledInDefaults, type TypedDocument } from './typed-document.ts'
import { createTypeWriter, type ToType } from './types.ts'

/**
 * Returns the declarations of the named schemas, and the function that writes the type of a schema in the document on one
 * line. A schema of requests and responses has a second type for requests if it has other values there.
 */
export function generateSchemaTypes(document: TypedDocument) {
  const { root } = document
  const isDirected = createDirectionTest(document)
  const messageSchemas = findMessageSchemas(document)
  const components = Object.entries(root.components?.schemas ?? {})
  const componentNames = components.map(([name]) => name)
  /** Lists the directions for which a component has a type each. Without differences, it has one type, written as in responses. */
  const listDirections = (schema: Schema): readonly Direction[] =>
    isDirected(schema) ? DIRECTIONS.filter((direction) => messageSchemas[direction].has(schema)) : ['response']
  const componentsWithTwoTypes = components.filter(([, schema]) => listDirections(schema).length > 1)
  const requestNames = new Map(componentsWithTwoTypes.map(([name]) => [name, toRequestName(name, componentNames)]))
  const typeNames = nameTypes(document, [...componentNames, ...requestNames.values()])
  const nameType = (name: string, isOfRequest: boolean) =>
    String(typeNames.get((isOfRequest ? requestNames.get(name) : undefined) ?? name))
  const toType = createTypeWriter(document, nameType)
  const declarations = components.flatMap(([name, schema]) =>
    listDirections(schema).map((direction) => {
      const comment = formatComment(toSchema(schema).description)
      return `${comment}export type ${nameType(name, direction === 'request')} = ${toType(schema, direction)}\n`
    }),
  )
  const toLine: ToType = (schema, direction, isForm) => {
    // `Pet[]` says more than `Pets`.
    const target = getReferences(root).resolve(toSchema(schema))
    return toType(target.type === 'array' ? target : schema, direction, isForm).replaceAll(/\s*\n\s*/g, ' ')
  }
  return { declarations: declarations.join('\n'), toType: toLine }
}

const DIRECTIONS = ['response', 'request'] as const

/** Finds the schemas of requests, and those of responses. The schemas that no operation uses count as those of responses. */
function findMessageSchemas({ root, operations, sentRequests }: TypedDocument) {
  const find = (schemas: readonly Schema[]) => new Set(findSchemas(root, ...schemas))
  const request = find(operations.flatMap(getRequestSchemas))
  const responseSchemas = [...operations.flatMap(getResponseSchemas), ...sentRequests.flatMap(getRequestSchemas)]
  const usedSchemas = request.union(find(responseSchemas))
  const unusedSchemas = Object.values(root.components?.schemas ?? {}).filter((schema) => !usedSchemas.has(schema))
  return { request, response: find([...responseSchemas, ...unusedSchemas]) }
}

/**
 * Creates the function that tells whether the types of a schema differ in requests and responses: by `readOnly` and `writeOnly`, and
 * by defaults, which are filled in in requests alone.
 */
function createDirectionTest(document: TypedDocument): (schema: Schema | boolean) => boolean {
  const { root, compile } = document
  const { isFilledIn } = findFilledInDefaults(document)
  const hasFilledIn = (schema: Schema) => {
    const { properties = {}, required = [] } = schema
    const view = compile.views.get(schema)
    return Object.keys(properties).some((name) => !required.includes(name) && isFilledIn(schema, name, view))
  }
  const isDirected = createSchemaSearch(
    root,
    (schema) => schema.readOnly === true || schema.writeOnly === true || hasFilledIn(schema),
  )
  return (schema) => isDirected(toSchema(schema))
}

/** Returns the name of a component's second type, which no component has. */
function toRequestName(name: string, componentNames: readonly string[]): string {
  let requestName = `${name}InRequest`
  while (componentNames.includes(requestName)) requestName += '_'
  return requestName
}

/** Returns the start of the names of each operation's types by operationId: `ListPets` for `listPets`. */
export function nameOperations(operations: readonly Operation[]): ReadonlyMap<string, string> {
  // `SentRequest` is the type of what the app sends.
  const names = new Set(['Sent'])
  return new Map(
    operations.map(({ id }) => {
      let name = getTypeName(id)
      while (names.has(name)) name += '_'
      names.add(name)
      return [id, name]
    }),
  )
}

/**
 * Names the type of each schema: like the schema, unless that is no identifier, the name of another type, or one that JavaScript
 * and Node have for something else.
 */
function nameTypes(document: TypedDocument, names: readonly string[]): ReadonlyMap<string, string> {
  const operations = nameOperations(document.operations).values().toArray()
  const takenNames = new Set([...RESERVED, ...operations.flatMap((name) => [`${name}Request`, `${name}Response`])])
  // `SyntaxKind` has `ClassKeyword` for `class`.
  const kinds = Object.keys(ts.SyntaxKind).map((kind) => kind.toLowerCase())
  const isKeyword = (name: string) => kinds.includes(`${name}keyword`)
  return new Map(
    names.map((name) => {
      let type = name.replaceAll(/^(?=\d)|[^\w]/g, '_')
      while (takenNames.has(type) || isKeyword(type) || (type !== name && names.includes(type))) type += 'Schema'
      takenNames.add(type)
      return [name, type]
    }),
  )
}

/** The names that a schema's type does not have: of the types that server.ts writes and uses (a test compares them), and of other globals. */
const RESERVED = [
  'Api Caller Handlers Log RawBody SentRequest Urls Webhooks',
  'AbortSignal Array ArrayBuffer AsyncIterable BigInt Blob Boolean Buffer Date Error Event File Function Headers Map',
  'NonNullable Number Object Promise Readable ReadableStream Readonly Record RegExp Request Response Set String Symbol URL Uint8Array',
].flatMap((names) => names.split(' '))
