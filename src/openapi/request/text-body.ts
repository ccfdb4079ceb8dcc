/** Bodies of text, such as `text/plain`. */
import type { MediaType } from '../document/content.ts'
import { TextError } from '../shared/errors.ts'
import { decodeUtf8 } from '../shared/texts.ts'
import type { BodyContext, BodyParser } from './body-parser.ts'
import { receiveBytes } from './receive.ts'
import { createScalarParser } from './styles.ts'
import { getValidValue, invalidBody } from './violations.ts'

export function createTextParser({ schema }: MediaType, { compile, maxBytes }: BodyContext): BodyParser {
  const view = compile.views.get(schema)
  const validate = compile(schema, 'request')
  const parseScalar = createScalarParser(view, compile)
  return {
    receive: (payload, _contentType, done) => receiveBytes(payload, maxBytes, decodeTextBody, done),
    validate(text, violations) {
      // A schema of an array or object describes what the handler parses.
      if (!view.isScalar) return text
      return getValidValue(validate(parseScalar(String(text))), 'body', violations)
    },
  }
}

/** Decodes a body of text. Throws a 400 if it is not UTF-8. */
export function decodeTextBody(bytes: Uint8Array): string {
  try {
    return decodeUtf8(bytes)
  } catch (error) {
    if (!(error instanceof TextError)) throw error
    throw invalidBody(error.keyword, `body ${error.message}`)
  }
}
