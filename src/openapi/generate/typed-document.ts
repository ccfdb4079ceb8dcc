/** The document that types are generated from. */
import type { OpenApiDocument } from '../check/document.ts'
import type { Schema } from '../document/model.ts'
import { getRequestSchemas, getResponseSchemas } from '../document/operations.ts'
import { findSchemas, toSchema } from '../document/subschemas.ts'
import type { SchemaView } from '../schema/view.ts'

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

/** True if requests have the default of a member where it is missing. `view` has all schemas of the object. */
export type FilledInTest = (schema: Schema, name: string, view: SchemaView) => boolean

/** Creates the test of members that a schema declares. */
export function createFilledInTest(
  { compile: { views } }: TypedDocument,
  branchSchemas: ReadonlySet<Schema>,
): FilledInTest {
  return (schema, name, view) => !branchSchemas.has(schema) && views.getDefault(view.property(name)) !== undefined
}
