/** Checks of single objects of OpenAPI: what their fields mean together. */
import type { Header, Parameter, Schema } from '../document/model.ts'
import { isIdempotencyKey } from '../document/operations.ts'
import { resolve } from '../document/references.ts'
import type { Place } from './rules.ts'

/** A parameter is text, and each value must have one spelling. */
export function checkParameter(parameter: Parameter, place: Place): void {
  const { in: location, name, required, schema } = parameter
  checkScalar('parameter', schema, location === 'query', place)
  if (required === true && 'default' in schema) {
    const what = 'the parameter is required, so its default has no effect'
    place.at('schema', 'default').report(`${what}; remove one of them`)
  }
  if (location === 'header' && /^(accept|content-type|authorization)$/i.test(name)) {
    place.report(`a header parameter "${name}" has no effect (OpenAPI 3.1, Parameter Object); remove it`)
  }
  const ttl = 'x-idempotency-ttl-seconds'
  if (isIdempotencyKey(parameter) && !(ttl in parameter)) {
    place.report(`nothing says how long idempotency keys are stored; add "${ttl}"`)
  } else if (!isIdempotencyKey(parameter) && ttl in parameter) {
    place.at(ttl).report(`"${ttl}" applies to the header "Idempotency-Key" only; remove it`)
  }
}

/** A header is text, too. */
export function checkHeader({ schema }: Header, place: Place): void {
  checkScalar('header', schema, false, place)
}

function checkScalar(kind: string, reference: Schema, allowsList: boolean, place: Place): void {
  const { type, items } = resolve<Schema>(place.root, reference)
  const itemType =
    allowsList && type === 'array' && items !== undefined ? resolve<Schema>(place.root, items).type : type
  if (['string', 'integer', 'number', 'boolean'].some((simple) => simple === itemType)) return
  const what = `a ${kind} must be a scalar${allowsList ? ', or an array of scalars' : ''}`
  place.at('schema').report(`${what}; give it one type: string, integer, number or boolean`)
}
