/**
 * Unexpected errors.
 */
import Fastify, { type FastifyBaseLogger } from 'fastify'
import t from 'tap'
import { createErrorHandler } from '../../src/http/errors.ts'
import { createLogger } from '../../src/logger.ts'

t.test(
  'an error of a library that blames the request stays one, and any other is a 500 without its message',
  async (t) => {
    const lines: string[] = []
    const logger = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } })
    const app = Fastify({ loggerInstance: logger as FastifyBaseLogger, disableRequestLogging: true })
    t.teardown(() => app.close())
    app.setErrorHandler(
      createErrorHandler({
        getHeaders: () => ({ 'cache-control': 'no-store' }),
        redact: (text) => text.replace('secret', '...'),
        explain: () => 'it is logged',
      }),
    )
    const errors: readonly unknown[] = [
      Object.assign(new Error('too odd, like a secret'), { statusCode: 418 }),
      Object.assign(new Error('busy with a secret'), { statusCode: 503 }),
      new Error('secret'),
      Object.assign(new Error('secret'), { statusCode: 502 }),
      'secret',
    ]
    app.get('/:index', async ({ params }) => {
      throw errors[Number((params as { index: string }).index)]
    })
    const unavailable = 'the service is unavailable at the moment; try again shortly'
    const failed = { status: 500, code: 'internal_error', message: 'it is logged' }
    for (const [index, body] of [
      { status: 418, code: 'invalid_request', message: 'too odd, like a ...' },
      { status: 503, code: 'service_unavailable', message: unavailable },
      failed,
      failed,
      failed,
    ].entries()) {
      const response = await app.inject(`/${index}`)
      t.match(response, { statusCode: body.status, headers: { 'cache-control': 'no-store' } })
      t.strictSame(response.json(), body)
    }
    t.equal(lines.length, 3)
    for (const line of lines) t.match(line, 'request failed')
  },
)
