/** Requests without a key, with a wrong one, and with one that is in the wrong place (RFC 6750). */
import { AUTHORIZATION, JSON_TYPE, KEY, message, refused } from './row.ts'

const list = (...fields: readonly string[]) => message('GET /v1/pets HTTP/1.1', 'Host: x', ...fields)
const key = (value: string) => list(`Authorization: ${value}`)
const create = (body: string, ...fields: readonly string[]) =>
  message('POST /v1/pets HTTP/1.1', 'Host: x', ...fields, `Content-Length: ${body.length}`) + body

const missing = [
  401,
  'missing_key',
  'this operation needs an API key: send it as Authorization: Bearer <API_KEY>',
] as const
const wrong = [401, 'invalid_key', 'the API key is not valid; use an active key'] as const

export const keys = [
  ...refused('#/security', missing, {
    'no key': list(),
    'no key for an id that there cannot be': message('GET /v1/pets/abc HTTP/1.1', 'Host: x'),
    'no key and a good body': create('{"name":"Rex","categoryId":1}', JSON_TYPE),
    'no key and a malformed body': create('{,}', JSON_TYPE),
    'no key and a body that is too large': create('x'.repeat(100_000), JSON_TYPE),
  }),
  ...refused('RFC 6750, section 2.1', missing, {
    'an authorization of no letters': key(''),
    'a key alone': key(`${KEY}`),
    'a key under another scheme': key(`Basic ${KEY}`),
    'a key under a scheme that begins alike': key(`Bearertoken ${KEY}`),
    'a key as the password of a user': key(`Basic ${btoa('user:password')}`),
    'a key in a field of its own': list(`X-API-Key: ${KEY}`),
    'a key in a cookie': list(`Cookie: Authorization=Bearer ${KEY}; key=${KEY}`),
  }),
  ...refused('RFC 6750, section 2.3', missing, {
    'a key in the query': message(`GET /v1/pets?access_token=${KEY} HTTP/1.1`, 'Host: x'),
    'a key in a form': create(`access_token=${KEY}`, 'Content-Type: application/x-www-form-urlencoded'),
  }),
  ...refused('RFC 6750, section 3.1', wrong, {
    'a key that there is not': key('Bearer animal_0123456789012345678901234567890123456789012'),
    'a key with a letter too many': key(`Bearer ${KEY}x`),
    'a key with padding': key(`Bearer ${KEY}==`),
    'no key behind the scheme': key('Bearer'),
  }),
  ...refused('RFC 6750, section 2.1', wrong, {
    'a key behind a tab': key(`Bearer\t${KEY}`),
    'a key in quotes': key(`Bearer "${KEY}"`),
    'a key and something else': key(`Bearer ${KEY} x`),
    'a key with a comma behind it': key(`Bearer ${KEY},`),
    'two keys in a field': key(`Bearer ${KEY}, Bearer ${KEY}`),
    'a key in other characters': key(`Bearer ${KEY}\xe9`),
    'a key of 8,000 letters': key(`Bearer ${'x'.repeat(8000)}`),
  }),
  ...refused('RFC 9110, section 5.3', wrong, {
    'a key twice': list(AUTHORIZATION, AUTHORIZATION),
    'a key and a wrong one': list(AUTHORIZATION, 'Authorization: Bearer x'),
    'a key and another scheme': list(AUTHORIZATION, 'Authorization: Basic x'),
    'another scheme and a key': list('Authorization: Basic x', AUTHORIZATION),
  }),
]
