/** The context of a schema: what the schemas around it say about the same value. Validation of the schema depends on it. */
import type { Direction } from '../document/model.ts'

/**
 * Which names `required` of a schema must not demand. In a request to
 *
 *     required: [id]
 *     properties: { id: { readOnly: true } }
 *     anyOf:
 *       - { required: [id, name] }
 *       - { required: [key], properties: { key: { readOnly: true } } }
 *
 * | schema            | `hiddenNames` | why                                                       | `hiddenNamesInBranches` |
 * |-------------------|---------------|-----------------------------------------------------------|-------------------------|
 * | the whole         | `id`, `key`   | it hides `id`; a branch that the value may satisfy, `key` | `id`                    |
 * | the first branch  | `id`          | the schema around it hides `id`; its sibling has no say   | `id`                    |
 * | the second branch | `id`, `key`   | the schema around it hides `id`; it hides `key` itself    | `id`, `key`             |
 *
 * So a request needs `name` for the first branch, and nothing for the second one.
 */
export interface SchemaContext {
  /** Undefined where readOnly and writeOnly have no effect. */
  readonly direction: Direction | undefined
  /** The properties that `required` of the schema must not demand: messages in the direction lack them (`isHidden` of a view). */
  readonly hiddenNames: readonly string[]
  /** The subset of `hiddenNames` that the branches of the schema inherit. */
  readonly hiddenNamesInBranches: readonly string[]
  /** The least `maxLength` of the schemas around the schema: `pattern` and `format` do not try longer texts. */
  readonly maxLength?: number | undefined
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

/** Returns the context of a condition: a text that the schemas around it reject need not satisfy it. */
export function toConditionContext({ maxLength }: SchemaContext): SchemaContext {
  return { ...UNDIRECTED, maxLength }
}

/** Returns the context of a branch. A branch does not inherit the names that only its siblings hide. */
export function toBranchContext({ direction, hiddenNamesInBranches, maxLength }: SchemaContext): SchemaContext {
  return { ...createContext(direction, hiddenNamesInBranches), maxLength }
}
