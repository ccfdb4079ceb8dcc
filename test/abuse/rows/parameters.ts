/** Wrong values of parameters: there is one way to write each (OpenAPI 3.1, Parameter Object; RFC 8259, section 6). */
import { get, invalid, post, refused, utf8 } from './row.ts'

const id = (text: string) => get(`/v1/pets/${text}`)
const limit = (text: string) => get(`/v1/pets?limit=${text}`)
const status = (text: string) => get(`/v1/pets?status=${text}`)
const list = (query: string) => get(`/v1/pets?${query}`)
const retry = (field: string) => post('{"name":"Rex","categoryId":1}', `Idempotency-Key: ${field}`)
const escaped = encodeURIComponent

const noId = invalid('path.petId must be an int64 integer')
const noLimit = invalid('query.limit must be an integer')
const noStatus = invalid('query.status must be one of available, pending, sold')
const noCursor = [400, 'invalid_cursor', 'query.cursor is not from a next link; start from the first page'] as const

export const parameters = [
  ...refused('#/components/schemas/Int64', noId, {
    'an id with a plus sign': id('+1'),
    'an id with an escaped slash': id('1%2F2'),
    'an id with a NUL': id('1%00'),
    'an id that is a dot': id('.'),
    'an id that is two dots': id('..'),
    'an id above int64': id('9223372036854775808'),
    'an id below int64': id('-9223372036854775809'),
    'an id of 5,000 digits': id('1'.repeat(5000)),
  }),
  ...refused('#/components/parameters/Limit/schema/type', noLimit, {
    'a limit without a value': limit(''),
    'a limit without even an equals sign': list('limit'),
    'a limit behind a plus sign, which is a space': limit('+5'),
    'a limit of 5,000 digits': limit('9'.repeat(5000)),
  }),
  ...refused(
    '#/components/parameters/Limit/schema/type',
    invalid('query.limit must be an int32; query.limit must be at most 100'),
    {
      'a limit that no number holds': limit('9007199254740993'),
    },
  ),
  ...refused('#/components/parameters/Limit/schema/minimum', invalid('query.limit must be at least 1'), {
    'a limit of zero': limit('0'),
    'a limit below zero': limit('-1'),
  }),
  ...refused('#/components/parameters/Limit/schema/maximum', invalid('query.limit must be at most 100'), {
    'a limit above the maximum': limit('101'),
  }),
  ...refused('#/components/schemas/PetStatus/enum', noStatus, {
    'a status without a value': status(''),
    'a status before a space': status('sold%20'),
    'two statuses': status('sold,pending'),
    'a status with another alphabet': status(escaped('sоld')),
  }),
  ...refused('#/components/parameters/Limit/schema', invalid(/given more than once/), {
    'a limit twice': list('limit=5&limit=5'),
    'a limit twice, once escaped': list('limit=5&%6Cimit=5'),
    'a status twice': list('status=sold&status=sold'),
  }),
  ...refused('#/components/parameters/Cursor/schema/minLength', invalid(/query\.cursor must have at least 1 char/), {
    'a cursor without a value': list('cursor='),
  }),
  ...refused('#/components/parameters/Cursor/schema/maxLength', invalid(/query\.cursor must have at most 64 char/), {
    'a cursor that is too long': list(`cursor=${'A'.repeat(65)}`),
  }),
  ...refused('#/components/parameters/Cursor/description', noCursor, {
    'a cursor that is made up': list('cursor=abc'),
    'a cursor of a negative id': list('cursor=__________8'),
    'a cursor with padding': list('cursor=AAAAAAAAAAE%3D'),
    'a cursor in the other base64': list('cursor=%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F8'),
    'a cursor with bits too many': list('cursor=AAAAAAAAAAF'),
    'a cursor in other characters': list(`cursor=${escaped('é')}`),
  }),
  ...refused('#/components/parameters/IdempotencyKey/schema/pattern', invalid(/header\.?.*Idempotency-Key/), {
    'an idempotency key with a space and no quotes': retry('8e03978e 40d5'),
    'an idempotency key that is empty': retry('""'),
    'an idempotency key without a value': retry(''),
    'an idempotency key with one quote': retry('"1'),
    'an idempotency key that is too long': retry(`"${'1'.repeat(256)}"`),
    'an idempotency key in other characters': retry(`"${utf8('é')}"`),
    'an idempotency key with a parameter': retry('"1"; a=b'),
    'two idempotency keys': retry('"1"\r\nIdempotency-Key: "2"'),
  }),
]
