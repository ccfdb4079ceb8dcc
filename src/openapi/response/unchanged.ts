/**
 * Recognizes the values that the writers of `value-writers.ts` would only copy: `serializer.ts` gives them to `JSON.stringify` as they are,
 * which takes a third off a page of 100 pets. The writers write all other values, and alone decide which of them are errors. A property
 * test compares the two (`test/openapi/response.unit.test.ts`).
 */
import { Ajv2020, type AnySchema, type AnySchemaObject } from 'ajv/dist/2020.js'
import { memoize } from '../document/values.ts'
import { hasIntegers } from '../schema/types.ts'
import type { SchemaView } from '../schema/view.ts'
import type { SchemaType } from '../shared/json.ts'

/** True only if a copy of the value has the same members. False for some such values as well, which are then copied. */
type UnchangedTest = (value: unknown) => boolean

/** Creates the function that compiles the test of a view, when the first value needs it. */
export function createUnchangedTestCompiler(): (view: SchemaView) => UnchangedTest {
  const ajv = new Ajv2020({ meta: false, validateSchema: false, strict: false, strictNumbers: true, logger: false })
  ajv.addKeyword({ keyword: IS_PLAIN, type: ['object', 'array'], schema: false, validate: isPlain })
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

  /** Returns the schema of a scalar, which Ajv compiles in its place, or a reference to another one. */
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
  array: (view, refer) => view.items.length === 1 && { [IS_PLAIN]: true, items: refer(view.item(0)) },
  object: (view, refer) => {
    const sentNames = [...view.mentionedNames].filter((name) => !view.isPropertyHidden(name, 'response'))
    // Every object inherits `constructor` and the like, which Ajv takes for members.
    if (sentNames.some((name) => name in Object.prototype)) return false
    const declaredNames = sentNames.filter((name) => view.propertyNames.has(name))
    return {
      [IS_PLAIN]: true,
      properties: Object.fromEntries(declaredNames.map((name) => [name, refer(view.property(name))])),
      required: sentNames.filter((name) => view.requiredNames.has(name)),
      additionalProperties: false,
    }
  },
}

/** The keyword of arrays and objects that are plain. */
const IS_PLAIN = 'isPlain'

/**
 * False for an array or object of a class, which may have a `toJSON` and inherits members that `JSON.stringify` leaves out, and for an
 * object with members that are not enumerable, which it leaves out as well.
 */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  if (Array.isArray(value)) return prototype === Array.prototype
  return prototype === Object.prototype && Object.getOwnPropertyNames(value).length === Object.keys(value).length
}
