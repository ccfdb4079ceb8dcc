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
  /** What numbers become; `mixed` where other schemas may make a bigint of them. */
  readonly numberType: NumberType
  /** The types that the schemas around the schema allow; undefined if they allow any. */
  readonly types?: readonly SchemaType[] | undefined
  /** Says that the value is a form, or what a field of it has: binary texts of a field are files. */
  readonly formPart?: 'form' | 'field' | undefined
}

/** True for what a field of a form has as a file. */
export function isFile(view: SchemaView): boolean {
  return view.mayBeBytes && !view.mentionedTypes.includes('array')
}

/** True if the type in a context has files in place of binary texts. */
export function hasFiles({ view, formPart }: TypeContext): boolean {
  const hasFieldFiles = (field: SchemaView) => getFieldViews(field).some(isFile)
  if (formPart === 'form') return [...view.propertyNames].some((name) => hasFieldFiles(view.property(name)))
  return formPart === 'field' && hasFieldFiles(view)
}
