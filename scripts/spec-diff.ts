/**
 * Compares `openapi.yaml` with an earlier version of it; see `help` below.
 */
import { readFileSync } from 'node:fs'
import { styleText } from 'node:util'
import { loadDocument, parsePointer } from '../src/openapi/index.ts'
import { readArguments, runCommand } from './lib/command.ts'
import { readBase } from './spec-diff/base.ts'
import { type Change, type Rating, rate } from './spec-diff/ratings.ts'
import { runRedocly } from './spec-diff/redocly.ts'
import { BUMPS, isAtLeast, nextVersion, parseVersion } from './spec-diff/version.ts'

const help = `usage: npm run spec:diff -- [BASE]

Compares openapi.yaml with an earlier version of it, and prints each change with its place, the reason, and the part of
info.version that it increments: major if it breaks clients, minor, or patch. A patch needs no new version.

What breaks clients needs a major version, unless it is within an operation whose x-sunset is past or that has the
x-stability-level experimental or beta: then a minor version does.

Arguments:
  BASE          a file or a git ref (default: the last tag, or else origin/main, or else HEAD)

Options:
  -h, --help    prints this

Example:
  npm run spec:diff -- v1.0.0

Exit status: 0 info.version allows the changes, 1 it does not, 2 wrong usage or no base.`

const SPEC = 'openapi.yaml'
const COLORS = { major: 'red', minor: 'green', patch: 'dim' } as const
/** Longer values are left out: the place is enough to find them. */
const LONGEST = 40

await runCommand(async (args) => {
  const { texts } = readArguments(args, { command: 'npm run spec:diff', help, names: ['[BASE]'] })
  const base = readBase(SPEC, texts[0])
  const document = await loadDocument(SPEC)
  const changes = runRedocly(base.text, readFileSync(SPEC, 'utf8'))
    .filter(({ path, property }) => `${path}/${property}` !== '#/info/version')
    .map((change) => ({ change, rating: rate(change, base.root) }))
    .sort((one, other) => BUMPS.indexOf(other.rating.bump) - BUMPS.indexOf(one.rating.bump))
  for (const { change, rating } of changes) console.log(format(change, rating, base.name))

  const count = `${changes.length || 'no'} ${changes.length === 1 ? 'change' : 'changes'}`
  const summary = `${count} since ${base.version} (${base.name})`
  const { version } = document.root.info
  const needed = nextVersion(base.version, changes[0]?.rating.bump ?? 'patch')
  const to = parseVersion(version)
  if (to === undefined || !isAtLeast(to, needed)) {
    const advice = `info.version is ${version}; write ${needed} or a later version`
    throw new Error(`${document.locate('/info/version')}: ${summary}, and ${advice}`)
  }
  console.log(`${summary}; info.version ${version} allows that`)
})

/** Formats a change: the part of the version, the place, what has changed, and the reasons below. */
function format(
  { kind, path, property = '', base, revision }: Change,
  { bump, reasons }: Rating,
  name: string,
): string {
  const { line, col } = { line: 1, col: 1, ...base, ...revision }
  const place = `${revision === undefined ? name : SPEC}:${line}:${col}`
  const what = [...parsePointer(path), property].filter(Boolean).join(' ')
  const values = kind === 'modified' ? formatValues(base?.value, revision?.value) : kind
  return [`${styleText(COLORS[bump], bump)}  ${place}  ${what}: ${values}`, ...reasons].join('\n       ')
}

function formatValues(...values: readonly unknown[]): string {
  const texts = values.map((value) => (value === undefined ? 'none' : JSON.stringify(value)))
  return texts.every(({ length }) => length <= LONGEST) ? texts.join(' → ') : 'modified'
}
