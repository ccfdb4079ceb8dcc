/** Puts what is sent by names together: each may stand for a value, an item of an array or a member of an object. */

import { MAX_LISTED } from '../schema/keywords.ts'
import { formatMember, formatUndeclared } from '../schema/violations.ts'
import { HttpError } from '../shared/errors.ts'
import { setMember } from '../shared/json.ts'
import type { FieldReader } from './styles.ts'
import type { TextPairs } from './text.ts'

/** The reader of a name. The value is the one of that name, or a member of the object that has the name of the owner. */
export interface Field extends FieldReader {
  readonly owner?: string
  readonly member?: string
}

interface Fields {
  /** Those that messages list. */
  readonly names: readonly string[]
  find(name: string): Field | undefined
}

/**
 * Makes the function that puts values together; it adds what cannot be read to `violations`, in which `place` names the part of
 * the request. Names without a field are violations, unless they are ignored.
 */
export function createFieldsReader(place: string, { names, find }: Fields, isIgnored = (_name: string) => false) {
  return (texts: TextPairs, violations: string[]): Record<string, unknown> => {
    const values: Record<string, unknown> = {}
    for (const [name, sent] of groupByName(texts)) {
      // The message lists no more, and there may be many.
      if (violations.length > MAX_LISTED) break
      const field = find(name)
      if (field === undefined) {
        if (!isIgnored(name)) violations.push(formatUndeclared(place, name, names))
        continue
      }
      const { owner, member = name, isRepeatable, read } = field
      if (sent.length > 1 && !isRepeatable) violations.push(`${formatMember(place, name)} is given more than once`)
      // Keep the text, so that the name is not reported as missing, too.
      let value: unknown = sent[0]?.[1]
      try {
        value = read(sent)
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        violations.push(error.message.replace('body', () => formatMember(place, name)))
      }
      // Otherwise, a parameter named "constructor" has its members set on a function of all objects.
      if (owner !== undefined && !Object.hasOwn(values, owner)) setMember(values, owner, {})
      setMember(owner === undefined ? values : (values[owner] as Record<string, unknown>), member, value)
    }
    return values
  }
}

function groupByName(texts: TextPairs): Iterable<readonly [name: string, sent: TextPairs]> {
  const [[name] = ['']] = texts
  // Most requests have one value.
  return texts.length === 1 ? [[name, texts]] : Map.groupBy(texts, ([own]) => own)
}
