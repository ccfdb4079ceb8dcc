/**
 * Converts valid values to those that handlers receive: an int64 to a bigint, any other number to a number, and a missing
 * property to its default. An integer that a number would round is an error.
 */
import type { ErrorObject } from 'ajv'
import type { Direction, OpenApi, Schema } from '../document/model.ts'
import { createSchemaSearch, getTypes, toPointer } from '../document/references.ts'
import { isNumber } from '../shared/json.ts'
import { isInt64 } from './applicators.ts'
import { MAX_LISTED } from './keywords.ts'
import { compileForViews, type SchemaView } from './view.ts'

/** Converts a valid value, in place if it is an object or array, and returns it. Adds what is wrong to `errors`. */
export type Converter = (value: unknown, errors: ErrorObject[]) => unknown

/** Creates the compiler of converters for messages in a direction. A view without anything to convert has no converter. */
export function createConverterCompiler(
  root: OpenApi,
  direction: Direction | undefined,
): (view: SchemaView) => Converter | undefined {
  const needsConversion = createSchemaSearch(root, isConverted)
  /** Returns the converter of a view, which is put together at its first call: schemas may be recursive. */
  const getConverter = compileForViews<Parameters<Converter>, unknown>((view) => {
    const dependsOnBranches = view.unions.some(({ selectableSchemas }) => selectableSchemas.some(needsConversion))
    return dependsOnBranches ? createSelectingConverter(view) : createConverter(view)
  })
  const isNeeded = ({ schemas, unions }: SchemaView) =>
    schemas.some(needsConversion) || unions.some(({ selectableSchemas }) => selectableSchemas.some(needsConversion))
  const compile = (view: SchemaView) => (isNeeded(view) ? getConverter(view) : undefined)

  function createSelectingConverter(view: SchemaView): Converter {
    const convertNumber = createNumberConverter(view)
    return (value, errors) => {
      // What a number becomes does not depend on its branch.
      if (typeof value !== 'object' || value === null) return convertNumber(value, errors)
      const selected = view.select(value, direction)
      const convert = selected && compile(selected)
      return convert === undefined ? value : convert(value, errors)
    }
  }

  function createConverter(view: SchemaView): Converter {
    const convertNumber = createNumberConverter(view)
    const convertItems = createItemsConverter(view)
    const convertProperties = createPropertiesConverter(view)
    return (value, errors) => {
      if (typeof value !== 'object' || value === null) return convertNumber(value, errors)
      if (Array.isArray(value)) convertItems(value, errors)
      else convertProperties(value as Record<string, unknown>, errors)
      return value
    }
  }

  function createItemsConverter(view: SchemaView) {
    const converters = view.items.map(compile)
    return (items: unknown[], errors: ErrorObject[]) => {
      for (let index = 0; index < items.length; index++) {
        const convert = converters[Math.min(index, converters.length - 1)]
        if (convert !== undefined) items[index] = convertMember(convert, items[index], index, errors)
      }
    }
  }

  function createPropertiesConverter(view: SchemaView) {
    const { propertyNames } = view
    const declared = [...propertyNames].flatMap((name) => {
      const property = view.property(name)
      const convert = compile(property)
      const isFilledIn = !view.isPropertyHidden(name, direction)
      return convert === undefined ? [] : [{ name, convert, default: isFilledIn ? property.default : undefined }]
    })
    const findConverter = (name: string) => (propertyNames.has(name) ? undefined : compile(view.property(name)))
    const isOpen = view.hasPatterns || compile(view.undeclaredProperty) !== undefined
    return (object: Record<string, unknown>, errors: ErrorObject[]) => {
      for (const { name, convert, default: fallback } of declared) {
        const isGiven = Object.hasOwn(object, name) && object[name] !== undefined
        const value = isGiven ? object[name] : copy(fallback)
        if (value !== undefined) object[name] = convertMember(convert, value, name, errors)
      }
      if (!isOpen) return
      for (const name of Object.keys(object)) {
        const convert = findConverter(name)
        if (convert !== undefined) object[name] = convertMember(convert, object[name], name, errors)
      }
    }
  }

  return compile
}

/** True if values of a schema may have to be converted, or checked for integers that are too long. */
function isConverted(schema: Schema): boolean {
  const types = getTypes(schema)
  return 'default' in schema || isInt64(schema) || types.includes('number') || types.includes('integer')
}

function createNumberConverter({ numberType }: SchemaView): Converter {
  switch (numberType) {
    case 'int64':
      return (value) => (Number.isSafeInteger(value) ? BigInt(value as number) : value)
    case 'number':
      return (value) => (typeof value === 'bigint' ? Number(value) : value)
    case 'integer':
      return (value, errors) => {
        // A message lists no more errors, and each costs time at every level around it.
        const isTooLong = isNumber(value) && !Number.isSafeInteger(value)
        if (isTooLong && errors.length <= MAX_LISTED) errors.push({ ...TOO_LONG, data: value })
        return value
      }
    default:
      return (value) => value
  }
}

/** Without the format int64, handlers receive a number, which does not hold larger integers exactly. */
const TOO_LONG: ErrorObject = { keyword: 'type', instancePath: '', schemaPath: '', params: { type: 'integer' } }

/** Converts a property or item, and adds its name to the paths of its errors. */
function convertMember(convert: Converter, value: unknown, name: string | number, errors: ErrorObject[]): unknown {
  const countBefore = errors.length
  const converted = convert(value, errors)
  for (let index = countBefore; index < errors.length; index++) {
    const error = errors[index] as ErrorObject
    error.instancePath = toPointer(name) + error.instancePath
  }
  return converted
}

function copy(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? structuredClone(value) : value
}
