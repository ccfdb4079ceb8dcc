/** Checks of single objects of OpenAPI: what their fields mean together. */
import type { Header, Parameter, Reference, Schema } from '../document/model.ts'
import { isIdempotencyKey, isServerParameter } from '../document/operations.ts'
import { resolve } from '../document/references.ts'
import { findRepeated, type Place } from './rules.ts'

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
  if (isServerParameter(parameter) && (required === true || !isPlainText(schema, place))) {
    place.report(
      `"${name}" is compared with the ETag, whatever it is; make it optional, and its schema "type: string" alone`,
    )
  }
  const ttl = 'x-idempotency-ttl-seconds'
  if (isIdempotencyKey(parameter) && !(ttl in parameter)) {
    place.report(`nothing says how long idempotency keys are stored; add "${ttl}"`)
  } else if (!isIdempotencyKey(parameter) && ttl in parameter) {
    place.at(ttl).report(`"${ttl}" applies to the header "Idempotency-Key" only; remove it`)
  }
}

function isPlainText(reference: Schema, place: Place): boolean {
  const { type, ...others } = resolve<Schema>(place.root, reference)
  const isProse = (keyword: string) => /^(title|description|deprecated|examples?|x-.*)$/.test(keyword)
  return (type ?? 'string') === 'string' && !('default' in reference) && Object.keys(others).every(isProse)
}

/** Headers whose values the server computes where it sends them; a second value would be sent with them. */
const BY_SERVER =
  /^(accept-encoding|access-control-.*|date|deprecation|etag|ratelimit(-policy)?|retry-after|sunset|www-authenticate|x-request-id)$/i

export function checkHeaders(headers: Readonly<Record<string, Header | Reference>>, place: Place): void {
  // RFC 9110, section 5.1
  for (const [name] of findRepeated(Object.keys(headers), (each) => each.toLowerCase())) {
    place.at(name).report(`the header "${name}" is declared twice; remove one`)
  }
  for (const [name, header] of Object.entries(headers).filter(([each]) => BY_SERVER.test(each))) {
    const schema = resolve<Schema>(place.root, resolve<Header>(place.root, header).schema)
    if (!('const' in schema || 'enum' in schema)) continue
    place.at(name).report(`the server computes the value of "${name}"; remove its const or enum`)
  }
}

/** The value of a header that clients read as it was written (RFC 9110, section 5.5). */
const FIELD_VALUE = /^(?:[!-~](?:[\t -~]*[!-~])?)?$/

/** A header is text, too. */
export function checkHeader({ schema: reference }: Header, place: Place): void {
  checkScalar('header', reference, false, place)
  const { const: constant, enum: values = [] } = resolve<Schema>(place.root, reference)
  for (const each of [constant, ...values]) {
    if (FIELD_VALUE.test(String(each))) continue
    const what = `a header cannot have the value ${JSON.stringify(each)}`
    place.at('schema').report(`${what}; use printable ASCII characters, without blanks at the ends`)
  }
}

function checkScalar(kind: string, reference: Schema, allowsList: boolean, place: Place): void {
  const { type, items } = resolve<Schema>(place.root, reference)
  const itemType =
    allowsList && type === 'array' && items !== undefined ? resolve<Schema>(place.root, items).type : type
  if (['string', 'integer', 'number', 'boolean'].some((simple) => simple === itemType)) return
  const what = `a ${kind} must be a scalar${allowsList ? ', or an array of scalars' : ''}`
  place.at('schema').report(`${what}; give it one type: string, integer, number or boolean`)
}
