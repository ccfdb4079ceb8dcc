/** Checks of Schema Objects: what their keywords say of each other, and whether defaults are valid. */
import type { Schema } from '../document/model.ts'
import { findInPlace, IN_PLACE } from '../schema/parts.ts'
import { formatViolations } from '../schema/violations.ts'
import type { Place } from './place.ts'

export function checkSchema(schema: Schema | boolean, place: Place): void {
  if (typeof schema === 'boolean') return
  checkUnevaluatedItems(schema, place)
  if ('default' in schema) checkDefault(schema, place.at('default'))
}

/** Ajv does not know for each value which items `contains`, or `items` of an alternative, evaluate (JSON Schema 2020-12, 11.2). */
function checkUnevaluatedItems(schema: Schema, place: Place): void {
  if (!('unevaluatedItems' in schema)) return
  const always = findInPlace(place.root, [schema])
  const others = findInPlace(place.root, [schema], IN_PLACE).filter((part) => !always.includes(part))
  if (others.some((part) => 'items' in part) || [...always, ...others].some((part) => 'contains' in part)) {
    const what = '"unevaluatedItems" is not supported beside "contains", or "items" of an alternative'
    place.at('unevaluatedItems').report(`${what}; use "items" or "prefixItems"`)
  }
}

/** A default that is not valid would reach handlers. */
function checkDefault(schema: Schema, place: Place): void {
  try {
    const [violation] = formatViolations('default', place.compile(schema)(structuredClone(schema.default)))
    if (violation === undefined) return
    place.report(`the default is not valid against its schema: ${violation}; change one of them`)
  } catch (error) {
    // Filling it in has no end; or else the cause is in a schema, where it is reported.
    if (error instanceof RangeError) place.report('the default is recursive; remove one of its properties')
  }
}
