/** Checks of the combinations of a schema: `allOf`, `anyOf` and `oneOf`. */
import { COMBINATORS, type OpenApi, type Schema } from '../document/model.ts'
import { getDefault, getTypes, resolve } from '../document/references.ts'
import { isNumber } from '../json.ts'
import type { Place } from './rules.ts'

/** A part of a combination, with itself and its own parts at any depth. */
interface Part {
  readonly keyword: (typeof COMBINATORS)[number]
  readonly index: number
  readonly part: Schema
  readonly all: readonly Schema[]
}

/**
 * Reports parts whose default has no effect, that are validated too often, that do not allow what is declared or filled in
 * beside them, or that give a number another type.
 */
export function checkCombinations(schema: Schema, place: Place): void {
  const { root } = place
  const parts: Part[] = COMBINATORS.flatMap((keyword) =>
    (schema[keyword] ?? []).map((part, index) => ({ keyword, index, part, all: expand(root, part) })),
  )
  for (const { keyword, index, part } of parts) {
    if (part.$ref === undefined || !('default' in resolve(root, part))) continue
    const advice = `remove it there, or write it beside "${keyword}"`
    place.at(keyword, index).report(`the default that this refers to has no effect here; ${advice}`)
  }
  const doubling = findMeetings(root, schema, parts).find(({ one, other }) => one === schema && other === schema)
  if (doubling !== undefined) {
    const what = 'two of these parts refer back to this schema'
    const effect = 'so that the time to validate doubles with each level of a value'
    place.at(doubling.part.keyword).report(`${what}, ${effect}; refer to it once, beside "${doubling.part.keyword}"`)
  }
  checkClosedParts(schema, place)
  for (const { part, one, other } of findMeetings(root, schema, parts, false)) {
    const conflict = findConflict(root, one, other)
    if (conflict !== undefined) place.at(part.keyword, part.index).report(conflict)
  }
}

/** Finds what a value cannot satisfy once it is converted for handlers, if both schemas validate it. */
function findConflict(root: OpenApi, one: Schema, other: Schema): string | undefined {
  const types = [one, other].map(getNumberType)
  if (types.includes('bigint') && types.includes('number')) {
    const what = 'this part and one beside it disagree on whether a number is an int64'
    return `${what}; write "type: integer, format: int64" in both, or in neither`
  }
  const name = findForbidden(one, getFilled(root, other)) ?? findForbidden(other, getFilled(root, one))
  if (name === undefined) return undefined
  const what = `the default of "${name}" is filled in where this part or one beside it does not allow "${name}"`
  return `${what}; remove the default, or "additionalProperties: false"`
}

/** Finds a name that a closed schema does not allow. */
function findForbidden({ additionalProperties, properties = {} }: Schema, names: readonly string[]) {
  return additionalProperties === false ? names.find((name) => !Object.hasOwn(properties, name)) : undefined
}

/** Returns the names of the properties that a schema fills in. */
function getFilled(root: OpenApi, { properties = {} }: Schema): string[] {
  return Object.entries(properties).flatMap(([name, property]) =>
    getDefault(root, property) === undefined ? [] : [name],
  )
}

/** The type of the numbers that a schema allows, as handlers receive them; undefined if it does not determine that. */
function getNumberType(schema: Schema): 'bigint' | 'number' | undefined {
  if (schema.format === 'int64') return 'bigint'
  const isNumeric = getTypes(schema).some((type) => type === 'integer' || type === 'number')
  return isNumeric || [schema.const, ...(schema.enum ?? [])].some(isNumber) ? 'number' : undefined
}

/** A schema knows only its own properties, not those of its `allOf`, or beside it (JSON Schema 2020-12, section 10.3.2.3). */
function checkClosedParts({ allOf = [], ...own }: Schema, place: Place): void {
  const parts = [own, ...allOf].map((part) => expand(place.root, part, ['allOf']))
  for (const [index, part] of parts.entries()) {
    const others = parts.filter((other) => other !== part).flat()
    const names = others.flatMap(({ properties = {}, required = [] }) => [...Object.keys(properties), ...required])
    const filled = others.flatMap((other) => getFilled(place.root, other))
    const unfilled = names.filter((name) => !filled.includes(name))
    const [name] = part.flatMap((closed) => findForbidden(closed, unfilled) ?? [])
    if (name === undefined) continue
    const what = `this part does not allow the property "${name}", which is declared beside it`
    const at = index === 0 ? place.at('additionalProperties') : place.at('allOf', index - 1)
    at.report(`${what}; remove its "additionalProperties: false"`)
  }
}

/** Returns a schema and its parts at any depth, those of `allOf` alone or of every combination: all validate the same value. */
function expand(
  root: OpenApi,
  reference: Schema,
  keywords: readonly (typeof COMBINATORS)[number][] = COMBINATORS,
): Schema[] {
  const schema = resolve<Schema>(root, reference)
  const parts = keywords.flatMap((keyword) => schema[keyword] ?? [])
  return [schema, ...parts.flatMap((part) => expand(root, part, keywords))]
}

/**
 * Finds the pairs of schemas that validate what is at the same place of a value, each with the part that leads to one; the
 * other is of the schema or of a part before. Alternatives of one choice need not hold together.
 */
function* findMeetings(root: OpenApi, schema: Schema, parts: readonly Part[], withAlternatives = true) {
  const known = new Map<Schema, Set<Schema>>()
  function* meet(one: Schema, other: Schema): Generator<{ one: Schema; other: Schema }> {
    const others = known.get(one) ?? new Set()
    if (others.has(other)) return
    known.set(one, others.add(other))
    yield { one, other }
    for (const [inner, otherInner] of getPairs(one, other)) {
      for (const part of expand(root, inner)) {
        for (const otherPart of expand(root, otherInner)) yield* meet(part, otherPart)
      }
    }
  }
  for (const [index, part] of parts.entries()) {
    const before = parts
      .slice(0, index)
      .filter(({ keyword }) => withAlternatives || keyword === 'allOf' || keyword !== part.keyword)
    for (const other of [schema, ...before.flatMap(({ all }) => all)]) {
      for (const one of part.all) for (const pair of meet(one, other)) yield { part, ...pair }
    }
  }
}

/** Returns the schemas of each place directly within a value, by the one schema and by the other. */
function getPairs(one: Schema, other: Schema): [Schema, Schema][] {
  const names = [one, other].flatMap(({ properties = {} }) => Object.keys(properties))
  const members = [...new Set(names)].map((name) => [getMember(one, name), getMember(other, name)] as const)
  const pairs = [...members, [one.items, other.items], [getOther(one), getOther(other)]] as const
  return pairs.filter((pair): pair is [Schema, Schema] => pair[0] !== undefined && pair[1] !== undefined)
}

function getMember(schema: Schema, name: string): Schema | undefined {
  const { properties = {} } = schema
  return Object.hasOwn(properties, name) ? properties[name] : getOther(schema)
}

function getOther({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}
