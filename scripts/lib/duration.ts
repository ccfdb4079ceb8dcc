/**
 * Durations as people write them.
 */
const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The rule for durations, for people. */
export const durationRule = 'a number of seconds, minutes, hours or days from 1 to 99999, such as 30s, 15m, 12h or 90d'

/** Parses a duration, such as `90d`, to milliseconds; 0s is one as well. Returns undefined if it is none. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(0|[1-9]\d{0,4})([smhd])$/.exec(text) ?? []
  const unitMs = units[unit]
  return unitMs && Number(count) * unitMs
}
