/** The types for clients, as openapi-typescript writes them. */
import {
  astToString,
  type GlobalContext,
  type OpenAPI3,
  resolveRef,
  scanDiscriminators,
  transformSchema,
} from 'openapi-typescript'
import ts from 'typescript'
import { getReferences } from '../document/references.ts'
import { mapValues, type Values } from '../document/values.ts'
import { is64Bit } from '../schema/types.ts'
import { isObject } from '../shared/json.ts'
import type { TypedDocument } from './types.ts'

export interface ClientTypesOptions {
  /**
   * True to mark members that are `readOnly` or `writeOnly` by `$Read` and `$Write`, for a client that reads the marks, as openapi-fetch
   * does: its requests lack the first, and its responses the second. By default, both have all members.
   */
  readonly readWriteMarkers?: boolean | undefined
}

/** Generates the types of everything that is sent. */
export function generateClientTypes(
  typedDocument: TypedDocument,
  { readWriteMarkers = false }: ClientTypesOptions = {},
): string {
  const hasBigints = typedDocument.compile.views.int64 === 'bigint'
  const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)
  const document = toReadableDocument(typedDocument, hasBigints)
  // Of its options, those that are undefined are off.
  const context: Partial<GlobalContext> = {
    readWriteMarkers,
    // Members with a default may be left out.
    defaultNonNullable: false,
    // Otherwise, an object of any members is an object without members.
    emptyObjectsUnknown: true,
    discriminators: scanDiscriminators(document, { silent: true }),
    injectFooter: [],
    resolve: ($ref: string) => resolveRef(document, $ref, { silent: true }),
    // Of a list of types, it is called for each.
    transform: ({ format, type }) =>
      hasBigints && is64Bit(format) && (type === 'integer' || type === 'number') ? bigint : undefined,
  }
  // Not by the default export, which first lints the document with a tool that fails at names such as `valueOf`.
  return astToString(transformSchema(document, context as GlobalContext))
}

/** Copies a document with what openapi-typescript would read otherwise than it is meant. */
function toReadableDocument(document: TypedDocument, hasBigints: boolean): OpenAPI3 {
  const { root } = document
  const text = JSON.stringify({ ...root, paths: getPaths(document) }, (key, value: unknown) => {
    // They are only in limits and comments.
    if (typeof value === 'bigint') return Number(value)
    // An extension among responses.
    if (key.startsWith('x-') && typeof value === 'string') return undefined
    if (!isObject(value)) return value
    const { enum: listed, const: constant, ...others } = value
    // To openapi-typescript, listed values are numbers.
    if (is64Bit(others.format) && hasBigints) return others
    const [, components] = /^#\/components\/(headers|mediaTypes)\//.exec(String(value.$ref)) ?? []
    if (components === undefined) return value
    // To openapi-typescript, every header behind a reference is required. It has no types of media types to refer to.
    const target = getReferences(root).resolve<Values>(value)
    return components === 'headers' && target.required === true ? value : target
  })
  return JSON.parse(text)
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
