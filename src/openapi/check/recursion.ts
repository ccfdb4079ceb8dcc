/** Finds schemas that cost too much: those that refer to themselves in more than one way. */
import { COMBINATORS, type OpenApi, type Schema } from '../document/model.ts'
import { resolve } from '../document/references.ts'

type Combinator = (typeof COMBINATORS)[number]

/**
 * Returns a combination of the schema in which two parts lead back to it at the same place of a value: validating the value
 * validates what is there twice, and so on at each level. Undefined if there is none.
 */
export function findDoublingPair(schema: Schema, root: OpenApi): Combinator | undefined {
  const known = new Map<Schema, Set<Schema>>()

  /** True if the values at some place within a value are validated by the schema for both of these. */
  function meet(one: Schema, other: Schema): boolean {
    const others = known.get(one) ?? new Set()
    if (others.has(other)) return false
    known.set(one, others.add(other))
    return getPairs(one, other).some(([inner, otherInner]) =>
      expand(root, inner).some((part) =>
        expand(root, otherInner).some(
          (otherPart) => (part === schema && otherPart === schema) || meet(part, otherPart),
        ),
      ),
    )
  }

  const parts = COMBINATORS.flatMap((keyword) =>
    (schema[keyword] ?? []).map((part) => ({ keyword, all: expand(root, part) })),
  )
  const isDoubling = ({ all }: (typeof parts)[number], index: number) => {
    const others = [schema, ...parts.slice(0, index).flatMap((part) => part.all)]
    return all.some((one) => others.some((other) => meet(one, other)))
  }
  return parts.find(isDoubling)?.keyword
}

/** Returns a schema and its parts at any depth, those of `allOf` alone or of every combination: all validate the same value. */
export function expand(root: OpenApi, reference: Schema, keywords: readonly Combinator[] = COMBINATORS): Schema[] {
  const schema = resolve<Schema>(root, reference)
  const parts = keywords.flatMap((keyword) => schema[keyword] ?? [])
  return [schema, ...parts.flatMap((part) => expand(root, part, keywords))]
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
