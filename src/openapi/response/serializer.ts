/**
 * Compiles response schemas into functions that write bodies as JSON: every int64 with all its digits, every object with
 * the members that its schema declares, and no value of another type.
 */

import { type Content, getEssence } from '../document/content.ts'
import type { Schema } from '../document/model.ts'
import { getOwn, type Values } from '../document/values.ts'
import type { SchemaViews } from '../schema/selection.ts'
import { createIntegerTest, hasIntegers } from '../schema/types.ts'
import { compileForViews, type Lazy, type SchemaView } from '../schema/view.ts'
import { describeType } from '../shared/errors.ts'
import type { SchemaType } from '../shared/json.ts'
import { isNumber, isObject, keepDigits, setMember } from '../shared/json.ts'
import { createUnchangedTestCompiler } from './unchanged.ts'

/**
 * Writes a body as JSON text. Throws if a required property is missing, or a value has another type than its schema, or
 * satisfies none of several alternatives. Members that no schema of an object declares are left out, unless none declares any
 * or `additionalProperties` allows them. Members have the order of the object, or the order of `properties` if it is copied.
 */
export type Serializer = (body: unknown) => string

/** Compiles the serializer of a schema; `name` is what messages call the value: by default, `body`. */
export type CompileSerializer = (schema: Schema, name?: string) => Serializer

/** Serializers of the app, by media types in lower case and without parameters. */
export type AppSerializers = Readonly<Record<string, (value: unknown) => string | Uint8Array>>

/**
 * Compiles what writes a body by the serializer of the app. It throws if the body has not the type of its schema, or if the serializer
 * returns neither text nor bytes.
 */
export type CompileAppSerializer = (content: Content) => (body: unknown) => string | Buffer

/** Returns a copy with the members that are sent. Throws as a `Serializer` does. */
type Copy = (value: unknown) => unknown
type LazyCopy = Lazy<[unknown], unknown>

/** Compiles what copies the values of a schema; `name` is what messages call the value. */
type CompileCopy = (schema: Schema, name: string) => Copy

/** Creates the compiler of serializers. */
export function createSerializerCompiler(views: SchemaViews): CompileSerializer {
  const compileCopy = createCopyCompiler(views, keepDigits)
  const compileUnchangedTest = createUnchangedTestCompiler()
  return (schema, name = 'body') => {
    const copy = compileCopy(schema, name)
    const isUnchanged = compileUnchangedTest(views.get(schema))
    return (body) => JSON.stringify(isUnchanged(body) ? body : copy(body))
  }
}

/** Creates the compiler for the app's serializers, which receive the members that a body of JSON would have, and an int64 as it is. */
export function createAppSerializerCompiler(views: SchemaViews, serializers: AppSerializers): CompileAppSerializer {
  const compileCopy = createCopyCompiler(views, (scalar) => scalar)
  return ({ type, schema }) => {
    const serialize = getOwn(serializers, getEssence(type))
    const copy = compileCopy(schema, 'body')
    return (body) => {
      const text: unknown = serialize?.(copy(body))
      if (typeof text === 'string') return text
      // Fastify sends no other bytes than a Buffer.
      if (text instanceof Uint8Array) return Buffer.from(text.buffer, text.byteOffset, text.byteLength)
      const what = `the serializer of ${type} must return a text or bytes, but returned a value of type`
      throw new Error(`invalid response: ${what} ${describeType(text)}`)
    }
  }
}

/** Creates the compiler of copies; `copyScalar` returns what stands for a scalar. */
function createCopyCompiler(views: SchemaViews, copyScalar: Copy): CompileCopy {
  const typeTests = { ...TYPE_TESTS, integer: createIntegerTest(views.int64) }
  const components = Object.entries(views.root.components?.schemas ?? {})
  const componentNames = new Map<unknown, string>(components.map(([name, schema]) => [schema, name]))
  /** The names of views in messages: that of a component, or the path to the first value that has the view. */
  const names = new WeakMap<SchemaView, string>()
  const getCopy = compileForViews<[unknown], unknown>((view) =>
    view.branchings.length > 0 ? createSelectingCopy(view) : createCopy(view),
  )

  function getName(view: SchemaView): string {
    return String(names.get(view))
  }

  /** Returns the copy of a view. If the view has no name yet, `path` is its name: `body.owner`. */
  function getCopyAt(view: SchemaView, path: string): LazyCopy {
    const name = view.isUnconstrained ? 'a value without a schema' : (componentNames.get(view.schema) ?? path)
    if (!names.has(view)) names.set(view, name)
    return getCopy(view)
  }

  /** Creates the copy that first selects the branches of a value. */
  function createSelectingCopy(view: SchemaView): Copy {
    return (value) => {
      const selectedView = views.select(view, value, 'response')
      if (selectedView !== undefined) return getCopyAt(selectedView, getName(view)).run(value)
      throw new Error(`invalid response: ${getName(view)} must match one of its alternatives`)
    }
  }

  function createCopy(view: SchemaView): Copy {
    const types = getWrittenTypes(view)
    const tests = types.map((type) => typeTests[type])
    const [isOfType] = tests.length === 1 ? tests : [(value: unknown) => tests.some((test) => test(value))]
    const copyArray = types.includes('array') ? createArrayCopy(view) : undefined
    const copyObject = types.includes('object') ? createObjectCopy(view) : undefined
    return (value) => {
      if (!isOfType?.(value)) throw createTypeError(view, value)
      if (typeof value !== 'object' || value === null) return copyScalar(value)
      return Array.isArray(value) ? copyArray?.(value) : copyObject?.(value as Values)
    }
  }

  /** The message goes into the log, so it does not contain the value. */
  function createTypeError(view: SchemaView, value: unknown): Error {
    const isBytes = value instanceof Blob || ArrayBuffer.isView(value)
    const type =
      value === null ? 'null' : isBytes ? value.constructor.name : Array.isArray(value) ? 'array' : typeof value
    const mustBeInteger = isNumber(value) && hasIntegers(view)
    const anyType = mustBeInteger ? 'integer' : isBytes ? 'any of JSON' : 'any'
    const expected = view.types === undefined ? anyType : getWrittenTypes(view).join(' or ')
    const isTooLong = mustBeInteger && Number.isInteger(Number(value))
    const actual = isTooLong ? 'an integer of more than 53 bits' : `of type ${type}`
    return new Error(`invalid response: ${getName(view)} must be of type ${expected}, but is ${actual}`)
  }

  function createArrayCopy(view: SchemaView) {
    const copies = view.items.map((item) => getCopyAt(item, `${getName(view)}[]`))
    const copyItem = (item: unknown, index: number) => copies[Math.min(index, copies.length - 1)]?.run(item)
    // Items that the schema forbids are not sent.
    const maxLength = view.item(Infinity).isNever ? view.items.length - 1 : Infinity
    // A spread array has no holes, which `map` would skip.
    return (items: readonly unknown[]) => [...items].slice(0, maxLength).map(copyItem)
  }

  /**
   * Creates the copy of objects. A property that messages lack, or whose schema is false, is never written. Of the others,
   *
   * | property                                                                  | is written                      |
   * |---------------------------------------------------------------------------|---------------------------------|
   * | in `properties`                                                           | by its schema                   |
   * | of `patternProperties`, `additionalProperties` or `unevaluatedProperties` | by that schema                  |
   * | in `required` or `dependentRequired` alone                                | as it is                        |
   * | any other one, if no schema has `properties` or `patternProperties`       | as it is                        |
   * | any other one                                                             | never: clients do not expect it |
   */
  function createObjectCopy(view: SchemaView) {
    const { propertyNames, requiredNames } = view
    const name = getName(view)
    const isSent = (property: string) =>
      !view.isPropertyHidden(property, 'response') && !view.property(property).isNever
    const declaredProperties = [...propertyNames].filter(isSent).map((property) => ({
      property,
      copy: getCopyAt(view.property(property), `${name}.${property}`),
      isRequired: requiredNames.has(property),
      // Every object inherits `constructor` and the like.
      isInherited: property in Object.prototype,
    }))
    const undeclaredNames = findUndeclaredNames(view)
    const undeclaredRequired = undeclaredNames.filter((property) => requiredNames.has(property))
    const findUndeclaredCopy = createUndeclaredCopyFinder(view, undeclaredNames, isSent)
    const throwMissing = (property: string) => {
      throw new Error(`invalid response: ${name}.${property} is required and missing`)
    }
    return (object: Values) => {
      const copied: Record<string, unknown> = {}
      for (const { property, copy, isInherited, isRequired } of declaredProperties) {
        const value = isInherited && !Object.hasOwn(object, property) ? undefined : object[property]
        if (value !== undefined) setMember(copied, property, copy.run(value))
        else if (isRequired) throwMissing(property)
      }
      if (findUndeclaredCopy === undefined) return copied
      for (const [property, value] of Object.entries(object)) {
        const copy = value === undefined || propertyNames.has(property) ? undefined : findUndeclaredCopy(property)
        if (copy !== undefined) setMember(copied, property, copy.run(value))
      }
      for (const property of undeclaredRequired) if (!Object.hasOwn(copied, property)) throwMissing(property)
      return copied
    }
  }

  /**
   * Creates the function that finds the copy of a property that is not in `properties`; it returns undefined for a property that is
   * not written. Undefined if none of them is written, so that objects need not be searched for them.
   */
  function createUndeclaredCopyFinder(
    view: SchemaView,
    undeclaredNames: readonly string[],
    isSent: (property: string) => boolean,
  ) {
    const { hasPatterns, propertyNames, undeclaredProperty } = view
    const writesAny = propertyNames.size === 0 && !hasPatterns
    const isUndeclaredSent = !undeclaredProperty.isNever && !undeclaredProperty.isHidden('response')
    const writesUndeclared = (writesAny || view.declares(undefined)) && isUndeclaredSent
    if (!writesUndeclared && !hasPatterns && undeclaredNames.length === 0) return undefined
    return (property: string): LazyCopy | undefined => {
      const isWritten = writesAny || view.declares(property) || undeclaredNames.includes(property)
      return isWritten && isSent(property) ? getCopyAt(view.property(property), `${getName(view)}.*`) : undefined
    }
  }

  return (schema, name) => {
    const copy = getCopyAt(views.get(schema), name)
    return (body) => views.runBounded(body, () => copy.run(body))
  }
}

/** Finds the properties that `required` or `dependentRequired` demands, and that are not in `properties`. */
function findUndeclaredNames(view: SchemaView): readonly string[] {
  const names = [...view.mentionedNames.difference(view.propertyNames)]
  return names.filter((name) => !view.isPropertyHidden(name, 'response'))
}

const TYPE_TESTS = {
  null: (value: unknown) => value === null,
  string: (value: unknown) => typeof value === 'string',
  boolean: (value: unknown) => typeof value === 'boolean',
  number: (value: unknown) => typeof value === 'bigint' || Number.isFinite(value),
  array: Array.isArray,
  // Bytes have no members, and are no JSON.
  object: (value) => isObject(value) && !(value instanceof Blob) && !ArrayBuffer.isView(value),
} satisfies Record<Exclude<SchemaType, 'integer'>, (value: unknown) => boolean>
const ALL_TYPES = Object.keys(TYPE_TESTS) as readonly SchemaType[]

/** Returns the types that a value is written as. An int64 is an integer, also where its type is `number` or any. */
function getWrittenTypes(view: SchemaView): readonly SchemaType[] {
  const { types = ALL_TYPES } = view
  return hasIntegers(view) ? types.map((type) => (type === 'number' ? 'integer' : type)) : types
}
