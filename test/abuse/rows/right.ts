/** Unusual but valid requests: the service is not stricter than the standards and the document. */
import { AUTHORIZATION, animal, get, JSON_TYPE, KEY, message, post, postChunks, request, utf8 } from './row.ts'

const good = animal({})
const chunk = `${good.length.toString(16)}\r\n${good}\r\n`
const typed = (type: string) =>
  request('POST /v1/pets HTTP/1.1', `Content-Type: ${type}`, `Content-Length: ${good.length}`) + good
const list = (...fields: readonly string[]) => message('GET /v1/pets HTTP/1.1', ...fields)

/** Requests with the status 201. */
export const created: Readonly<Record<string, string>> = {
  'an animal in UTF-8, as the type says': typed('application/json; charset=utf-8'),
  'a charset in quotes and capitals': typed('application/json;charset="UTF-8"'),
  'a parameter that JSON does not have': typed('application/json; x="; charset=utf-16"'),
  'a semicolon without a parameter': typed('application/json; charset=utf-8;'),
  'a media type with a semicolon and nothing behind it': typed('application/json;'),
  'a name of a space': post(animal({ name: '" "' })),
  'a name of 255 characters of four bytes': post(animal({ name: utf8(`"${'😀'.repeat(255)}"`) })),
  'a name of 255 characters in escapes': post(animal({ name: `"${'\\ud83d\\ude00'.repeat(255)}"` })),
  'a name that is not the same in another normal form': post(animal({ name: utf8('"Rex\u0301 Ré\u202e"') })),
  'a body of as many bytes as there may be': post(good.padEnd(8192)),
  'a body in chunks of one byte': postChunks(`${[...good].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`),
  'a chunk with an extension, zeros in its size, and a trailer': postChunks(
    `00${chunk.replace('\r', ';a="b"\r')}0\r\nX: y\r\n\r\n`,
  ),
  'chunks in capitals': postChunks(`${chunk}0\r\n\r\n`).replace(': chunked', ': CHUNKED'),
  'a response in another media type, which is not given': post(good, 'Accept: text/html'),
  'an idempotency key with escapes': post(good, 'Idempotency-Key: "a \\" \\\\ b"'),
}

/** Requests with the status 200. */
export const listed: Readonly<Record<string, string>> = {
  'an address in the request line': get('http://example.com/v1/pets?limit=5'),
  'an address in capitals': get('HTTP://EXAMPLE.COM/v1/pets'),
  'a path in escapes': get('/v1/%70et%73'),
  'a query in escapes': get('/v1/pets?%6Cimi%74=%35&status=s%6Fld'),
  'a query without anything in it': get('/v1/pets?'),
  'ampersands too many': get('/v1/pets?&limit=5&&status=sold&'),
  'a Host with a port': list('Host: example.com:8080', AUTHORIZATION),
  'a Host that is an address': list('Host: [::1]:8080', AUTHORIZATION),
  'a Host with an escape': list('Host: ex%41mple', AUTHORIZATION),
  'a scheme in capitals': list('Host: x', `Authorization: BEARER ${KEY}`),
  'a scheme in other letters, and spaces': list('Host: x', `authorization:   bEaReR   ${KEY}  `),
  'HTTP/1.0 without a Host': message('GET /v1/pets HTTP/1.0', AUTHORIZATION),
  'an empty line before it': `\r\n${get('/v1/pets')}`,
  'an offer of a WebSocket': get('/v1/pets', 'Upgrade: websocket', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='),
  'no body, and a length that says so': get('/v1/pets', JSON_TYPE, 'Content-Length: 0'),
  'a field with bytes of no character': get('/v1/pets', 'X: \xff\x80'),
  'a field of nearly as much as there may be': get('/v1/pets', `X: ${'x'.repeat(15_000)}`),
}
