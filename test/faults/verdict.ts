/**
 * What is to be true in the end, whatever has happened.
 */
import type { Test } from 'tap'
import type { Audit, Traffic } from './traffic.ts'

/**
 * Sends every creation without a response again. Passes when the catalogue of an instance is what its clients were told,
 * and none of them was told anything wrong.
 */
export async function passes(
  t: Test,
  { settle, audit, violations, outcomes }: Traffic,
  origin: string,
): Promise<Audit> {
  await settle(origin)
  const audited = await audit(origin)
  t.same(violations, [], 'nothing is lost or doubled, and every response is right')
  t.equal(audited.unacknowledged, 0, 'every creation that is sent again gets a response')
  const counts = Object.entries(
    Object.groupBy(outcomes, ({ response, failure }) => response?.status ?? failure ?? ''),
  ).map(([result, those = []]) => `${those.length} × ${result}`)
  t.comment(`${outcomes.length} requests: ${counts.join(', ')}; ${audited.acknowledged} animals acknowledged`)
  return audited
}

/** Passes when every request got a response within `within` milliseconds. */
export function respondsInTime(t: Test, { outcomes }: Traffic, within: number): void {
  t.same(
    outcomes.filter(({ failure }) => failure !== undefined),
    [],
    'every request gets a response',
  )
  const slowest = Math.max(...outcomes.map(({ ms }) => ms))
  t.ok(slowest < within, `the slowest response took ${Math.round(slowest)} ms`)
}
