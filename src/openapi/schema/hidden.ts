/**
 * Hidden values: those that messages in a direction lack (OpenAPI 3.1, Schema Object, `readOnly` and `writeOnly`), so that
 * `required` does not demand them. Declarations and branches may differ in what they hide:
 *
 * | `id` in                                            | requests                             | responses        |
 * |----------------------------------------------------|--------------------------------------|------------------|
 * | `{ id: { readOnly: true } }`                       | hidden: rejected                     | sent             |
 * | `anyOf: [{ id: { readOnly: true } }, { id: {} }]`  | possibly hidden: may be missing, and | sent             |
 * |                                                    | the first branch rejects it          |                  |
 * | `{ id: { writeOnly: true } }`                      | accepted                             | hidden: not sent |
 * | `anyOf: [{ id: { writeOnly: true } }, { id: {} }]` | accepted                             | hidden: not sent |
 *
 * So `readOnly` hides if all branches say it, because a request of another branch is valid. `writeOnly` hides if any branch says
 * it, because the value may be a secret.
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
  readonly unconditionalView: HidingView
  readonly propertyNames: ReadonlySet<string>
  readonly requiredNames: ReadonlySet<string>
  readonly dependentNames: ReadonlySet<string>
  property(name: string): HidingView
  isPropertyHidden(name: string, direction: Direction): boolean
}

/** True if messages in the direction lack the value that the view describes. */
export function isHidden(view: HidingView, direction: Direction | undefined): boolean {
  switch (direction) {
    case 'response':
      return view.schemas.some(({ writeOnly }) => writeOnly === true)
    case 'request':
      return isReadOnly(view.unconditionalView) || isReadOnlyInAll(view.declarationViews)
    default:
      return false
  }
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

function findMentionedNames({ propertyNames, requiredNames, dependentNames }: HidingView): readonly string[] {
  return [...propertyNames.union(requiredNames).union(dependentNames)]
}

/** True if a view says `readOnly` whichever branches a value satisfies. */
function isReadOnly({ conjuncts, branchViews }: HidingView): boolean {
  return conjuncts.some(({ readOnly }) => readOnly === true) || branchViews.some(isReadOnlyInAll)
}

/** True if each of some views says `readOnly`, of which at least one describes the value. */
function isReadOnlyInAll(alternatives: readonly HidingView[]): boolean {
  return alternatives.length > 0 && alternatives.every(isReadOnly)
}
