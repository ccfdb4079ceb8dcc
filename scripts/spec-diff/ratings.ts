/**
 * The changes from one OpenAPI document to another, as `redocly diff` finds and rates them by the rules of OpenAPI and JSON
 * Schema, and what this project rates otherwise: redocly does not know extensions, and takes what does not break its rules for
 * a patch.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getTargetPointer, getValueAt, parsePointer, toObject, toPointer } from '../../src/openapi/tools.ts'

/** From the smallest to the largest. */
export const BUMPS = ['patch', 'minor', 'major'] as const
/** The part of the version that a change increments at least (https://semver.org/spec/v2.0.0.html). */
export type Bump = (typeof BUMPS)[number]

/** A change as `redocly diff --format json` reports it, as far as it is used. */
export interface Change {
  readonly kind: 'added' | 'removed' | 'modified'
  /** The name of an OpenAPI object without "Object", such as `Schema`. */
  readonly typeName: string
  /** The way to the object, through references, as a URI fragment. It begins with `components` only if nothing uses it. */
  readonly path: string
  /** The member of the object that is modified. */
  readonly property?: string
  /** Absent if the object was added, as `revision` is if it was removed. */
  readonly base?: Side
  readonly revision?: Side
  readonly impact: Bump
  /** Why it breaks clients. */
  readonly verdicts: readonly { readonly message: string }[]
}

/** A value in one of the documents, and the pointer to it as a URI fragment. */
interface Side {
  readonly pointer: string
  readonly value?: unknown
}

const cli = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
const config = JSON.stringify({ extends: ['diff-recommended'], telemetry: 'off' })
/** Without the options of Node for this process, such as a debugger. */
const env = { ...process.env, NODE_OPTIONS: '', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** Compares two documents, as texts in YAML. */
export function findChanges(base: string, revision: string): readonly Change[] {
  const folder = mkdtempSync(join(tmpdir(), 'spec-diff-'))
  const texts = { 'base.yaml': hideLists(base), 'revision.yaml': hideLists(revision), 'redocly.yaml': config }
  const options = ['--config', 'redocly.yaml', '--format', 'json', '--fail-on', 'none']
  try {
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text)
    const stdout = execFileSync(process.execPath, [cli, 'diff', 'base.yaml', 'revision.yaml', ...options], {
      cwd: folder,
      env,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: 'pipe',
    })
    return JSON.parse(stdout.replaceAll(/(?<=["/])extensible-enum"/g, 'x-extensible-enum"')).changes
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Renames the extension whose value is a list, so that redocly compares it: it ignores lists in extensions. Places remain. */
function hideLists(text: string): string {
  return text.replaceAll(/x-(extensible-enum["']?:)/g, '$1  ')
}

export interface Rating {
  readonly bump: Bump
  readonly reasons: readonly string[]
}

interface Row {
  /** Matches objects that are added or removed, such as `RequestBody`, or members with another value: `Header.required`. */
  readonly on: RegExp
  /** True for the changes that the row is about; by default for all. */
  readonly when?: (values: ChangedValues) => boolean
  readonly reason: string
}

/** What the rows ask about a change. */
interface ChangedValues {
  /** The values before and after; undefined for what is added or removed. */
  readonly before: unknown
  readonly after: unknown
  readonly path: string
  /** True if requests have the value, in any operation; so for responses. */
  readonly isInRequests: boolean
  readonly isInResponses: boolean
  /** True if the value is the schema of a required property. */
  readonly isRequired: boolean
}

/** The date (RFC 3339, full-date) at which sunsets are past or to come. */
const today = new Date().toISOString().slice(0, 10)

/** Of the rows for a change, the largest part of the version counts. A change that breaks a rule of redocly needs no row. */
const table: Readonly<Record<Bump, readonly Row[]>> = {
  major: [
    { on: /^Schema\.default$/, reason: 'Requests that leave it out have another effect.' },
    { on: /^ServerVariable\.default$/, reason: 'Clients have the URL with the value before.' },
    {
      on: /^SecurityRequirementList$/,
      when: ({ after, path }) => after === undefined && path !== '#/security',
      reason: 'The security of the whole document applies instead.',
    },
    {
      on: /^RequestBody$/,
      when: ({ after }) => toObject(after).required === true,
      reason: 'Requests without a body are rejected.',
    },
    {
      on: /^RequestBody\.x-max-(bytes|depth)$/,
      when: ({ before = Infinity, after = Infinity }) => Number(after) < Number(before),
      reason: 'Bodies that are accepted until now are rejected.',
    },
    {
      on: /^Parameter\.x-idempotency-ttl-seconds$/,
      when: ({ before = 0, after = 0 }) => Number(after) < Number(before),
      reason: 'Requests that are repeated later are carried out again.',
    },
    {
      on: /^Schema\.readOnly$/,
      when: ({ after, isInRequests }) => after === true && isInRequests,
      reason: 'Requests that have the property are rejected.',
    },
    {
      on: /^Schema\.readOnly$/,
      when: ({ after, isInRequests, isRequired }) => after !== true && isInRequests && isRequired,
      reason: 'Requests without the property are rejected.',
    },
    {
      on: /^Schema\.writeOnly$/,
      when: ({ after, isInResponses }) => after === true && isInResponses,
      reason: 'Responses lack the property.',
    },
    {
      on: /^Schema\.(type|enum|const)$/,
      when: ({ isInRequests, path }) => isInRequests && /\/oneOf\/\d+(\/|$)/.test(path),
      reason: 'Requests that match another branch, too, are rejected.',
    },
    {
      on: /^Encoding(\.contentType)?$/,
      when: ({ before, after }) => !acceptsAll(readMediaTypes(after), readMediaTypes(before)),
      reason: 'Files of other types are rejected.',
    },
    { on: /^Header\.required$/, when: ({ after }) => after !== true, reason: 'Responses may lack what clients read.' },
    {
      on: /^Schema\.x-extensible-enum$/,
      when: ({ before, after }) => subtract(before, after).length > 0,
      reason: 'Clients that look for one of the values do not find it.',
    },
    {
      on: /^Operation\.x-stability-level$/,
      when: ({ before, after }) => getLevel(after) < getLevel(before),
      reason: 'Later minor versions may break clients.',
    },
    {
      on: /^Operation\.x-sunset$/,
      when: ({ before, after }) => (before === undefined ? String(after) <= today : String(after) < String(before)),
      reason: 'Clients have less time than they were told, or none.',
    },
  ],
  minor: [
    { on: /^SecurityRequirement(List)?$/, reason: 'Requests that are rejected until now are accepted.' },
    { on: /^Encoding(\.contentType)?$/, reason: 'Clients may send more than before.' },
    {
      on: /^Schema\.x-extensible-enum$/,
      when: ({ before, after }) => before !== undefined && subtract(after, before).length > 0,
      reason: 'Clients must expect values that they do not know.',
    },
    { on: /\.deprecated$/, when: ({ after }) => after === true, reason: 'Clients should stop using it.' },
    { on: /^Operation\.x-sunset$/, when: ({ before }) => before === undefined, reason: 'Clients must stop using it.' },
    {
      on: /\.(required|x-max-bytes|x-max-depth|x-idempotency-ttl-seconds|x-stability-level)$/,
      reason: 'Clients may send or rely on more than before.',
    },
    {
      on: /^Schema\.(?!title|description|examples?|externalDocs|xml|deprecated|\$comment|x-)/,
      reason: 'Clients may send or rely on more than before.',
    },
  ],
  patch: [{ on: /^(Tag|TagList|Contact|License|ExternalDocs|Example|ExamplesMap)$/, reason: 'It is documentation.' }],
}

/** Rates a change; `base` is the document before. */
export function rate(change: Change, base: unknown): Rating {
  const rating = rateAnywhere(change, base)
  if (rating.bump !== 'major' || !isWithinUnstable(change, base)) return rating
  const reason = 'A minor version may do that: the operation is not stable, or its sunset is past.'
  return { bump: 'minor', reasons: [...rating.reasons, reason] }
}

function rateAnywhere(change: Change, root: unknown): Rating {
  const { kind, typeName, path, property, impact, verdicts } = change
  const name = kind === 'modified' ? `${typeName}.${property}` : typeName
  const values = describeValues(change, root)
  // What nothing uses does not concern clients.
  const isRedoclys = verdicts.length > 0 || path.startsWith('#/components/')
  for (const bump of isRedoclys ? [] : BUMPS.toReversed()) {
    const row = table[bump].find(({ on, when }) => on.test(name) && when?.(values) !== false)
    if (row !== undefined) return { bump, reasons: [row.reason] }
  }
  return { bump: impact, reasons: verdicts.map(({ message }) => message) }
}

function describeValues({ path, base, revision }: Change, root: unknown): ChangedValues {
  const tokens = parsePointer(String(base?.pointer))
  const value = getValueAt(root, toPointer(...tokens))
  const schema = toObject(value)
  const owner = toObject(getValueAt(root, toPointer(...tokens.slice(0, -2))))
  const operations = Object.values(toObject(toObject(root).paths)).flatMap((item) => [
    item,
    ...Object.values(toObject(item)),
  ])
  const isWithin = (...fields: readonly string[]) =>
    findReachable(
      root,
      operations.flatMap((operation) => fields.map((field) => toObject(operation)[field])),
    ).has(schema)
  return {
    before: base?.value,
    after: revision?.value,
    path,
    isInRequests: isWithin('parameters', 'requestBody'),
    isInResponses: isWithin('responses'),
    isRequired: [owner.required].flat().includes(tokens.at(-1)),
  }
}

/** Finds the objects within some values, and within what they refer to. */
function findReachable(root: unknown, values: readonly unknown[]): ReadonlySet<unknown> {
  // The iteration includes the objects that are added during it.
  const objects = new Set(values)
  for (const object of objects) {
    const { $ref } = toObject(object)
    if (typeof $ref === 'string') objects.add(getValueAt(root, getTargetPointer($ref)))
    for (const member of Object.values(toObject(object))) objects.add(member)
  }
  return objects
}

/** Returns the media types of an Encoding Object, or of its `contentType`; a file without them may have any type. */
function readMediaTypes(encoding: unknown): readonly string[] {
  const contentType = typeof encoding === 'string' ? encoding : toObject(encoding).contentType
  return contentType === undefined ? ['*/*'] : String(contentType).split(/ *, */)
}

function acceptsAll(acceptedTypes: readonly string[], types: readonly string[]): boolean {
  return acceptedTypes.includes('*/*') || subtract(types, acceptedTypes).length === 0
}

/**
 * True if a change is within operations that may break clients with a minor version. A component may be used by others, too,
 * so a change of one is not.
 */
function isWithinUnstable({ base, revision }: Change, root: unknown): boolean {
  const [section, path = '', method = ''] = parsePointer(String((base ?? revision)?.pointer))
  const item = section === 'paths' ? toObject(getValueAt(root, toPointer('paths', path))) : {}
  const operation = toObject(item[method])
  const values = 'responses' in operation ? [operation] : Object.values(item).map(toObject)
  const operations = values.filter(({ responses }) => responses !== undefined)
  const isUnstable = operations.every(({ 'x-stability-level': level, 'x-sunset': sunset }) => {
    return getLevel(level) < getLevel('stable') || (sunset !== undefined && String(sunset) <= today)
  })
  return isUnstable && operations.length > 0
}

const LEVELS = ['experimental', 'beta', 'stable']

function getLevel(level: unknown = 'stable'): number {
  return LEVELS.indexOf(String(level))
}

/** Returns the values of a list that another one lacks; each may be absent. */
function subtract(list: unknown = [], other: unknown = []): unknown[] {
  return [list].flat().filter((value) => ![other].flat().includes(value))
}
