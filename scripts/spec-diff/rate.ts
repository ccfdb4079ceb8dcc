/**
 * What the changes that `redocly diff` finds mean for clients, and the version that each of them needs.
 */
import { dereference } from '../../src/openapi/check/find.ts'
import { parsePointer } from '../../src/openapi/document/references.ts'
import type { OpenApi } from '../../src/openapi/index.ts'
import { describe } from './describe.ts'
import { COMPATIBLE, type Meaning, meanings, NARROWER, NO_EFFECT, OTHER, WIDER } from './meanings.ts'
import type { RedoclyChange } from './redocly.ts'
import { rules } from './rules.ts'
import { type Direction, isWithin } from './uses.ts'
import type { Bump } from './version.ts'

/** What a change is, what it means for clients, and the part of the version that it increments. */
export interface Rating {
  readonly bump: Bump
  readonly what: string
  readonly meaning: string
}

/** What a rating depends on besides the change itself. */
export interface RatingContext {
  readonly base: OpenApi
  readonly revision: OpenApi
  /** Where operations use what changes. */
  readonly directions: ReadonlySet<Direction>
  /** The date (RFC 3339, full-date) at which sunsets are past or to come. */
  readonly today: string
}

/** Constraints, with the sign of a change that makes them narrower. */
const constraints: Readonly<Record<string, number>> = {
  minimum: 1,
  exclusiveMinimum: 1,
  minLength: 1,
  minItems: 1,
  minProperties: 1,
  maximum: -1,
  exclusiveMaximum: -1,
  maxLength: -1,
  maxItems: -1,
  maxProperties: -1,
}

/** The members of schemas, parameters, headers and bodies that are more than documentation. */
const effective = new Set([
  ...Object.keys(constraints),
  ...['type', 'format', 'enum', 'const', 'pattern', 'multipleOf', 'uniqueItems', 'required', 'additionalProperties'],
])

/** The OpenAPI objects that document, and do nothing else. */
const documentation = ['Info', 'Contact', 'License', 'Tag', 'TagList', 'ExternalDocs']

/** Rates a change; returns nothing if it is none for clients or is found elsewhere. */
export function rate(change: RedoclyChange, context: RatingContext): Rating[] {
  if (isRatedElsewhere(change)) return []
  if (change.verdicts.length === 0) {
    const rating = change.kind === 'modified' ? rateMember(change, context) : rateObject(change, context)
    return [{ what: describe(change), ...rating }]
  }
  return change.verdicts.map(({ ruleId, message }) => {
    const meaning = meanings[ruleId] ?? getConstraintMeaning(ruleId, message, change)
    return { bump: 'major', what: message, meaning: pick(meaning, context.directions) }
  })
}

/** True for the version of the document, for what `interface.ts` rates, and for components. */
function isRatedElsewhere({ typeName, kind, property = '', base, revision }: RedoclyChange): boolean {
  if (typeName === 'Info') return property === 'version'
  if (typeName === 'SecurityScheme') return !['description', 'bearerFormat'].includes(property)
  // A component that comes or goes has an effect where it is used, and that is a change of its own.
  const [root, ...tokens] = parsePointer((revision ?? base)?.pointer ?? '')
  return root === 'components' && tokens.length <= 2 && (kind !== 'modified' || property === 'key')
}

function getConstraintMeaning(ruleId: string, message: string, { property = '', base, revision }: RedoclyChange) {
  if (ruleId === 'schema-type-changed') return message.includes(' narrowed ') ? NARROWER : WIDER
  const [before, after] = [base?.value, revision?.value]
  if (before === undefined) return NARROWER
  if (after === undefined) return WIDER
  const sign = (constraints[property] ?? 0) * (Number(after) - Number(before))
  return sign > 0 ? NARROWER : sign < 0 ? WIDER : OTHER
}

function pick(meaning: Meaning, directions: ReadonlySet<Direction>): string {
  if (typeof meaning === 'string') return meaning
  return [...directions].flatMap((direction) => meaning[direction] || []).join(' ')
}

/** Rates an object that was added or removed, and breaks no rule of redocly's. */
function rateObject({ typeName, kind, revision }: RedoclyChange, { revision: root }: RatingContext) {
  if (documentation.includes(typeName)) return { bump: 'patch', meaning: NO_EFFECT } as const
  // A rule of redocly's covers bodies that become required, and none those that are new.
  if (kind === 'added' && typeName === 'RequestBody' && dereference(root, revision?.value).required === true) {
    return { bump: 'major', meaning: 'Requests without a body are refused.' } as const
  }
  return { bump: 'minor', meaning: COMPATIBLE } as const
}

/** Rates a member with another value, which breaks no rule of redocly's. */
function rateMember(change: RedoclyChange, context: RatingContext) {
  const { property = '', base, revision } = change
  const isUnused = context.directions.size === 0 && isWithin(revision?.pointer ?? '', '/components')
  const rating = isUnused ? undefined : rules.get(property)?.(base?.value, revision?.value, context, change)
  if (rating !== undefined) return rating
  return !isUnused && effective.has(property)
    ? ({ bump: 'minor', meaning: COMPATIBLE } as const)
    : ({ bump: 'patch', meaning: NO_EFFECT } as const)
}
