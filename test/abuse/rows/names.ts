/** Parameters and fields that are not declared: nothing is dropped in silence. */
import { animal, get, invalid, JSON_TYPE, KEY, post, refused, withBody } from './row.ts'

const list = (query: string) => get(`/v1/pets?${query}`)

const query = '#/paths/~1pets/get/parameters'
const body = '#/components/schemas/NewPet/additionalProperties'
const known = 'allowed are limit, status, cursor'
const members = 'allowed are name, categoryId, status'

export const names = [
  ...refused(query, invalid(`query.limt is not allowed (did you mean "limit"?); ${known}`), {
    'a parameter with a letter left out': list('limt=5'),
  }),
  ...refused(query, invalid(`query["limit[]"] is not allowed (did you mean "limit"?); ${known}`), {
    'a parameter as a list': list('limit[]=5'),
  }),
  ...refused(query, invalid(new RegExp(`^query.+ is not allowed.*; ${known}$`)), {
    'a parameter in capitals': list('LIMIT=5'),
    'a parameter of another interface': list('offset=5'),
    'a parameter without a name': list('=5'),
    'a parameter called __proto__': list('__proto__=5'),
    'a parameter called constructor[prototype]': list('constructor[prototype][admin]=5'),
    'a parameter whose name is a space': list('+=5'),
    'a parameter with a name of 5,000 letters': list(`${'x'.repeat(5000)}=5`),
    'a parameter with a name that is all escapes': list(`${'%22'.repeat(1000)}=5`),
  }),
  ...refused(query, invalid(/^query\.a is not allowed; .*; query\.j is not allowed; .*; and more$/), {
    'twelve parameters that there are not': list('abcdefghijkl'.replaceAll(/./g, '$&=1&')),
  }),
  ...refused('RFC 6750, section 2.3', invalid(/^query\.(access_token|api_key|key) is not allowed/), {
    'a key in the query beside the right one': list(`access_token=${KEY}`),
    'a key in the query under another name': list(`api_key=${KEY}`),
  }),
  ...refused(query, invalid(/^query\["\[redacted\]…"\] is not allowed/), {
    'a key as the name of a parameter': list(`${KEY}=1`),
  }),
  ...refused('#/paths/~1pets~1{petId}/get/parameters', invalid(/^query\.fields is not allowed; none is/), {
    'a parameter of an operation that has none': get('/v1/pets/1?fields=name'),
  }),
  ...refused('#/paths/~1pets/post', invalid(/^query\.dryRun is not allowed/), {
    'a parameter to a creation': withBody('POST /v1/pets?dryRun=true HTTP/1.1', animal({}), JSON_TYPE),
  }),
  ...refused('RFC 3986, section 2.1', invalid('query has a malformed percent-encoding'), {
    'a query with half an escape': list('limit=%'),
    'a query with an escape of other letters': list('limit=%zz'),
    'a query with escapes that are no UTF-8': list('cursor=%ff'),
    'a query with an escaped surrogate': list('cursor=%ed%a0%80'),
  }),
  ...refused(body, invalid(`body.categoryID is not allowed (did you mean "categoryId"?); ${members}`), {
    'a field with a capital too many': post(animal({ categoryID: '1' })),
  }),
  ...refused(body, invalid(/^body\S+ is not allowed.*; allowed are name, categoryId, status$/), {
    'a field of the response': post(animal({ id: '7' })),
    'a field without a name': post(animal({ '': '1' })),
    'a field called __proto__ with a payload': post('{"name":"Rex","categoryId":1,"__proto__":{"status":"sold"}}'),
    'a field called __proto__ in escapes': post('{"name":"Rex","categoryId":1,"\\u005f_proto__":{"status":"sold"}}'),
    'a field called constructor': post(animal({ constructor: '{"prototype":{"admin":true}}' })),
    'a field called hasOwnProperty': post(animal({ hasOwnProperty: '1' })),
    'a field called status in an escaped alphabet': post(animal({ 'st\\u0430tus': '"sold"' })),
    'a field with a name of 5,000 letters': post(animal({ ['x'.repeat(5000)]: '1' })),
    'a field with a name of quotes': post(animal({ ['\\"'.repeat(1000)]: '1' })),
  }),
  ...refused(body, invalid(/^body\["\[redacted\]…"\] is not allowed/), {
    'a key as the name of a field': post(animal({ [KEY]: '1' })),
  }),
  ...refused(body, invalid(/; and more$/), {
    '800 fields that there are not': post(`{${Array.from({ length: 800 }, (_, count) => `"${count}":1`)}}`),
  }),
]
