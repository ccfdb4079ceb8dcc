/** Groups name/text pairs into an object of values: a pair is a value, an item of an array or a member of an object. */

import { MAX_LISTED } from '../schema/keywords.ts'
import { formatMember, formatUndeclared } from '../schema/violations.ts'
import { TextError } from '../shared/errors.ts'
import { setMember } from '../shared/json.ts'
import type { FieldReader } from './styles.ts'
import type { TextPairs } from './text.ts'

/** The reader of a name. With `owner` and `member`, the value is a member of the object parameter `owner`. */
export interface Field extends FieldReader {
  readonly owner?: string
  readonly member?: string
}

interface Fields {
  /** The names that messages list. */
  readonly names: readonly string[]
  find(name: string): Field | undefined
}

/**
 * Creates the function that reads pairs as an object. It adds what cannot be read to `violations`, in which `place` names the part of
 * the request. Names without a field are violations, unless they are ignored.
 */
export function createObjectReader(place: string, { names, find }: Fields, isIgnored = (_name: string) => false) {
  return (texts: TextPairs, violations: string[]): Record<string, unknown> => {
    const values: Record<string, unknown> = {}
    for (const [name, fieldTexts] of groupByName(texts)) {
      // Stop above what a message lists: clients may send many names.
      if (violations.length > MAX_LISTED) break
      const field = find(name)
      if (field === undefined) {
        if (!isIgnored(name)) violations.push(formatUndeclared(place, name, names))
        continue
      }
      const { owner, member = name, isRepeatable, read } = field
      if (fieldTexts.length > 1 && !isRepeatable)
        violations.push(`${formatMember(place, name)} is given more than once`)
      // Keep the text. Otherwise, validation also reports the name as missing.
      let value: unknown = fieldTexts[0]?.[1]
      try {
        value = read(fieldTexts)
      } catch (error) {
        if (!(error instanceof TextError)) throw error
        violations.push(`${formatMember(place, name)} ${error.message}`)
      }
      // Otherwise, a parameter named "constructor" has its members set on a function of all objects.
      if (owner !== undefined && !Object.hasOwn(values, owner)) setMember(values, owner, {})
      setMember(owner === undefined ? values : (values[owner] as Record<string, unknown>), member, value)
    }
    return values
  }
}

function groupByName(texts: TextPairs): Iterable<readonly [name: string, fieldTexts: TextPairs]> {
  const [[name] = ['']] = texts
  // Most requests have one value.
  return texts.length === 1 ? [[name, texts]] : Map.groupBy(texts, ([pairName]) => pairName)
}
