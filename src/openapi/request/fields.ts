/** Parses parameters, header fields or form fields by name into an object: a value, an item of an array or a member of an object. */

import { toPointer } from '../document/pointers.ts'
import { formatMember, formatUndeclared, MAX_LISTED } from '../schema/messages.ts'
import type { SchemaView } from '../schema/view.ts'
import { TextError, type Violation } from '../shared/errors.ts'
import { setMember } from '../shared/json.ts'
import { createViolation } from './violations.ts'

/** A parameter, header field or form field as it was sent. In a URL, the name is decoded, and the value has its percent-encoding. */
export type SentField<Value = string> = readonly [name: string, value: Value]

/** Parses everything that was sent by one name. */
export interface FieldParser<Value = string> {
  /** True if the name may be sent more than once. */
  readonly isRepeatable: boolean
  /** The value is the member `member` of the object `owner`. By default, it is a value by the name itself. */
  readonly owner?: string
  readonly member?: string
  /** Throws a TextError for a malformed text. */
  parse(values: readonly Value[]): unknown
}

interface FieldParsers<Value> {
  /** The names that messages list. */
  readonly names: readonly string[]
  find(name: string): FieldParser<Value> | undefined
}

/**
 * Creates the function that parses the fields of one part of the request. It adds malformed fields to `violations`, and names without
 * a parser, unless they are ignored.
 */
export function createFieldsParser<Value>(
  location: Violation['in'],
  { names, find }: FieldParsers<Value>,
  isIgnored = (_name: string) => false,
) {
  return (fields: readonly SentField<Value>[], violations: Violation[]): Record<string, unknown> => {
    const object: Record<string, unknown> = {}
    const owners = new Map<string, Record<string, unknown>>()
    for (const [name, sameNameFields] of Map.groupBy(fields, ([fieldName]) => fieldName)) {
      // Stop above what a message lists: clients may send many names.
      if (violations.length > MAX_LISTED) break
      const parser = find(name)
      if (parser === undefined) {
        if (!isIgnored(name)) violations.push(createUndeclaredViolation(location, name, names))
        continue
      }
      const { member = name, isRepeatable } = parser
      const values = sameNameFields.map(([, value]) => value)
      if (values.length > 1 && !isRepeatable) violations.push(createFieldViolation(location, name, parser, REPEATED))
      // Keep what was sent. Otherwise, validation also reports the name as missing, or a text that is no array.
      let parsedValue: unknown = isRepeatable ? values : values[0]
      try {
        parsedValue = parser.parse(values)
      } catch (error) {
        if (!(error instanceof TextError)) throw error
        violations.push(createFieldViolation(location, name, parser, error))
      }
      if (!setField(object, owners, parser.owner, member, parsedValue))
        violations.push(createFieldViolation(location, parser.owner ?? member, {}, REPEATED))
    }
    return object
  }
}

/**
 * Sets a value, or the member of an object that is sent by its members: one of `owners`. Returns false if the object is also sent as
 * a whole.
 */
function setField(
  object: Record<string, unknown>,
  owners: Map<string, Record<string, unknown>>,
  owner: string | undefined,
  member: string,
  value: unknown,
): boolean {
  const isNew = !Object.hasOwn(object, owner ?? member)
  if (owner === undefined) {
    setMember(object, member, value)
    return isNew
  }
  const earlierMembers = owners.get(owner)
  const members = earlierMembers ?? {}
  setMember(members, member, value)
  owners.set(owner, members)
  setMember(object, owner, members)
  return isNew || earlierMembers !== undefined
}

/** The parsers of an object whose members are each sent by a name. */
export interface MemberParsers<Parser> {
  /** The parsers of the names in `properties`. */
  readonly declared: readonly (readonly [name: string, parser: Parser])[]
  /**
   * Finds the parser of an undeclared member. With `form`, its name must match `patternProperties` or the like; with
   * `deepObject`, every name is a member, and validation rejects what the schema does not allow.
   */
  find(name: string): Parser | undefined
}

/** Creates the parsers of an object in a query or form: `?a=1&b=2`, or with the style `deepObject` `?owner[a]=1`. */
export function createMemberParsers<Parser extends object>(
  { name: owner, style }: { readonly name: string; readonly style: string },
  view: SchemaView,
  getParser: (member: SchemaView) => Parser,
): MemberParsers<Parser & { readonly owner: string; readonly member: string }> {
  const isDeep = style === 'deepObject'
  const toName = (member: string) => (isDeep ? `${owner}[${member}]` : member)
  const toMemberParser = (member: string) => ({ ...getParser(view.property(member)), owner, member })
  const mayHave = (member: string) => view.declares(member) && !view.property(member).isNever
  return {
    declared: [...view.propertyNames].map((member) => [toName(member), toMemberParser(member)] as const),
    find(name) {
      const member = isDeep ? name.slice(owner.length + 1, -1) : name
      const belongsToObject = toName(member) === name && !/[[\]]/.test(member) && (isDeep || mayHave(member))
      return belongsToObject ? toMemberParser(member) : undefined
    },
  }
}

function createUndeclaredViolation(location: Violation['in'], name: string, names: readonly string[]): Violation {
  const message = formatUndeclared(location, name, names)
  return createViolation({ in: location, pointer: toPointer(name), keyword: 'additionalProperties', message })
}

/** The message is a predicate. */
const REPEATED = { keyword: 'maxItems', params: { limit: 1 }, message: 'is given more than once' }

/** Creates the violation of a field that is sent by this name. */
function createFieldViolation(
  location: Violation['in'],
  name: string,
  { owner, member = name }: Pick<FieldParser, 'owner' | 'member'>,
  { keyword, params, message }: Pick<Violation, 'keyword' | 'params' | 'message'>,
): Violation {
  const pointer = owner === undefined ? toPointer(member) : toPointer(owner, member)
  const subject = formatMember(location, name)
  return createViolation({ in: location, pointer, keyword, params, message: `${subject} ${message}` })
}
