/**
 * Suggests the name that a mistyped one was probably meant to be.
 */
import { closest, distance } from 'fastest-levenshtein'

/** Returns ` (did you mean "status"?)` if a known name is at most two letters away; an empty string otherwise. */
export function didYouMean(name: string, known: readonly string[]): string {
  if (name.length > 64 || known.length === 0) return ''
  const guess = closest(name, known)
  return distance(name, guess) <= Math.min(2, guess.length - 1) ? ` (did you mean "${guess}"?)` : ''
}
