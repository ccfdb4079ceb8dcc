/** Bodies of JSON. */
import type { MediaType } from '../document/content.ts'
import { HttpError, TextError } from '../shared/errors.ts'
import { parseJson } from '../shared/parse-json.ts'
import type { BodyContext, BodyParser } from './body-parser.ts'
import { receiveBytes } from './receive.ts'
import { createViolation, takeValidValue } from './violations.ts'

export function createJsonParser({ schema }: MediaType, { compile, maxBytes, maxDepth }: BodyContext): BodyParser {
  const validate = compile(schema, 'request')
  const parse = (bytes: Buffer) => {
    try {
      return bytes.length === 0 ? undefined : parseJson(bytes, maxDepth)
    } catch (error) {
      throw error instanceof TextError ? malformedJson(error) : error
    }
  }
  return {
    receive: (payload, _contentType, done) => receiveBytes(payload, maxBytes, parse, done),
    validate: (value, violations) => takeValidValue(validate(value), 'body', violations),
  }
}

function malformedJson(error: TextError): HttpError {
  const message = `body ${error.message}`
  const violations = [createViolation({ in: 'body', keyword: error.keyword, message })]
  return new HttpError(400, 'malformed_json', message, { violations })
}
