/** Checks of the combinations of a schema: `allOf`, `anyOf` and `oneOf`. */
import { COMBINATORS, type OpenApi, type Schema } from '../document/model.ts'
import { resolve } from '../document/references.ts'
import type { Place } from './rules.ts'

/**
 * Reports parts whose default has no effect, that are validated too often, or that do not allow what is declared beside
 * them.
 */
export function checkCombinations(schema: Schema, place: Place): void {
  const { root } = place
  const parts = COMBINATORS.flatMap((keyword) =>
    (schema[keyword] ?? []).map((part, index) => ({ keyword, index, part, all: expand(root, part) })),
  )
  for (const { keyword, index, part } of parts) {
    if (part.$ref === undefined || !('default' in resolve(root, part))) continue
    const advice = `remove it there, or write it beside "${keyword}"`
    place.at(keyword, index).report(`the default that this refers to has no effect here; ${advice}`)
  }
  const meet = createMeet(root, schema)
  const doubling = parts.find(({ all }, index) => {
    const others = [schema, ...parts.slice(0, index).flatMap((other) => other.all)]
    return all.some((one) => others.some((other) => meet(one, other)))
  })
  if (doubling !== undefined) {
    const what = 'two of these parts refer back to this schema'
    const effect = 'so that the time to validate doubles with each level of a value'
    place.at(doubling.keyword).report(`${what}, ${effect}; refer to it once, beside "${doubling.keyword}"`)
  }
  checkClosedParts(schema, place)
}

/** A schema knows only its own properties, not those of its `allOf`, or beside it (JSON Schema 2020-12, section 10.3.2.3). */
function checkClosedParts({ allOf = [], ...own }: Schema, place: Place): void {
  const parts = [own, ...allOf].map((part) => expand(place.root, part, ['allOf']))
  for (const [index, part] of parts.entries()) {
    const others = parts.filter((other) => other !== part).flat()
    const names = others.flatMap(({ properties = {}, required = [] }) => [...Object.keys(properties), ...required])
    const closed = part.filter(({ additionalProperties }) => additionalProperties === false)
    const name = names.find((each) => closed.some(({ properties = {} }) => !Object.hasOwn(properties, each)))
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
 * Makes the function that is true if two parts of the target lead back to it at the same place of a value: validating the
 * value validates what is there twice, and so on at each level.
 */
function createMeet(root: OpenApi, target: Schema) {
  const known = new Map<Schema, Set<Schema>>()
  return function meet(one: Schema, other: Schema): boolean {
    const others = known.get(one) ?? new Set()
    if (others.has(other)) return false
    known.set(one, others.add(other))
    return getPairs(one, other).some(([inner, otherInner]) =>
      expand(root, inner).some((part) =>
        expand(root, otherInner).some(
          (otherPart) => (part === target && otherPart === target) || meet(part, otherPart),
        ),
      ),
    )
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
