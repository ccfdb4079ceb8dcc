/**
 * The changes that are found without redocly: of servers, security, and whole operations.
 */
import { fillServers, getEntries, type OpenApi, stringifyExactly, toObject } from '../../src/openapi/index.ts'
import { COMPATIBLE, NO_EFFECT } from './meanings.ts'
import type { Rating } from './rate.ts'
import type { SpecOperation } from './uses.ts'

/** A rating, and the place of the rated value in the documents. */
export interface PlacedRating extends Rating {
  /** The pointer in the new document, or else in the base. */
  readonly pointer: string
  /** The ids of the operations that it affects. */
  readonly operations: readonly string[]
}

/** Rates the removal of an operation, which is allowed after its sunset. */
export function rateRemoved({ id, name, pointer, values }: SpecOperation, today: string): PlacedRating {
  const sunset = values['x-sunset']
  const isPast = typeof sunset === 'string' && sunset <= today
  const meaning = isPast
    ? `Its sunset was ${sunset}: clients had to stop using it before.`
    : sunset === undefined
      ? 'Clients that use it fail; an operation may be removed after its x-sunset.'
      : `Clients that use it fail; they may rely on it until its sunset ${sunset}.`
  return { bump: isPast ? 'minor' : 'major', what: `${name} was removed.`, meaning, pointer, operations: [id] }
}

/** Rates an operation that is new. */
export function rateAdded({ id, name, pointer }: SpecOperation): PlacedRating {
  return { bump: 'minor', what: `${name} was added.`, meaning: COMPATIBLE, pointer, operations: [id] }
}

/** Rates the URLs of the servers: clients have those in their configuration, and the base path with them. */
export function rateServers(base: OpenApi, revision: OpenApi, operations: readonly string[]): PlacedRating[] {
  const [before, after] = [base, revision].map((root) => fillServers(root, {}).map(({ url }) => url)) as [
    string[],
    string[],
  ]
  const lost = before.filter((url) => !after.includes(url))
  const gained = after.filter((url) => !before.includes(url))
  const at = (url: string | undefined) => ({
    pointer: url === undefined ? '/servers' : `/servers/${after.indexOf(url)}`,
    operations,
  })
  if (lost.length === 0 && gained.length === 0) {
    if (stringifyExactly(base.servers) === stringifyExactly(revision.servers)) return []
    return [{ bump: 'patch', what: 'The servers were edited.', meaning: NO_EFFECT, ...at(undefined) }]
  }
  return [
    ...lost.map((url, index): PlacedRating => {
      const other = gained[index]
      const what = other === undefined ? `The server ${url} was removed.` : `The server ${url} became ${other}.`
      return { bump: 'major', what, meaning: 'Requests to its URL fail.', ...at(other) }
    }),
    ...gained.slice(lost.length).map((url): PlacedRating => {
      return { bump: 'minor', what: `The server ${url} was added.`, meaning: COMPATIBLE, ...at(url) }
    }),
  ]
}

/** The alternatives (OpenAPI 3.1, Security Requirement Object): the scopes for each scheme, by what the scheme does. */
type Alternative = ReadonlyMap<string, readonly string[]>

interface Security {
  readonly alternatives: readonly Alternative[]
  readonly text: string
  readonly pointer: string
}

/** Rates the security of an operation, whether it is its own or that of the whole document. */
export function rateSecurity(
  base: OpenApi,
  revision: OpenApi,
  [before, after]: readonly [SpecOperation, SpecOperation],
): PlacedRating[] {
  const [old, now] = [readSecurity(base, before), readSecurity(revision, after)]
  const [isSufficient, wasSufficient] = [accepts(now, old), accepts(old, now)]
  if (isSufficient && wasSufficient) return []
  return [
    {
      bump: isSufficient ? 'minor' : 'major',
      what:
        old.text === now.text
          ? `What the security scheme in ${now.text} demands has changed.`
          : `The security changed from ${old.text} to ${now.text}.`,
      meaning: isSufficient ? COMPATIBLE : 'Requests with credentials that are sufficient until now are refused.',
      pointer: now.pointer,
      operations: [after.id],
    },
  ]
}

/** True if every request that satisfies the security `old` also satisfies `now`. */
function accepts(now: Security, old: Security): boolean {
  return old.alternatives.every((held) =>
    now.alternatives.some((needed) =>
      [...needed].every(
        ([scheme, scopes]) => scopes.every((scope) => held.get(scheme)?.includes(scope)) && held.has(scheme),
      ),
    ),
  )
}

function readSecurity(root: OpenApi, { pointer, values }: SpecOperation): Security {
  const isOwn = values.security !== undefined
  const list = getEntries(isOwn ? values.security : root.security).map(([, requirement]) => getEntries(requirement))
  // An empty list is no security (OpenAPI 3.1, Operation Object).
  const requirements = list.length === 0 ? [[]] : list
  return {
    alternatives: requirements.map(
      (schemes) => new Map(schemes.map(([name, scopes]) => [identifyScheme(root, name), toScopes(scopes)])),
    ),
    text: requirements.map(formatRequirement).join(' or '),
    pointer: isOwn ? `${pointer}/security` : '/security',
  }
}

/** Returns what matters to clients of a scheme, which is neither its name in the document nor its documentation. */
function identifyScheme(root: OpenApi, name: string): string {
  const scheme = toObject(root.components?.securitySchemes)[name]
  const { description: _description, bearerFormat: _bearerFormat, ...others } = toObject(scheme)
  return stringifyExactly(others).toLowerCase()
}

function formatRequirement(schemes: readonly [string, unknown][]): string {
  if (schemes.length === 0) return 'none'
  return schemes.map(([name, scopes]) => [name, ...toScopes(scopes)].join(' ')).join(' with ')
}

function toScopes(value: unknown): string[] {
  return [value].flat().map(String)
}
