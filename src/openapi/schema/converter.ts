/**
 * Compiles schemas into functions that convert valid values to those that handlers receive: an int64 to a bigint, any other
 * number that JSON has as a bigint to a number, and a property that is missing to its default.
 */
import type { OpenApi, Schema } from '../document/model.ts'
import { getInnerSchemas, getTypes } from '../document/references.ts'
import { isInt64 } from './keywords.ts'
import {
  countPrefixItems,
  createFromParts,
  type Direction,
  findInPlace,
  getItemSchemas,
  getPropertySchemas,
  isHidden,
  type TestCompiler,
  toSchema,
} from './parts.ts'

/** Converts a value that is valid, in place where it is an object or array, and returns it. */
export type Converter = (value: unknown) => unknown

/**
 * Returns the default of a property that is filled in, in a list; none without one. It stands in the schema, or where the
 * schema refers to or takes in others by `allOf`, and not in an alternative.
 */
export function findDefault(root: OpenApi, schemas: readonly Schema[]): unknown[] {
  const found = findInPlace(root, schemas).find((each) => 'default' in each)
  return found === undefined ? [] : [found.default]
}

/** Makes the compiler of converters; it returns undefined where there is nothing to convert. */
export function createConverterCompiler(root: OpenApi, compileTest: TestCompiler) {
  const decided = new Map<Schema, boolean>()

  /** True if the values of a schema, or values within them, may have to be converted. */
  function isNeeded(schema: Schema): boolean {
    // An iteration includes what is added during it.
    const found = new Set([schema])
    for (const each of found) {
      const needs = decided.get(each) ?? ('default' in each || isInt64(each) || getTypes(each).includes('number'))
      if (needs) {
        decided.set(schema, true)
        return true
      }
      if (decided.get(each) === undefined) for (const inner of getInnerSchemas(root, each)) found.add(inner)
    }
    for (const each of found) decided.set(each, false)
    return false
  }

  return (schema: Schema, direction: Direction | undefined): Converter | undefined => {
    const ids = new Map<Schema, number>()
    const known = new Map<string, Converter>()
    const toTest = (alternative: Schema) => {
      let test: ((value: unknown) => boolean) | undefined
      return (value: unknown) => {
        test ??= compileTest(alternative, direction)
        return test(value)
      }
    }

    function create(schemas: readonly (Schema | boolean)[]): Converter | undefined {
      const needed = schemas.map(toSchema).filter(isNeeded)
      if (needed.length === 0) return undefined
      for (const each of needed) if (!ids.has(each)) ids.set(each, ids.size)
      const key = needed.map((each) => ids.get(each)).join()
      const existing = known.get(key)
      if (existing !== undefined) return existing
      // The schemas may refer to themselves.
      let convert: Converter = (value) => value
      known.set(key, (value) => convert(value))
      convert = createFromParts(root, needed, toTest, createOwn, { isNeeded })
      known.set(key, convert)
      return convert
    }

    function createOwn(own: readonly Schema[]): Converter {
      const convertNumber = own.some(isInt64)
        ? toInt64
        : own.some((each) => getTypes(each).includes('number'))
          ? toNumber
          : undefined
      const convertItems = createItems(own)
      const convertMembers = createMembers(own)
      return (value) => {
        if (typeof value !== 'object' || value === null)
          return convertNumber === undefined ? value : convertNumber(value)
        if (Array.isArray(value)) convertItems?.(value)
        else convertMembers?.(value as Record<string, unknown>)
        return value
      }
    }

    function createItems(own: readonly Schema[]): ((items: unknown[]) => void) | undefined {
      const first = Array.from({ length: countPrefixItems(own) }, (_each, index) => create(getItemSchemas(own, index)))
      const others = create(getItemSchemas(own, first.length))
      if ([...first, others].every((each) => each === undefined)) return undefined
      return (items) => {
        for (let index = 0; index < items.length; index++) {
          const convert = index < first.length ? first[index] : others
          if (convert !== undefined) items[index] = convert(items[index])
        }
      }
    }

    function createMembers(own: readonly Schema[]): ((object: Record<string, unknown>) => void) | undefined {
      const names = new Set(own.flatMap(({ properties = {} }) => Object.keys(properties)))
      const members = [...names].flatMap((name) => {
        const schemas = getPropertySchemas(own, name).map(toSchema)
        const convert = create(schemas)
        const [fallback] = schemas.some((each) => isHidden(root, each, direction)) ? [] : findDefault(root, schemas)
        return convert === undefined ? [] : [{ name, convert, fallback }]
      })
      const hasPatterns = own.some((each) => each.patternProperties !== undefined)
      const others = own.filter((each) => each.additionalProperties || each.unevaluatedProperties)
      const isOpen = (hasPatterns || others.length > 0) && own.some((each) => isNeeded({ ...each, properties: {} }))
      if (members.length === 0 && !isOpen) return undefined
      return (object) => {
        for (const { name, convert, fallback } of members) {
          const isThere = Object.hasOwn(object, name) && object[name] !== undefined
          if (isThere) object[name] = convert(object[name])
          else if (fallback !== undefined) object[name] = convert(structuredClone(fallback))
        }
        if (!isOpen) return
        for (const name of Object.keys(object)) {
          if (!names.has(name)) object[name] = create(getPropertySchemas(own, name))?.(object[name]) ?? object[name]
        }
      }
    }

    return create([schema])
  }
}

function toInt64(value: unknown): unknown {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value
}

function toNumber(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}
