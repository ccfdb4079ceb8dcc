/**
 * Values in paths, queries and headers: each has one spelling.
 */
import t from 'tap'
import { parseQuery, parseText } from '../../../src/openapi/request/text.ts'

t.test('an integer is decimal digits, with an optional minus sign', async (t) => {
  for (const [text, value] of [
    ['0', 0],
    ['7', 7],
    ['-7', -7],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740992', 2n ** 53n],
    ['-9007199254740993', -(2n ** 53n) - 1n],
    ['9223372036854775808', 2n ** 63n],
    [`1${'0'.repeat(39)}`, 10n ** 39n],
  ] as const) {
    t.strictSame(parseText(text, 'integer'), value, text)
  }
})

t.test('a text that is no integer stays a text', async (t) => {
  for (const text of [
    '',
    ' 1',
    '1 ',
    '+1',
    '--1',
    '-0',
    '01',
    '-01',
    '1.0',
    '1.',
    '1e2',
    '0x10',
    '1_000',
    '1,000',
    '١',
    '１',
    '1\n',
    'one',
    'NaN',
    `1${'0'.repeat(40)}`,
  ]) {
    t.equal(parseText(text, 'integer'), text)
  }
})

t.test('a number is read in the notation of JSON', async (t) => {
  for (const text of ['0', '-0.5', '1.50', '1e2', '1E-2', '-1.5e+3', '123456789012345678901234567890']) {
    t.equal(parseText(text, 'number'), Number(text))
  }
  for (const text of ['', '.5', '5.', '+1', '01', '1e', 'e1', '0x1', '1 ', 'NaN', 'Infinity', '-Infinity', '1,5']) {
    t.equal(parseText(text, 'number'), text)
  }
})

t.test('a boolean is true or false', async (t) => {
  t.equal(parseText('true', 'boolean'), true)
  t.equal(parseText('false', 'boolean'), false)
  for (const text of ['', 'TRUE', 'True', '1', '0', 'yes', ' true']) t.equal(parseText(text, 'boolean'), text)
})

t.test('a string is the text as it is', async (t) => {
  for (const text of ['', 'true', '1', 'null', ' x ']) t.equal(parseText(text, 'string'), text)
})

t.test('a query is names and values, decoded, in their order', async (t) => {
  for (const [query, pairs] of [
    ['', []],
    [
      'a=1&b=2&a=3',
      [
        ['a', '1'],
        ['b', '2'],
        ['a', '3'],
      ],
    ],
    [
      'a&b=',
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
    ['&&a=1&', [['a', '1']]],
    [
      '=1&=',
      [
        ['', '1'],
        ['', ''],
      ],
    ],
    [
      'a=b=c&d==',
      [
        ['a', 'b=c'],
        ['d', '='],
      ],
    ],
    [
      'a+b=c+d&e=%2B',
      [
        ['a b', 'c d'],
        ['e', '+'],
      ],
    ],
    [
      '%C3%A9=%F0%9F%90%95&%26=%3D',
      [
        ['é', '🐕'],
        ['&', '='],
      ],
    ],
    ['a=1;b=2', [['a', '1;b=2']]],
    [
      '__proto__=1&constructor=2',
      [
        ['__proto__', '1'],
        ['constructor', '2'],
      ],
    ],
  ] as const) {
    t.strictSame(parseQuery(query), pairs, query)
  }
})

t.test('a query with a malformed percent-encoding cannot be read', async (t) => {
  for (const query of ['%', 'a=%2', 'a=%zz', '%zz=a', 'a=%ff', 'a=%C3', 'a=%ED%A0%80', 'a=1&b=%']) {
    t.equal(parseQuery(query), undefined, query)
  }
})
