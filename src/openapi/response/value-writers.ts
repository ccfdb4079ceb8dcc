/**
 * Writers: functions that return what is sent of a value, by its schema. `serializer.ts` calls them for the values that `unchanged.ts` does
 * not recognize. Written objects have the members that their schema declares, and no value has another type. Each view has one writer,
 * and writers call each other as schemas refer to each other.
 */
import type { Schema } from '../document/model.ts'
import type { Values } from '../document/values.ts'
import { compileForViews, type Lazy } from '../schema/compile-for-views.ts'
import type { SchemaViews } from '../schema/selection.ts'
import { hasIntegers, type Int64Type } from '../schema/types.ts'
import type { SchemaView } from '../schema/view.ts'
import { describeType } from '../shared/errors.ts'
import { isNumber, type SchemaType, setMember } from '../shared/json.ts'

/** Returns what is sent of a value, for `JSON.stringify`. Throws an InvalidValueError for a value that the schema does not allow. */
type Writer = (value: unknown) => unknown

/** Returns the writer of a view. It is created when it writes its first value, because views may contain themselves. */
type GetWriter = (view: SchemaView) => Lazy<[unknown], unknown>

/** Compiles the writer of a schema; `subject` begins its messages: `invalid response: body`. */
type CompileWriter = (schema: Schema, subject: string) => Writer

/** Creates the compiler of writers; `writeBigint` returns what is sent of an int64. */
export function createWriterCompiler(views: SchemaViews, writeBigint: (integer: bigint) => unknown): CompileWriter {
  const typeTests = { ...TYPE_TESTS, integer: createIntegerTest(views.int64) }
  const getWriter: GetWriter = compileForViews((view) =>
    view.branchings.length > 0
      ? createSelectingWriter(view, views, getWriter)
      : createTypedWriter(view, typeTests, writeBigint, getWriter),
  )
  return (schema, subject) => {
    const writer = getWriter(views.get(schema))
    return (value) => {
      try {
        return views.runBounded(value, () => writer.run(value))
      } catch (thrown) {
        throw thrown instanceof InvalidValueError ? new Error(`${subject}${thrown.path} ${thrown.message}`) : thrown
      }
    }
  }
}

/** Creates the writer that first selects the branches of a value. */
function createSelectingWriter(view: SchemaView, views: SchemaViews, getWriter: GetWriter): Writer {
  const select = views.createSelect(view, 'response')
  return (value) => {
    const selectedView = select(value)
    if (selectedView === undefined) throw new InvalidValueError('must match one of its alternatives')
    return getWriter(selectedView).run(value)
  }
}

/** Creates the writer of a view without branches. */
function createTypedWriter(
  view: SchemaView,
  typeTests: TypeTests,
  writeBigint: (integer: bigint) => unknown,
  getWriter: GetWriter,
): Writer {
  const types = getWrittenTypes(view)
  const [firstType, ...otherTypes] = types
  const isOfType =
    firstType !== undefined && otherTypes.length === 0
      ? typeTests[firstType]
      : (value: unknown) => types.some((type) => typeTests[type](value))
  const writeArray = types.includes('array') ? createArrayWriter(view, getWriter) : undefined
  const writeObject = types.includes('object') ? createObjectWriter(view, getWriter) : undefined
  return (value) => {
    if (!isOfType(value)) throw createTypeError(view, value)
    if (typeof value === 'bigint') return writeBigint(value)
    if (typeof value !== 'object' || value === null) return value
    return Array.isArray(value) ? writeArray?.(value) : writeObject?.(value as Values)
  }
}

function createArrayWriter(view: SchemaView, getWriter: GetWriter) {
  const writers = view.items.map(getWriter)
  const lastIndex = writers.length - 1
  // Items that the schema forbids are not sent.
  const maxLength = view.items[lastIndex]?.isNever ? lastIndex : Infinity
  return (items: readonly unknown[]) => {
    const written: unknown[] = []
    try {
      // `map` would skip holes.
      while (written.length < items.length && written.length < maxLength) {
        written.push(writers[Math.min(written.length, lastIndex)]?.run(items[written.length]))
      }
      return written
    } catch (thrown) {
      throw addStep(thrown, `[${written.length}]`)
    }
  }
}

/**
 * Creates the writer of objects. A property that responses lack, or whose schema is false, is never written. Of the others,
 *
 * |   | property                                                                  | is written                      |
 * |---|---------------------------------------------------------------------------|---------------------------------|
 * | 1 | in `properties`                                                           | by its schema                   |
 * | 2 | of `patternProperties`, `additionalProperties` or `unevaluatedProperties` | by that schema                  |
 * | 3 | in `required` or `dependentRequired` alone                                | as it is                        |
 * | 4 | any other one, if no schema has `properties` or `patternProperties`       | as it is                        |
 * | 5 | any other one                                                             | never: clients do not expect it |
 */
function createObjectWriter(view: SchemaView, getWriter: GetWriter) {
  const { mentionedNames, requiredNames } = view
  const mentionedProperties = [...mentionedNames]
    .filter((name) => !view.isPropertyHidden(name, 'response'))
    .map((name) => ({
      name,
      writer: view.property(name).isNever ? undefined : getWriter(view.property(name)),
      isRequired: requiredNames.has(name),
      // Every object inherits `constructor` and the like.
      isInherited: name in Object.prototype,
    }))
  const findOtherWriter = createFindOtherWriter(view, getWriter)
  return (object: Values) => {
    const written: Record<string, unknown> = {}
    let step = ''
    try {
      // Rows 1 and 3, and row 2 for names that are required.
      for (const { name, writer, isInherited, isRequired } of mentionedProperties) {
        step = name
        const value = isInherited && !Object.hasOwn(object, name) ? undefined : object[name]
        if (value !== undefined && writer !== undefined) setMember(written, name, writer.run(value))
        else if (isRequired) throw new InvalidValueError('is required and missing')
      }
      if (findOtherWriter === undefined) return written
      // Rows 2, 4 and 5. The log gets no name that the schema lacks: it may be a secret.
      step = '*'
      for (const [name, value] of Object.entries(object)) {
        if (value === undefined || mentionedNames.has(name)) continue
        const writer = findOtherWriter(name)
        if (writer !== undefined) setMember(written, name, writer.run(value))
      }
      return written
    } catch (thrown) {
      throw addStep(thrown, `.${step}`)
    }
  }
}

/**
 * Creates the function that finds the writer of a property that no schema names; it returns undefined for row 5. Undefined if all of them
 * are of row 5, so that objects need not be searched for them.
 */
function createFindOtherWriter(view: SchemaView, getWriter: GetWriter) {
  const { hasPatterns, propertyNames, undeclaredProperty } = view
  const isOpen = propertyNames.size === 0 && !hasPatterns
  const mayBeSent = hasPatterns || (!undeclaredProperty.isNever && (isOpen || view.declares(undefined)))
  if (!mayBeSent) return undefined
  return (name: string) => {
    const isSent = (isOpen || view.declares(name)) && !view.isPropertyHidden(name, 'response')
    return isSent && !view.property(name).isNever ? getWriter(view.property(name)) : undefined
  }
}

/** The message is a predicate, whose subject is the value at `path`: `.owner.tags[2]`. It goes into the log, without the value. */
class InvalidValueError extends Error {
  path = ''
}

/** Adds the step from an enclosing value to the path of an error. */
function addStep(thrown: unknown, step: string): unknown {
  if (thrown instanceof InvalidValueError) thrown.path = step + thrown.path
  return thrown
}

function createTypeError(view: SchemaView, value: unknown): InvalidValueError {
  const mustBeInteger = hasIntegers(view) && isNumber(value)
  const anyType = mustBeInteger ? 'integer' : 'any of JSON'
  const expected = view.types === undefined ? anyType : getWrittenTypes(view).join(' or ')
  const isTooLong = mustBeInteger && Number.isInteger(Number(value))
  // JSON has no NaN, and no Infinity.
  const type = typeof value === 'number' && !Number.isFinite(value) ? String(value) : `of type ${describeType(value)}`
  const actual = isTooLong ? 'an integer of more than 53 bits' : type
  return new InvalidValueError(`must be of type ${expected}, but is ${actual}`)
}

type TypeTests = Readonly<Record<SchemaType, (value: unknown) => boolean>>

/**
 * Creates the test of integers in responses. A number beyond 53 bits may have been rounded, so it is not sent. Nor is such a bigint
 * if the app receives numbers: a client could not send it back.
 */
function createIntegerTest(int64: Int64Type): (value: unknown) => boolean {
  if (int64 === 'number') return (value) => isNumber(value) && Number.isSafeInteger(Number(value))
  return (value) => typeof value === 'bigint' || Number.isSafeInteger(value)
}

const TYPE_TESTS = {
  null: (value) => value === null,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'bigint' || Number.isFinite(value),
  array: Array.isArray,
  // A Promise, Map, Date, Blob or the like has no members, and its content would be lost.
  object: (value) => Object.prototype.toString.call(value) === '[object Object]',
} satisfies Omit<TypeTests, 'integer'>
const ALL_TYPES = Object.keys(TYPE_TESTS) as readonly SchemaType[]

/** Returns the types that a value is written as. An int64 is an integer, also where its type is `number` or any. */
function getWrittenTypes(view: SchemaView): readonly SchemaType[] {
  const { types = ALL_TYPES } = view
  return hasIntegers(view) ? types.map((type) => (type === 'number' ? 'integer' : type)) : types
}
