/**
 * The context of a schema: what its outer schemas, which lead to it by `$ref` and in-place applicators, say about the same value. The
 * validator of a schema depends on it.
 */
import type { Direction } from '../document/model.ts'
import type { MemberKey, SchemaView } from './view.ts'

/**
 * The least length limits of the outer schemas; Infinity without a limit. A longer text is invalid, so no pattern is tried on it: some
 * patterns take time that is exponential in its length.
 */
export interface LengthLimits {
  /** The least `maxLength`, for `pattern` and `format`. */
  readonly maxLength: number
  /** The least `maxLength` of `propertyNames`, for `patternProperties`. */
  readonly maxNameLength: number
}

export interface SchemaContext extends LengthLimits {
  /** Undefined where readOnly and writeOnly have no effect. */
  readonly direction: Direction | undefined
  /** The properties that `required` must not demand, because messages in the direction lack them: see `isHidden` of a view. */
  readonly hiddenNames: readonly string[]
  /** Views of the value whose members may hide names that a single declaration of the member does not mention. */
  readonly hidingViews: readonly SchemaView[]
}

/** The most validators that are kept for one schema, by context: clients combine the patterns and branches that hide names. */
export const MAX_CONTEXTS = 100

/** Creates the context of a schema without outer schemas. */
export function createContext(direction: Direction | undefined): SchemaContext {
  return { direction, hiddenNames: [], hidingViews: [], maxLength: Infinity, maxNameLength: Infinity }
}

/** Creates the context of the schemas to which a schema leads: adds what the view of the schema says. */
export function createInnerContext(view: SchemaView, outerContext: SchemaContext): SchemaContext {
  return {
    ...addHiding(outerContext, view),
    maxLength: Math.min(outerContext.maxLength, view.maxLength),
    maxNameLength: Math.min(outerContext.maxNameLength, view.maxNameLength),
  }
}

/** Creates the context of a member: it has what other declarations of the member hide within it, without the limits of the outer value. */
export function createMemberContext({ direction, hidingViews }: SchemaContext, key: MemberKey): SchemaContext {
  return hidingViews.map((view) => view.member(key)).reduce(addHiding, createContext(direction))
}

/** Adds what a view of the value hides: its names, and the view itself if it hides something within members. */
function addHiding(context: SchemaContext, view: SchemaView): SchemaContext {
  if (context.direction === undefined) return context
  const hiddenNames = view.getHiddenNames(context.direction)
  const hidingViews = view.hidesWithinMembers ? [view] : []
  return {
    ...context,
    hiddenNames: [...new Set([...context.hiddenNames, ...hiddenNames])],
    hidingViews: [...new Set([...context.hidingViews, ...hidingViews])],
  }
}

/** Returns the members that a response leaves out: keywords ignore them. A request that has a hidden member is invalid. */
export function getOmittedNames({ direction, hiddenNames }: SchemaContext): readonly string[] {
  return direction === 'response' ? hiddenNames : []
}

/**
 * Creates the context of a condition (`not`, `if`, `contains`, `propertyNames`), which ignores the direction. Otherwise, `not` would
 * accept more values in a request than the spec says, because its schema would require less.
 */
export function createConditionContext({ maxLength, maxNameLength }: LengthLimits): SchemaContext {
  return { ...UNDIRECTED, maxLength, maxNameLength }
}

/** The context in which nothing changes the meaning of a schema. */
export const UNDIRECTED = createContext(undefined)
