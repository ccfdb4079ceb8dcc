/**
 * Draws docs/images/capacity.svg: the time of each operation of a store with 1,000 and with 10 million animals.
 *
 *     node docs/images/capacity.ts > docs/images/capacity.svg
 *
 * The numbers are medians in milliseconds, as `npm run scale` prints them; docs/operations.md says how they were measured.
 */

type Times = readonly [small: number, large: number]
type Database = 'sqlite' | 'postgres'

const rows: readonly (Record<Database, Times> & { readonly name: string })[] = [
  { name: 'first page', sqlite: [0.012, 0.012], postgres: [0.055, 0.083] },
  { name: 'page in the middle', sqlite: [0.012, 0.016], postgres: [0.044, 0.082] },
  { name: 'page near the end', sqlite: [0.012, 0.013], postgres: [0.039, 0.065] },
  { name: 'first page of the available (90 %)', sqlite: [0.013, 0.013], postgres: [0.05, 0.07] },
  { name: 'first page of the pending (10 %)', sqlite: [0.014, 0.015], postgres: [0.044, 0.069] },
  { name: 'first page of the sold (the last 5)', sqlite: [0.008, 0.008], postgres: [0.029, 0.044] },
  { name: 'fetch one animal', sqlite: [0.003, 0.006], postgres: [0.051, 0.073] },
  { name: 'add one animal', sqlite: [0.351, 0.348], postgres: [0.235, 0.24] },
  { name: 'add 50 animals at once', sqlite: [0.649, 0.648], postgres: [0.8, 0.822] },
]

const databases: readonly { readonly id: Database; readonly name: string }[] = [
  { id: 'sqlite', name: 'SQLite' },
  { id: 'postgres', name: 'PostgreSQL 18' },
]

const WIDTH = 780
const LEFT = 256
const RIGHT = 716
const TOP = 92
const ROW = 42
const BOTTOM = TOP + rows.length * ROW
const HEIGHT = BOTTOM + 48

/** The ends of the logarithmic scale, and its grid, in milliseconds. */
const MIN = 0.002
const MAX = 1
const GRID = [0.01, 0.1, 1]

const style = `
    .page { fill: #ffffff; stroke: #d0d7de }
    text { fill: #1f2328; font: 13px system-ui, sans-serif }
    .title { font-size: 15px; font-weight: 600 }
    .note, .value, .tick { fill: #59636e; font-size: 12px }
    .grid { stroke: #d0d7de }
    .sqlite { stroke: #0969da; fill: #0969da }
    .postgres { stroke: #bc4c00; fill: #bc4c00 }
    .neutral { stroke: #59636e; fill: #59636e }
    .ring { fill: none; stroke-width: 2 }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117; stroke: #3d444d }
      text { fill: #f0f6fc }
      .note, .value, .tick { fill: #9198a1 }
      .grid { stroke: #3d444d }
      .sqlite { stroke: #58a6ff; fill: #58a6ff }
      .postgres { stroke: #f0883e; fill: #f0883e }
      .neutral { stroke: #9198a1; fill: #9198a1 }
      .ring { fill: none }
    }`

/** The horizontal position of a time. */
function toX(ms: number): number {
  const share = Math.log(ms / MIN) / Math.log(MAX / MIN)
  return Math.round((LEFT + share * (RIGHT - LEFT)) * 10) / 10
}

function drawText(x: number, y: number, text: string, attributes = ''): string {
  return `<text x="${x}" y="${y}"${attributes}>${text}</text>`
}

function drawGrid(ms: number): string[] {
  const x = toX(ms)
  return [
    `<line class="grid" x1="${x}" y1="${TOP}" x2="${x}" y2="${BOTTOM}"/>`,
    drawText(x, BOTTOM + 18, `${ms} ms`, ' class="tick" text-anchor="middle"'),
  ]
}

function drawRing(id: string, x: number, y: number): string {
  return `<circle class="${id} ring" cx="${x}" cy="${y}" r="6"/>`
}

function drawDot(id: string, x: number, y: number): string {
  return `<circle class="${id}" cx="${x}" cy="${y}" r="3.5" stroke="none"/>`
}

/** A ring at the time with 1,000 animals, a dot at that with 10 million, and a line between them. */
function drawTimes(id: Database, [small, large]: Times, y: number): string[] {
  const [from, to] = [toX(small), toX(large)]
  return [
    ...(to - from > 10
      ? [`<line class="${id}" x1="${from + 6}" y1="${y}" x2="${to}" y2="${y}" stroke-width="2"/>`]
      : []),
    drawRing(id, from, y),
    drawDot(id, to, y),
    drawText(Math.max(from, to) + 11, y + 4, large.toFixed(3), ' class="value"'),
  ]
}

function drawLegend(): string[] {
  return [
    ...databases.flatMap(({ id, name }, index) => [
      drawDot(id, LEFT + 4 + index * 84, 62),
      drawText(LEFT + 14 + index * 84, 66, name),
    ]),
    drawRing('neutral', LEFT + 222, 62),
    drawText(LEFT + 234, 66, '1,000 animals'),
    drawDot('neutral', LEFT + 344, 62),
    drawText(LEFT + 354, 66, '10 million'),
  ]
}

const lines = [
  `<rect class="page" x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="6"/>`,
  drawText(20, 30, 'Time of one operation of the store, with 1,000 and with 10 million animals', ' class="title"'),
  ...drawLegend(),
  ...GRID.flatMap(drawGrid),
  ...rows.flatMap((row, index) => {
    const y = TOP + index * ROW + ROW / 2
    return [
      drawText(LEFT - 16, y + 4, row.name, ' text-anchor="end"'),
      ...databases.flatMap(({ id }, lane) => drawTimes(id, row[id], y - 8 + lane * 16)),
    ]
  }),
  drawText(
    20,
    HEIGHT - 10,
    'Medians, logarithmic scale, without HTTP. The numbers are those with 10 million animals.',
    ' class="note"',
  ),
]

console.log(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">
  <title>Time of one operation of the store, with 1,000 and with 10 million animals</title>
  <style>${style}
  </style>
  ${lines.join('\n  ')}
</svg>`)
