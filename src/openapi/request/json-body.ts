/** Bodies of JSON. */
import type { Content } from '../document/content.ts'
import { createViolation, takeValue } from '../schema/violations.ts'
import { HttpError, TextError } from '../shared/errors.ts'
import { parseJson } from '../shared/json.ts'
import type { BodyContext, BodyParser } from './body-parser.ts'
import { receiveBytes } from './receive.ts'

export function createJsonParser({ schema }: Content, { compile, maxBytes, maxDepth }: BodyContext): BodyParser {
  const validate = compile(schema, 'request')
  const parse = (bytes: Buffer) => (bytes.length === 0 ? undefined : parseJsonBody(bytes, maxDepth))
  return {
    receive: (payload, _contentType, done) => receiveBytes(payload, maxBytes, parse, done),
    validate: (value, violations) => takeValue(validate(value), 'body', violations),
  }
}

/** Parses a body of JSON. Throws a 400 if it is malformed. */
function parseJsonBody(bytes: Buffer, maxDepth: number): unknown {
  try {
    return parseJson(bytes, maxDepth)
  } catch (error) {
    if (!(error instanceof TextError)) throw error
    const message = `body ${error.message}`
    const violations = [createViolation({ in: 'body', keyword: error.keyword, message })]
    throw new HttpError(400, 'malformed_json', message, { violations })
  }
}
