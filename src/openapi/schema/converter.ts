/**
 * Converts valid values to those that handlers receive: an int64 to a bigint, any other number to a number, and a missing
 * property to its default. With `int64: 'number'`, an int64 is an integer like any other. An integer that a number would round is an error.
 */
import type { ErrorObject } from 'ajv'
import type { Direction, OpenApi, Schema } from '../document/model.ts'
import { toPointer } from '../document/pointers.ts'
import { createSchemaSearch, getTypes } from '../document/subschemas.ts'
import { memoize } from '../document/values.ts'
import { isNumber } from '../shared/json.ts'
import { compileForViews, type Lazy } from './compile-for-views.ts'
import type { SchemaViews } from './selection.ts'
import { isInt64 } from './types.ts'
import { MAX_LISTED } from './validator.ts'
import type { SchemaView } from './view.ts'

/** Converts a valid value, in place if it is an object or array, and returns it. Adds integers that are too long to `errors`. */
type Convert = (value: unknown, errors: ErrorObject[]) => unknown

export type Converter = Lazy<Parameters<Convert>, unknown>

/** Creates the compiler of converters for messages in a direction. A view without anything to convert has no converter. */
export function createConverterCompiler(
  root: OpenApi,
  views: SchemaViews,
  direction: Direction | undefined,
): (view: SchemaView) => Converter | undefined {
  /** True for a schema that converts the value or a member of it, at any depth. */
  const mayConvert = createSchemaSearch(root, convertsValues)
  // Also conditions: the members that `if` describes are converted as it says, if the value satisfies it.
  const dependsOnBranches = ({ branchings }: SchemaView) =>
    branchings.some(({ selectableSchemas }) => selectableSchemas.some(mayConvert))
  const getConverter = compileForViews<Parameters<Convert>, unknown>((view) =>
    dependsOnBranches(view) ? createSelectingConverter(view) : createConverter(view),
  )
  const compile = memoize((view: SchemaView): Converter | undefined =>
    view.schemas.some(mayConvert) || dependsOnBranches(view) ? getConverter(view) : undefined,
  )

  /**
   * Creates the converter of a view with branches. They are selected first, except for scalars:
   *
   * | value                               | is converted by                                    |
   * |-------------------------------------|----------------------------------------------------|
   * | an array or object                  | the branches that it satisfies                     |
   * | a number that `then` makes an int64 | the branches that it satisfies                     |
   * | any other number                    | the number type of the view, which unites branches |
   */
  function createSelectingConverter(view: SchemaView): Convert {
    const convertNumber = createNumberConverter(view)
    // Count the `if` in a branch as well. Otherwise, a union with null changes how the numbers of a schema are converted.
    const dependsOnCondition = view.numberType === 'mixed' && view.schemas.some((schema) => 'if' in schema)
    const select = views.createSelect(view, direction)
    return (value, errors) => {
      if (isScalar(value) && !(dependsOnCondition && isNumber(value))) return convertNumber(value, errors)
      const selectedView = select(value)
      // The value is valid, so this is a mistake of this folder: selection and validation must agree.
      if (selectedView === undefined) throw new Error('a valid value satisfies no branch')
      const converter = compile(selectedView)
      return converter === undefined ? value : converter.run(value, errors)
    }
  }

  function createConverter(view: SchemaView): Convert {
    const convertNumber = createNumberConverter(view)
    const convertItems = createItemsConverter(view)
    const convertProperties = createPropertiesConverter(view)
    return (value, errors) => {
      if (isScalar(value)) return convertNumber(value, errors)
      if (Array.isArray(value)) convertItems(value, errors)
      else convertProperties(value as Record<string, unknown>, errors)
      return value
    }
  }

  function createItemsConverter(view: SchemaView) {
    const converters = view.items.map(compile)
    return (items: unknown[], errors: ErrorObject[]) => {
      for (let index = 0; index < items.length; index++) {
        const converter = converters[Math.min(index, converters.length - 1)]
        if (converter !== undefined) items[index] = convertMember(converter, items[index], index, errors)
      }
    }
  }

  function createPropertiesConverter(view: SchemaView) {
    const { propertyNames } = view
    const propertyConverters = [...propertyNames].flatMap((name) => {
      const property = view.property(name)
      const converter = compile(property)
      const defaultValue = view.isPropertyHidden(name, direction) ? undefined : views.getDefault(property)
      return converter === undefined ? [] : [{ name, converter, defaultValue }]
    })
    const mayConvertUndeclared = view.hasPatterns || compile(view.undeclaredProperty) !== undefined
    return (object: Record<string, unknown>, errors: ErrorObject[]) => {
      for (const { name, converter, defaultValue } of propertyConverters) {
        const isGiven = Object.hasOwn(object, name) && object[name] !== undefined
        const value = isGiven ? object[name] : copy(defaultValue)
        if (value !== undefined) object[name] = convertMember(converter, value, name, errors)
      }
      if (!mayConvertUndeclared) return
      for (const name of Object.keys(object)) {
        const converter = propertyNames.has(name) ? undefined : compile(view.property(name))
        if (converter !== undefined) object[name] = convertMember(converter, object[name], name, errors)
      }
    }
  }

  return compile
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

/** True if a schema by itself converts values, or may report integers that are too long. */
function convertsValues(schema: Schema): boolean {
  const types = getTypes(schema)
  return 'default' in schema || isInt64(schema) || types.includes('number') || types.includes('integer')
}

/**
 * Creates the converter of a value that is no object or array, by the number type of its view:
 *
 * | number type        | 7   | 2^53 + 1, as bigint | 0.5         | texts, null, … |
 * |--------------------|-----|---------------------|-------------|----------------|
 * | `int64`            | 7n  | the same            | (not valid) | the same       |
 * | `number`           | 7   | the nearest number  | 0.5         | the same       |
 * | `integer`          | 7   | an error            | (not valid) | the same       |
 * | `mixed`, undefined | 7   | the same            | 0.5         | the same       |
 */
function createNumberConverter({ numberType }: SchemaView): Convert {
  switch (numberType) {
    case 'int64':
      return (value) => (Number.isSafeInteger(value) ? BigInt(value as number) : value)
    case 'number':
      return (value) => (typeof value === 'bigint' ? Number(value) : value)
    case 'integer':
      return (value, errors) => {
        // Stop above the number of errors that a message lists: each error costs time at every level around it.
        const isTooLong = isNumber(value) && !Number.isSafeInteger(value)
        if (isTooLong && errors.length <= MAX_LISTED) errors.push({ ...TOO_LONG })
        return value
      }
    default:
      return (value) => value
  }
}

/**
 * The error of an integer that handlers would receive rounded: without the format int64, they receive a number. `double-int` is
 * the format of the integers that a number holds exactly (OpenAPI Format Registry).
 */
const TOO_LONG: ErrorObject = {
  keyword: 'format',
  instancePath: '',
  schemaPath: '',
  params: { format: 'double-int' },
}

/** Converts a property or item, and puts its name before the paths of the errors in it. */
function convertMember(converter: Converter, value: unknown, name: string | number, errors: ErrorObject[]): unknown {
  const errorCountBefore = errors.length
  const converted = converter.run(value, errors)
  for (let index = errorCountBefore; index < errors.length; index++) {
    const error = errors[index] as ErrorObject
    error.instancePath = toPointer(name) + error.instancePath
  }
  return converted
}

/** Copies a default, which handlers may change. */
function copy(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? structuredClone(value) : value
}
