/** The document that types are generated from. */
import type { OpenApiDocument } from '../check/document.ts'
import type { Schema } from '../document/model.ts'
import { getRequestSchemas, getResponseSchemas } from '../document/operations.ts'
import { findSchemas, toSchema } from '../document/subschemas.ts'
import type { SchemaView } from '../schema/view.ts'

/** The parts of a loaded document that types depend on. */
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

/** The defaults that are filled in for handlers. */
export interface FilledInDefaults {
  /** The schemas to which branches of unions lead. Their defaults are not filled in. */
  readonly branchSchemas: ReadonlySet<Schema>
  /** True if handlers receive a member that the request lacks, by the default of a schema's property. `view` is the view of the object. */
  readonly isFilledIn: (schema: Schema, name: string, view: SchemaView) => boolean
}

export function findFilledInDefaults(document: TypedDocument): FilledInDefaults {
  const { views } = document.compile
  const branches = findDocumentSchemas(document).flatMap(({ anyOf = [], oneOf = [] }) => [...anyOf, ...oneOf])
  const branchSchemas = new Set(findSchemas(document.root, ...branches.map(toSchema)))
  return {
    branchSchemas,
    isFilledIn: (schema, name, view) =>
      !branchSchemas.has(schema) && views.getDefault(view.property(name)) !== undefined,
  }
}
