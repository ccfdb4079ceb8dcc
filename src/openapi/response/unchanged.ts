/**
 * Recognizes the values that the writers of `value-writers.ts` would only copy: `serializer.ts` gives them to `JSON.stringify` as they are,
 * which takes a third off a page of 100 pets. The writers write all other values, and alone decide which of them are errors. A property
 * test compares the two (`test/openapi/response.unit.test.ts`).
 */
import { _, Ajv2020, type AnySchema, type AnySchemaObject, type Name } from 'ajv/dist/2020.js'
import { memoize } from '../document/values.ts'
import { hasIntegers } from '../schema/types.ts'
import type { SchemaView } from '../schema/view.ts'
import type { SchemaType } from '../shared/json.ts'

/** True only if a copy of the value has the same members. False for some such values as well, which are then copied. */
type UnchangedTest = (value: unknown) => boolean

/** Creates the function that compiles the test of a view, when the first value needs it. */
export function createUnchangedTestCompiler(): (view: SchemaView) => UnchangedTest {
  const ajv = new Ajv2020({ meta: false, validateSchema: false, strict: false, strictNumbers: true, logger: false })
  // Their code is a part of the compiled test: Ajv creates an object for each call of a function.
  ajv.addKeyword({ keyword: PLAIN_ARRAY, type: 'array', code: (context) => context.pass(isPlainArray(context.data)) })
  ajv.addKeyword({
    keyword: PLAIN_OBJECT,
    type: 'object',
    code: (context) => context.pass(isPlainObject(context.data)),
  })
  return memoize((view: SchemaView) => {
    let validate: UnchangedTest | undefined
    return (value) => {
      validate ??= ajv.compile<unknown>(describeUnchanged(view))
      return validate(value)
    }
  })
}

/**
 * Returns the JSON Schema of the unchanged values of a view. Each array or object within it is one of its `$defs`: views may contain
 * themselves.
 */
function describeUnchanged(view: SchemaView): AnySchemaObject {
  const names = new Map<SchemaView, string>()
  const definitions: Record<string, AnySchema> = {}

  /** Returns the schema of a member, or a reference to it. */
  function refer(member: SchemaView): AnySchema {
    if (member.isScalar) return describe(member)
    const name = names.get(member) ?? String(names.size)
    if (!names.has(member)) {
      names.set(member, name)
      definitions[name] = describe(member)
    }
    return { $ref: `#/$defs/${name}` }
  }

  function describe(member: SchemaView): AnySchema {
    const { types = [] } = member
    // The members of other values depend on selected branches, or on no schema at all.
    if (member.isNever || member.branchings.length > 0 || types.length === 0) return false
    const keywords = types.map((type) => KEYWORDS[type]?.(member, refer) ?? {})
    return keywords.includes(false) ? false : Object.assign({ type: types }, ...keywords)
  }

  return { allOf: [refer(view)], $defs: definitions }
}

/** Returns the keywords for the values of one type; false if values of the type are always copied. */
type Describe = (view: SchemaView, refer: (member: SchemaView) => AnySchema) => AnySchemaObject | false

/** By type; the other types need no keywords. */
const KEYWORDS: Partial<Record<SchemaType, Describe>> = {
  // A number holds other integers inexactly, which is an error.
  integer: () => ({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  number: (view) => !hasIntegers(view) && {},
  array: (view, refer) => view.items.length === 1 && { [PLAIN_ARRAY]: true, items: refer(view.item(0)) },
  object: (view, refer) => {
    const sentNames = [...view.mentionedNames].filter((name) => !view.isPropertyHidden(name, 'response'))
    // Every object inherits `constructor` and the like, which Ajv takes for members.
    if (sentNames.some((name) => name in Object.prototype)) return false
    const declaredNames = sentNames.filter((name) => view.propertyNames.has(name))
    return {
      [PLAIN_OBJECT]: true,
      properties: Object.fromEntries(declaredNames.map((name) => [name, refer(view.property(name))])),
      required: sentNames.filter((name) => view.requiredNames.has(name)),
      additionalProperties: false,
    }
  },
}

const PLAIN_ARRAY = 'isPlainArray'
const PLAIN_OBJECT = 'isPlainObject'

/** The code that is true unless an array is of another class, which may have a `toJSON`. */
const isPlainArray = (array: Name) => _`Object.getPrototypeOf(${array}) === Array.prototype`

/**
 * The code that is true unless an object is of a class, whose members `JSON.stringify` leaves out if they are inherited, or has members
 * that are not enumerable, which `JSON.stringify` leaves out as well.
 */
const isPlainObject = (object: Name) =>
  _`Object.getPrototypeOf(${object}) === Object.prototype && Object.getOwnPropertyNames(${object}).length === Object.keys(${object}).length`
