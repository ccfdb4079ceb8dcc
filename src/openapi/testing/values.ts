/**
 * Makes values of schemas with fast-check. Most of them are valid: a value satisfies a branch of each union, and has a type, limits
 * and members that all schemas of its view allow. Keywords that only a test can satisfy, such as `not`, are left to the test.
 */
import { getListedValues } from '../document/allowed-values.ts'
import { ANY } from '../document/subschemas.ts'
import type { SchemaViews } from '../schema/selection.ts'
import type { SchemaView } from '../schema/view.ts'
import type { SchemaType } from '../shared/json.ts'
import { type Arbitrary, collect, type Fc, makeInteger, makeNumber, makeText } from './scalars.ts'

/** Schemas may refer to themselves. From this depth on, arrays and objects have no more items and members than they must. */
export const MAX_DEPTH = 4
/** From this depth on, each value is null: no value is valid if a schema requires a member of itself. */
const LAST_DEPTH = 3 * MAX_DEPTH

/** Makes the values of a document's schemas. */
export interface ValueMaker {
  readonly fc: Fc
  readonly views: SchemaViews
  /** Returns the values of a view at a depth of the whole value. */
  make(view: SchemaView, depth: number): Arbitrary
}

/** Creates the maker of the values that requests have. */
export function createValueMaker(fc: Fc, views: SchemaViews): ValueMaker {
  const arbitrariesByDepth = Array.from({ length: LAST_DEPTH }, () => new WeakMap<SchemaView, Arbitrary>())
  const maker: ValueMaker = {
    fc,
    views,
    make(view, depth) {
      const arbitraries = arbitrariesByDepth[depth]
      if (arbitraries === undefined) return fc.constant(null)
      const arbitrary = arbitraries.get(view) ?? makeValue(maker, view, depth)
      arbitraries.set(view, arbitrary)
      return arbitrary
    },
  }
  return maker
}

function makeValue(maker: ValueMaker, view: SchemaView, depth: number): Arbitrary {
  const { fc, views, make } = maker
  if (view.branchings.length > 0) {
    const choices = view.branchings.map(({ branches, isUnion }) =>
      fc.constantFrom(...(isUnion ? branches : [ANY, ...branches])),
    )
    return fc.tuple(...choices).chain((branches) => make(views.selectBranches(view, branches), depth))
  }
  const [listedValues] = collect(view, getListedValues)
  if (listedValues !== undefined && listedValues.length > 0) return fc.constantFrom(...listedValues)
  return fc.oneof(...findTypes(view).map((type) => makeValueOfType(maker, view, type, depth)))
}

/** The keywords that concern one type alone (JSON Schema 2020-12 Validation, section 6). */
const KEYWORDS_BY_TYPE: readonly (readonly [type: SchemaType, keywords: RegExp])[] = [
  ['object', /propert|^(required|dependent)/i],
  ['array', /items|contains/i],
  ['number', /^(multipleOf|.*(minimum|maximum))$/i],
  ['string', /length$|^(pattern|format)$/i],
]

/** Finds the types that values may have, or else the types that the keywords concern, or else scalar types. */
function findTypes(view: SchemaView): readonly SchemaType[] {
  if (view.types !== undefined) return view.types.length === 0 ? ['null'] : view.types
  if (view.numberType !== undefined) return ['integer']
  const keywords = view.conjuncts.flatMap(Object.keys)
  const types = KEYWORDS_BY_TYPE.filter(([, pattern]) => keywords.some((keyword) => pattern.test(keyword)))
  return types.length > 0 ? types.map(([type]) => type) : ['string', 'integer', 'boolean']
}

function makeValueOfType(maker: ValueMaker, view: SchemaView, type: SchemaType, depth: number): Arbitrary {
  const { fc } = maker
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return makeInteger(fc, view)
    case 'number':
      return makeNumber(fc, view)
    case 'string':
      return makeText(fc, view)
    case 'array':
      return makeArray(maker, view, depth)
    default:
      return makeObject(maker, view, depth)
  }
}

/** Makes arrays that begin with the items of `prefixItems` and the items that `contains` asks for. */
function makeArray({ fc, views, make }: ValueMaker, view: SchemaView, depth: number): Arbitrary {
  const otherView = view.item(Infinity)
  const containedViews = view.conjuncts.flatMap(({ contains, minContains = 1 }) =>
    contains === undefined ? [] : Array(minContains).fill(views.get({ allOf: [otherView.schema, contains] })),
  )
  const firstViews: SchemaView[] = [...view.items.slice(0, -1), ...containedViews]
  const minItems = Math.max(0, ...collect(view, (schema) => schema.minItems))
  const maxItems = Math.min(minItems + (depth < MAX_DEPTH ? 3 : 0), ...collect(view, (schema) => schema.maxItems))
  const minLength = Math.max(minItems - firstViews.length, 0)
  const limits = { minLength, maxLength: Math.max(maxItems - firstViews.length, minLength) }
  const item = make(otherView, depth + 1)
  const mustBeUnique = view.conjuncts.some(({ uniqueItems }) => uniqueItems === true)
  // There may be fewer different items than `minItems`, for which fast-check would search for ever.
  const otherItems = mustBeUnique ? fc.uniqueArray(item, { maxLength: limits.maxLength }) : fc.array(item, limits)
  const firstItems = fc.tuple(...firstViews.map((firstView) => make(firstView, depth + 1)))
  if (otherView.isNever) return firstItems
  return firstViews.length === 0
    ? otherItems
    : fc.tuple(firstItems, otherItems).map(([first, others]) => [...first, ...others])
}

function makeObject({ fc, make }: ValueMaker, view: SchemaView, depth: number): Arbitrary {
  const mayHave = (name: string) => !view.isPropertyHidden(name, 'request') && !view.property(name).isNever
  const requiredNames = new Set([...view.requiredNames].filter(mayHave))
  const minProperties = Math.max(0, ...collect(view, (schema) => schema.minProperties))
  for (let number = 1; requiredNames.size < minProperties && mayHave('name'); number++)
    requiredNames.add(`name${number}`)
  const optionalNames = depth < MAX_DEPTH ? [...view.propertyNames].filter(mayHave) : []
  const members = [...requiredNames.union(new Set(optionalNames))].map(
    (name) => [name, make(view.property(name), depth + 1)] as const,
  )
  return fc.record(Object.fromEntries(members), { requiredKeys: [...requiredNames] })
}
