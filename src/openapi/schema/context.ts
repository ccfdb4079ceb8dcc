/** The context of a schema: what the schemas around it say about the same value. Its validation depends on that. */
import type { Direction, Schema } from '../document/model.ts'
import type { StaticViews } from './view.ts'

export interface SchemaContext {
  /** Undefined where readOnly and writeOnly have no effect. */
  readonly direction: Direction | undefined
  /** The properties that `required` must not demand, because messages in the direction lack them: see `isHidden` of a view. */
  readonly hiddenNames: readonly string[]
  /** The least `maxLength` of the schemas around the schema: `pattern` and `format` do not try longer texts. */
  readonly maxLength?: number | undefined
}

/** Creates the context of a schema that hides no other properties than the schemas around it. */
export function createContext(direction: Direction | undefined, hiddenNames: readonly string[] = []): SchemaContext {
  return { direction, hiddenNames }
}

/** Adds the names that a schema hides by itself to those that the schemas around it hide. */
export function addHiddenNames(schema: Schema, context: SchemaContext, views: StaticViews): SchemaContext {
  const hiddenNames = views.get(schema).getHiddenNames(context.direction)
  if (hiddenNames.length === 0) return context
  return { ...context, hiddenNames: [...new Set([...context.hiddenNames, ...hiddenNames])] }
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
