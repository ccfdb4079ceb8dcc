/**
 * Statistics of measurements.
 */

/** The middle value of one or more; of two in the middle, the greater one. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] as number
}

/** The value below which a share of the values is, from 0 to below 1; NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  return Float64Array.from(values).sort()[Math.floor(values.length * share)] ?? Number.NaN
}

/** A value that was measured in several rounds. */
export interface Measurement {
  /** The median of the rounds. */
  readonly value: number
  /** Half of the difference between the greatest and the smallest. */
  readonly noise: number
}

export function summarize(rounds: readonly number[]): Measurement {
  return { value: median(rounds), noise: (Math.max(...rounds) - Math.min(...rounds)) / 2 }
}
