/**
 * The formats of texts that come from anywhere.
 */
import t from 'tap'
import { createSchemaCompiler } from '../../../src/openapi/schema/compiler.ts'
import { TEXT_FORMATS } from '../../../src/openapi/schema/formats.ts'

const compile = createSchemaCompiler({ openapi: '3.1.0', info: { title: '', version: '' }, paths: {} })

for (const format of TEXT_FORMATS) {
  t.test(`${format} is found out about a long text in no time`, async (t) => {
    const validate = compile({ type: 'string', format })
    const begin = performance.now()
    for (const part of ['a', '1', '.', '/', '%41', '{a}', 'a.', 'a-', '"', '\\a', '::', '~0', 'P1Y', ' ']) {
      for (const start of ['', 'a:', 'a@']) validate(`${start}${part.repeat(100_000)}\n`)
    }
    t.ok(performance.now() - begin < 5000)
  })
}

t.test('a format that is not supported is not reported by Ajv, which knows no place', async (t) => {
  const warnings = t.capture(console, 'warn')
  compile({ type: 'string', format: 'iban' })('x')
  t.strictSame(warnings(), [])
})
