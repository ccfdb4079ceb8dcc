/** The context in which the type of a schema is written: what other schemas say of the same value. */
import type { Direction } from '../document/model.ts'
import { getFieldViews } from '../request/text-values.ts'
import type { NumberType } from '../schema/types.ts'
import type { SchemaView } from '../schema/view.ts'
import type { SchemaType } from '../shared/json.ts'

export interface TypeContext {
  readonly direction: Direction
  /** The view of all schemas that may describe the value if it satisfies the branches that lead to the schema. */
  readonly view: SchemaView
  /** What numbers become; `mixed` if other schemas may make bigints of them. */
  readonly numberType: NumberType
  /** The types that the schemas around the schema allow; undefined if they allow any. */
  readonly types?: readonly SchemaType[] | undefined
  /** `form` for the object of a form, and `field` for its members and their items, where binary texts are files. */
  readonly formPart?: 'form' | 'field' | undefined
}

/** True if the type in a context has files in place of binary texts. */
export function hasFiles({ view, formPart }: TypeContext): boolean {
  const hasFieldFiles = (field: SchemaView) => getFieldViews(field).some(({ mayBeBytes }) => mayBeBytes)
  if (formPart === 'form') return [...view.propertyNames].some((name) => hasFieldFiles(view.property(name)))
  return formPart === 'field' && hasFieldFiles(view)
}
