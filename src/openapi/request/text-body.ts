/** Bodies of text, such as `text/plain`. */
import type { MediaType } from '../document/content.ts'
import type { BodyContext, BodyParser } from './body-parser.ts'
import { decodeTextBody, receiveBytes } from './receive.ts'
import { createScalarParser } from './text-values.ts'
import { takeValidValue } from './violations.ts'

export function createTextParser({ schema }: MediaType, { compile, maxBytes }: BodyContext): BodyParser {
  const view = compile.views.get(schema)
  const validate = compile(schema, 'request')
  const parseScalar = createScalarParser(view, compile)
  return {
    receive: (payload, _contentType, done) => receiveBytes(payload, maxBytes, decodeTextBody, done),
    validate(text, violations) {
      // A schema of an array or object describes what the handler parses.
      if (!view.isScalar) return text
      return takeValidValue(validate(parseScalar(String(text))), 'body', violations)
    },
  }
}
