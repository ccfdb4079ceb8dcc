/**
 * Makes values of schemas, for the mocks: of the examples that a schema has, or else of what all schemas say that describe a
 * value (`SchemaView`). Only the schemas that a value needs are looked at, each once.
 */
import fc from 'fast-check'
import { sample } from 'openapi-sampler'
import type { OpenApiDocument } from '../check/document.ts'
import type { Schema } from '../document/model.ts'
import { parsePointer, toPointer } from '../document/pointers.ts'
import { toObject } from '../document/values.ts'
import type { SchemaView } from '../schema/view.ts'
import { formatViolation } from '../schema/violations.ts'
import type { SchemaType } from '../shared/json.ts'
import { createPattern } from '../shared/patterns.ts'

/** Either a valid value, or why none can be made: what is wrong with a part that must be there. */
export type Sampled = { readonly value: unknown } | { readonly problem: string }
/** Makes a valid value of a schema in responses; `part` names the value in the problem. */
export type Sampler = (schema: Schema, part: string) => Sampled
type Validator = ReturnType<OpenApiDocument['compile']>

/** Bounds the depth of values whose schemas lead to many others. */
const MAX_DEPTH = 12
/** The most combinations of branches that are tried for one value. */
const MAX_COMBINATIONS = 50

/** Creates the function that makes values. */
export function createSampler({ compile }: OpenApiDocument): Sampler {
  const { views } = compile
  const values = new Map<SchemaView, unknown>()
  /** The views whose values are being made: one within another. */
  const openViews = new Set<SchemaView>()

  /**
   * Makes a value, which may violate keywords that nothing here knows. Returns undefined if the value must contain itself; where
   * it only may, it does not.
   */
  function make(view: SchemaView): unknown {
    if (values.has(view)) return values.get(view)
    if (openViews.has(view) || openViews.size > MAX_DEPTH) return undefined
    openViews.add(view)
    let value = findGiven(view)
    if (value === undefined) value = view.branchings.some(isUnion) ? makeAlternative(view) : create(view)
    openViews.delete(view)
    // Without a value, try again at the next use: where fewer views are open, there may be one.
    if (value !== undefined) values.set(view, value)
    return value
  }

  /** Finds a valid value that the document gives: an example, a default, or a listed value. */
  function findGiven(view: SchemaView): unknown {
    const givenValues = view.conjuncts.flatMap(getGivenValues).filter((value) => value !== undefined)
    if (givenValues.length === 0) return undefined
    const validate = compile(view.schema, 'response')
    return givenValues.find((value) => 'value' in validate(structuredClone(value)))
  }

  /** Makes a value of the first branches that lead to a valid one; if none do, of the first branches that lead to any. */
  function makeAlternative(view: SchemaView): unknown {
    const validate = compile(view.schema, 'response')
    let firstValue: unknown
    for (const branches of listCombinations(view.branchings.filter(isUnion).map(({ branches }) => branches))) {
      const value = make(views.selectBranches(view, branches))
      if (value === undefined) continue
      const pruned = prune(value, validate, 'value')
      if ('value' in pruned) return pruned.value
      firstValue ??= value
    }
    return firstValue
  }

  function create(view: SchemaView): unknown {
    const type = chooseType(view)
    if (type === 'object') return createObject(view)
    if (type === 'array') return createArray(view)
    return type === undefined ? null : createScalar(view, type)
  }

  function createObject(view: SchemaView): unknown {
    const object: Record<string, unknown> = {}
    for (const name of view.propertyNames.union(view.requiredNames)) {
      if (view.isPropertyHidden(name, 'response') || view.property(name).isNever) continue
      const value = make(view.property(name))
      if (value !== undefined) object[name] = value
      else if (view.requiredNames.has(name)) return undefined
    }
    const { undeclaredProperty } = view
    const isMap = Object.keys(object).length === 0 && view.declares(undefined)
    const value =
      isMap && !undeclaredProperty.isUnconstrained && !undeclaredProperty.isNever ? make(undeclaredProperty) : undefined
    return value === undefined ? object : { ...object, key: value }
  }

  function createArray(view: SchemaView): unknown {
    const leastLength = Math.max(0, ...view.conjuncts.map(({ minItems = 0 }) => minItems))
    const mostLength = Math.min(
      ...view.conjuncts.map(({ maxItems = Infinity }: Schema & { maxItems?: number }) => maxItems),
    )
    const length = Math.min(Math.max(leastLength, view.items.length), mostLength)
    const items: unknown[] = []
    for (let index = 0; index < length; index++) {
      const item = view.item(index).isNever ? undefined : make(view.item(index))
      if (item === undefined) break
      items.push(item)
    }
    return items.length < leastLength ? undefined : items
  }

  function createScalar({ conjuncts }: SchemaView, type: SchemaType): unknown {
    const limits: Limits = Object.assign({}, ...conjuncts.map(getLimits))
    if (type === 'string') {
      const patterns = conjuncts.flatMap(({ pattern = [] }) => pattern)
      const text = TEXTS[`${limits.format}`] ?? sample({ ...limits, type } as object, { quiet: true })
      return patterns.length === 0 ? text : (makeText(patterns, limits) ?? text)
    }
    const { minimum, exclusiveMinimum: above, maximum, exclusiveMaximum: below, multipleOf } = limits
    const bounds = [minimum, typeof above === 'bigint' && above + 1n, maximum, typeof below === 'bigint' && below - 1n]
    // The library does not know bigints.
    const bigintBound = bounds.find((bound) => typeof bound === 'bigint')
    const value = bigintBound ?? sample({ ...limits, type } as object, { quiet: true })
    if (typeof value !== 'number' || typeof multipleOf !== 'number') return value
    return Math.ceil(value / multipleOf) * multipleOf
  }

  return (schema, part) => {
    const value = make(views.get(schema))
    return value === undefined
      ? { problem: `${part} would contain itself without an end` }
      : prune(value, compile(schema, 'response'), part)
  }
}

/** The texts of formats that the library does not know. */
const TEXTS: Readonly<Record<string, string>> = { byte: 'c2FtcGxl', duration: 'P1D' }

type Limits = ReturnType<typeof getLimits>

/** Returns the keywords of a scalar that the library knows, but those that list values. */
function getLimits(schema: Schema & { readonly maxLength?: number }) {
  const { format, minLength, maxLength } = schema
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const limits = { format, minLength, maxLength, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined)) as Partial<typeof limits>
}

function isUnion({ isUnion }: SchemaView['branchings'][number]): boolean {
  return isUnion
}

/** Returns the values that a schema gives, in the order in which they are preferred. */
function getGivenValues(
  schema: Schema & { readonly example?: unknown; readonly examples?: readonly unknown[] },
): unknown[] {
  const { example, examples = [], default: preset, enum: listed = [], 'x-extensible-enum': extensible = [] } = schema
  // Many objects have an empty default, which shows nothing.
  const isEmpty = typeof preset === 'object' && Object.keys(toObject(preset)).length === 0 && preset !== null
  return [example, ...examples, ...(isEmpty ? [] : [preset]), schema.const, ...extensible, ...listed]
}

/** Lists a branch of each union, in all combinations up to a limit; the first branches come first. */
function listCombinations(unions: readonly (readonly Schema[])[]): (readonly Schema[])[] {
  return unions.reduce<(readonly Schema[])[]>(
    (combinations, branches) =>
      combinations
        .flatMap((combination) => branches.map((branch) => [...combination, branch]))
        .slice(0, MAX_COMBINATIONS),
    [[]],
  )
}

/** Chooses one of the types that a value may have; undefined for a value of which nothing is said. */
function chooseType({ types, mentionedTypes, requiredNames, conjuncts }: SchemaView): SchemaType | undefined {
  const [type] = (types ?? mentionedTypes).toSorted(
    (first, second) => Number(first === 'null') - Number(second === 'null'),
  )
  if (type !== undefined) return type
  if (requiredNames.size > 0) return 'object'
  const has = (...keywords: readonly (keyof Schema)[]) =>
    conjuncts.some((schema) => keywords.some((keyword) => keyword in schema))
  if (has('pattern', 'format', 'minLength')) return 'string'
  return has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf') ? 'number' : undefined
}

/** Makes a text that matches patterns, always the same; undefined if their syntax is too special. */
function makeText(patterns: readonly string[], { minLength = 0, maxLength = Infinity }: Limits): string | undefined {
  const expressions = patterns.map(createPattern)
  const isMatch = (text: string) => {
    const { length } = [...text]
    return length >= minLength && length <= maxLength && expressions.every((expression) => expression.test(text))
  }
  try {
    const [expression] = expressions as [RegExp, ...RegExp[]]
    const texts = (['small', 'large'] as const).flatMap((size) =>
      fc.sample(fc.stringMatching(expression, { size }), { numRuns: 100, seed: 1 }),
    )
    return texts.find(isMatch)
  } catch {
    return undefined
  }
}

/**
 * Removes from a copy of a value the parts that are not valid, the deepest first, until the copy is valid. A part that lacks a required
 * part is not valid either. Returns a problem if the value itself would have to be removed: that of the part which was removed first.
 */
function prune(original: unknown, validate: Validator, part: string): Sampled {
  const value = structuredClone(original)
  const problems = new Map<string, string>()
  for (;;) {
    const checked = validate(value)
    if ('value' in checked) return checked
    const [error] = checked.errors.toSorted((first, second) => second.instancePath.length - first.instancePath.length)
    const { instancePath, params } = error as (typeof checked.errors)[number]
    // The part is not valid because a part of it was removed: the problem is that of the removed part.
    const removedPath = instancePath + toPointer(String(params.missingProperty))
    const problem = problems.get(removedPath) ?? formatViolation(part, error as (typeof checked.errors)[number])
    const path = parsePointer(instancePath)
    const name = path.pop()
    if (name === undefined) return { problem }
    problems.set(instancePath, problem)
    const parent = path.reduce((owner, step) => toObject(owner)[step], value)
    if (Array.isArray(parent)) parent.splice(Number(name), 1)
    else Reflect.deleteProperty(toObject(parent), name)
  }
}
