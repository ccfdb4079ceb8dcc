/** Puts the texts of a query, a form and the like together: each name may stand for a value, an item or a member of an object. */
import { HttpError } from '../../errors.ts'
import { MAX_LISTED } from '../schema/keywords.ts'
import { formatMember, formatUndeclared } from '../schema/violations.ts'
import type { FieldReader } from './styles.ts'
import type { TextPairs } from './text.ts'

/** Where the values of one name go: to the member of a parameter, or to the parameter itself. */
export interface Field {
  readonly parameter: string
  readonly member?: string
  readonly read: FieldReader
}

/**
 * Makes the function that puts values together; it adds what cannot be read to `violations`, in which `place` names the part of
 * the request. `findField` finds the field of a name that is not among the known ones. Others are violations.
 */
export function createFieldsReader(
  known: ReadonlyMap<string, Field>,
  findField: (name: string) => Field | undefined,
  place: string,
) {
  const names = [...known.keys()]
  return (texts: TextPairs, violations: string[]): Record<string, unknown> => {
    const values: Record<string, unknown> = {}
    for (const [name, sent] of groupByName(texts)) {
      // The message lists no more, and there may be many.
      if (violations.length > MAX_LISTED) break
      const field = known.get(name) ?? findField(name)
      if (field === undefined) {
        violations.push(formatUndeclared(place, name, names))
        continue
      }
      const { parameter, member, read } = field
      if (member !== undefined) values[parameter] ??= {}
      const target = member === undefined ? values : (values[parameter] as Record<string, unknown>)
      const key = member ?? parameter
      try {
        const value = read(sent, (what) => violations.push(`${formatMember(place, name)} ${what}`))
        if (key !== '__proto__') target[key] = value
        // An assignment would set the prototype.
        else Object.defineProperty(target, key, { configurable: true, enumerable: true, writable: true, value })
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        violations.push(error.message.replace('body', () => formatMember(place, name)))
      }
    }
    return values
  }
}

function groupByName(texts: TextPairs): Iterable<readonly [name: string, sent: TextPairs]> {
  const [[name] = ['']] = texts
  // Most requests have one value.
  return texts.length === 1 ? [[name, texts]] : Map.groupBy(texts, ([own]) => own)
}
