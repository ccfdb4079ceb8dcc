/** Bodies of bytes, which a handler receives as a buffer, or with `x-stream` as a stream while they arrive. */
import type { Readable } from 'node:stream'
import type { MediaType } from '../document/content.ts'
import type { SchemaView } from '../schema/view.ts'
import type { Violation } from '../shared/errors.ts'
import type { BodyContext, BodyParser } from './body-parser.ts'
import { receiveBytes, receiveStream } from './receive.ts'
import { createViolation, invalidRequest } from './violations.ts'

/** Creates the parser of bytes, which counts them by the limits of the schema. */
export function createBytesParser({ schema, isStreamed }: MediaType, { compile, maxBytes }: BodyContext): BodyParser {
  const findViolation = createSizeCheck(compile.views.get(schema))
  if (isStreamed) return createStreamParser(maxBytes, findViolation)
  return {
    receive: (payload, _contentType, done) => receiveBytes(payload, maxBytes, (bytes) => bytes, done),
    validate(bytes, violations) {
      const violation = findViolation((bytes as Uint8Array).length, true)
      if (violation !== undefined) violations.push(violation)
      return bytes
    },
  }
}

/** Creates the parser of bytes that a handler reads while they arrive: a read rejects if their number is not valid. */
function createStreamParser(maxBytes: number, findViolation: FindSizeViolation): BodyParser {
  const findSizeError = (size: number, isComplete: boolean) => {
    const violation = findViolation(size, isComplete)
    return violation && invalidRequest([violation])
  }
  return {
    isStreamed: true,
    receive(payload, _contentType, done, onEnd) {
      const stream = receiveStream(payload, maxBytes, findSizeError)
      onEnd?.(() => void stream.destroy(new Error('the body can be read until the response is sent')))
      done(null, toWebStream(stream))
    },
    validate: (stream) => stream,
  }
}

/** Converts to a web stream. `Readable.toWeb` throws in an event of the stream if the body is cancelled while it arrives (Node 22.23). */
function toWebStream(stream: Readable): ReadableStream<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]()
  // The iterator of the stream destroys it only if a chunk has been read.
  const cancel = async () => {
    stream.destroy()
    return { done: true as const, value: undefined }
  }
  return ReadableStream.from({ [Symbol.asyncIterator]: () => ({ next: () => chunks.next(), return: cancel }) })
}

/** Finds what is wrong with a number of bytes so far; `isComplete` says that no more follow. */
type FindSizeViolation = (size: number, isComplete: boolean) => Violation | undefined

/**
 * Creates the check of a number of bytes: `minLength` and `maxLength` count octets (OpenAPI 3.1.1, "Working with Binary Data"). No
 * other keyword applies to bytes: JSON Schema does not know them.
 */
function createSizeCheck({ conjuncts }: SchemaView): FindSizeViolation {
  const minimum = Math.max(...conjuncts.map(({ minLength = 0 }) => minLength))
  const maximum = Math.min(...conjuncts.map(({ maxLength = Infinity }) => maxLength))
  const createLimitViolation = (keyword: string, limit: number, relation: string) => {
    const message = `body must have ${relation} ${limit} ${limit === 1 ? 'byte' : 'bytes'}`
    return createViolation({ in: 'body', keyword, params: { limit }, message })
  }
  return (size, isComplete) => {
    if (size > maximum) return createLimitViolation('maxLength', maximum, 'at most')
    return isComplete && size < minimum ? createLimitViolation('minLength', minimum, 'at least') : undefined
  }
}
