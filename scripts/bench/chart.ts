/**
 * The chart of the last runs, as SVG.
 */
import type { DatabaseName } from './catalogues.ts'
import { type Run, type Runs, type ServerName, serverTitles } from './results.ts'
import { workloadNames, workloads } from './workloads.ts'

/** The servers that have a bar, and its color. The bare `node:http` is 1. */
const bars = ['service', 'serviceLogging', 'nodeStatements', 'fastifyConstant'] as const satisfies ServerName[]

const databases: Readonly<Record<DatabaseName, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** The positions of their titles in the legend. */
const legend = [20, 212, 396, 602]

const width = 780
const left = 216
const right = 700
const bar = 10
const groupGap = 12

const style = `
    .page { fill: #ffffff; stroke: #d0d7de }
    text { fill: #1f2328; font: 13px system-ui, sans-serif }
    .title { font-size: 15px; font-weight: 600 }
    .note, .value { fill: #59636e; font-size: 10px }
    .grid { stroke: #d0d7de }
    .service { fill: #0969da }
    .serviceLogging { fill: #54aeff }
    .nodeStatements { fill: #bc4c00 }
    .fastifyConstant { fill: #8c959f }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117; stroke: #3d444d }
      text { fill: #f0f6fc }
      .note, .value { fill: #9198a1 }
      .grid { stroke: #3d444d }
    }`

/** Draws the requests per second of each server as a share of those of bare `node:http`, a part for each database. */
export function drawChart(runs: Runs): string {
  const parts: string[] = []
  let y = 66
  for (const [database, name] of Object.entries(databases)) {
    const run = runs[database as DatabaseName]
    if (run === undefined) continue
    parts.push(drawText(20, y + 14, `${name}, ${run.animals.toLocaleString('en')} animals`, ' class="title"'))
    const drawn = drawRun(run, y + 26)
    parts.push(...drawn.lines)
    y = drawn.end + 12
  }
  const height = y + 16
  const title = 'Requests per second, as a share of a bare node:http server that sends a constant'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
  <title>${title}</title>
  <style>${style}
  </style>
  <rect class="page" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>
  ${[drawText(20, 28, title, ' class="title"'), ...drawLegend(), ...parts].join('\n  ')}
  ${drawText(20, height - 10, 'The numbers are thousands of requests per second.', ' class="note"')}
</svg>
`
}

function drawLegend(): string[] {
  return bars.flatMap((server, index) => [
    `<rect class="${server}" x="${legend[index]}" y="43" width="10" height="10"/>`,
    drawText(Number(legend[index]) + 16, 52, serverTitles[server]),
  ])
}

/** Draws a group of bars for each workload, from `top` down. */
function drawRun(run: Run, top: number): { readonly lines: readonly string[]; readonly end: number } {
  const lines: string[] = []
  let y = top
  for (const name of workloadNames) {
    const results = run.results[name]
    const drawn = bars.flatMap((server) => {
      const result = results?.[server]
      return result === undefined ? [] : [{ server, result }]
    })
    for (const [index, { server, result }] of drawn.entries()) {
      const share = Math.min(result.ratios.nodeConstant?.value ?? 0, 1)
      const x = Math.round(left + share * (right - left))
      if (index === 0) {
        lines.push(drawText(left - 12, y + (drawn.length * bar) / 2 + 4, workloads[name].title, ' text-anchor="end"'))
      }
      lines.push(
        `<rect class="${server}" x="${left}" y="${y}" width="${x - left}" height="${bar - 1}"/>`,
        drawText(x + 5, y + bar - 1, (result.requestsPerSecond / 1000).toFixed(1), ' class="value"'),
      )
      y += bar
    }
    if (drawn.length > 0) y += groupGap
  }
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => {
    const x = Math.round(left + share * (right - left))
    return [
      `<line class="grid" x1="${x}" y1="${top - 4}" x2="${x}" y2="${y}"/>`,
      drawText(x, y + 12, String(share), ' class="note" text-anchor="middle"'),
    ]
  })
  return { lines: [...grid, ...lines], end: y + 16 }
}

function drawText(x: number, y: number, text: string, attributes = ''): string {
  return `<text x="${x}" y="${y}"${attributes}>${text}</text>`
}
