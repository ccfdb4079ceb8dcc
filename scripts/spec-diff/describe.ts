/**
 * Sentences that say what has changed in a document.
 */
import { toObject } from '../../src/openapi/check/find.ts'
import { parsePointer, toPointer } from '../../src/openapi/document/references.ts'
import { type RedoclyChange, toJson } from './redocly.ts'

/** Prose and longer values are left out: the place is enough to find them. */
const PROSE = ['description', 'summary', 'title']
const LONGEST = 60

/** Says what was added or removed, or which member has which other value. */
export function describe({ kind, property = '', base, revision }: RedoclyChange): string {
  if (kind !== 'modified') return `${formatObject(revision ?? base)} was ${kind}.`
  const [before, after] = [base?.value, revision?.value]
  if (property === 'key') return `\`${before}\` was renamed to \`${after}\`.`
  const name = `\`${property}\` of ${formatSubject(getOwner(revision))}`
  if (after === undefined) return `${name} was removed.`
  const [old, now] = [formatValue(before), formatValue(after)]
  const isProse = PROSE.includes(property) || now.length > LONGEST || old.length > LONGEST
  if (isProse) return `${name} was edited.`
  return before === undefined ? `${name} was set to ${now}.` : `${name} changed from ${old} to ${now}.`
}

/** What lies between an object and what people call its parts. */
const BETWEEN = ['content', 'application/json', 'schema', 'properties']

/** Names a part of a document: `GET /pets responses.200`, `Pet.name`. */
function formatSubject(pointer = ''): string {
  const [kind, first = '', second = '', ...inner] = parsePointer(pointer)
  const others = inner.filter((token) => !BETWEEN.includes(token))
  if (kind === 'components') return [second, ...others].join('.')
  if (kind !== 'paths') return [kind, first, second, ...others].filter(Boolean).join('.') || 'the document'
  return [second.toUpperCase(), first, others.join('.')].filter(Boolean).join(' ')
}

/** Names an object; a parameter not by its position in the list. */
function formatObject(side: RedoclyChange['base']): string {
  const { name, $ref } = toObject(side?.value)
  return formatSubject(side?.pointer).replace(/(?<=parameters\.)\d+$/, () => String(name ?? $ref).replace(/.*\//, ''))
}

/** The pointer to the object whose member has changed; a side without the member has it already. */
function getOwner(side: RedoclyChange['base']): string | undefined {
  if (side === undefined || side.value === undefined) return side?.pointer
  return toPointer(...parsePointer(side.pointer).slice(0, -1))
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : String(toJson(value))
}
