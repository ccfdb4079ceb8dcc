/**
 * Sentences that say what has changed in a document.
 */
import { parsePointer, stringifyExactly, toObject, toPointer } from '../../src/openapi/index.ts'
import type { RedoclyChange, Side } from './redocly.ts'

/** Prose and longer values are left out: the place is enough to find them. */
const PROSE = ['description', 'summary', 'title']
const LONGEST = 60

/** Says what was added or removed, or which member has which other value. */
export function describe(change: RedoclyChange): string {
  if (change.kind === 'added') return `${formatObject(change.revision)} was added.`
  if (change.kind === 'removed') return `${formatObject(change.base)} was removed.`
  const { property, base, revision } = change
  const [before, after] = [base.value, revision.value]
  if (property === 'key') return `\`${before}\` was renamed to \`${after}\`.`
  const name = `\`${property}\` of ${formatSubject(getOwner(revision))}`
  if (after === undefined) return `${name} was removed.`
  const [old, now] = [formatValue(before), formatValue(after)]
  const isProse = PROSE.includes(property) || now.length > LONGEST || old.length > LONGEST
  if (isProse) return `${name} was edited.`
  return before === undefined ? `${name} was set to ${now}.` : `${name} changed from ${old} to ${now}.`
}

/** The steps of a pointer that people leave out in names. */
const BETWEEN = ['content', 'application/json', 'schema', 'properties']

/** Names a part of a document: `GET /pets responses.200`, `Pet.name`. */
function formatSubject(pointer: string): string {
  const [kind, first = '', second = '', ...inner] = parsePointer(pointer)
  const others = inner.filter((token) => !BETWEEN.includes(token))
  if (kind === 'components') return [second, ...others].join('.')
  if (kind !== 'paths') return [kind, first, second, ...others].filter(Boolean).join('.') || 'the document'
  return [second.toUpperCase(), first, others.join('.')].filter(Boolean).join(' ')
}

/** Names an object; a parameter not by its position in the list. */
function formatObject({ pointer, value }: Side): string {
  return formatSubject(pointer).replace(/(?<=parameters\.)\d+$/, () => String(toObject(value).name))
}

/** The pointer to the object whose member has changed; a side without the member has it already. */
function getOwner({ pointer, value }: Side): string {
  return value === undefined ? pointer : toPointer(...parsePointer(pointer).slice(0, -1))
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : String(stringifyExactly(value))
}
