/** Wrong bodies of JSON: values are never coerced, and every mistake is named at once. */
import { animal, get, invalid, JSON_TYPE, post, postChunks, refused, request, utf8, withBody } from './row.ts'

const name = (json: string) => post(animal({ name: json }))
const categoryId = (json: string) => post(animal({ categoryId: json }))
const status = (json: string) => post(animal({ status: json }))

const everything =
  /^body\.a is not .*; body\.name must .*; body\.categoryId must .*; body\.status must .*; query\.b is not .*; header.*Key/

export const bodies = [
  ...refused('#/components/schemas/PetName/type', invalid('body.name must be a string'), {
    'a name that is a number': name('1'),
    'a name that is null': name('null'),
    'a name that is a list': name('["Rex"]'),
  }),
  ...refused('#/components/schemas/PetName/minLength', invalid(/body\.name must have at least 1 character/), {
    'a name without characters': name('""'),
  }),
  ...refused('#/components/schemas/PetName/maxLength', invalid('body.name must have at most 255 characters'), {
    'a name of 256 letters': name(`"${'x'.repeat(256)}"`),
    'a name of 256 characters of four bytes': name(utf8(`"${'😀'.repeat(256)}"`)),
  }),
  ...refused('#/components/schemas/PetName/pattern', invalid(/^body\.name must match .*control characters/), {
    'a name with an escaped NUL': name('"Rex\\u0000"'),
    'a name with an escaped line feed': name('"Rex\\n"'),
    'a name with DEL': name('"Rex\x7f"'),
    'a name with a control character of two bytes': name(utf8('"Rex\u0085"')),
  }),
  ...refused('#/components/schemas/CategoryId/type', invalid('body.categoryId must be an int64 integer'), {
    'a category id in quotes': categoryId('"1"'),
    'a category id that is null': categoryId('null'),
    'a category id that is a list': categoryId('[1]'),
    'a category id with a fraction': categoryId('1.5'),
    'a category id that is a tenth': categoryId('1e-1'),
  }),
  ...refused('#/components/schemas/CategoryId/format', invalid('body.categoryId must be an int64 integer'), {
    'a category id above int64': categoryId('9223372036854775808'),
    'a category id below int64': categoryId('-9223372036854775809'),
    'a category id of 1e19': categoryId('1e19'),
    'a category id of 300 digits': categoryId('9'.repeat(300)),
  }),
  ...refused('RFC 8259, section 6', [400, 'malformed_json', /^body has a number that cannot be kept exactly: /], {
    'a category id that no number reaches': categoryId('1e400'),
    'a category id of 8,000 digits': categoryId('9'.repeat(8000)),
  }),
  ...refused('#/components/schemas/PetStatus/enum', invalid('body.status must be one of available, pending, sold'), {
    'a status in the body that there is not': status('"unknown"'),
    'a status in the body with a capital': status('"Sold"'),
  }),
  ...refused('#/components/schemas/PetStatus/type', invalid(/^body\.status must be a string/), {
    'a status in the body that is null': status('null'),
    'a status in the body that is a number': status('0'),
  }),
  ...refused('#/components/schemas/NewPet/required', invalid('body.name is required; body.categoryId is required'), {
    'an animal without anything': post('{}'),
    'an animal without anything but space': post(' { \r\n\t } '),
  }),
  ...refused('#/components/schemas/NewPet/required', invalid('body.name is required'), {
    'an animal without a name': post('{"categoryId":1}'),
  }),
  ...refused('#/components/schemas/NewPet/required', invalid('body.categoryId is required'), {
    'an animal without a category': post('{"name":"Rex"}'),
  }),
  ...refused('#/components/schemas/NewPet/type', invalid('body must be an object'), {
    'a body that is a list': post('[]'),
    'a body that is a text': post('"Rex"'),
    'a body that is null': post('null'),
    'a body that is a list of 2,000 numbers': post(`[${'1e1,'.repeat(1999)}1]`),
  }),
  ...refused('#/paths/~1pets/post/requestBody/required', invalid('body is required'), {
    'no body': request('POST /v1/pets HTTP/1.1'),
    'no body, which is said to be JSON': request('POST /v1/pets HTTP/1.1', JSON_TYPE),
    'an empty body': post(''),
    'an empty body in chunks': postChunks('0\r\n\r\n'),
  }),
  ...refused('#/components/responses/BadRequest', invalid(everything), {
    'mistakes in body, query and header': withBody(
      'POST /v1/pets?b=1 HTTP/1.1',
      '{"name":1,"categoryId":"1","status":"gone","a":1}',
      JSON_TYPE,
      'Idempotency-Key: "',
    ),
  }),
  ...refused('#/components/responses/BadRequest', invalid(/^path\.petId must be an int64 integer; query\.b is not /), {
    'mistakes in path and query': get('/v1/pets/one?b=1'),
  }),
]
