/** Groups name/text pairs into an object of values: a pair is a value, an item of an array or a member of an object. */

import { toPointer } from '../document/pointers.ts'
import { MAX_LISTED } from '../schema/keywords.ts'
import type { SchemaView } from '../schema/view.ts'
import { createViolation, formatMember, formatUndeclared } from '../schema/violations.ts'
import { TextError, type Violation } from '../shared/errors.ts'
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
 * Creates the function that reads pairs of one part of the request as an object. It adds what cannot be read to `violations`. Names
 * without a field are violations, unless they are ignored.
 */
export function createObjectReader(
  location: Violation['in'],
  { names, find }: Fields,
  isIgnored = (_name: string) => false,
) {
  return (texts: TextPairs, violations: Violation[]): Record<string, unknown> => {
    const values: Record<string, unknown> = {}
    for (const [name, fieldTexts] of groupByName(texts)) {
      // Stop above what a message lists: clients may send many names.
      if (violations.length > MAX_LISTED) break
      const field = find(name)
      if (field === undefined) {
        if (!isIgnored(name)) violations.push(createUndeclared(location, name, names))
        continue
      }
      const { owner, member = name, isRepeatable, read } = field
      if (fieldTexts.length > 1 && !isRepeatable) violations.push(createFieldViolation(location, name, field, REPEATED))
      // Keep the text. Otherwise, validation also reports the name as missing, or a text that is no array.
      const sentTexts = fieldTexts.map(([, text]) => text)
      let value: unknown = isRepeatable ? sentTexts : sentTexts[0]
      try {
        value = read(fieldTexts)
      } catch (error) {
        if (!(error instanceof TextError)) throw error
        violations.push(createFieldViolation(location, name, field, error))
      }
      // Otherwise, a parameter named "constructor" has its members set on a function of all objects.
      if (owner !== undefined && !Object.hasOwn(values, owner)) setMember(values, owner, {})
      setMember(owner === undefined ? values : (values[owner] as Record<string, unknown>), member, value)
    }
    return values
  }
}

/** The fields of an object whose members are each sent by a name. */
export interface MemberFields<Member extends Field = Field> {
  /** Those of the names in `properties`. */
  readonly declaredFields: readonly (readonly [name: string, field: Member])[]
  /**
   * Finds the field of an undeclared member. With `form`, its name must match `patternProperties` or the like; with
   * `deepObject`, every name is one, and validation rejects what the schema does not allow.
   */
  findMember(name: string): Member | undefined
}

/** Creates the fields of an object in a query or form: `?a=1&b=2`, or with the style `deepObject` `?owner[a]=1`. */
export function createMemberFields<Reader extends FieldReader>(
  { name: owner, style }: { readonly name: string; readonly style: string },
  view: SchemaView,
  getReader: (member: SchemaView) => Reader,
): MemberFields<Field & Reader> {
  const isDeep = style === 'deepObject'
  const toName = (member: string) => (isDeep ? `${owner}[${member}]` : member)
  const toField = (member: string) => ({ owner, member, ...getReader(view.property(member)) })
  const mayHave = (member: string) => view.declares(member) && !view.property(member).isNever
  return {
    declaredFields: [...view.propertyNames].map((member) => [toName(member), toField(member)] as const),
    findMember(name) {
      const member = isDeep ? name.slice(owner.length + 1, -1) : name
      const belongsToObject = toName(member) === name && !/[[\]]/.test(member) && (isDeep || mayHave(member))
      return belongsToObject ? toField(member) : undefined
    },
  }
}

function createUndeclared(location: Violation['in'], name: string, names: readonly string[]): Violation {
  const message = formatUndeclared(location, name, names)
  return createViolation({ in: location, pointer: toPointer(name), keyword: 'additionalProperties', message })
}

/** The message is a predicate. */
const REPEATED = { keyword: 'maxItems', params: { limit: 1 }, message: 'is given more than once' }

/** Creates the violation of a field that is sent by this name. */
function createFieldViolation(
  location: Violation['in'],
  name: string,
  { owner, member = name }: Field,
  { keyword, params, message }: Pick<Violation, 'keyword' | 'params' | 'message'>,
): Violation {
  const pointer = owner === undefined ? toPointer(member) : toPointer(owner, member)
  return createViolation({
    in: location,
    pointer,
    keyword,
    params,
    message: `${formatMember(location, name)} ${message}`,
  })
}

function groupByName(texts: TextPairs): Iterable<readonly [name: string, fieldTexts: TextPairs]> {
  const [[name] = ['']] = texts
  // Most requests have one value.
  return texts.length === 1 ? [[name, texts]] : Map.groupBy(texts, ([pairName]) => pairName)
}
