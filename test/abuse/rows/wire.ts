/** What is no HTTP/1.1, or can be understood in two ways (RFC 9112). */
import { AUTHORIZATION, animal, get, invalid, JSON_TYPE, message, post, postChunks, refused, request } from './row.ts'

const good = animal({})
const chunk = `${good.length.toString(16)}\r\n${good}\r\n`
const host = (...fields: readonly string[]) => message('GET /v1/pets HTTP/1.1', ...fields, AUTHORIZATION)
const create = (...fields: readonly string[]) => request('POST /v1/pets HTTP/1.1', JSON_TYPE, ...fields) + good
const creation = 'POST /v1/pets HTTP/1.1'

const noRequest = invalid(/^the request is not valid HTTP\/1\.1/)
const notUnderstood = invalid('the only supported transfer coding is chunked')
const tooLarge = [431, 'headers_too_large', 'the request line and the headers are too large; shorten them'] as const

export const wire = [
  ...refused('RFC 9112, section 3.2', invalid('a request has one Host header, not 0'), {
    'no Host': host(),
    'no Host where the address has one': message('GET http://x/v1/pets HTTP/1.1', AUTHORIZATION),
  }),
  ...refused('RFC 9112, section 3.2', invalid('a request has one Host header, not 2'), {
    'two Hosts': host('Host: x', 'Host: y'),
    'two Hosts in HTTP/1.0': message('GET /v1/pets HTTP/1.0', 'Host: x', 'Host: x', AUTHORIZATION),
    'two Hosts in other letters': host('Host: x', 'hOST: x'),
  }),
  ...refused('RFC 9112, section 3.2', invalid('the Host header is not the name of a host'), {
    'a Host without a name': host('Host: '),
    'a Host with a space': host('Host: a b'),
    'a Host with a path': host('Host: a/b'),
    'a Host with a user': host('Host: user@a'),
    'a Host with a port of letters': host('Host: a:b'),
    'a Host in other characters': host('Host: \xe4'),
    'a Host with a bracket': host('Host: [::1'),
  }),
  ...refused('RFC 9112, section 3', noRequest, {
    'a method of another character': get('/v1/pets').replace('GET', 'G\xcbT'),
    'a version that there is not': get('/v1/pets').replace('HTTP/1.1', 'HTTP/1.2'),
    'a request line without a version': get('/v1/pets').replace(' HTTP/1.1', ''),
    'a request of HTTP/0.9': 'GET /v1/pets\r\n\r\n',
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a space in the path': get('/v1/pets?limit=5 ').replace('5  HTTP', '5 x HTTP'),
    'a path without a slash': get('v1/pets'),
    'a digit of another alphabet in the query': get('/v1/pets?limit=\xd9\xa5'),
    'a line feed in the path': get('/v1/pets\nx'),
    'line feeds for ends of lines': get('/v1/pets').replaceAll('\r\n', '\n'),
    'no request': 'this is no request\r\n\r\n',
    'a line of the PROXY protocol': `PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n${get('/v1/pets')}`,
  }),
  ...refused('RFC 9112, section 5', noRequest, {
    'a field with a space in its name': get('/v1/pets', 'X Y: z'),
    'a field with a space behind its name': get('/v1/pets', 'X : z'),
    'a field without a colon': get('/v1/pets', 'X'),
    'a field with a NUL': get('/v1/pets', 'X: y\0z'),
    'a field with a carriage return': get('/v1/pets', 'X: y\rz'),
    'a field that goes on in the next line': get('/v1/pets', 'X: y\r\n z'),
    'a space before the first field': get('/v1/pets').replace('Host', ' Host'),
  }),
  ...refused('RFC 9112, section 6.3', noRequest, {
    'a length below zero': create('Content-Length: -1'),
    'a length in hexadecimal': create('Content-Length: 0x1d'),
    'a length with a space in it': create('Content-Length: 2 9'),
    'a length that is too long': create('Content-Length: 99999999999999999999999'),
    'two lengths': create('Content-Length: 29', 'Content-Length: 30'),
    'two lengths in a field': create('Content-Length: 29, 29'),
    'a length and chunks': request(creation, JSON_TYPE, 'Content-Length: 29', 'Transfer-Encoding: chunked') + chunk,
    'chunks and a length': request(creation, JSON_TYPE, 'Transfer-Encoding: chunked', 'Content-Length: 29') + chunk,
    'chunks twice': request(creation, JSON_TYPE, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked') + chunk,
    'chunks, and then something else': request(creation, JSON_TYPE, 'Transfer-Encoding: chunked, gzip') + chunk,
    'a length behind the end of the fields': post(good)
      .replace('\r\nContent-Length', '\r\n\r\nContent-Length')
      .replace(`${JSON_TYPE}\r\n`, `${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n`),
  }),
  ...refused('RFC 9112, section 6.1', notUnderstood, {
    'a body in gzip and chunks': postChunks(`${chunk}0\r\n\r\n`).replace(': chunked', ': gzip, chunked'),
    'a transfer coding with a parameter': postChunks(`${chunk}0\r\n\r\n`).replace(': chunked', ': x;a=b, chunked'),
  }),
  ...refused('RFC 9112, section 6.1', noRequest, {
    'a transfer coding that is none': request(creation, JSON_TYPE, 'Transfer-Encoding: identity'),
  }),
  ...refused('RFC 9112, section 6.1', invalid('HTTP/1.0 has no Transfer-Encoding'), {
    'chunks in HTTP/1.0': postChunks(`${chunk}0\r\n\r\n`).replace('HTTP/1.1', 'HTTP/1.0'),
  }),
  ...refused('RFC 9112, section 7.1', noRequest, {
    'a chunk of no size': postChunks('\r\n\r\n'),
    'a chunk of a size that is no number': postChunks('zz\r\n'),
    'a chunk of a size with a space': postChunks(`1d \r\n${good}\r\n0\r\n\r\n`),
    'a chunk of a size that is too large': postChunks('fffffffffffffffff\r\n'),
    'a chunk that is longer than its size': postChunks(`1\r\n${good}\r\n0\r\n\r\n`),
    'a chunk of a size that ends in a line feed': postChunks(`1d\n${good}\r\n0\r\n\r\n`),
    'a chunk with an extension of control characters': postChunks(`1d;\x01\r\n${good}\r\n0\r\n\r\n`),
    'a trailer with a space in its name': postChunks(`${chunk}0\r\nX Y: z\r\n\r\n`),
  }),
  ...refused('RFC 9112, section 7.1.1', [413, 'content_too_large', /chunk extensions/], {
    'a chunk with an extension of 20,000 letters': postChunks(`1d;${'x'.repeat(20_000)}\r\n${good}\r\n0\r\n\r\n`),
  }),
  ...refused('RFC 9110, section 9.1', noRequest, {
    'a method that there is not': get('/v1/pets').replace('GET', 'FETCH'),
    'a method in small letters': get('/v1/pets').replace('GET', 'get'),
    'a method that there is not, behind a blank line': `\r\n${get('/v1/pets').replace('GET', 'x-y')}`,
  }),
  ...refused('RFC 6585, section 5', tooLarge, {
    'a path of 20,000 letters': get(`/${'x'.repeat(20_000)}`),
    'a query of 20,000 letters': get(`/v1/pets?${'x'.repeat(20_000)}`),
    'a field of 20,000 letters': get('/v1/pets', `X: ${'x'.repeat(20_000)}`),
    '2,100 fields': get('/v1/pets', ...Array.from({ length: 2100 }, () => 'a:b')),
    'a key of 20,000 letters': get('/v1/pets', `Authorization: Bearer ${'x'.repeat(20_000)}`),
    'a trailer of 20,000 letters': postChunks(`${chunk}0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
  }),
]
