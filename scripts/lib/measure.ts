/**
 * Statistics of measurements.
 */

/** The middle value of one or more; of two in the middle, the greater one. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] as number
}
