/**
 * Hidden values: those that messages in a direction lack (OpenAPI 3.1, Schema Object, `readOnly` and `writeOnly`), so that
 * `required` does not demand them. Branches may differ in what they hide:
 *
 * |                 | in requests                                        | in responses                          |
 * |-----------------|----------------------------------------------------|---------------------------------------|
 * | hidden          | every branch says `readOnly`: requests with the    | any branch says `writeOnly`: a secret |
 * |                 | value are rejected                                 | is never sent                         |
 * | possibly hidden | some branch says `readOnly`: requests may lack the | (the value is hidden)                 |
 * |                 | value, and that branch rejects requests with it    |                                       |
 *
 * The members of a view with the same names call these functions.
 */
import type { Direction, Schema } from '../document/model.ts'

/** The part of a view (`SchemaView`) that hiding follows from. */
interface HidingView {
  readonly schemas: readonly Schema[]
  readonly conjuncts: readonly Schema[]
  readonly branchViews: readonly (readonly HidingView[])[]
  readonly declarationViews: readonly HidingView[]
  readonly unconditionalDeclarationViews: readonly HidingView[]
  readonly propertyNames: ReadonlySet<string>
  readonly requiredNames: ReadonlySet<string>
  property(name: string): HidingView
  isPropertyHidden(name: string, direction: Direction): boolean
}

/** True if messages in the direction lack the value that the view describes. */
export function isHidden(view: HidingView, direction: Direction | undefined): boolean {
  if (direction === 'response') return view.schemas.some(({ writeOnly }) => writeOnly === true)
  if (direction === undefined || view.declarationViews.length === 0) return false
  // An unconditional declaration applies in any case. Otherwise, all must agree, because any of them may be the one that applies.
  return view.unconditionalDeclarationViews.some(isReadOnly) || view.declarationViews.every(isReadOnly)
}

/** Finds the properties that messages in the direction lack, among those that schemas declare or require. */
export function findHiddenNames(view: HidingView, direction: Direction | undefined): readonly string[] {
  if (direction === undefined) return []
  return findMentionedNames(view).filter((name) => view.isPropertyHidden(name, direction))
}

/** Finds the properties that requests may lack, because some branch says that they are `readOnly`. */
export function findPossiblyReadOnlyNames(view: HidingView): readonly string[] {
  return findMentionedNames(view).filter((name) => view.property(name).declarationViews.some(isReadOnly))
}

function findMentionedNames({ propertyNames, requiredNames }: HidingView): readonly string[] {
  return [...propertyNames.union(requiredNames)]
}

/** True if a view says `readOnly` whichever branches a value satisfies. */
function isReadOnly({ conjuncts, branchViews }: HidingView): boolean {
  return (
    conjuncts.some(({ readOnly }) => readOnly === true) ||
    branchViews.some((alternatives) => alternatives.every(isReadOnly))
  )
}
