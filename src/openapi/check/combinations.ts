/** Checks of the combinations of a schema: what validation, defaults, serialization and types can agree on. */
import { COMBINATORS, type OpenApi, type Schema } from '../document/model.ts'
import { findSchemas, getTypes, resolve } from '../document/references.ts'
import { isNumber } from '../json.ts'
import { findRepeated, type Place } from './rules.ts'

export function checkCombinations(schema: Schema, place: Place): void {
  for (const keyword of COMBINATORS) {
    for (const [index, part] of (schema[keyword] ?? []).entries()) {
      if (!findSchemas(place.root, part).some((each) => 'default' in each)) continue
      const what = `a default is not filled in within "${keyword}"`
      place.at(keyword, index).report(`${what}; remove it, or describe the value without "${keyword}"`)
    }
  }
  checkParts(schema.allOf ?? [], place)
  checkAlternatives(schema, schema.anyOf ?? [], place.at('anyOf'))
  checkAlternatives(schema, schema.oneOf ?? [], place.at('oneOf'))
}

/** The parts of `allOf` are open objects, of which each declares other properties. */
function checkParts(allOf: readonly Schema[], place: Place): void {
  const parts = allOf.flatMap((part, index) =>
    expand(place.root, part).map((each) => ({ each, at: place.at('allOf', index) })),
  )
  for (const { each, at } of parts) {
    const { type, additionalProperties = true } = each
    if (type === 'object' && additionalProperties === true) continue
    at.report('a part of "allOf" must be an open object; write "type: object" in it, without "additionalProperties"')
  }
  const properties = parts.flatMap(({ each, at }) => Object.keys(each.properties ?? {}).map((name) => ({ name, at })))
  for (const [{ name, at }] of findRepeated(properties, (each) => each.name)) {
    at.report(`the property "${name}" is declared by two parts of "allOf"; declare it in one`)
  }
}

/** Returns a schema, or in place of an `allOf` its parts, at any depth. */
function expand(root: OpenApi, reference: Schema): Schema[] {
  const schema = resolve<Schema>(root, reference)
  return schema.allOf === undefined ? [schema] : schema.allOf.flatMap((part) => expand(root, part))
}

/** Every alternative is tried on the same value, and one that has an int64 in it makes a bigint of a number. */
function checkAlternatives(schema: Schema, alternatives: readonly Schema[], place: Place): void {
  const all = alternatives.map((each) => findSchemas(place.root, each))
  if (all.filter((schemas) => schemas.includes(schema)).length > 1) {
    const what =
      'two of these alternatives refer back to this schema, so that the time to validate doubles with each level'
    place.report(`${what} of a value; let one alternative refer to it`)
  }
  for (const [index, schemas] of all.entries()) {
    if (!schemas.some((each) => each.format === 'int64')) continue
    if (!all.some((others, other) => other !== index && others.some(hasOtherNumber))) continue
    const what = 'this alternative has an int64, and another one has a number of another type'
    place.at(index).report(`${what}; write "type: integer, format: int64" for each, or for none`)
  }
}

function hasOtherNumber(schema: Schema): boolean {
  if (schema.format === 'int64') return false
  const isTyped = getTypes(schema).some((type) => type === 'integer' || type === 'number')
  return isTyped || [schema.const, ...(schema.enum ?? [])].some(isNumber)
}
