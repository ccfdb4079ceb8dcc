/**
 * The limits that `--check` compares a run with. They are ratios within one run, so they hold on any machine; another
 * version of Node may need others, because its `node:http` is faster or slower.
 */
import type { DatabaseName } from './catalogues.ts'
import { type Results, type ServerName, serverTitles } from './results.ts'
import { type WorkloadName, workloads } from './workloads.ts'

/** The limits of a workload: its least share of the requests per second of a floor, and its greatest p99 / p50. */
export type WorkloadLimits = Readonly<Partial<Record<ServerName | 'tail', number>>>

export type Limits = Readonly<Partial<Record<WorkloadName, WorkloadLimits>>>

export type LimitsByDatabase = Readonly<Record<DatabaseName, Limits>>

/** Throws an error with a line for each limit that the service misses. */
export function requireLimits(results: Results, limits: Limits): void {
  const missed = checkLimits(results, limits)
  if (missed.length > 0) throw new Error(`limits of scripts/bench/limits.json are missed:\n${missed.join('\n')}`)
}

/** Returns a line for each limit that the service misses by more than the noise of the run; workloads left out count as met. */
export function checkLimits(results: Results, limits: Limits): string[] {
  return Object.entries(limits).flatMap(([name, workloadLimits]) => {
    const result = results[name as WorkloadName]?.service
    if (result === undefined) return []
    return Object.entries(workloadLimits).flatMap(([measure, limit]) => {
      const isTail = measure === 'tail'
      const measured = isTail ? result.tail : result.ratios[measure as ServerName]
      if (measured === undefined) return []
      const { value, noise } = measured
      const missedBy = isTail ? value - limit : limit - value
      if (missedBy <= noise) return []
      const what = isTail ? 'p99 / p50' : `requests/s against ${serverTitles[measure as ServerName]}`
      const bound = isTail ? 'at most' : 'at least'
      const { title } = workloads[name as WorkloadName]
      return `${title}: ${what} is ${value.toFixed(3)} ± ${noise.toFixed(3)}, and the limit is ${bound} ${limit}`
    })
  })
}
