/** The types of schemas as handlers use them: defaults filled in, extensible enums limited to the listed values. */
import ts from 'typescript'
import type { Operation } from '../../src/openapi/index.ts'
import { getTypeName, resolve, toSchema } from '../../src/openapi/tools.ts'
import { createDirectionTest, createTypeWriter, formatComment, type ToType, type TypedDocument } from './types.ts'

/**
 * Returns the declarations of the named schemas, and the function that writes the type of a schema in the document on one
 * line. Requests have a type of their own where they have other values than responses.
 */
export function generateSchemaTypes(document: TypedDocument) {
  const { root } = document
  const isDirected = createDirectionTest(root)
  const named = Object.entries(root.components?.schemas ?? {})
  const directed = named.filter(([, schema]) => isDirected(schema)).map(([name]) => toRequestName(name))
  const names = nameTypes(document, [...named.map(([name]) => name), ...directed])
  const nameType = (name: string, isOfRequest: boolean) => String(names.get(isOfRequest ? toRequestName(name) : name))
  const toType = createTypeWriter(document, { isServer: true, nameType })
  const declarations = named.flatMap(([name, schema]) =>
    (['response', 'request'] as const).flatMap((direction) => {
      const isOfRequest = direction === 'request'
      if (isOfRequest && !directed.includes(toRequestName(name))) return []
      const comment = formatComment(toSchema(schema).description)
      return [`${comment}export type ${nameType(name, isOfRequest)} = ${toType(schema, direction)}\n`]
    }),
  )
  const toLine: ToType = (schema, direction) => {
    // `Pet[]` says more than `Pets`.
    const resolved = resolve(root, toSchema(schema))
    return toType(resolved.type === 'array' ? resolved : schema, direction).replaceAll(/\s*\n\s*/g, ' ')
  }
  return { declarations: declarations.join('\n'), toType: toLine }
}

/** The name of a schema in requests. */
export function toRequestName(name: string): string {
  return `${name}InRequest`
}

/** Returns the start of the names of each operation's types by operationId: `ListPets` for `listPets`. */
export function nameOperations(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const names = new Set<string>()
  return new Map(
    operations.map(({ id }) => {
      let name = getTypeName(id)
      while (names.has(name)) name += '_'
      names.add(name)
      return [id, name]
    }),
  )
}

/** Names the type of each schema: like the schema, unless that is no identifier, or the name of another type. */
function nameTypes(document: TypedDocument, names: readonly string[]): ReadonlyMap<string, string> {
  const operations = nameOperations(document.operations).values().toArray()
  const others = ['Promise', 'Readonly', 'Record', 'Caller', 'Handlers', 'Log', 'Urls', 'Replay']
  const taken = new Set([...others, ...operations.flatMap((name) => [`${name}Request`, `${name}Response`])])
  const kinds = Object.keys(ts.SyntaxKind).map((kind) => kind.toLowerCase())
  const isKeyword = (name: string) => kinds.includes(`${name}keyword`)
  return new Map(
    names.map((name) => {
      let type = name.replaceAll(/^(?=\d)|[^\w]/g, '_')
      while (taken.has(type) || isKeyword(type) || (type !== name && names.includes(type))) type += '_'
      taken.add(type)
      return [name, type]
    }),
  )
}
