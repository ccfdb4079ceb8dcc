/**
 * A validation run bounds the time and memory of validating one value. Where several branches of a schema refer back to it, the
 * number of evaluations may double with each level of a value: with `Tree: { anyOf: [{ items: Tree }, { items: Tree, maxItems: 9 }] }`,
 * 30 nested arrays need 2^30. So a run with many more evaluations than the value has parts remembers the errors in each object.
 */
import type { Values } from '../document/values.ts'
import type { ErrorList, Validator } from './validator.ts'

/** Thrown by a run that takes too much time or memory: whether the value is valid is not known. */
export class TooComplexError extends Error {
  constructor() {
    super('the value contains itself, is nested too deep, or takes too long to validate')
  }
}

export interface ValidationRun {
  /**
   * Runs work that validates a value, and returns the result of the work. Work within other work belongs to the same run:
   * conversions and serializations validate branches. Throws a `TooComplexError`.
   */
  runBounded<Result>(value: unknown, work: (value: unknown) => Result): Result
  /**
   * Returns the errors that a validator finds in an array or object, from memory if the run has many evaluations. Texts and numbers are
   * not counted: to validate one is faster than to remember it.
   */
  validate(validator: Validator, value: object): ErrorList
}

/** A run with fewer evaluations than this remembers nothing, whatever the size of its value. */
const MIN_LIMIT = 10_000
/** More evaluations than this for each part of a value are taken for repeated ones. A part has seldom so many schemas. */
const EVALUATIONS_PER_PART = 8
/** The most results that a run remembers: bounds its memory. */
const MAX_REMEMBERED = 1_000_000

/** The state of one run. */
interface Evaluations {
  readonly value: unknown
  count: number
  /** With fewer evaluations, the run remembers nothing. */
  limit: number
  rememberedCount: number
  readonly memory: Map<Validator, Map<object, ErrorList>>
}

/** Creates the runs of one document's validators, of which one at a time is running. */
export function createValidationRun(): ValidationRun {
  let run: Evaluations | undefined

  return {
    runBounded(value, work) {
      if (run !== undefined) return work(value)
      run = { value, count: 0, limit: MIN_LIMIT, rememberedCount: 0, memory: new Map() }
      try {
        return work(value)
      } catch (error) {
        // A string of megabytes may overflow the stack of V8's regular expressions.
        throw error instanceof RangeError && /call stack/.test(error.message) ? new TooComplexError() : error
      } finally {
        run = undefined
      }
    },

    validate(validator, value) {
      if (run === undefined) return validator(value)
      run.count++
      // Count the parts of the value only now: that takes time, and most runs end before.
      if (run.count === MIN_LIMIT) run.limit = Math.max(MIN_LIMIT, EVALUATIONS_PER_PART * countParts(run.value))
      return run.count < run.limit ? validator(value) : evaluateOnce(run, validator, value)
    },
  }
}

/** Returns the errors that a validator finds in an object, from memory if the run has found them before. */
function evaluateOnce(run: Evaluations, validator: Validator, value: object): ErrorList {
  const errorsByObject = run.memory.get(validator) ?? new Map<object, ErrorList>()
  run.memory.set(validator, errorsByObject)
  if (errorsByObject.has(value)) return errorsByObject.get(value)
  const errors = validator(value)
  if (++run.rememberedCount > MAX_REMEMBERED) throw new TooComplexError()
  errorsByObject.set(value, errors)
  return errors
}

/** Counts a value and all values within it. The loops take a fifth of the time of `Object.values`. */
function countParts(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  if (Array.isArray(value)) for (const item of value) count += countParts(item)
  else for (const name in value) count += countParts((value as Values)[name])
  return count
}
