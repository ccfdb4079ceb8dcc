/**
 * The members of OpenAPI objects about which `redocly diff` has no rule: what other values mean for clients.
 */
import {
  getValueAt,
  type OpenApi,
  parsePointer,
  stringifyExactly,
  toObject,
  toPointer,
} from '../../src/openapi/index.ts'
import { COMPATIBLE } from './meanings.ts'
import type { Rating, RatingContext } from './rate.ts'
import type { Modified } from './redocly.ts'

/** Rates a member with another value; a rule without a rating leaves that to the general ones. */
type Rule = (
  before: unknown,
  after: unknown,
  context: RatingContext,
  change: Modified,
) => Omit<Rating, 'what'> | undefined

const LEVELS = ['experimental', 'beta', 'stable']

/** The rule of a limit that may only be raised. */
function rateLimit(describe: (after: unknown) => string): Rule {
  return (before, after) =>
    Number(after) > Number(before)
      ? { bump: 'minor', meaning: COMPATIBLE }
      : { bump: 'major', meaning: describe(after) }
}

/** The rules by the name of the member. */
export const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [
    'default',
    (before, _after, { base, directions }, change) => {
      if (!directions.has('request')) return undefined
      if (before === undefined && isRequired(base, change.base.pointer)) return undefined
      return { bump: 'major', meaning: 'Requests that leave it out have another effect.' }
    },
  ],
  [
    'deprecated',
    (_before, after) => (after === true ? { bump: 'minor', meaning: 'Clients should stop using it.' } : undefined),
  ],
  [
    'required',
    (_before, after, _context, { typeName }) => {
      // Redocly has rules for parameters, bodies and properties, and none for headers.
      if (typeName !== 'Header' || after === true) return undefined
      return { bump: 'major', meaning: 'Responses may lack what clients read.' }
    },
  ],
  [
    'x-extensible-enum',
    (before, after, { revision }, change) => {
      if (before === undefined) return undefined
      // As an enum, the list is closed, and has the same values.
      const closed = toObject(getValueAt(revision, change.revision.pointer)).enum
      const [old, now] = [parseList(before), parseList(after ?? stringifyExactly(closed ?? []))]
      const lost = old.filter((value) => !now.includes(value))
      if (lost.length > 0) return { bump: 'major', meaning: `Clients that look for ${lost.join(', ')} do not find it.` }
      const gained = now.filter((value) => !old.includes(value))
      if (gained.length === 0) return undefined
      return { bump: 'minor', meaning: `Clients must expect values that they do not know; new: ${gained.join(', ')}.` }
    },
  ],
  [
    'x-idempotency-ttl-seconds',
    (before, after) => {
      if (before === undefined) return undefined
      if (Number(after) > Number(before)) return { bump: 'minor', meaning: COMPATIBLE }
      return { bump: 'major', meaning: `A request that is repeated after ${after} seconds is carried out again.` }
    },
  ],
  ['x-max-bytes', rateLimit((after) => `Bodies of more than ${after} bytes are refused.`)],
  ['x-max-depth', rateLimit((after) => `Bodies that are nested deeper than ${after} levels are refused.`)],
  [
    'x-stability-level',
    (before = 'stable', after = 'stable') => {
      if (LEVELS.indexOf(String(after)) > LEVELS.indexOf(String(before))) return { bump: 'minor', meaning: COMPATIBLE }
      return { bump: 'major', meaning: `It is no longer ${before}: later minor versions may break clients.` }
    },
  ],
  [
    'x-sunset',
    (before, after, { today }) => {
      if (before === undefined && String(after) <= today) {
        return { bump: 'major', meaning: 'Clients have no time to stop using it; choose a date to come.' }
      }
      if (before === undefined) return { bump: 'minor', meaning: `Clients must stop using it before ${after}.` }
      // An operation that may already be removed cannot be removed earlier.
      if (after === undefined || String(after) > String(before) || String(before) <= today) return undefined
      return { bump: 'major', meaning: `Clients that rely on ${before} have less time; move a sunset only later.` }
    },
  ],
])

/** True if clients had to send the property or parameter whose schema is at a pointer. */
function isRequired(root: OpenApi, pointer: string): boolean {
  const tokens = parsePointer(pointer)
  const isProperty = tokens.at(-2) === 'properties'
  const { required } = toObject(getValueAt(root, toPointer(...tokens.slice(0, isProperty ? -2 : -1))))
  return isProperty ? Array.isArray(required) && required.includes(tokens.at(-1)) : required === true
}

/** Reads the JSON of a list; returns the JSON of its items. */
function parseList(text: unknown): string[] {
  return JSON.parse(String(text)).map((item: unknown) => stringifyExactly(item))
}
