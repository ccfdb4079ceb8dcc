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
  const found = findInPlace(root, schemas).find((schema) => 'default' in schema)
  return found === undefined ? [] : [found.default]
}

/** Makes the compiler of converters; it returns undefined where there is nothing to convert. */
export function createConverterCompiler(root: OpenApi, compileTest: TestCompiler) {
  const decided = new Map<Schema, boolean>()

  /** True if the values of a schema, or values within them, may have to be converted. */
  function isNeeded(schema: Schema): boolean {
    // An iteration includes what is added during it.
    const found = new Set([schema])
    for (const candidate of found) {
      const needs =
        decided.get(candidate) ??
        ('default' in candidate || isInt64(candidate) || getTypes(candidate).includes('number'))
      if (needs) {
        decided.set(schema, true)
        return true
      }
      if (decided.get(candidate) === undefined) for (const inner of getInnerSchemas(root, candidate)) found.add(inner)
    }
    for (const candidate of found) decided.set(candidate, false)
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

    const toId = (schema: Schema) => {
      if (!ids.has(schema)) ids.set(schema, ids.size)
      return ids.get(schema)
    }

    /** `always` are the schemas that are reached without an alternative: only their defaults are filled in. */
    function create(schemas: readonly Schema[], always: readonly Schema[]): Converter | undefined {
      const needed = schemas.filter(isNeeded)
      if (needed.length === 0) return undefined
      const key = [needed.map(toId), always.map(toId)].join(';')
      const existing = known.get(key)
      if (existing !== undefined) return existing
      // The schemas may refer to themselves.
      let convert: Converter = (value) => value
      known.set(key, (value) => convert(value))
      const reached = findInPlace(root, always)
      convert = createFromParts(root, needed, toTest, (own) => createOwn(own, reached), { isNeeded })
      known.set(key, convert)
      return convert
    }

    function createOwn(own: readonly Schema[], reached: readonly Schema[]): Converter {
      const isNumber = own.some((part) => getTypes(part).includes('number'))
      const convertNumber = own.some(isInt64) ? toInt64 : isNumber ? toNumber : undefined
      const convertItems = createItems(own, reached)
      const convertMembers = createMembers(own, reached)
      return (value) => {
        if (typeof value !== 'object' || value === null) {
          return convertNumber === undefined ? value : convertNumber(value)
        }
        if (Array.isArray(value)) convertItems?.(value)
        else convertMembers?.(value as Record<string, unknown>)
        return value
      }
    }

    function createItems(own: readonly Schema[], reached: readonly Schema[]) {
      const createAt = (index: number) => create(getItemSchemas(own, index), getItemSchemas(reached, index))
      const first = Array.from({ length: countPrefixItems(own) }, (_each, index) => createAt(index))
      const others = createAt(first.length)
      if ([...first, others].every((convert) => convert === undefined)) return undefined
      return (items: unknown[]) => {
        for (let index = 0; index < items.length; index++) {
          const convert = index < first.length ? first[index] : others
          if (convert !== undefined) items[index] = convert(items[index])
        }
      }
    }

    function createMembers(own: readonly Schema[], reached: readonly Schema[]) {
      const names = new Set(own.flatMap(({ properties = {} }) => Object.keys(properties)))
      const getSchemas = (schemas: readonly Schema[], name: string) => getPropertySchemas(schemas, name).map(toSchema)
      const createFor = (name: string) => create(getSchemas(own, name), getSchemas(reached, name))
      const members = [...names].flatMap((name) => {
        const schemas = getSchemas(reached, name)
        const [fallback] = schemas.some((property) => isHidden(root, property, direction))
          ? []
          : findDefault(root, schemas)
        const isScalar = typeof fallback !== 'object' || fallback === null
        const copyFallback = () => (isScalar ? fallback : structuredClone(fallback))
        const convert = createFor(name)
        return convert === undefined ? [] : [{ name, convert, copyFallback }]
      })
      const isOpen = own.some(({ patternProperties = {}, additionalProperties, unevaluatedProperties }) =>
        [...Object.values(patternProperties), additionalProperties, unevaluatedProperties].some(
          (inner) => typeof inner === 'object' && isNeeded(inner),
        ),
      )
      if (members.length === 0 && !isOpen) return undefined
      return (object: Record<string, unknown>) => {
        for (const { name, convert, copyFallback } of members) {
          const isGiven = Object.hasOwn(object, name) && object[name] !== undefined
          const value = isGiven ? object[name] : copyFallback()
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

function toInt64(value: unknown): unknown {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value
}

function toNumber(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}
