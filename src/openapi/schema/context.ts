/** The context of a schema: what the schemas around it say about the same value. Its validation depends on that. */
import type { Direction } from '../document/model.ts'
import type { MemberKey, SchemaView } from './view.ts'

export interface SchemaContext {
  /** Undefined where readOnly and writeOnly have no effect. */
  readonly direction: Direction | undefined
  /** The properties that `required` must not demand, because messages in the direction lack them: see `isHidden` of a view. */
  readonly hiddenNames: readonly string[]
  /** The views of the value that know what is hidden within a member, where its subschema alone does not: see `sharesMembers`. */
  readonly views: readonly SchemaView[]
  /** The least `maxLength` of the schemas around the schema: `pattern` and `format` do not try longer texts. */
  readonly maxLength?: number | undefined
}

/** Creates the context of a schema without schemas around it. */
export function createContext(direction: Direction | undefined): SchemaContext {
  return { direction, hiddenNames: [], views: [] }
}

/** Adds what a view of the value hides to what the schemas around it hide. */
export function addView(view: SchemaView, context: SchemaContext): SchemaContext {
  if (context.direction === undefined) return context
  const hiddenNames = view.getHiddenNames(context.direction)
  const views = view.sharesMembers ? [view] : []
  return {
    ...context,
    hiddenNames: [...new Set([...context.hiddenNames, ...hiddenNames])],
    views: [...new Set([...context.views, ...views])],
  }
}

/** Creates the context of a member, whose other declarations may hide names within it. */
export function createMemberContext({ direction, views }: SchemaContext, key: MemberKey): SchemaContext {
  return views.reduce((context, view) => addView(view.member(key), context), createContext(direction))
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
