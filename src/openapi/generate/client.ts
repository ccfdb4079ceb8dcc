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
import { type Kind, mapParts } from '../document/fields.ts'
import { findSentRequests } from '../document/find-operations.ts'
import { getReferences } from '../document/references.ts'
import { getFields, mapValues, toObject, type Values } from '../document/values.ts'
import { is64Bit } from '../schema/types.ts'
import { isObject } from '../shared/json.ts'
import type { TypedDocument } from './typed-document.ts'

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
  // Options that are undefined are off.
  const context: Partial<GlobalContext> = {
    readWriteMarkers,
    // Otherwise, `type: object` becomes an object without members.
    emptyObjectsUnknown: true,
    discriminators: scanDiscriminators(document, { silent: true }),
    injectFooter: [],
    resolve: ($ref: string) => resolveRef(document, $ref, { silent: true }),
    // Is called for each type of a list.
    transform: ({ format, type }) =>
      hasBigints && is64Bit(format) && (type === 'integer' || type === 'number') ? bigint : undefined,
  }
  // Do not call the default export: it first lints the document with a tool that fails at names such as `valueOf`.
  return astToString(transformSchema(document, context as GlobalContext))
}

/** Copies a document in a form that openapi-typescript reads as it is meant. */
function toReadableDocument(document: TypedDocument, hasBigints: boolean): OpenAPI3 {
  // openapi-typescript ignores callbacks, so pass them as webhooks.
  const webhooks = Object.fromEntries(
    findSentRequests(document.root).map(({ path, item }) => [path, mapValues(item as Values, withoutId)]),
  )
  const root = { ...document.root, webhooks, paths: getPaths(document) }
  const { resolve } = getReferences(root)

  function toReadable(value: unknown, kind: Kind): unknown {
    if (!isObject(value)) return value
    const repair = REPAIRS[kind] ?? ((object: Values) => object)
    return mapParts(kind, repair(value, resolve<Values>, hasBigints), toReadable)
  }

  const text = JSON.stringify(toReadable(root, 'openapi'), (_key, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  )
  return JSON.parse(text)
}

type Repair = (object: Values, resolve: (object: Values) => Values, hasBigints: boolean) => Values

/** Changes of objects for openapi-typescript, by kind. Each has a test in generate.yaml: delete a change without which it passes. */
const REPAIRS: Partial<Record<Kind, Repair>> = {
  /** openapi-typescript takes each header behind a reference as required. */
  headers: (header, resolve) => (resolve(header).required === true ? header : resolve(header)),

  /** openapi-typescript writes no types of media types, so references to them would lead nowhere. */
  mediaTypes: (mediaType, resolve) => resolve(mediaType),

  /** openapi-typescript fails at an extension among the statuses. */
  operation: (operation) => ({ ...operation, responses: Object.fromEntries(getFields(toObject(operation.responses))) }),

  schemas({ discriminator, ...schema }, _resolve, hasBigints) {
    const { const: constant, enum: values, ...otherKeywords } = schema
    // openapi-typescript writes a listed integer as the literal of a number.
    const hasNoLiteral = (hasBigints && is64Bit(schema.format)) || [constant, values].some(isRounded)
    // The default is a comment: as a text, it is not rounded there.
    const exactDefault = typeof schema.default === 'bigint' && { default: String(schema.default) }
    const readable = { ...(hasNoLiteral ? otherKeywords : schema), ...exactDefault }
    // Drop the discriminator of a union: openapi-typescript would write its names into the components of the branches, which other
    // unions may name otherwise.
    const isUnion = (schema.oneOf ?? schema.anyOf) !== undefined
    return isUnion || discriminator === undefined ? readable : { ...readable, discriminator }
  },
}

/** Drops an operationId: operations with the same id would be one in the types. */
function withoutId(field: unknown): unknown {
  return isObject(field) ? { ...field, operationId: undefined } : field
}

/** True if a value has an integer that is no literal type, because it is rounded in a number, or may have been. */
function isRounded(value: unknown): boolean {
  if (typeof value === 'bigint') return true
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return Object.values(toObject(value)).some(isRounded)
}

/** Returns the path items without references. An operation that several paths share has its id in the first, and made ids in the others. */
function getPaths({ root, operations }: TypedDocument): Record<string, object> {
  const ids = new Map(operations.map(({ id, path, method }) => [`${method} ${path}`, id]))
  return mapValues(Object.fromEntries(getFields(root.paths)), (item, path) =>
    mapValues(getReferences(root).resolvePathItem(item) as Values, (field, method) => {
      const operationId = ids.get(`${method} ${path}`)
      return isObject(field) && 'operationId' in field ? { ...field, operationId } : field
    }),
  )
}
