/** Texts that are not JSON, or that would be taken for something else than what was sent (RFC 8259, RFC 7493). */
import { animal, post, refused, utf8 } from './row.ts'

const good = '{"name":"Rex","categoryId":1}'
const malformed = (message: string | RegExp) => [400, 'malformed_json', message] as const
const placed = /^body is not JSON: [a-z ]+ at line \d+, column \d+$/

export const json = [
  ...refused('RFC 7493, section 2.3', malformed('body has "name" twice in one object, at line 1, column 15'), {
    'a field twice': post('{"name":"Rex","name":"Mia","categoryId":1}'),
    'a field twice, once in escapes': post('{"name":"Rex","n\\u0061me":"Mia","categoryId":1}'),
  }),
  ...refused('RFC 7493, section 2.3', malformed(/^body has "\S*" twice in one object, at line 2, column \d+$/), {
    'a field twice within a field': post('{"name":"Rex","categoryId":1,\n"a":[{"b":1},{"b":1,"b":1}]}'),
    '__proto__ twice': post('{"name":"Rex","categoryId":1,\n"__proto__":1,"__proto__":1}'),
    'a long name twice': post(`{\n"${'x'.repeat(500)}":1,"${'x'.repeat(500)}":1}`),
  }),
  ...refused('RFC 7493, section 2.1', malformed(/^body has half of a surrogate pair at line 1, column \d+$/), {
    'a name with the first half of a pair': post(animal({ name: '"Rex\\ud83d"' })),
    'a name with the second half of a pair': post(animal({ name: '"\\ude00Rex"' })),
    'a name with the halves of a pair in the wrong order': post(animal({ name: '"\\ude00\\ud83d"' })),
    'a name with a half and a pair': post(animal({ name: '"\\ud83d\\ud83d\\ude00"' })),
    'a field with a name that is half of a pair': post(animal({ '\\ud800': '1' })),
  }),
  ...refused('RFC 8259, section 8.1', malformed(/^body is not UTF-8 at byte \d+$/), {
    'a byte that UTF-8 does not have': post(animal({ name: '"R\xffx"' })),
    'a sequence that is cut off': post(animal({ name: '"R\xf0\x9f\x98"' })),
    'a surrogate in three bytes': post(animal({ name: '"R\xed\xa0\x80x"' })),
    'a character beyond the last': post(animal({ name: '"R\xf4\x90\x80\x80x"' })),
    'a text in UTF-16': post(Buffer.from(`\ufeff${good}`, 'utf16le').toString('latin1')),
    'a byte that is wrong behind others that are right': post(`${utf8('"ä€😀\ufffd')}\xff"`),
  }),
  ...refused('RFC 8259, section 8.1', malformed('body is not JSON: invalid symbol at line 1, column 1'), {
    'a byte order mark': post(utf8(`\ufeff${good}`)),
  }),
  ...refused('RFC 8259, section 7', malformed(placed), {
    'a control character in a text': post(animal({ name: '"Re\x01x"' })),
    'a NUL in a text': post(animal({ name: '"Re\0x"' })),
    'a text that does not end': post('{"name":"Rex'),
    'a text in single quotes': post("{'name':'Rex','categoryId':1}"),
    'a name in no quotes': post('{name:"Rex","categoryId":1}'),
    'an escape that there is not': post(animal({ name: '"R\\x65x"' })),
    'an escape at the end': post('"\\'),
  }),
  ...refused('RFC 8259, section 6', malformed(placed), {
    NaN: post(animal({ categoryId: 'NaN' })),
    'a number with a plus sign': post(animal({ categoryId: '+1' })),
    'a number with a leading zero': post(animal({ categoryId: '01' })),
    'a number with nothing behind the point': post(animal({ categoryId: '1.' })),
    'a number in Arabic digits': post(animal({ categoryId: utf8('٣') })),
  }),
  ...refused('RFC 8259, section 2', malformed(placed), {
    'a comma at the end of an object': post('{"name":"Rex","categoryId":1,}'),
    'a comma at the end of a list': post('[1,]'),
    'two commas': post('{"name":"Rex",,"categoryId":1}'),
    'no comma': post('{"name":"Rex" "categoryId":1}'),
    'no value': post('{"name":,"categoryId":1}'),
    'a comment of a line': post(`${good}// a good one`),
    'an object that does not end': post('{"name":"Rex","categoryId":1'),
    'an object that ends twice': post(`${good}}`),
    'two animals': post(good + good),
    'nothing but space': post(' \r\n\t '),
    'a form feed as space': post(`\f${good}`),
    '60,000 colons': post(':'.repeat(60_000)),
    'a broken text, and 60,000 levels behind it': post(`["\n${'['.repeat(60_000)}`),
    'a broken text, and 10,000 objects behind it': post(`["\n${'{"a":'.repeat(10_000)}`),
  }),
  ...refused('RFC 8259, section 9', malformed('body is nested deeper than 64 levels'), {
    'lists in 65 levels': post('['.repeat(65) + ']'.repeat(65)),
    'objects in 10,000 levels': post('{"a":'.repeat(10_000)),
    'an animal with 10,000 levels in a field': post(animal({ a: '['.repeat(10_000) + ']'.repeat(10_000) })),
    '__proto__ in 6,000 levels': post(`${'{"__proto__":'.repeat(4500)}1${'}'.repeat(4500)}`),
  }),
]
