/**
 * Makes values of schemas with fast-check. Most of them are valid: a value satisfies a branch of each union, and has a type, limits
 * and members that all schemas of its view allow. Keywords that only a test can satisfy, such as `not`, are left to the test.
 */
import { getListedValues } from '../document/allowed-values.ts'
import { ANY } from '../document/subschemas.ts'
import type { SchemaViews } from '../schema/selection.ts'
import type { SchemaView } from '../schema/view.ts'
import { type SchemaType, setMember } from '../shared/json.ts'
import { type Arbitrary, collect, type Fc, findMinLength, makeScalar } from './scalars.ts'

/** Schemas may refer to themselves. From this depth on, arrays and objects have no more items and members than they must. */
export const MAX_DEPTH = 4
/** From this depth on, each value is null: no value is valid if a schema requires a member of itself. */
const LAST_DEPTH = 3 * MAX_DEPTH
/** The most items that an array has beside those that it must have. */
const MAX_EXTRA_ITEMS = 3

/** The most parts of a value: values in it, and the characters that its texts must have. Nested `minItems` multiply. */
export const MAX_SIZE = 10_000

/** Values of a view. */
interface SizedValues {
  readonly values: Arbitrary
  /** An upper estimate of the parts of one value. If all values are larger than MAX_SIZE, it is infinite, and `values` has only null. */
  readonly size: number
}

/** Makes the values of a document's schemas. */
export interface ValueMaker {
  readonly fc: Fc
  readonly views: SchemaViews
  /** Returns the values of a view at a depth of the whole value. */
  make(view: SchemaView, depth: number): SizedValues
}

/** Creates the maker of the values that requests have. */
export function createValueMaker(fc: Fc, views: SchemaViews): ValueMaker {
  const valuesByDepth = Array.from({ length: LAST_DEPTH }, () => new WeakMap<SchemaView, SizedValues>())
  const maker: ValueMaker = {
    fc,
    views,
    make(view, depth) {
      const knownValues = valuesByDepth[depth]
      // From LAST_DEPTH on:
      if (knownValues === undefined) return { values: fc.constant(null), size: 1 }
      const values = knownValues.get(view) ?? makeValue(maker, view, depth)
      knownValues.set(view, values)
      return values
    },
  }
  return maker
}

function makeValue(maker: ValueMaker, view: SchemaView, depth: number): SizedValues {
  const { fc } = maker
  if (view.branchings.length > 0) return makeValueOfBranches(maker, view, depth)
  const [listedValues] = collect(view, getListedValues)
  if (listedValues !== undefined && listedValues.length > 0)
    return { values: fc.constantFrom(...listedValues), size: 1 }
  const valuesOfTypes = findTypes(view).map((type) => makeValueOfType(maker, view, type, depth))
  const smallValues = valuesOfTypes.filter(isSmall)
  if (smallValues.length === 0) return { values: fc.constant(null), size: Infinity }
  return { values: fc.oneof(...smallValues.map(({ values }) => values)), size: findGreatestSize(smallValues) }
}

/** Makes values of a view with a branch of each union, and with or without the branches of other keywords. */
function makeValueOfBranches({ fc, views, make }: ValueMaker, view: SchemaView, depth: number): SizedValues {
  const choices = view.branchings.map(({ branches, isUnion }) =>
    (isUnion ? branches : [ANY, ...branches])
      .map((branch) => ({ branch, size: make(views.get(branch), depth).size }))
      .filter(isSmall),
  )
  const size = choices.reduce((sum, choice) => sum + findGreatestSize(choice), 0)
  if (!isSmall({ size })) return { values: fc.constant(null), size: Infinity }
  const branchLists = fc.tuple(...choices.map((choice) => fc.constantFrom(...choice.map(({ branch }) => branch))))
  return { values: branchLists.chain((branches) => make(views.selectBranches(view, branches), depth).values), size }
}

function isSmall({ size }: Pick<SizedValues, 'size'>): boolean {
  return size <= MAX_SIZE
}

/** Returns the greatest size; Infinity for []. */
function findGreatestSize(items: readonly Pick<SizedValues, 'size'>[]): number {
  return items.length === 0 ? Infinity : Math.max(...items.map(({ size }) => size))
}

/** Finds the types that values may have, or else the types that the schemas mention, or else scalar types. */
function findTypes({ types, mentionedTypes, numberType }: SchemaView): readonly SchemaType[] {
  if (types !== undefined) return types.length === 0 ? ['null'] : types
  if (numberType !== undefined) return ['integer']
  return mentionedTypes.length > 0 ? mentionedTypes : ['string', 'integer', 'boolean']
}

function makeValueOfType(maker: ValueMaker, view: SchemaView, type: SchemaType, depth: number): SizedValues {
  if (type === 'object') return makeObject(maker, view, depth)
  if (type === 'array') return makeArray(maker, view, depth)
  return { values: makeScalar(maker.fc, view, type), size: type === 'string' ? Math.max(1, findMinLength(view)) : 1 }
}

/** Makes arrays that begin with the items of `prefixItems` and the items that `contains` asks for. */
function makeArray(maker: ValueMaker, view: SchemaView, depth: number): SizedValues {
  const { fc, make } = maker
  const minItems = Math.max(0, ...collect(view, (schema) => schema.minItems))
  const maxItems = Math.min(Infinity, ...collect(view, (schema) => schema.maxItems))
  const containedItems = makeContainedItems(maker, view, depth)
  const count = containedItems.length
  const prefixItems = makePrefixItems(maker, view, depth, minItems - count, maxItems - count)
  const firstItems = [...prefixItems, ...containedItems]
  const firstSize = firstItems.reduce((sum, { size }) => sum + size, 1)
  const restView = view.item(Infinity)
  const restItem = make(restView, depth + 1)
  const minRest = Math.max(minItems - firstItems.length, 0)
  const mayHaveMore = depth < MAX_DEPTH && isSmall({ size: firstSize + (minItems + MAX_EXTRA_ITEMS) * restItem.size })
  const greatestLength = Math.min(minItems + (mayHaveMore ? MAX_EXTRA_ITEMS : 0), maxItems)
  const maxRest = Math.max(greatestLength - firstItems.length, minRest)
  const mustBeUnique = view.conjuncts.some(({ uniqueItems }) => uniqueItems === true)
  // Ignores `minItems`: where fewer different items exist, fast-check would search for ever.
  const restItems = mustBeUnique
    ? fc.uniqueArray(restItem.values, { maxLength: maxRest })
    : fc.array(restItem.values, { minLength: minRest, maxLength: maxRest })
  const parts = fc.tuple(
    fc.tuple(...firstItems.map(({ values }) => values)),
    restView.isNever || prefixItems.length < view.items.length - 1 ? fc.constant([]) : restItems,
  )
  return {
    values: parts.map(([first, rest]) => [...first, ...rest]),
    size: firstSize + (maxRest === 0 ? 0 : maxRest * restItem.size),
  }
}

/** Makes the first items that `prefixItems` describes, up to an optional item that is too many, too deep, too large or never valid. */
function makePrefixItems(
  { make }: ValueMaker,
  view: SchemaView,
  depth: number,
  minItems: number,
  maxItems: number,
): SizedValues[] {
  const items: SizedValues[] = []
  let size = 1
  for (const [index, itemView] of view.items.slice(0, -1).entries()) {
    const item = make(itemView, depth + 1)
    size += item.size
    const mayExist = index < maxItems && depth < MAX_DEPTH && !itemView.isNever && isSmall({ size })
    if (index >= minItems && !mayExist) break
    items.push(item)
  }
  return items
}

/** Makes the items that `contains` asks for. */
function makeContainedItems({ make, views }: ValueMaker, view: SchemaView, depth: number): SizedValues[] {
  const restSchema = view.item(Infinity).schema
  return view.conjuncts.flatMap(({ contains, minContains = 1 }): SizedValues[] => {
    if (contains === undefined) return []
    const count = Math.min(minContains, MAX_SIZE + 1)
    return Array(count).fill(make(views.get({ allOf: [restSchema, contains] }), depth + 1))
  })
}

/** Makes objects with the required members, and with or without the optional ones unless these would be too large. */
function makeObject({ fc, make }: ValueMaker, view: SchemaView, depth: number): SizedValues {
  const mayHave = (name: string) => !view.isPropertyHidden(name, 'request') && !view.property(name).isNever
  const requiredNames = new Set([...view.requiredNames].filter(mayHave))
  const minProperties = Math.min(Math.max(0, ...collect(view, (schema) => schema.minProperties)), MAX_SIZE + 1)
  for (let number = 1; requiredNames.size < minProperties && mayHave(`name${number}`); number++)
    requiredNames.add(`name${number}`)
  const optionalNames = depth < MAX_DEPTH ? [...view.propertyNames].filter(mayHave) : []
  const members: Record<string, Arbitrary> = {}
  let size = 1
  for (const name of requiredNames.union(new Set(optionalNames))) {
    const member = make(view.property(name), depth + 1)
    if (!requiredNames.has(name) && !isSmall({ size: size + member.size })) continue
    setMember(members, name, member.values)
    size += member.size
  }
  return { values: fc.record(members, { requiredKeys: [...requiredNames] }), size }
}
