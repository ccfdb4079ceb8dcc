/**
 * Properties that hold for whatever is made up. What is made up follows from a seed, so that a run can be had again;
 * FC_SEED gives another one.
 */
import fc from 'fast-check'
import type { Test } from 'tap'
import { anyText, seed } from '../helpers/random.ts'

/** Passes when the predicate holds for every value; a failure says for which it does not. */
export async function holds<Value>(
  t: Test,
  values: fc.Arbitrary<Value>,
  predicate: (value: Value) => boolean | Promise<boolean>,
  numRuns = 100,
  firstSeed = seed,
): Promise<void> {
  const property = fc.asyncProperty(values, async (value) => predicate(value))
  const result = await fc.check(property, { seed: firstSeed, numRuns })
  t.notOk(result.failed, fc.defaultReportMessage(result) ?? `holds for ${result.numRuns} values`)
}

/** Any JSON, as the OpenAPI layer has it: an integer of up to 40 digits that a number does not hold is a bigint. */
export function json(): fc.Arbitrary<unknown> {
  const bigint = fc.bigInt({ min: 1n - 10n ** 40n, max: 10n ** 40n - 1n })
  const name = fc.oneof(anyText(), fc.constantFrom('__proto__', 'constructor', '1e400'))
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(null, true, false),
      anyText(),
      fc.maxSafeInteger(),
      bigint.filter((value) => !Number.isSafeInteger(Number(value))),
      fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }),
      fc.array(tie('value')),
      fc.dictionary(name, tie('value'), { noNullPrototype: true }),
    ),
  })).value
}
