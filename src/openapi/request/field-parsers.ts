/**
 * Parses fields (parameters, header fields or form fields) into one object by their names, in three levels:
 *
 * | what is parsed              | parser        | created by                                     | example                      |
 * |-----------------------------|---------------|------------------------------------------------|------------------------------|
 * | all fields in a location    | a function    | `createFieldsParser`                           | `p=1&p=2` to `{ p: [1, 2] }` |
 * | all texts by one name       | `FieldParser` | `createParameterParser`, `createFindFormField` | `1` and `2` to `[1, 2]`      |
 * | a text: value, item, member | `TextParser`  | `createScalarParser`, `createObjectParser`     | `1` to 1                     |
 */
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
  /** The place of a member of an exploded object; undefined for a value that is sent by its name. */
  readonly place?: MemberPlace
  /** Of several values by a name that is not repeatable, the first counts. Throws a TextError for a malformed text. */
  parse(values: readonly Value[]): unknown
}

/** The place of a member of an exploded object, whose members are each sent by a name: `owner[a]=1` is the member `a` of `owner`. */
interface MemberPlace {
  /** The name of the object. */
  readonly owner: string
  /** The name of the member in the object. */
  readonly member: string
}

export interface FieldParsers<Value> {
  /** The names that messages list. */
  readonly names: readonly string[]
  find(name: string): FieldParser<Value> | undefined
}

/**
 * Creates the function that parses the fields in one location into an object. It adds a violation for each name without a parser, and for
 * each field that is malformed or repeated. With too many violations, it returns undefined: validation would report the other fields as
 * missing.
 */
export function createFieldsParser<Value>(location: Violation['in'], { names, find }: FieldParsers<Value>) {
  return (fields: readonly SentField<Value>[], violations: Violation[]): Record<string, unknown> | undefined => {
    const object: Record<string, unknown> = {}
    const explodedObjects = new Map<string, Record<string, unknown>>()
    for (const [name, sameNameFields] of Map.groupBy(fields, ([fieldName]) => fieldName)) {
      // Stop above what a message lists: clients may send many names.
      if (violations.length > MAX_LISTED) return undefined
      const parser = find(name)
      if (parser === undefined) {
        const message = formatUndeclared(location, name, names)
        const pointer = toPointer(name)
        violations.push(createViolation({ in: location, pointer, keyword: 'additionalProperties', message }))
        continue
      }
      const values = sameNameFields.map(([, fieldValue]) => fieldValue)
      const value = parseField(location, name, values, parser, violations)
      if (parser.place === undefined) {
        setMember(object, name, value)
        continue
      }
      const { owner, member } = parser.place
      const explodedObject = explodedObjects.get(owner) ?? {}
      setMember(explodedObject, member, value)
      explodedObjects.set(owner, explodedObject)
    }
    for (const [owner, explodedObject] of explodedObjects) {
      // The object is also sent as a whole, as a form can: `owner={}&owner[a]=1`.
      if (Object.hasOwn(object, owner)) violations.push(createFieldViolation(location, owner, undefined, REPEATED))
      setMember(object, owner, explodedObject)
    }
    return object
  }
}

/** Parses everything that was sent by one name. If it is malformed, adds a violation, and returns what was sent. */
function parseField<Value>(
  location: Violation['in'],
  name: string,
  values: readonly Value[],
  parser: FieldParser<Value>,
  violations: Violation[],
): unknown {
  if (values.length > 1 && !parser.isRepeatable)
    violations.push(createFieldViolation(location, name, parser.place, REPEATED))
  try {
    return parser.parse(values)
  } catch (error) {
    if (!(error instanceof TextError)) throw error
    violations.push(createFieldViolation(location, name, parser.place, error))
    // Without a value, validation would also report that the name is missing.
    return values
  }
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
): MemberParsers<Parser & { readonly place: MemberPlace }> {
  const isDeep = style === 'deepObject'
  const toName = (member: string) => (isDeep ? `${owner}[${member}]` : member)
  const toMemberParser = (member: string) => ({ ...getParser(view.property(member)), place: { owner, member } })
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

/** The message is a predicate. */
const REPEATED = { keyword: 'maxItems', params: { limit: 1 }, message: 'is given more than once' }

/** Creates the violation of a field that is sent by this name. */
function createFieldViolation(
  location: Violation['in'],
  name: string,
  place: MemberPlace | undefined,
  { keyword, params, message }: Pick<Violation, 'keyword' | 'params' | 'message'>,
): Violation {
  const pointer = place === undefined ? toPointer(name) : toPointer(place.owner, place.member)
  const subject = formatMember(location, name)
  return createViolation({ in: location, pointer, keyword, params, message: `${subject} ${message}` })
}
