/**
 * The tables that a run prints.
 */
import { type Run, serverNames, serverTitles } from './results.ts'
import { workloadNames, workloads } from './workloads.ts'

type Cells = readonly string[]

export function formatRun(run: Run): string {
  const { date, node, cpu, cpus, animals, connections, rounds, seconds } = run
  const groups = workloadNames.flatMap((name) => {
    const results = run.results[name]
    return results === undefined ? [] : [{ title: workloads[name].title, results }]
  })
  const all = groups.flatMap(({ results }) => Object.values(results))
  return [
    `${date}, Node ${node}, ${cpus} × ${cpu}`,
    `${animals} animals, ${connections} connections; medians of ${rounds} rounds of ${seconds} s, ± half of their range`,
    '',
    ...groups.flatMap(({ title, results }) => [
      formatCells([title, 'requests/s', 'of node:http', 'of statements', 'CPU µs', 'p50 ms', 'p99 ms', 'client busy']),
      ...serverNames.flatMap((server) => {
        const result = results[server]
        if (result === undefined) return []
        const { requestsPerSecond, ratios, cpuMicros, p50, p99, clientBusy, isClientLimited } = result
        return formatCells([
          `  ${serverTitles[server]}`,
          requestsPerSecond.toFixed(0),
          formatRatio(ratios.nodeConstant),
          formatRatio(ratios.nodeStatements),
          cpuMicros?.toFixed(1) ?? '',
          p50.toFixed(2),
          p99.toFixed(2),
          `${(clientBusy * 100).toFixed(0)} %${isClientLimited ? ' !' : ''}`,
        ])
      }),
      '',
    ]),
    formatCells(['memory and start', 'MiB idle', 'MiB loaded', 'start ms']),
    ...serverNames.flatMap((server) => {
      const facts = run.servers[server]
      if (facts === undefined) return []
      const { idleMiB, loadedMiB, startMs } = facts
      return formatCells([
        `  ${serverTitles[server]}`,
        ...[idleMiB, loadedMiB, startMs].map((value) => value?.toFixed(0) ?? ''),
      ])
    }),
    ...(all.some(({ isClientLimited }) => isClientLimited)
      ? ['', '! The client was the limit: the server can do more than this.']
      : []),
  ].join('\n')
}

function formatRatio(ratio: { readonly value: number; readonly noise: number } | undefined): string {
  return ratio === undefined ? '' : `${ratio.value.toFixed(3)} ± ${ratio.noise.toFixed(3)}`
}

function formatCells([title = '', ...cells]: Cells): string {
  return title.padEnd(32) + cells.map((cell) => cell.padStart(17)).join('')
}
