/** Lists the mistakes that values of a schema can have, with values that have them: each is against one keyword, at any depth. */
import type * as FastCheck from 'fast-check'
import type { Schema } from '../document/model.ts'
import { ANY, getTypes } from '../document/subschemas.ts'
import { getOwn, toObject } from '../document/values.ts'
import type { SchemaView } from '../schema/view.ts'
import { type Arbitrary, type Fc, INTEGER_RANGES, MAX_LENGTH } from './scalars.ts'
import { MAX_DEPTH, MAX_SIZE, type ValueMaker } from './values.ts'

/**
 * Lists the values with each mistake. They are likely to be invalid; a test decides. `listedSchemas` has the schemas of the value
 * whose mistakes have been listed, in another view with selected branches.
 */
export function* listMistakes(
  maker: ValueMaker,
  view: SchemaView,
  depth = 0,
  listedSchemas = new Set<Schema>(),
): Generator<Arbitrary> {
  if (view.branchings.length > 0) {
    for (const branches of listSelections(view))
      yield* listMistakes(maker, maker.views.selectBranches(view, branches), depth, listedSchemas)
    return
  }
  const { fc } = maker
  const { values } = maker.make(view, MAX_DEPTH)
  if (listedSchemas.size === 0) yield fc.constantFrom(null, true, -1, 0.5, 2n ** 63n, '', [], [null], {})
  for (const schema of view.conjuncts.filter((conjunct) => !listedSchemas.has(conjunct))) {
    listedSchemas.add(schema)
    for (const change of listKeywordChanges(fc, schema)) yield fc.tuple(values, change).map(([value, to]) => to(value))
    if (depth === MAX_DEPTH) continue
    yield* listMemberMistakes(maker, view, schema, depth)
    yield* listItemMistakes(maker, view, schema, depth)
  }
}

/** Lists selections of branches that have each branch of each branching at least once. */
function listSelections({ branchings }: SchemaView): (readonly Schema[])[] {
  const count = Math.max(...branchings.map(({ branches }) => branches.length))
  return Array.from({ length: count }, (_each, index) =>
    branchings.map(({ branches }) => branches[index % branches.length] ?? ANY),
  )
}

function* listMemberMistakes(
  maker: ValueMaker,
  view: SchemaView,
  { properties = {} }: Schema,
  depth: number,
): Generator<Arbitrary> {
  const { values } = maker.make(view, MAX_DEPTH)
  for (const name of Object.keys(properties)) {
    if (view.isPropertyHidden(name, 'request')) continue
    for (const members of listMistakes(maker, view.property(name), depth + 1))
      yield maker.fc.tuple(values, members).map(([value, member]) => ({ ...toObject(value), [name]: member }))
  }
}

function* listItemMistakes(
  maker: ValueMaker,
  view: SchemaView,
  { items, maxItems = Infinity, uniqueItems = false }: Schema,
  depth: number,
): Generator<Arbitrary> {
  const { fc } = maker
  const itemView = view.item(Infinity)
  const { values: validItems, size } = maker.make(itemView, MAX_DEPTH)
  if (items !== undefined) {
    const { values } = maker.make(view, MAX_DEPTH)
    for (const wrongItems of listMistakes(maker, itemView, depth + 1))
      yield fc.tuple(values, wrongItems).map(([value, item]) => [item, ...toArray(value).slice(1)])
  }
  if (uniqueItems) yield validItems.map((item) => [item, item])
  if ((maxItems + 1) * size > MAX_SIZE) return
  const lists = fc.array(validItems, { minLength: maxItems + 1, maxLength: maxItems + 1 })
  yield uniqueItems ? lists.map((list) => [...new Set(list)]) : lists
}

/** Makes a valid value invalid. */
type Change = (value: unknown) => unknown

/** Lists the changes against the keywords of one schema, without those of its subschemas. */
function* listKeywordChanges(fc: Fc, schema: Schema): Generator<FastCheck.Arbitrary<Change>> {
  const { minLength = 0, maxLength = Infinity, minItems = 0, multipleOf, required = [] } = schema
  const always = (change: Change) => fc.constant(change)
  if (getTypes(schema).includes('integer'))
    yield fc.constantFrom(0.5, -0.5).map(
      (part): Change =>
        (value) =>
          Number(value) + part,
    )
  if (schema.enum !== undefined || 'const' in schema) yield always(() => 'unexpected')
  for (const limit of listNumbersBeyond(schema)) yield always(() => limit)
  if (multipleOf !== undefined) yield always((value) => Number(value) + Number(multipleOf) / 2)
  if (minLength > 0) yield always((value) => String(value).slice(0, minLength - 1))
  if (maxLength < MAX_LENGTH) yield always((value) => String(value).padEnd(maxLength + 1, 'x'))
  if ((schema.pattern ?? schema.format) !== undefined)
    yield fc.string().map(
      (text): Change =>
        () =>
          text,
    )
  if (schema.additionalProperties === false || schema.unevaluatedProperties === false)
    yield always((value) => ({ ...toObject(value), unexpected: 1 }))
  for (const name of required)
    yield always((value) => Object.fromEntries(Object.entries(toObject(value)).filter(([key]) => key !== name)))
  if (minItems > 0) yield always((value) => toArray(value).slice(0, minItems - 1))
}

/** Lists the numbers that come next to the limits of a schema. */
function listNumbersBeyond({ format = '', minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): unknown[] {
  const [least, greatest] = getOwn(INTEGER_RANGES, format) ?? []
  // An integer is exact also beyond 2^53.
  const add = (limit: number | bigint, step: 1 | -1) =>
    typeof limit === 'bigint' ? limit + BigInt(step) : limit + step
  const isGiven = (limit: number | bigint | undefined) => limit !== undefined
  return [
    ...[minimum, least].filter(isGiven).map((limit) => add(limit, -1)),
    ...[maximum, greatest].filter(isGiven).map((limit) => add(limit, 1)),
    ...[exclusiveMinimum, exclusiveMaximum].filter(isGiven),
  ]
}

function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
