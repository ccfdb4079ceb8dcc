/**
 * What the scripts that measure have in common.
 */

/** The value in the middle of one or more, in their order; of two in the middle, the greater one. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] as number
}
