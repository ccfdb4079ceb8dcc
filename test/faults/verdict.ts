/**
 * What is to be true in the end, whatever has happened.
 */
import type { Test } from 'tap'
import type { Audit, Traffic } from './traffic.ts'

/**
 * Asks again for what has not been answered, and passes when an instance's catalogue is what its clients were told, and
 * none of them was told anything wrong.
 */
export async function passes(
  t: Test,
  { settle, audit, violations, outcomes }: Traffic,
  origin: string,
): Promise<Audit> {
  await settle(origin)
  const audited = await audit(origin)
  t.same(violations, [], 'nothing is lost, doubled or answered otherwise than it should be')
  t.equal(audited.unanswered, 0, 'what is asked for again is answered')
  const counts = Object.entries(Object.groupBy(outcomes, ({ answer, failure }) => answer?.status ?? failure ?? '')).map(
    ([result, those = []]) => `${those.length} × ${result}`,
  )
  t.comment(`${outcomes.length} requests: ${counts.join(', ')}; ${audited.acknowledged} animals acknowledged`)
  return audited
}

/** Passes when every request was answered, and none after more than `within` milliseconds. */
export function answersAll(t: Test, { outcomes }: Traffic, within: number): void {
  t.same(
    outcomes.filter(({ failure }) => failure !== undefined),
    [],
    'every request is answered',
  )
  const slowest = Math.max(...outcomes.map(({ ms }) => ms))
  t.ok(slowest < within, `the slowest answer took ${Math.round(slowest)} ms`)
}
