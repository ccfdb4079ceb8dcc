/**
 * Reading JSON bodies strictly and without loss.
 */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { HttpError } from '../../src/errors.ts'
import { parseJson } from '../../src/openapi/json.ts'
import { writeJson } from '../helpers/json.ts'
import { holds, json } from './properties.ts'

const read = (text: string) => parseJson(Buffer.from(text), 64)

/** What the text is refused with; undefined where it is not. */
function getError(body: string | Uint8Array): string | undefined {
  try {
    parseJson(Buffer.from(body), 64)
    return undefined
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return error.message
  }
}

t.test('an integer keeps its value, however it is written', async (t) => {
  const max = 2n ** 63n - 1n
  for (const [text, value] of [
    ['0', 0],
    ['-0', -0],
    ['1.0', 1],
    [`1.${'0'.repeat(400)}`, 1],
    ['-1.50e1', -15],
    ['1e3', 1000],
    ['1E+3', 1000],
    ['1000e-3', 1],
    ['0.001e3', 1],
    ['0e999999999', 0],
    ['0.000e-999999999', 0],
    ['-0.0', 0],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740991.0', Number.MAX_SAFE_INTEGER],
    ['9007199254740992', 2n ** 53n],
    ['9007199254740993', 2n ** 53n + 1n],
    ['9007199254740993.0', 2n ** 53n + 1n],
    ['9007199254740993.000000000000000000000', 2n ** 53n + 1n],
    ['0.9007199254740993e16', 2n ** 53n + 1n],
    ['90071992547409930e-1', 2n ** 53n + 1n],
    ['-9007199254740993', -(2n ** 53n) - 1n],
    ['123456789012345e4', 1234567890123450000n],
    ['1234567890123456.7e1', 12345678901234567n],
    ['9223372036854775807', max],
    ['9.223372036854775807e18', max],
    ['9223372036854775808', max + 1n],
    ['-9223372036854775808', -max - 1n],
    ['-9223372036854775809', -max - 2n],
    ['18446744073709551616', 2n ** 64n],
    ['1e30', 10n ** 30n],
    [`1${'0'.repeat(300)}`, 10n ** 300n],
  ] as const) {
    t.strictSame(read(text), value, text)
    t.strictSame(read(`[{"a":${text}}]`), [{ a: value }], text)
    t.strictSame(
      read(`[9007199254740993,{"a":${text}},9007199254741e3]`),
      [2n ** 53n + 1n, { a: value }, 9007199254741000n],
      `${text} among others`,
    )
  }
})

t.test('a fraction is read as the nearest number', async (t) => {
  for (const text of ['0.1', '-1.5', '19.99', '1e-7', '0.30000000000000004', '0.1234567890123456789', '5e-324']) {
    t.equal(read(text), Number(text))
  }
})

t.test('a number that cannot be kept exactly is refused', async (t) => {
  for (const text of [
    '1e400',
    '-1e999999999',
    '1e-400',
    '-1e-999999999',
    '9007199254740993.5',
    '1.00000000000000000001',
    '0.99999999999999999',
    '123456789012345678901234567890.1',
  ]) {
    const excerpt = text.length > 40 ? `${text.slice(0, 40)}…` : text
    t.equal(getError(`{"a":[${text}]}`), `body has a number that cannot be kept exactly: ${excerpt}`)
  }
  const long = `1.${'0'.repeat(100)}1`
  t.equal(getError(long), `body has a number that cannot be kept exactly: ${long.slice(0, 40)}…`)
})

t.test('digits in strings and names are not read as numbers', async (t) => {
  const text = '{"9007199254740993":"9007199254740993","1e400":"1e400"}'
  t.strictSame(read(text), JSON.parse(text))
})

t.test('a duplicate name in an object is refused, at any depth and with any escapes', async (t) => {
  for (const [text, message] of [
    ['{"a":1,"a":1}', 'body has "a" twice in one object, at line 1, column 8'],
    ['{"a":1,"b":{"a":1},\n "\\u0061":2}', 'body has "a" twice in one object, at line 2, column 2'],
    ['[{"a":1},{"a":1,"b":[{"":0,"":1}]}]', 'body has "" twice in one object, at line 1, column 28'],
    ['{"a":{"x":1},"a":{"x":1}}', 'body has "a" twice in one object, at line 1, column 14'],
    ['{"__proto__":1,"__proto__":2}', 'body has "__proto__" twice in one object, at line 1, column 16'],
    [
      `{"${'x'.repeat(50)}":1,"${'x'.repeat(50)}":2}`,
      `body has "${'x'.repeat(40)}…" twice in one object, at line 1, column 57`,
    ],
  ] as const) {
    t.equal(getError(text), message)
  }
})

t.test('different objects may have members of the same name', async (t) => {
  for (const text of [
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"{\\"a\\":1,\\"a\\":2}","b":":"}',
    '{"a":1,"A":1}',
  ]) {
    t.strictSame(read(text), JSON.parse(text))
  }
})

t.test('names such as __proto__ are read as members', async (t) => {
  const value = read('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}') as object
  t.strictSame(Object.keys(value), ['__proto__', 'constructor'])
  t.equal(Object.getPrototypeOf(value), Object.prototype)
  t.notOk('admin' in {})
})

t.test('a text is nested no deeper than 64 levels', async (t) => {
  const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)
  t.strictSame(read(nested(64, '[', ']')), JSON.parse(nested(64, '[', ']')))
  t.equal(getError(`{"a":${nested(63, '[', ']')}}`), undefined)
  const tooDeep = 'body is nested deeper than 64 levels'
  t.equal(getError(nested(65, '[', ']')), tooDeep)
  t.equal(getError(`{"a":${nested(64, '[', ']')}}`), tooDeep)
  t.equal(getError(nested(10_000, '[', ']')), tooDeep)
  t.equal(getError('['.repeat(10_000)), tooDeep)
  t.equal(getError('{"a":'.repeat(10_000)), tooDeep)
  t.equal(getError(`"${'['.repeat(1000)}\\"${'{'.repeat(1000)}"`), undefined)
})

t.test('a text that is not JSON is refused with the place', async (t) => {
  for (const [text, message] of [
    [' ', 'value expected at line 1, column 2'],
    ['{"a":1,}', 'property name expected at line 1, column 8'],
    ['[1,]', 'value expected at line 1, column 4'],
    ['{"a":1\n"b":2}', 'comma expected at line 2, column 1'],
    ["{'a':1}", 'invalid symbol at line 1, column 2'],
    ['{a:1}', 'invalid symbol at line 1, column 2'],
    ['01', 'end of file expected at line 1, column 2'],
    ['+1', 'invalid symbol at line 1, column 1'],
    ['1.', 'unexpected end of number at line 1, column 1'],
    ['NaN', 'invalid symbol at line 1, column 1'],
    ['1 2', 'end of file expected at line 1, column 3'],
    ['"a\tb"', 'invalid character at line 1, column 1'],
    ['"\\x"', 'invalid escape character at line 1, column 1'],
    ['"\\u12"', 'invalid unicode at line 1, column 1'],
    ['"a', 'unexpected end of string at line 1, column 1'],
    ['[1', 'close bracket expected at line 1, column 3'],
    ['// none\n1', 'invalid comment token at line 1, column 1'],
    ['\ufeff{}', 'invalid symbol at line 1, column 1'],
    ['\u00a01', 'invalid symbol at line 1, column 1'],
  ] as const) {
    t.equal(getError(text), `body is not JSON: ${message}`)
  }
})

t.test('bytes that are not UTF-8 are refused with the place', async (t) => {
  for (const [bytes, at] of [
    [[0xff], 1],
    [[0x22, 0xe9, 0x22], 2],
    [[0x22, 0xc3, 0xa9, 0xed, 0xa0, 0x80, 0x22], 4],
    [[0x22, 0xc0, 0x80, 0x22], 2],
    [[0x22, 0xf0, 0x9f, 0x90, 0x95, 0xf0, 0x9f, 0x22], 6],
    [[0x22, 0xef, 0xbf, 0xbd, 0xef, 0xbf, 0x22], 5],
    [[0xff, 0x20, 0xbd], 1],
  ] as const) {
    t.equal(getError(Uint8Array.from(bytes)), `body is not UTF-8 at byte ${at}`)
  }
  t.equal(read('"\ufffd"'), '\ufffd')
})

t.test('lone surrogates are kept, because the schema decides if they are valid', async (t) => {
  t.equal(read('"\\ud800"'), '\ud800')
  t.equal(read('"\\ude00\\ud83d"'), '\ude00\ud83d')
  t.equal(read('"\\ud83d\\ude00"'), '😀')
})

t.test('any JSON is read as the same values', async (t) => {
  const indents = fc.constantFrom(undefined, 1, '\t')
  holds(t, fc.tuple(json(), indents), ([value, indent]) => {
    // Without bigint, what JSON.parse makes of it is right.
    const spread = JSON.stringify(value, bigintAsText, indent)
    return isDeepStrictEqual(read(writeJson(value)), value) && isDeepStrictEqual(read(spread), JSON.parse(spread))
  })
})

t.test('an integer is read exactly in every notation', async (t) => {
  const notations = fc.record({
    integer: fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
    shift: fc.integer({ min: -30, max: 30 }),
    zeros: fc.nat(30),
    capital: fc.boolean(),
  })
  holds(t, notations, ({ integer, shift, zeros, capital }) => {
    const digits = `${integer < 0n ? -integer : integer}`.padStart(zeros + 1, '0')
    const point = Math.max(1, digits.length - Math.max(shift, 0))
    const whole = digits.slice(0, point).replace(/^0+(?=\d)/, '')
    const fraction = digits.slice(point) + '0'.repeat(Math.max(0, -shift))
    const exponent = digits.length - point
    const mantissa = `${integer < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`
    const isSafe = integer >= Number.MIN_SAFE_INTEGER && integer <= Number.MAX_SAFE_INTEGER
    return read(`${mantissa}${capital ? 'E+' : 'e'}${exponent}`) === (isSafe ? Number(integer) : integer)
  })
})

t.test(
  'the texts that JSON.parse refuses are refused, and others only for duplicate names and inexact numbers',
  async (t) => {
    const pieces = fc.constantFrom(
      ...'{}[],:"1-'.split(''),
      '"a"',
      '"b":',
      '.5',
      'e1',
      '9007199254740993',
      'true',
      'nul',
      ' ',
      '\n',
      '\\',
      '//',
    )
    const texts = fc
      .array(fc.oneof(pieces, fc.string({ maxLength: 2 })), { maxLength: 10 })
      .map((parts) => parts.join(''))
    const isRightAbout = (text: string) => {
      const message = getError(text)
      return (message === undefined || / twice | kept exactly/.test(message)) === parses(text)
    }
    holds(t, texts, isRightAbout, 1000)
  },
)

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The CPU time of reading a text: the least of several attempts, in microseconds. */
function measure(text: string): number {
  const attempts = Array.from({ length: 30 }, () => {
    const start = process.cpuUsage()
    read(text)
    const { user, system } = process.cpuUsage(start)
    return user + system
  })
  return Math.min(...attempts)
}

t.test('a number with a huge exponent costs at most about twice what another large number does', async (t) => {
  const list = (number: string) => `[${Array(10_000).fill(number).join(',')}]`
  const ratio = measure(list('1e308')) / measure(list('1e17'))
  t.ok(ratio < 2.2, `${ratio}`)
})
