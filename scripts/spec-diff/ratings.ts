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
import { isDeepStrictEqual } from 'node:util'
import type { OpenApiDocument } from 'fastify-openapi-first'
import {
  allowsAnonymous,
  type Direction,
  findSchemas,
  getRequestSchemas,
  getResponseSchemas,
  getValueAt,
  parsePointer,
  resolve,
  type Schema,
  toObject,
  toPattern,
  toPointer,
  type Values,
} from 'fastify-openapi-first/tools'

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
    return joinRenamedHeaders(JSON.parse(stdout.replaceAll(/(?<=["/])extensible-enum"/g, 'x-extensible-enum"')).changes)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Renames the extension whose value is a list, so that redocly compares it: it ignores lists in extensions. Places remain. */
function hideLists(text: string): string {
  return text.replaceAll(/x-(extensible-enum["']?:)/g, '$1  ')
}

/** Joins the removal and the addition of a response header whose name differs in case alone. */
function joinRenamedHeaders(changes: readonly Change[]): Change[] {
  const headers = changes.filter(({ typeName }) => typeName === 'Header')
  return changes.flatMap((change) => {
    const { kind, path, revision } = change
    const counterpart = headers.find((header) => header.path !== path && isSameHeader(header, change))
    if (kind === 'modified' || counterpart === undefined) return change
    if (kind === 'removed') return []
    const [before, after] = [counterpart.path, path].map((headerPath) => parsePointer(headerPath).at(-1))
    return {
      ...change,
      kind: 'modified',
      property: 'key',
      base: { ...(counterpart.base as Side), value: before },
      revision: { ...(revision as Side), value: after },
      impact: 'patch',
    }
  })

  function isSameHeader(first: Change, second: Change): boolean {
    const getValue = ({ base, revision }: Change) => (base ?? revision)?.value
    const isSameName = first.path.toLowerCase() === second.path.toLowerCase()
    return isSameName && first.kind !== second.kind && isDeepStrictEqual(getValue(first), getValue(second))
  }
}

export interface Rating {
  readonly bump: Bump
  readonly reasons: readonly string[]
}

interface Row {
  /** Matches objects that are added or removed, such as `RequestBody`, or members with another value: `Header.required`. */
  readonly on: RegExp
  /** True for the changes that the row is about; by default for all. */
  readonly when?: (context: Context) => boolean
  readonly reason: string
}

/** What a change means, which follows from both documents. */
interface Context {
  /** The values before and after the change, if there are any. */
  readonly before: unknown
  readonly after: unknown
  readonly path: string
  /** True if messages in the direction have values of the schema that changes. */
  isSent(direction: Direction): boolean
  /** True if the schema that changes is that of a required property. */
  isRequired(): boolean
  /** True if a value may satisfy the branch of `oneOf` in which the change is and another branch. */
  mayOverlap(): boolean
  /** True if requests without credentials are accepted in the document before, or after. */
  readonly isOpen: { readonly before: boolean; readonly after: boolean }
}

/** The objects and members that say which media types the files of a form may have. */
const ENCODING = /^Encoding(Map|\.contentType)?$/
/** All changes but those of documentation. */
const VALIDATING =
  /^(?!Schema\.(title|description|examples?|externalDocs|deprecated|\$comment|x-)|Example|ExternalDocs|Xml)/

/** The date (RFC 3339, full-date) at which sunsets are past or to come. */
const today = new Date().toISOString().slice(0, 10)

/** Of the rows for a change, the largest part of the version counts. A change that breaks a rule of redocly needs no row. */
const table: Readonly<Record<Bump, readonly Row[]>> = {
  major: [
    { on: /^Schema\.default$/, reason: 'Requests that leave it out have another effect.' },
    { on: /^ServerVariable\.default$/, reason: 'Clients have the URL with the value before.' },
    {
      on: /^SecurityRequirementList$/,
      when: ({ after, isOpen, path }) => after === undefined && path !== '#/security' && !isOpen.after,
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
    {
      on: /^Schema\.readOnly$/,
      when: ({ after, isSent }) => after === true && isSent('request'),
      reason: 'Requests that have it are rejected.',
    },
    {
      on: /^Schema\.readOnly$/,
      when: ({ after, isRequired, isSent }) => after !== true && isSent('request') && isRequired(),
      reason: 'Requests that lack it are rejected.',
    },
    {
      on: /^Schema\.writeOnly$/,
      when: ({ after, isSent }) => after === true && isSent('response'),
      reason: 'Responses do not have it any more.',
    },
    {
      on: ENCODING,
      when: ({ before, after, path }) => path.includes('/requestBody/') && isNarrower(before, after),
      reason: 'Files of other types are rejected.',
    },
    {
      on: VALIDATING,
      when: ({ isSent, mayOverlap }) => isSent('request') && mayOverlap(),
      reason: 'Values that also match another branch of the oneOf are rejected.',
    },
  ],
  minor: [
    {
      on: /^SecurityRequirement(List)?$/,
      when: ({ isOpen }) => isOpen.after && !isOpen.before,
      reason: 'Requests without credentials are accepted.',
    },
    {
      on: /^SecurityRequirement\./,
      when: ({ before, after }) => subtract(before, after).length > 0,
      reason: 'Clients with fewer scopes are accepted.',
    },
    {
      on: ENCODING,
      when: ({ before, after, path }) => path.includes('/requestBody/') && isNarrower(after, before),
      reason: 'Files of more types are accepted.',
    },
    {
      on: /^Schema\.readOnly$/,
      when: ({ after, isSent }) => after !== true && isSent('request'),
      reason: 'Clients may send it.',
    },
    {
      on: /^Schema\.writeOnly$/,
      when: ({ after, isSent }) => after !== true && isSent('response'),
      reason: 'Responses have it, too.',
    },
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
      on: /^Schema\.(?!title|description|examples?|externalDocs|xml|deprecated|readOnly|writeOnly|\$comment|x-)/,
      reason: 'Clients may send or rely on more than before.',
    },
  ],
  patch: [
    { on: /^(Tag|TagList|Contact|License|ExternalDocs|Example|ExamplesMap)$/, reason: 'It is documentation.' },
    {
      on: /^(Header\.key|Parameter\.name)$/,
      when: ({ before, after }) => String(before).toLowerCase() === String(after).toLowerCase(),
      reason: 'Names of headers ignore case.',
    },
    {
      on: /^Schema\.(readOnly|writeOnly)$/,
      reason: 'No message has another value.',
    },
  ],
}

/** Creates the function that rates the changes from the values of a document to another document. */
export function createRating(base: unknown, document: OpenApiDocument): (change: Change) => Rating {
  const createContext = createContexts(base, document)

  function rateAnywhere(change: Change): Rating {
    const { kind, typeName, path, property, impact, verdicts } = change
    const name = kind === 'modified' ? `${typeName}.${property}` : typeName
    const context = createContext(change)
    // What nothing uses does not concern clients.
    const isRedoclys = verdicts.length > 0 || path.startsWith('#/components/')
    for (const bump of isRedoclys ? [] : BUMPS.toReversed()) {
      const row = table[bump].find(({ on, when }) => on.test(name) && when?.(context) !== false)
      if (row !== undefined) return { bump, reasons: [row.reason] }
    }
    return { bump: impact, reasons: verdicts.map(({ message }) => message) }
  }

  return (change) => {
    const rating = rateAnywhere(change)
    if (rating.bump !== 'major' || !isWithinUnstable(change, base)) return rating
    const reason = 'A minor version may do that: the operation is not stable, or its sunset is past.'
    return { bump: 'minor', reasons: [...rating.reasons, reason] }
  }
}

/** Creates the function that finds the context of a change. */
function createContexts(base: unknown, { root, operations, compile }: OpenApiDocument): (change: Change) => Context {
  const messageSchemas = {
    request: new Set<unknown>(findSchemas(root, ...operations.flatMap(getRequestSchemas))),
    response: new Set<unknown>(findSchemas(root, ...operations.flatMap(getResponseSchemas))),
  }
  /** Returns the value at a path of the document, which leads through references. */
  const follow = (path: readonly string[]) =>
    path.reduce((value: Values, token) => {
      return toObject((token in value ? value : resolve<Values>(root, value))[token])
    }, toObject(root))
  const isOverlapping = (schema: Schema) => {
    const branchings = compile.views.getBranchings(schema).filter(({ keyword }) => keyword === 'oneOf')
    return branchings.some((branching) => branching.getDispatch([]) === undefined)
  }

  return ({ path, base: sideBefore, revision }) => {
    const tokens = parsePointer(path)
    const pointer = parsePointer(String((revision ?? sideBefore)?.pointer))
    const owners = pointer.map((_token, index) => getValueAt(root, toPointer(...pointer.slice(0, index + 1))))
    return {
      before: sideBefore?.value,
      after: revision?.value,
      path,
      isSent: (direction) => owners.some((owner) => messageSchemas[direction].has(owner)),
      isRequired() {
        const { required } = resolve<Schema>(root, follow(tokens.slice(0, -2)))
        return required?.includes(String(tokens.at(-1))) === true
      },
      mayOverlap: () =>
        tokens.some((token, index) => {
          const isBranch = token === 'oneOf' && index < tokens.length - 1
          return isBranch && isOverlapping(resolve<Schema>(root, follow(tokens.slice(0, index))))
        }),
      isOpen: { before: isOpen(base, tokens), after: isOpen(root, tokens) },
    }
  }
}

/** True if the security requirements at a path, of an operation or of the document, accept requests without credentials. */
function isOpen(root: unknown, [section, path, method]: readonly string[]): boolean {
  const operation = section === 'paths' ? toObject(getValueAt(root, toPointer('paths', `${path}`, `${method}`))) : {}
  const security = operation.security ?? toObject(root).security ?? []
  return allowsAnonymous(Object.values(toObject(security)).map((alternative) => Object.keys(toObject(alternative))))
}

/** True if a list of media types, or those in an object, lacks some of another one. Without media types, all are allowed. */
function isNarrower(before: unknown, after: unknown): boolean {
  const [typesBefore, typesAfter] = [before, after].map(getMediaTypes) as [string[], string[]]
  const isAllowed = (type: string) => typesAfter.some((range) => toPattern(range).test(type))
  return typesAfter.length > 0 && (typesBefore.length === 0 || !typesBefore.every(isAllowed))
}

function getMediaTypes(value: unknown): string[] {
  if (typeof value === 'string') return value.split(',').map((type) => type.trim())
  return Object.values(toObject(value)).flatMap(getMediaTypes)
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
