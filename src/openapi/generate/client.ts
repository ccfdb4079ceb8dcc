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
  // openapi-typescript knows no callbacks, which are like webhooks.
  const webhooks = Object.fromEntries(
    findSentRequests(document.root).map(({ path, item }) => [path, mapValues(item as Values, withoutId)]),
  )
  const text = JSON.stringify({ ...document.root, webhooks, paths: getPaths(document) }, (_key, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  )
  const copy = JSON.parse(text)
  const { resolve } = getReferences(copy)

  function toReadable(value: unknown, kind: Kind): unknown {
    if (!isObject(value)) return value
    const object: Record<string, unknown> = { ...value }
    if ((kind === 'headers' || kind === 'mediaTypes') && '$ref' in object) {
      const target = resolve<Values>(object)
      // openapi-typescript has no types of media types to refer to, and takes each header behind a reference as required.
      if (kind === 'mediaTypes' || target.required !== true) {
        delete object.$ref
        Object.assign(object, target)
      }
    }
    if (kind === 'operation') object.responses = Object.fromEntries(getFields(toObject(object.responses)))
    if (kind === 'schemas' && ((hasBigints && is64Bit(object.format)) || [object.const, object.enum].some(isRounded))) {
      delete object.const
      delete object.enum
    }
    // Their branches have the names. openapi-typescript would change the components, which other unions may have by other names.
    if (kind === 'schemas' && (object.oneOf ?? object.anyOf) !== undefined) delete object.discriminator
    return mapParts(kind, object, toReadable)
  }

  return toReadable(copy, 'openapi') as OpenAPI3
}

/** Drops an operationId: operations with the same id would be one in the types. */
function withoutId(field: unknown): unknown {
  return isObject(field) ? { ...field, operationId: undefined } : field
}

/** True if a value has an integer that is no literal type, because a number may have been rounded to it. */
function isRounded(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return Object.values(toObject(value)).some(isRounded)
}

/** Returns the path items without references. Of paths that share an operation, all but the first have another id than its own. */
function getPaths({ root, operations }: TypedDocument): Record<string, object> {
  const ids = new Map(operations.map(({ id, path, method }) => [`${method} ${path}`, id]))
  return mapValues(Object.fromEntries(getFields(root.paths)), (item, path) =>
    mapValues(getReferences(root).resolvePathItem(item) as Values, (field, method) => {
      const operationId = ids.get(`${method} ${path}`)
      return isObject(field) && 'operationId' in field ? { ...field, operationId } : field
    }),
  )
}
