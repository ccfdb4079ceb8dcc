/**
 * Guesses what a mistyped name was meant to be.
 */
import { closest, distance } from 'fastest-levenshtein'

/** ` (did you mean "status"?)` where one of the known names is at most two letters away; an empty text otherwise. */
export function didYouMean(name: string, known: readonly string[]): string {
  if (name.length > 64 || known.length === 0) return ''
  const guess = closest(name, known)
  return distance(name, guess) <= Math.min(2, guess.length - 1) ? ` (did you mean "${guess}"?)` : ''
}
