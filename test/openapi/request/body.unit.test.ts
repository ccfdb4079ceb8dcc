/**
 * Reading bodies.
 */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import t from 'tap'
import { readBody } from '../../../src/openapi/request/body.ts'

t.test('the rest of a body that is too large is dropped, whatever its pieces are', async (t) => {
  const stream = Object.assign(new PassThrough(), { headers: {} })
  const limits = { schema: {}, isRequired: true, maxBytes: 3, maxDepth: 1 }
  const body = readBody(stream as unknown as IncomingMessage, limits)
  stream.write('four')
  await t.rejects(body, { message: 'the body is larger than 3 bytes' })
  t.equal(stream.listenerCount('data'), 0)
  stream.end('the rest')
  await once(stream, 'end')
})
