/** Makes invalid values of a schema: each violates one keyword, at any depth. */
import type * as FastCheck from 'fast-check'
import type { Schema } from '../document/model.ts'
import { ANY, getTypes } from '../document/subschemas.ts'
import { getOwn, toObject } from '../document/values.ts'
import type { SchemaView } from '../schema/view.ts'
import { isObject } from '../shared/json.ts'
import { type Arbitrary, type Fc, INTEGER_RANGES, MAX_LENGTH } from './scalars.ts'
import { MAX_DEPTH, MAX_SIZE, type ValueMaker } from './values.ts'

/**
 * Lists values that violate a view, for each keyword. Most are invalid; a test decides. Each selection of branches is another view, and
 * some schemas are in several of them: skips `listedSchemas`, which an earlier selection has listed.
 */
export function* listInvalidValues(
  maker: ValueMaker,
  view: SchemaView,
  depth = 0,
  listedSchemas = new Set<Schema>(),
): Generator<Arbitrary> {
  if (view.branchings.length > 0) {
    for (const branches of listSelections(view))
      yield* listInvalidValues(maker, maker.views.selectBranches(view, branches), depth, listedSchemas)
    return
  }
  const { fc } = maker
  const { values } = maker.make(view, MAX_DEPTH)
  // Values of other types, once for all selections.
  if (listedSchemas.size === 0) yield fc.constantFrom(null, true, -1, 0.5, 2n ** 63n, '', [], [null], {})
  for (const schema of view.conjuncts.filter((conjunct) => !listedSchemas.has(conjunct))) {
    listedSchemas.add(schema)
    for (const change of listKeywordChanges(fc, schema)) yield fc.tuple(values, change).map(([value, to]) => to(value))
    if (depth === MAX_DEPTH) continue
    yield* listInvalidMembers(maker, view, schema, depth)
    yield* listInvalidItems(maker, view, schema, depth)
  }
}

/** Lists selections with one branch of each keyword: as many as it takes to have every branch once. */
function listSelections({ branchings }: SchemaView): (readonly Schema[])[] {
  const count = Math.max(...branchings.map(({ branches }) => branches.length))
  return Array.from({ length: count }, (_each, index) =>
    branchings.map(({ branches }) => branches[index % branches.length] ?? ANY),
  )
}

/** Lists objects with one invalid member: of each property that a schema declares, and of another name. */
function* listInvalidMembers(
  maker: ValueMaker,
  view: SchemaView,
  { properties = {}, additionalProperties }: Schema,
  depth: number,
): Generator<Arbitrary> {
  const { values } = maker.make(view, MAX_DEPTH)
  const otherNames = isObject(additionalProperties) ? ['unexpected'] : []
  for (const name of [...Object.keys(properties), ...otherNames]) {
    if (view.isPropertyHidden(name, 'request')) continue
    for (const members of listInvalidValues(maker, view.property(name), depth + 1))
      yield maker.fc.tuple(values, members).map(([value, member]) => ({ ...toObject(value), [name]: member }))
  }
}

/** Lists arrays with an invalid first item, with equal items, or with an item too many. */
function* listInvalidItems(
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
    for (const wrongItems of listInvalidValues(maker, itemView, depth + 1))
      yield fc.tuple(values, wrongItems).map(([value, item]) => [item, ...toArray(value).slice(1)])
  }
  if (uniqueItems) yield validItems.map((item) => [item, item])
  if ((maxItems + 1) * size > MAX_SIZE) return
  const lists = fc.array(validItems, { minLength: maxItems + 1, maxLength: maxItems + 1 })
  yield uniqueItems ? lists.map((list) => [...new Set(list)]) : lists
}

/** Makes a valid value invalid. */
type Change = (value: unknown) => unknown

/** By keyword, the changes that violate it. A keyword such as `additionalProperties: true` has changes that violate nothing. */
const CHANGES: { readonly [Keyword in keyof Schema]?: (operand: Required<Schema>[Keyword]) => Change[] } = {
  const: () => [() => 'unexpected'],
  enum: () => [() => 'unexpected'],
  minimum: (limit) => [() => add(limit, -1)],
  maximum: (limit) => [() => add(limit, 1)],
  exclusiveMinimum: (limit) => [() => limit],
  exclusiveMaximum: (limit) => [() => limit],
  multipleOf: (step) => [(value) => Number(value) + Number(step) / 2],
  format: (format) => (getOwn(INTEGER_RANGES, format) ?? []).flatMap((limit) => [() => limit - 1n, () => limit + 1n]),
  // Cuts at characters. Otherwise, half of a surrogate pair may remain, which no request can have.
  minLength: (length) => [(value) => [...String(value)].slice(0, Math.max(length - 1, 0)).join('')],
  maxLength: (length) => [(value) => String(value).padEnd(Math.min(length, MAX_LENGTH) + 1, 'x')],
  minItems: (length) => [(value) => toArray(value).slice(0, Math.max(length - 1, 0))],
  minProperties: (count) => [
    (value) => Object.fromEntries(Object.entries(toObject(value)).slice(0, Math.max(count - 1, 0))),
  ],
  maxProperties: (count) => [(value) => addMembers(toObject(value), Math.min(count, MAX_SIZE) + 1)],
  additionalProperties: () => [(value) => ({ ...toObject(value), unexpected: 1 })],
  unevaluatedProperties: () => [(value) => ({ ...toObject(value), unexpected: 1 })],
  required: (names) =>
    names.map((name) => (value) => Object.fromEntries(Object.entries(toObject(value)).filter(([key]) => key !== name))),
}

/** Adds members until there are `count`. */
function addMembers(members: object, count: number): object {
  const newMembers = Array.from({ length: count }, (_each, index) => [`unexpected${index}`, 1] as const)
  return Object.fromEntries([...Object.entries(members), ...newMembers].slice(0, count))
}

/** Lists the changes against the keywords of one schema, without those of its subschemas. */
function* listKeywordChanges(fc: Fc, schema: Schema): Generator<FastCheck.Arbitrary<Change>> {
  for (const [keyword, operand] of Object.entries(schema)) {
    const createChanges = getOwn<((operand: never) => Change[]) | undefined>(CHANGES, keyword)
    for (const change of createChanges?.(operand as never) ?? []) yield fc.constant(change)
  }
  if (getTypes(schema).includes('integer'))
    yield fc.constantFrom(0.5, -0.5).map((part) => (value) => Number(value) + part)
  if ((schema.pattern ?? schema.format) !== undefined) yield fc.string().map((text) => () => text)
}

/** Adds to a number, which may be an integer beyond 2^53. */
function add(limit: number | bigint, step: 1 | -1): number | bigint {
  return typeof limit === 'bigint' ? limit + BigInt(step) : limit + step
}

function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
