/**
 * Rules and checks of documents.
 */
import t from 'tap'
import { checked, inspect, type Rule } from '../../src/openapi/check/rules.ts'
import { createSchemaCompiler } from '../../src/openapi/schema/compiler.ts'

const root = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} }

t.test('a check that fails ends the start, unless a rule has reported something that may be the cause', async (t) => {
  const check = checked(() => {
    throw new Error('a defect')
  })
  t.throws(() => inspect(check as Rule, root, createSchemaCompiler(root)), { message: 'a defect' })
  const { problems } = inspect(
    (value, place) => {
      check(value as never, place)
      place.report('wrong; correct it')
    },
    root,
    createSchemaCompiler(root),
  )
  t.strictSame(problems, [{ pointer: '', message: 'wrong; correct it' }])
})
