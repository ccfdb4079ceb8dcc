/** Examples of what the service sends by itself, which the spec must allow. */
import type { ErrorCode } from '../../generated/server.d.ts'
import type { Config } from '../config.ts'
import { toErrorBody } from '../errors.ts'
import type { Samples } from '../openapi/index.ts'

/** The errors that the service sends by itself for any operation. */
const ERRORS: readonly (readonly [status: number, code: ErrorCode])[] = [
  [400, 'invalid_request'],
  [400, 'malformed_json'],
  [401, 'missing_key'],
  [401, 'invalid_key'],
  [403, 'insufficient_scope'],
  [408, 'request_timeout'],
  [413, 'content_too_large'],
  [415, 'unsupported_media_type'],
  [429, 'too_many_requests'],
  [500, 'internal_error'],
  [503, 'service_unavailable'],
]

/** A short message and a long one: a message that lists violations quotes the request. */
const MESSAGES = ['the problem', 'body["ł"] is not allowed; '.repeat(100)]

export function createSamples({ trustProxy, rateLimit }: Pick<Config, 'trustProxy' | 'rateLimit'>): Samples {
  const { count, seconds } = rateLimit ?? { count: 1, seconds: 1 }
  const challenge = 'Bearer realm="the API"'
  const isOf = (status: 401 | 403 | 429, key: unknown) => key === status || key === '4XX' || key === 'default'
  return {
    getErrorBodies: (status) =>
      ERRORS.filter(([each]) => each === status).flatMap(([, code]) =>
        MESSAGES.map((message) => toErrorBody({ status, code, message })),
      ),
    getHeaders: (key) => ({
      'accept-encoding': ['identity'],
      etag: ['"47DEQpj8HBSa-_TImW-5JCeuQeR"'],
      ratelimit: [`"key";r=${count};t=${seconds}`],
      'ratelimit-policy': [`"key";q=${count};w=${seconds}`],
      'retry-after': ['1', ...(isOf(429, key) ? [String(seconds)] : [])],
      'www-authenticate': [
        ...(isOf(401, key) ? [challenge, `${challenge}, error="invalid_token"`] : []),
        ...(isOf(403, key) ? [`${challenge}, error="insufficient_scope", scope="read write"`] : []),
      ],
      'x-request-id': ['8e03978e-40d5-43e8-bc93-6894a57f9324', ...(trustProxy.length > 0 ? ['/'.repeat(128)] : [])],
    }),
  }
}
