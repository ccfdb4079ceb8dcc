/**
 * Draws docs/images/additions.svg: additions a second of one, two and four instances, by the latency of a commit.
 *
 *     node docs/images/additions.ts > docs/images/additions.svg
 *
 * docs/scaling.md says how the numbers were measured.
 */

/** Additions a second with one, two and four instances; 1,000 callers in all. */
type Rates = readonly [one: number, two: number, four: number]

const groups: readonly { readonly name: string; readonly lock: Rates; readonly ranges: Rates }[] = [
  { name: 'commit takes 10 ms', lock: [19000, 19000, 8084], ranges: [12000, 22667, 25083] },
  { name: 'commit takes 27 ms', lock: [10333, 8167, 4083], ranges: [9333, 12833, 12500] },
]

const WIDTH = 780
const LEFT = 260
const RIGHT = 700
const TOP = 84
const ROW = 22
const GAP = 40
const MAX = 28_000
const instances = ['1 instance', '2 instances', '4 instances']
const HEIGHT = TOP + groups.length * (6 * ROW + GAP) + 30

const style = `
    .page { fill: #ffffff; stroke: #d0d7de }
    text { fill: #1f2328; font: 13px system-ui, sans-serif }
    .title { font-size: 15px; font-weight: 600 }
    .note, .value { fill: #59636e; font-size: 12px }
    .lock { fill: #0969da }
    .ranges { fill: #bc4c00 }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117; stroke: #3d444d }
      text { fill: #f0f6fc }
      .note, .value { fill: #9198a1 }
      .lock { fill: #58a6ff }
      .ranges { fill: #f0883e }
    }`

function drawText(x: number, y: number, text: string, attributes = ''): string {
  return `<text x="${x}" y="${y}"${attributes}>${text}</text>`
}

function drawBar(id: string, y: number, rate: number): string[] {
  const width = Math.round((rate / MAX) * (RIGHT - LEFT))
  return [
    `<rect class="${id}" x="${LEFT}" y="${y}" width="${width}" height="9"/>`,
    drawText(LEFT + width + 6, y + 9, rate.toLocaleString('en'), ' class="value"'),
  ]
}

function drawGroup({ name, lock, ranges }: (typeof groups)[number], index: number): string[] {
  const top = TOP + index * (6 * ROW + GAP)
  return [
    drawText(20, top + 16, name),
    ...instances.flatMap((label, place) => [
      drawText(LEFT - 12, top + place * 2 * ROW + 16, label, ' text-anchor="end"'),
      ...lock.slice(place, place + 1).flatMap((rate) => drawBar('lock', top + place * 2 * ROW, rate)),
      ...ranges.slice(place, place + 1).flatMap((rate) => drawBar('ranges', top + place * 2 * ROW + 13, rate)),
    ]),
  ]
}

const title = 'Additions a second, with 1,000 callers in all'
const lines = [
  `<rect class="page" x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="6"/>`,
  drawText(20, 30, title, ' class="title"'),
  `<rect class="lock" x="${LEFT}" y="48" width="9" height="9"/>`,
  drawText(LEFT + 16, 57, 'one lock, as it is'),
  `<rect class="ranges" x="${LEFT + 160}" y="48" width="9" height="9"/>`,
  drawText(LEFT + 176, 57, 'without the lock: what ranges of ids could reach'),
  ...groups.flatMap(drawGroup),
  drawText(
    20,
    HEIGHT - 12,
    'PostgreSQL 18 and the instances on one machine with 2 cores, without HTTP.',
    ' class="note"',
  ),
]

console.log(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">
  <title>${title}</title>
  <style>${style}
  </style>
  ${lines.join('\n  ')}
</svg>`)
