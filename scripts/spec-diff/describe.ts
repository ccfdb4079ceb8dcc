/**
 * Sentences that say what has changed in a document.
 */
import { parsePointer, toPointer } from '../../src/openapi/document/references.ts'
import { type RedoclyChange, toJson } from './redocly.ts'

/** Longer values are left out: a line is enough to find the place. */
const LONGEST = 60

/** Says what was added or removed, or which member has which other value. */
export function describe({ kind, property = '', base, revision }: RedoclyChange): string {
  if (kind !== 'modified') return `${formatSubject((revision ?? base)?.pointer)} was ${kind}.`
  const [before, after] = [base?.value, revision?.value]
  if (property === 'key') return `\`${before}\` was renamed to \`${after}\`.`
  const name = `\`${property}\` of ${formatSubject(getOwner(revision))}`
  if (after === undefined) return `${name} was removed.`
  const [old, now] = [formatValue(before), formatValue(after)]
  if (now.length > LONGEST || old.length > LONGEST) return `${name} was edited.`
  return before === undefined ? `${name} was set to ${now}.` : `${name} changed from ${old} to ${now}.`
}

/** Names a part of a document: `GET /pets responses.200`, `Limit`. */
export function formatSubject(pointer = ''): string {
  const [kind, first = '', second = '', ...others] = parsePointer(pointer)
  if (kind === 'components') return [second, ...others].join('.')
  if (kind !== 'paths') return [kind, first, second, ...others].filter(Boolean).join('.') || 'the document'
  return [second.toUpperCase(), first, others.join('.')].filter(Boolean).join(' ')
}

/** The pointer to the object whose member has changed; a side without the member has it already. */
function getOwner(side: RedoclyChange['base']): string | undefined {
  if (side === undefined || side.value === undefined) return side?.pointer
  return toPointer(...parsePointer(side.pointer).slice(0, -1))
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : String(toJson(value))
}
