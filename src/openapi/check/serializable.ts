/**
 * Checks the schemas of parameters and headers: their values are text, and each value must have one spelling.
 */
import type { Problem } from '../document/load.ts'
import type { Header, OpenApi, Parameter } from '../document/model.ts'
import { dereference, toObject, type Values } from './find.ts'

/** The value of a header (RFC 9110, section 5.5). */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Finds what is wrong with the schema of a parameter, or of a header of a response. */
export function* checkSerializable(root: OpenApi, object: Parameter | Header): Iterable<Problem> {
  if (object.schema === undefined) return // The structure is wrong already.
  const schema = dereference(root, object.schema)
  const isParameter = 'in' in object
  const orList = isParameter && object.in === 'query'
  if (!isSerializable(root, schema, orList)) {
    const subject = isParameter ? 'a parameter' : 'a header'
    const shape = orList ? 'a scalar, or an array of scalars' : 'a scalar'
    const message = `${subject} must be ${shape}; give it one type: string, integer, number or boolean`
    yield { pointer: '/schema', message }
  }
  if (isParameter && object.required === true && 'default' in toObject(object.schema)) {
    const message = 'the parameter is required, so its default has no effect; remove one of them'
    yield { pointer: '/schema/default', message }
  }
  for (const value of isParameter ? [] : [schema.const, ...Object.values(toObject(schema.enum))]) {
    if (FIELD_VALUE.test(String(value))) continue
    const message = `a header cannot have the value ${JSON.stringify(value)}; use printable ASCII characters`
    yield { pointer: '/schema', message }
  }
}

/** True if the values are strings, numbers or booleans, or arrays of them. */
function isSerializable(root: OpenApi, { type, items }: Values, orList: boolean): boolean {
  if (type === 'array') return orList && isSerializable(root, dereference(root, items), false)
  return ['string', 'integer', 'number', 'boolean'].some((simple) => simple === type)
}
