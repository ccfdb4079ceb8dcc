/** Bodies that a content type parser of the app parses. */
import { Readable } from 'node:stream'
import type { MediaType } from '../document/content.ts'
import { isLargerThan } from '../shared/json.ts'
import type { BodyContext, BodyParser } from './body-parser.ts'
import { receiveBytes } from './receive.ts'
import { createViolation, takeValidValue } from './violations.ts'

/** The arrays and objects that a parsed body may have besides one for each byte of its limit: a short text may stand for many. */
const EXTRA_NODES = 1000

/** Creates the parser that passes a stream of the bytes on to the parser of the app, and validates what that returns. */
export function createAppParser({ schema }: MediaType, { compile, maxBytes, maxDepth }: BodyContext): BodyParser {
  const validate = compile(schema, 'request')
  const toStream = (bytes: Buffer) => Readable.from([bytes], { objectMode: false })
  return {
    isParsedByApp: true,
    receive: (payload, _contentType, done) => receiveBytes(payload, maxBytes, toStream, done),
    validate(value, violations) {
      // Without limits, a parser that resolves references, as in YAML, could occupy the app with a small body.
      if (!isLargerThan(value, maxDepth, maxBytes + EXTRA_NODES))
        return takeValidValue(validate(value), 'body', violations)
      const message = `body is nested deeper than ${maxDepth} levels, or has too many arrays and objects`
      violations.push(createViolation({ in: 'body', keyword: 'complexity', message }))
      return undefined
    },
  }
}
