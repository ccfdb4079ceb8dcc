/**
 * The corner cases of formats that the official suite does not have.
 */
import t from 'tap'
import { FORMATS } from '../../../src/openapi/schema/formats.ts'

const cases: Readonly<
  Record<keyof typeof FORMATS, { readonly valid: readonly string[]; readonly wrong: readonly string[] }>
> = {
  byte: { valid: ['', 'YQ==', 'YWI=', 'YW+/'], wrong: ['YQ', 'YQ=', 'Y===', 'YW-_', 'YQ==YQ==', 'YWI=\n'] },
  date: {
    valid: ['0000-02-29', '2024-02-29', '9999-12-31'],
    wrong: ['1900-02-29', '2026-00-10', '2026-01-00', '+02026-01-01'],
  },
  'date-time': {
    valid: ['2026-01-01t00:00:00z', '1990-12-31T15:59:60-08:00'],
    wrong: ['2026-01-01 00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01T00:00:00', '2026-02-30T00:00:00Z'],
  },
  duration: {
    valid: ['P01D', 'P1Y2M3DT4H5M6S', 'P2W'],
    wrong: ['P1Y2D', 'PT1H2S', 'P1WT1H', 'PT0.5S', 'P1Y2W', 'P1D\n'],
  },
  email: {
    valid: ['""@a.example', '"\\""@a.example', 'a@io', 'a@[IPv6:::1]', 'a@[ipv6:::1]', 'a@255.255.255.255'],
    wrong: [
      'a',
      '@a',
      'a@',
      'a@b@c',
      'a@a.',
      'a@-a',
      'a@[::1]',
      'a@[1.2.3]',
      'a@[fe80::1%eth0]',
      '"a"b@c',
      'ä@c',
      'a@c\n',
    ],
  },
  hostname: {
    valid: ['a', '1.2', `${'a'.repeat(63)}.b`, 'a--b', 'xn--4gbwdl.xn--wgbh1c', `${'a.'.repeat(126)}a`],
    wrong: ['', '.', 'a.', '.a', 'a..b', `${'a'.repeat(64)}.b`, `${'a.'.repeat(127)}a`, 'ä', 'a\n'],
  },
  ipv4: {
    valid: ['255.255.255.255'],
    wrong: ['1.2.3', '1.2.3.4.5', '01.2.3.4', '256.0.0.1', '1.2.3.4/24', ' 1.2.3.4'],
  },
  ipv6: { valid: ['::', '::ffff:1.2.3.4'], wrong: ['fe80::1%eth0', '::ffff:1.2.3.04', '1::2::3', '[::1]', ':::'] },
  'json-pointer': { valid: ['', '/', '/a~0~1', '//'], wrong: ['a', '#/a', '/~', '/~2', 'a/b'] },
  password: { valid: ['', 'a\n'], wrong: [] },
  regex: { valid: ['', '\\p{L}', '(?<a>b)\\k<a>'], wrong: ['(', '\\Z', '\\a', '[b-a]'] },
  time: {
    valid: ['00:00:00z', '23:59:60Z', '00:29:60+00:30', '08:59:60.5+09:00', '15:59:60-08:00'],
    wrong: [
      '00:00:00',
      '24:00:00Z',
      '22:59:60Z',
      '23:59:60+00:01',
      '00:00:61Z',
      '00:00:00+24:00',
      '00:00:00.Z',
      '00:00Z',
    ],
  },
  uri: {
    valid: ['a:', 'http://', 'http://a:', 'http://@a', 'http://:80', 'http://[v1.fe:a]', 'urn:a:b?+c#d'],
    wrong: [
      '',
      'a',
      '//a',
      '/a',
      '1a:b',
      'a_b:c',
      'http://a:b',
      'http://a:8:0',
      'http://a@b@c',
      'http://[1.2.3.4]',
      'http://[::1',
      'a:%',
      'a:%4',
      'a:[',
      'a:#b#c',
      'a:ä',
      'a:\n',
    ],
  },
  'uri-reference': {
    valid: ['', '?', '#', '//', '//[V1.fe]/p', '//[::1]:80', './a:b', 'a/b:c', '/a//b', '?a:b', 'a@b'],
    wrong: ['1:b', ':', '//a:b', '//[::ffff:1.2.3.04]', '//[v1.%41]', '/[::1]', '/%zz', '/"', '\\', '//[::1]a', '/a\n'],
  },
  'uri-template': {
    valid: ['', "a'b", 'ä😀', '{a}', '{+a,b*}', '{.a}', '{a.b:1000}', '{%41}', 'a%41'],
    wrong: [
      '{',
      '}',
      '{}',
      '{a,}',
      '{a,,b}',
      '{a..b}',
      '{..a}',
      '{a:0}',
      '{a:01}',
      '{a:10000}',
      '{%}',
      '{a=b}',
      'a b',
      '%',
      '%{a}41',
      '%4{a}',
      '<',
      '\x7f',
    ],
  },
  uuid: {
    valid: ['00000000-0000-0000-0000-000000000000', 'ABCDEFAB-CDEF-1234-5678-abcdefabcdef'],
    wrong: ['urn:uuid:00000000-0000-0000-0000-000000000000', '00000000000000000000000000000000', '0-0-0-0-0'],
  },
}

for (const [name, isValid] of Object.entries(FORMATS)) {
  t.test(`${name} is what its standard says`, async (t) => {
    const { valid, wrong } = cases[name as keyof typeof FORMATS]
    for (const text of valid) t.ok(isValid(text), JSON.stringify(text))
    for (const text of wrong) t.notOk(isValid(text), JSON.stringify(text))
  })

  t.test(`${name} is found out about a long text in no time`, async (t) => {
    const begin = performance.now()
    for (const part of ['a', '1', '.', '/', '%41', '{a}', 'a.', '"', '\\a', '::', '~0', 'P1Y', ' ']) {
      isValid(part.repeat(100_000))
      isValid(`a:${part.repeat(100_000)}\n`)
    }
    t.ok(performance.now() - begin < 5000)
  })
}
