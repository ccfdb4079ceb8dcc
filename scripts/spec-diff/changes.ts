/**
 * The changes from one OpenAPI document to another, as `redocly diff` finds and rates them by the rules of OpenAPI and JSON Schema.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { stringifyExactly } from 'fastify-openapi-first/shared'
import { parsePointer, toObject, toPointer } from 'fastify-openapi-first/tools'

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
/** Ends the names of copied schemas; a private character, which no document has. */
const COPY = '\ue000'
/** Without the options of Node for this process, such as a debugger. */
const env = { ...process.env, NODE_OPTIONS: '', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** Finds the changes from one document to another. One of a schema that requests and responses share is found for each of them. */
export function findChanges(base: object, revision: object): readonly Change[] {
  const folder = mkdtempSync(join(tmpdir(), 'spec-diff-'))
  const texts = { 'base.yaml': toText(base), 'revision.yaml': toText(revision), 'redocly.yaml': config }
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
    const report = stdout.replaceAll(/(?<=["/])extensible-enum"/g, 'x-extensible-enum"').replaceAll(COPY, '')
    return joinRenamedHeaders(dropUnused(JSON.parse(report).changes))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Writes a document for redocly, as JSON: redocly does not compare aliases of YAML. */
function toText(root: object): string {
  const document = toObject(separateResponses(root, ''))
  const { schemas, ...components } = toObject(document.components)
  const copies = Object.entries(toObject(separateResponses(schemas, '/components/responses'))).map(([name, value]) => [
    name + COPY,
    value,
  ])
  const allSchemas = { ...toObject(schemas), ...Object.fromEntries(copies) }
  // Redocly ignores lists in extensions, so the one whose value is a list gets a name that is no extension.
  return stringifyExactly({ ...document, components: { ...components, schemas: allSchemas } }).replaceAll(
    '"x-extensible-enum":',
    '"extensible-enum":',
  )
}

/** Matches the pointers to responses and their headers, and to what is in them. A schema may have a member `responses`, too. */
export const IN_RESPONSE =
  /^#?\/(?:(?:paths|webhooks|components\/pathItems)(?:\/[^/]+){2}(?:\/callbacks(?:\/[^/]+){3})*\/responses|components\/(?:responses|headers))(?:\/|$)/

/**
 * Makes responses refer to copies of the schemas. Otherwise redocly reports a change once, at the first use of the schema. `pointer`
 * leads to the value.
 */
function separateResponses(value: unknown, pointer: string): unknown {
  if (typeof value === 'string')
    return IN_RESPONSE.test(pointer) ? value.replace(/^#\/components\/schemas\/[^/]+/, `$&${COPY}`) : value
  if (Array.isArray(value)) return value.map((item, index) => separateResponses(item, `${pointer}/${index}`))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => {
    return [name, separateResponses(member, pointer + toPointer(name))]
  })
  return Object.fromEntries(members)
}

/** Drops the changes of components that nothing uses, if the component or its copy is used. */
function dropUnused(changes: readonly Change[]): Change[] {
  const getPlaces = ({ kind, property, base, revision }: Change) =>
    [kind, property, base?.pointer, revision?.pointer].join(' ')
  const isUnused = ({ path }: Change) => path.startsWith('#/components/')
  const usedPlaces = new Set(changes.filter((change) => !isUnused(change)).map(getPlaces))
  return changes.filter((change) => !isUnused(change) || !usedPlaces.has(getPlaces(change)))
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
