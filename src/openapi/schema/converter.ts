/**
 * Compiles schemas into functions that convert valid values to those that handlers receive: an int64 to a bigint, any other
 * number that JSON has as a bigint to a number, and a property that is missing to its default.
 */
import type { OpenApi, Schema } from '../document/model.ts'
import { getInnerSchemas, getTypes } from '../document/references.ts'
import { isInt64 } from './keywords.ts'
import {
  ANY,
  createFromParts,
  createItems,
  createSharing,
  type Direction,
  findInPlace,
  getItemSchemas,
  getPropertySchemas,
  isHidden,
  type Test,
  toSchema,
} from './parts.ts'

/** Converts a value that is valid, in place where it is an object or array, and returns it. */
export type Converter = (value: unknown) => unknown

/**
 * Returns the default of a property that is filled in, in a list; none without one. It stands in the schema, or where the
 * schema refers to or takes in others by `allOf`, and not in an alternative.
 */
export function findDefault(root: OpenApi, schemas: readonly Schema[]): unknown[] {
  const found = findInPlace(root, schemas).find((schema) => 'default' in schema)
  return found === undefined ? [] : [found.default]
}

/** Makes the compiler of converters; it returns undefined where there is nothing to convert. */
export function createConverterCompiler(
  root: OpenApi,
  compileTest: (schema: Schema, direction: Direction | undefined) => Test,
) {
  const decided = new WeakMap<Schema, boolean>()

  /** True if the values of a schema, or values within them, may have to be converted. */
  function isNeeded(schema: Schema): boolean {
    // An iteration includes what is added during it.
    const found = new Set([schema])
    for (const candidate of found) {
      const known = decided.get(candidate)
      if (known ?? ('default' in candidate || isInt64(candidate) || getTypes(candidate).includes('number'))) {
        decided.set(schema, true)
        return true
      }
      if (known === undefined) for (const inner of getInnerSchemas(root, candidate)) found.add(inner)
    }
    for (const candidate of found) decided.set(candidate, false)
    return false
  }

  return (schema: Schema, direction: Direction | undefined): Converter | undefined => {
    const share = createSharing()
    const toTest = (alternative: Schema) => compileTest(alternative, direction)

    /** `always` are the schemas that are reached without an alternative: only their defaults are filled in. */
    function create(schemas: readonly Schema[], always: readonly Schema[]): Converter | undefined {
      const needed = schemas.filter(isNeeded)
      if (needed.length === 0) return undefined
      // `ANY` is not needed, and divides the two lists.
      return share([...needed, ANY, ...always], () => {
        const reached = findInPlace(root, always)
        return createFromParts(root, needed, toTest, (own) => createOwn(own, reached), { isNeeded })
      })
    }

    function createOwn(own: readonly Schema[], reached: readonly Schema[]): Converter {
      const isNumber = own.some((part) => getTypes(part).includes('number'))
      const convertNumber = own.some(isInt64) ? toInt64 : isNumber ? toNumber : undefined
      const getItem = createItems(own, (index) => create(getItemSchemas(own, index), getItemSchemas(reached, index)))
      const convertMembers = createMembers(own, reached)
      return (value) => {
        if (typeof value !== 'object' || value === null) {
          return convertNumber === undefined ? value : convertNumber(value)
        }
        if (!Array.isArray(value)) convertMembers(value as Record<string, unknown>)
        else {
          for (let index = 0; index < value.length; index++) {
            const convert = getItem(index)
            if (convert !== undefined) value[index] = convert(value[index])
          }
        }
        return value
      }
    }

    function createMembers(own: readonly Schema[], reached: readonly Schema[]) {
      const names = new Set(own.flatMap(({ properties = {} }) => Object.keys(properties)))
      const getSchemas = (schemas: readonly Schema[], name: string) => getPropertySchemas(schemas, name).map(toSchema)
      const createFor = (name: string) => create(getSchemas(own, name), getSchemas(reached, name))
      const members = [...names].flatMap((name) => {
        const convert = createFor(name)
        const schemas = getSchemas(reached, name)
        const [fallback] = isHidden(root, schemas, direction) ? [] : findDefault(root, schemas)
        return convert === undefined ? [] : [{ name, convert, fallback }]
      })
      const isOpen = own.some(({ patternProperties = {}, additionalProperties = [], unevaluatedProperties = [] }) =>
        [Object.values(patternProperties), additionalProperties, unevaluatedProperties]
          .flat()
          .map(toSchema)
          .some(isNeeded),
      )
      return (object: Record<string, unknown>) => {
        for (const { name, convert, fallback } of members) {
          const isGiven = Object.hasOwn(object, name) && object[name] !== undefined
          const value = isGiven ? object[name] : copy(fallback)
          if (value !== undefined) object[name] = convert(value)
        }
        if (!isOpen) return
        for (const name of Object.keys(object)) {
          const convert = names.has(name) ? undefined : createFor(name)
          if (convert !== undefined) object[name] = convert(object[name])
        }
      }
    }

    return create([schema], [schema])
  }
}

function copy(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? structuredClone(value) : value
}

function toInt64(value: unknown): unknown {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value
}

function toNumber(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}
