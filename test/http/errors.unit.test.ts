/**
 * Unexpected errors.
 */
import type { FastifyRequest } from 'fastify'
import t from 'tap'
import { createErrorMapper } from '../../src/http/errors.ts'
import { createLogger } from '../../src/logger.ts'

t.test(
  'an error of a library that blames the request stays one, and any other is a 500 without its message',
  async (t) => {
    const lines: string[] = []
    const logger = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } })
    const toHttpError = createErrorMapper(
      logger,
      (text) => text,
      () => 'it is logged',
    )
    const request = { id: 'req-1', headers: {} } as FastifyRequest
    const blaming = Object.assign(new Error('too odd'), { statusCode: 418 })
    t.match(toHttpError(blaming, request), { status: 418, code: 'invalid_request', message: 'too odd' })
    t.equal(lines.length, 0)
    for (const error of [new Error('secret'), Object.assign(new Error('secret'), { statusCode: 502 })]) {
      t.match(toHttpError(error, request), { status: 500, code: 'internal_error', message: 'it is logged' })
    }
    t.equal(lines.length, 2)
  },
)
