/** The document that types are generated from. */
import type { OpenApiDocument } from '../check/document.ts'
import type { Schema } from '../document/model.ts'
import { getRequestSchemas, getResponseSchemas } from '../document/operations.ts'
import { findSchemas, toSchema } from '../document/subschemas.ts'

/** What the types follow from. */
export type TypedDocument = Pick<OpenApiDocument, 'root' | 'operations' | 'sentRequests' | 'compile'>

/** Finds the schemas of the components and of all messages, with those behind references. */
export function findDocumentSchemas({ root, operations, sentRequests }: TypedDocument): Schema[] {
  const components = Object.values(root.components?.schemas ?? {}).map(toSchema)
  const messageSchemas = [...operations, ...sentRequests].flatMap((operation) => [
    ...getRequestSchemas(operation),
    ...getResponseSchemas(operation),
  ])
  return findSchemas(root, ...components, ...messageSchemas)
}

/** Finds the schemas that branches of unions lead to. Their defaults are not filled in. */
export function findBranchSchemas(document: TypedDocument): Set<Schema> {
  const schemas = findDocumentSchemas(document)
  const branches = schemas.flatMap(({ anyOf = [], oneOf = [] }) => [...anyOf, ...oneOf])
  return new Set(findSchemas(document.root, { anyOf: branches }))
}
