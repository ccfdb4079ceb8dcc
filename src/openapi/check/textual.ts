/**
 * Whether what travels as text, in a parameter or a header field, can be written and read in one way.
 */
import type { Problem } from '../document.ts'
import type { Header, OpenApi, Parameter } from '../model.ts'
import { dereference, type Values, valuesOf } from './find.ts'

/** What a header field may say (RFC 9110, section 5.5). */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** What is wrong with the schema of a parameter, or of a header of a response. */
export function* checkTextual(root: OpenApi, object: Parameter | Header): Iterable<Problem> {
  if (object.schema === undefined) return // The structure is wrong already.
  const schema = dereference(root, object.schema)
  const isParameter = 'in' in object
  const orList = isParameter && object.in === 'query'
  if (!isTextual(root, schema, orList)) {
    const shape = orList ? 'one simple type, or an array of one' : 'one simple type'
    const message = `this does not travel as text in one way; give it ${shape}: string, integer, number or boolean`
    yield { pointer: '/schema', message }
  }
  if (isParameter && object.required === true && 'default' in valuesOf(object.schema)) {
    const message = 'the parameter is required, so that its default says nothing; remove one of them'
    yield { pointer: '/schema/default', message }
  }
  for (const value of isParameter ? [] : [schema.const, ...Object.values(valuesOf(schema.enum))]) {
    if (FIELD_VALUE.test(String(value))) continue
    const message = `a header field cannot say ${JSON.stringify(value)}; use letters, digits and signs of ASCII`
    yield { pointer: '/schema', message }
  }
}

/** Whether the values are strings, numbers or booleans, or lists of them. */
function isTextual(root: OpenApi, { type, items }: Values, orList: boolean): boolean {
  if (type === 'array') return orList && isTextual(root, dereference(root, items), false)
  return ['string', 'integer', 'number', 'boolean'].some((simple) => simple === type)
}
