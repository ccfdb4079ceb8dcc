/** Wrong media types, content codings and sizes of bodies. */
import { animal, invalid, JSON_TYPE, post, postChunks, refused, withBody } from './row.ts'

const good = animal({})
const send = (...fields: readonly string[]) => withBody('POST /v1/pets HTTP/1.1', good, ...fields)
const typed = (type: string) => send(`Content-Type: ${type}`)
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

const noType = [415, 'unsupported_media_type', 'send the body as Content-Type: application/json'] as const
const noCharset = [415, 'unsupported_media_type', 'send the body in UTF-8, as Content-Type: application/json'] as const
const noCoding = [415, 'unsupported_media_type', 'send the body without a content coding'] as const
const tooLarge = [413, 'content_too_large', 'the body is larger than 8192 bytes'] as const

export const content = [
  ...refused('#/paths/~1pets/post/requestBody/content', noType, {
    'no media type': send(),
    'a media type of no letters': typed(''),
    'a media type of text': typed('text/plain'),
    'a media type of a form': typed('application/x-www-form-urlencoded'),
    'a media type of another JSON': typed('application/merge-patch+json'),
    'a media type of JSON as text': typed('text/json'),
    'a media type of anything': typed('*/*'),
    'a media type of 8,000 letters': typed(`application/${'x'.repeat(8000)}`),
  }),
  ...refused('RFC 9110, section 8.3.1', noType, {
    'a media type with spaces in it': typed('application / json'),
    'two media types in one': typed('application/json, application/json'),
    'a media type, a tab and something else': typed('application/json\tjunk'),
    'a media type in quotes': typed('"application/json"'),
    'a parameter that is not one': typed('application/json; charset'),
    'two charsets': typed('application/json; charset=utf-8; charset=utf-16'),
    'a parameter without a value': typed('application/json; charset='),
    'a parameter with spaces around its equals sign': typed('application/json; charset = utf-8'),
    '8,000 semicolons and something else': typed(`application/json${';'.repeat(8000)}x`),
  }),
  ...refused('RFC 9110, section 8.3', [415, 'unsupported_media_type', 'a request has one Content-Type header, not 2'], {
    'two media types': send(JSON_TYPE, 'Content-Type: text/plain'),
  }),
  ...refused('RFC 8259, sections 8.1 and 11', noCharset, {
    'a charset of Latin-1': typed('application/json; charset=iso-8859-1'),
    'a charset in quotes': typed('application/json; charset="utf-16"'),
    'a charset by another name': typed('application/json; charset=utf8'),
    'a charset behind another in a text': typed('application/json; x="; charset=utf-8"; charset=utf-16'),
  }),
  ...refused('RFC 9110, section 8.4', noCoding, {
    'a body in gzip': send(JSON_TYPE, 'Content-Encoding: gzip'),
    'a body in two codings': send(JSON_TYPE, 'Content-Encoding: gzip', 'Content-Encoding: gzip'),
    'a body in no coding': send(JSON_TYPE, 'Content-Encoding: '),
  }),
  ...refused('#/paths/~1pets/post/requestBody/x-max-bytes', tooLarge, {
    'a body of a byte too many': post(good.padEnd(8193)),
    'a body that says that it is large': post('x'.repeat(1_000_000)),
    'a body of a byte too many in a chunk': postChunks(`${chunk(animal({}).padEnd(8193))}0\r\n\r\n`),
    'a body of a byte too many in many chunks': postChunks(`${chunk(' '.repeat(100)).repeat(82)}0\r\n\r\n`),
    'a body that ends too late in chunks': postChunks(`${chunk(animal({}))}${chunk(' '.repeat(100_000))}0\r\n\r\n`),
  }),
  ...refused('RFC 9110, section 9.3.1', invalid('body is not allowed; the operation has none'), {
    'a body to a list': withBody('GET /v1/pets HTTP/1.1', '{}'),
    'a body to an animal': withBody('GET /v1/pets/1 HTTP/1.1', '{}'),
    'a large body to a list': withBody('GET /v1/pets HTTP/1.1', 'x'.repeat(1_000_000), JSON_TYPE),
  }),
]
