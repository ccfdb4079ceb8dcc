/** The context of a schema: what the schemas around it say about the same value. Validation of the schema depends on it. */
import type { Direction } from '../document/model.ts'

/**
 * In a request to
 *
 *     required: [id]
 *     properties: { id: { readOnly: true } }
 *     anyOf: [{ required: [id, name] }, { required: [key], properties: { key: { readOnly: true } } }]
 *
 * `id` is hidden from the schema and from both branches: none of them may require it. `key` is hidden from the second branch, and
 * from the schema itself, whose `required` also applies to values of the second branch. The first branch may require `key`.
 */
export interface SchemaContext {
  /** Undefined where readOnly and writeOnly have no effect. */
  readonly direction: Direction | undefined
  /** The properties that `required` of the schema must not demand: messages in the direction lack them (hidden.ts). */
  readonly hiddenNames: readonly string[]
  /** The subset of `hiddenNames` that also holds in the branches of the schema. */
  readonly hiddenNamesInBranches: readonly string[]
}

/** Creates the context of a schema that hides no other properties than the schemas around it. */
export function createContext(direction: Direction | undefined, hiddenNames: readonly string[] = []): SchemaContext {
  return { direction, hiddenNames, hiddenNamesInBranches: hiddenNames }
}

/**
 * The context of conditions (`not`, `if`, `contains`, `propertyNames`). They ignore the direction. Otherwise, `not` would accept
 * more values in a request than the spec says, because its schema would require less.
 */
export const UNDIRECTED = createContext(undefined)

/** Returns the context of a branch. A branch does not inherit the names that only its siblings hide. */
export function toBranchContext({ direction, hiddenNamesInBranches }: SchemaContext): SchemaContext {
  return createContext(direction, hiddenNamesInBranches)
}
