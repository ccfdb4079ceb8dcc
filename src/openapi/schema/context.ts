/** The context of a schema: what the schemas around it say about the same value. Its validation depends on that. */
import type { Direction } from '../document/model.ts'
import type { MemberKey, SchemaView } from './view.ts'

/** Lengths that the schemas around a schema bound: what is longer is invalid, and tried by no pattern of the schema. */
export interface LengthLimits {
  /** The least `maxLength`: `pattern` and `format` do not try longer texts. */
  readonly maxLength?: number | undefined
  /** The least `maxLength` of `propertyNames`: `patternProperties` do not try longer names. */
  readonly maxNameLength?: number | undefined
}

export interface SchemaContext extends LengthLimits {
  /** Undefined where readOnly and writeOnly have no effect. */
  readonly direction: Direction | undefined
  /** The properties that `required` must not demand, because messages in the direction lack them: see `isHidden` of a view. */
  readonly hiddenNames: readonly string[]
  /** The views of the value that know what is hidden within a member, where its subschema alone does not: see `hidesWithinMembers`. */
  readonly views: readonly SchemaView[]
}

/** The most contexts of a schema whose validators are kept: clients combine the patterns and branches that hide names. */
export const MAX_CONTEXTS = 100

/** Creates the context of a schema without schemas around it. */
export function createContext(direction: Direction | undefined): SchemaContext {
  return { direction, hiddenNames: [], views: [] }
}

/** Adds what a view of the value hides: its names, and the view itself if it hides something within members. */
export function addView(view: SchemaView, context: SchemaContext): SchemaContext {
  if (context.direction === undefined) return context
  const hiddenNames = view.getHiddenNames(context.direction)
  const views = view.hidesWithinMembers ? [view] : []
  return {
    ...context,
    hiddenNames: [...new Set([...context.hiddenNames, ...hiddenNames])],
    views: [...new Set([...context.views, ...views])],
  }
}

/** Returns what the views of a value know of a member, whose other declarations may hide names within it. */
export function getMemberViews({ views }: SchemaContext, key: MemberKey): readonly SchemaView[] {
  return views.map((view) => view.member(key))
}

/** Creates the context of a member. */
export function createMemberContext(
  direction: Direction | undefined,
  memberViews: readonly SchemaView[],
): SchemaContext {
  return memberViews.reduce((context, view) => addView(view, context), createContext(direction))
}

/** Returns the members that a response leaves out: no keyword takes notice of them. A request that has a hidden member is invalid. */
export function getOmittedNames({ direction, hiddenNames }: SchemaContext): readonly string[] {
  return direction === 'response' ? hiddenNames : []
}

/**
 * The context of conditions (`not`, `if`, `contains`, `propertyNames`). They ignore the direction. Otherwise, `not` would accept
 * more values in a request than the spec says, because its schema would require less.
 */
export const UNDIRECTED = createContext(undefined)
