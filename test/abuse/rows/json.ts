/** Texts that are not JSON, or that would be taken for something else than what was sent (RFC 8259, RFC 7493). */
import { animal, post, refused, utf8 } from './row.ts'

const good = '{"name":"Rex","categoryId":1}'
const malformed = (message: string | RegExp) => [400, 'malformed_json', message] as const
const placed = /^body is not JSON: [a-z ]+ at line \d+, column \d+$/

// One of each kind, and what takes long; test/openapi/request.unit.test.ts has the other ways to write wrong JSON.
export const json = [
  ...refused('RFC 7493, section 2.3', malformed('body has "name" twice in one object, at line 1, column 15'), {
    'a field twice': post('{"name":"Rex","name":"Mia","categoryId":1}'),
  }),
  ...refused('RFC 7493, section 2.1', malformed(/^body has half of a surrogate pair at line 1, column \d+$/), {
    'a name with half of a pair': post(animal({ name: '"Rex\\ud83d"' })),
  }),
  ...refused('RFC 8259, section 8.1', malformed('body is not UTF-8'), {
    'a byte that UTF-8 does not have': post(animal({ name: '"R\xffx"' })),
    'a text in UTF-16': post(Buffer.from(`\ufeff${good}`, 'utf16le').toString('latin1')),
  }),
  ...refused('RFC 8259, section 8.1', malformed('body is not JSON: value expected at line 1, column 1'), {
    'a byte order mark': post(utf8(`\ufeff${good}`)),
  }),
  ...refused('RFC 8259', malformed(placed), {
    'a NUL in a text': post(animal({ name: '"Re\0x"' })),
    'an object that does not end': post('{"name":"Rex","categoryId":1'),
    'two animals': post(good + good),
    'nothing but space': post(' \r\n\t '),
    '8,000 colons': post(':'.repeat(8000)),
    'a broken text, and 8,000 levels behind it': post(`["\n${'['.repeat(8000)}`),
    'a broken text, and 1,500 objects behind it': post(`["\n${'{"a":'.repeat(1500)}`),
  }),
  ...refused('RFC 8259, section 9', malformed('body is nested deeper than 64 levels'), {
    'objects in 1,500 levels': post('{"a":'.repeat(1500)),
    'an animal with 4,000 levels in a field': post(animal({ a: '['.repeat(4000) + ']'.repeat(4000) })),
    '__proto__ in 500 levels': post(`${'{"__proto__":'.repeat(500)}1${'}'.repeat(500)}`),
  }),
]
