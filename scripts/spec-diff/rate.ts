/**
 * Rates the changes that `redocly diff` finds: their meaning for clients, and the version that each of them needs.
 */
import { type OpenApi, parsePointer, toObject } from '../../src/openapi/index.ts'
import { describe } from './describe.ts'
import { COMPATIBLE, type Meaning, meanings, NARROWER, NO_EFFECT, OTHER, WIDER } from './meanings.ts'
import type { Modified, RedoclyChange } from './redocly.ts'
import { rules } from './rules.ts'
import { type Direction, isWithin } from './uses.ts'
import type { Bump } from './version.ts'

/** The description of a change, its meaning for clients, and the part of the version that it increments. */
export interface Rating {
  readonly bump: Bump
  readonly what: string
  readonly meaning: string
}

/** The facts on which a rating depends besides the change itself. */
export interface RatingContext {
  readonly base: OpenApi
  readonly revision: OpenApi
  /** The places at which operations use the changed value. */
  readonly directions: ReadonlySet<Direction>
  /** The date (RFC 3339, full-date) at which sunsets are past or to come. */
  readonly today: string
}

/** Constraints, with the sign of a change that makes them narrower. */
const constraints = new Map([
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map((name) => [name, 1] as const),
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map((name) => [name, -1] as const),
])

/** The members of schemas, parameters, headers and bodies that are more than documentation. */
const effective = new Set([
  ...constraints.keys(),
  ...['type', 'format', 'enum', 'const', 'pattern', 'multipleOf', 'uniqueItems', 'required', 'additionalProperties'],
])

/** The OpenAPI objects that document, and do nothing else. */
const documentation = ['Info', 'Contact', 'License', 'Tag', 'TagList', 'ExternalDocs']

/** Rates a change; returns nothing if it does not concern clients or is found elsewhere. */
export function rate(change: RedoclyChange, context: RatingContext): Rating[] {
  if (isRatedElsewhere(change)) return []
  if (change.verdicts.length > 0) {
    return change.verdicts.map(({ ruleId, message }) => {
      const meaning = meanings[ruleId] ?? getConstraintMeaning(message, change)
      return { bump: 'major', what: message, meaning: pick(meaning, context.directions) }
    })
  }
  const rating = change.kind === 'modified' ? rateMember(change, context) : rateObject(change)
  return [{ what: describe(change), ...rating }]
}

/** The pointer in the new document, or in the base if the object was removed. */
export function getPointer(change: RedoclyChange): string {
  return (change.kind === 'removed' ? change.base : change.revision).pointer
}

/** True for the version of the document, for what `interface.ts` rates, and for components. */
function isRatedElsewhere(change: RedoclyChange): boolean {
  const property = change.kind === 'modified' ? change.property : 'key'
  if (change.typeName === 'Info') return property === 'version'
  if (change.typeName === 'SecurityScheme') return !['description', 'bearerFormat'].includes(property)
  // A component that comes or goes has an effect where it is used, and that is a change of its own.
  const [root, ...tokens] = parsePointer(getPointer(change))
  return root === 'components' && tokens.length <= 2 && property === 'key'
}

/** The meaning of a change of a type, a constraint or a combination of schemas. */
function getConstraintMeaning(message: string, change: RedoclyChange): Meaning {
  if (change.kind !== 'modified') return OTHER
  if (change.property === 'type') return message.includes(' narrowed ') ? NARROWER : WIDER
  const [before, after] = [change.base.value, change.revision.value]
  if (before === undefined) return NARROWER
  if (after === undefined) return WIDER
  const sign = (constraints.get(change.property) ?? 0) * (Number(after) - Number(before))
  return sign > 0 ? NARROWER : sign < 0 ? WIDER : OTHER
}

function pick(meaning: Meaning, directions: ReadonlySet<Direction>): string {
  if (typeof meaning === 'string') return meaning
  return [...directions].flatMap((direction) => meaning[direction] || []).join(' ')
}

/** Rates an object that was added or removed, and breaks no rule of redocly's. */
function rateObject(change: RedoclyChange): Omit<Rating, 'what'> {
  const { kind, typeName } = change
  if (documentation.includes(typeName)) return { bump: 'patch', meaning: NO_EFFECT }
  // A rule of redocly's covers bodies that become required, and none those that are new.
  if (kind === 'added' && typeName === 'RequestBody' && toObject(change.revision.value).required === true) {
    return { bump: 'major', meaning: 'Requests without a body are refused.' }
  }
  return { bump: 'minor', meaning: COMPATIBLE }
}

/** Rates a member with another value, which breaks no rule of redocly's. */
function rateMember(change: Modified, context: RatingContext): Omit<Rating, 'what'> {
  const { property, base, revision } = change
  const isUnused = context.directions.size === 0 && isWithin(revision.pointer, '/components')
  if (isUnused) return { bump: 'patch', meaning: NO_EFFECT }
  const rating = rules.get(property)?.(base.value, revision.value, context, change)
  if (rating !== undefined) return rating
  return effective.has(property) ? { bump: 'minor', meaning: COMPATIBLE } : { bump: 'patch', meaning: NO_EFFECT }
}
