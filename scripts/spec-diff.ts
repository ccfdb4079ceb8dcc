/** Compares `openapi.yaml` with an earlier version of it; see `help` below. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { loadDocument } from 'fastify-openapi-first'
import { DocumentError } from 'fastify-openapi-first/shared'
import {
  formatProblems,
  getTargetPointer,
  type ParsedDocument,
  parsePointer,
  type ReadOptions,
  readDocument,
  toObject,
} from 'fastify-openapi-first/tools'
import { readArguments, runCommand, UsageError } from '../src/command.ts'
import { BUMPS, type Bump, type Change, findChanges } from './spec-diff/changes.ts'
import { createRating, type Rating } from './spec-diff/ratings.ts'

const help = `usage: npm run spec:diff -- [BASE]

Compares openapi.yaml and the files that it refers to with an earlier version of them, and prints each change with its
place, the reason, and the part of info.version that it increments: major if it breaks clients, minor, or patch. A patch
needs no new version.

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
/** The length above which a value is not printed: FILE:LINE:COL is enough to find it. */
const MAX_VALUE = 40

await runCommand(async (args) => {
  const { texts } = readArguments(args, { command: 'npm run spec:diff', help, names: ['[BASE]'] })
  const base = readBase(texts[0])
  const document = await loadDocument(SPEC)
  // Not `document.root`, which is converted to OpenAPI 3.1.
  const { root } = readDocument(SPEC)
  const changes = rateChanges(findChanges(base.root, root), createRating(base.root, document))
  for (const { change, rating } of changes) console.log(format(change, rating, base, document))

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

interface RatedChange {
  readonly change: Change
  readonly rating: Rating
}

/** Rates changes, the largest first. A change of a schema that requests and responses share stands once if it means the same. */
function rateChanges(changes: readonly Change[], rate: (change: Change) => Rating): RatedChange[] {
  const rated = changes
    .filter(({ path, property }) => `${path}/${property}` !== '#/info/version')
    .map((change) => ({ change, rating: rate(change) }))
  const getMeaning = ({ change: { kind, property, base, revision }, rating }: RatedChange) =>
    JSON.stringify([kind, property, base?.pointer, revision?.pointer, rating])
  return [...new Map(rated.toReversed().map((item) => [getMeaning(item), item])).values()]
    .toReversed()
    .sort((first, second) => BUMPS.indexOf(second.rating.bump) - BUMPS.indexOf(first.rating.bump))
}

interface Base extends Pick<ParsedDocument, 'root' | 'locate'> {
  /** Its name for the operator: `v1.0.0`, or the name of a file. */
  readonly name: string
  /** The numbers of its version, as `1.2.3`. */
  readonly version: string
}

/** Reads the base that an argument names. Throws a UsageError if there is none. */
function readBase(argument: string | undefined): Base {
  if (argument !== undefined && existsSync(argument)) return toBase(argument, argument)
  const getDefaults = () => [git('describe', '--tags', '--abbrev=0')?.trim() ?? [], 'origin/main', 'HEAD'].flat()
  const refs = argument === undefined ? getDefaults() : [argument]
  for (const ref of refs) {
    if (git('cat-file', '-e', `${ref}:./${SPEC}`) !== undefined) return readRef(ref)
  }
  throw new UsageError(`${refs.join(', ')}: no file or git ref that has ${SPEC}; name one to compare with`)
}

/** Reads the files of a git ref, through a folder that gets each of them before it is read. */
function readRef(ref: string): Base {
  const folder = mkdtempSync(join(tmpdir(), 'spec-diff-'))
  const onRead = (path: string) => {
    const text = git('show', '--end-of-options', `${ref}:./${relative(folder, path)}`)
    if (text === undefined) return
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  try {
    const base = toBase(ref, join(folder, SPEC), { onRead })
    return { ...base, locate: (pointer) => `${ref}:${relative(folder, resolve(base.locate(pointer)))}` }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns the output of git; undefined if it fails, or if there is no git. */
function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}

function toBase(name: string, file: string, options?: ReadOptions): Base {
  const { root, problems, locate } = readFile(name, file, options)
  if (problems.length > 0) throw new UsageError(formatProblems({ locate }, problems).join('\n'))
  const version = parseVersion(toObject(root.info).version)
  if (version !== undefined && /^3\.[0-2]\./.test(String(root.openapi))) return { name, root, locate, version }
  throw new UsageError(
    `${name} is not OpenAPI 3.0 to 3.2 with an info.version such as 1.2.3; compare with another base`,
  )
}

function readFile(name: string, file: string, options?: ReadOptions): ParsedDocument {
  try {
    return readDocument(file, options)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new UsageError(`${name} cannot be read: ${error.message}`)
  }
}

/** Returns the numbers of a version, as `1.2.3`; undefined if it is none. A pre-release counts as its release. */
function parseVersion(text: unknown): string | undefined {
  return /^(\d+\.\d+\.\d+)(?:[-+][\w.+-]+)?$/.exec(String(text))?.[1]
}

/** Returns the first version that may have changes of this size: for a patch, the same one. */
function nextVersion(version: string, bump: Bump): string {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (bump === 'patch') return version
  // Before 1.0.0 anything may change with a minor version (Semantic Versioning, section 4).
  return bump === 'minor' || major === 0 ? `${major}.${minor + 1}.0` : `${major + 1}.0.0`
}

/** True if the version is the other one or a later one. */
function isAtLeast(version: string, minimum: string): boolean {
  return version.localeCompare(minimum, 'en', { numeric: true }) >= 0
}

/** Formats a change: the part of the version, the place, what has changed, and the reasons below. */
function format(
  { kind, path, property = '', base, revision }: Change,
  { bump, reasons }: Rating,
  baseDocument: Base,
  document: ParsedDocument,
): string {
  const [side, sideDocument] = revision === undefined ? [base, baseDocument] : [revision, document]
  const place = sideDocument.locate(getTargetPointer(side?.pointer ?? '#'))
  const what = [...parsePointer(path), property].filter(Boolean).join(' ')
  const values = kind === 'modified' ? formatValues(base?.value, revision?.value) : kind
  return [`${bump}  ${place}  ${what}: ${values}`, ...reasons].join('\n       ')
}

function formatValues(...values: readonly unknown[]): string {
  const texts = values.map((value) => (value === undefined ? 'none' : JSON.stringify(value)))
  return texts.every(({ length }) => length <= MAX_VALUE) ? texts.join(' → ') : 'modified'
}
