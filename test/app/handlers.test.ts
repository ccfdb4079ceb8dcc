/**
 * What the compiler says of handlers that return what the spec does not declare: one error, which names it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { compile } from '../helpers/compile.ts'

const HANDLERS = 'src/pets/handlers.ts'
const TYPES = 'generated/server.d.ts'
const read = (name: string) => readFileSync(join(import.meta.dirname, '../..', name), 'utf8')

for (const [what, file, from, to, message] of [
  [
    'a header that is not declared',
    HANDLERS,
    'last === undefined) return { status: 200, body: page }',
    "last === undefined) return { status: 200, body: page, headers: { 'X-Total': 3 } }",
    'status 200: \\"headers.X-Total\\" is not declared',
  ],
  [
    'a member that is not declared',
    HANDLERS,
    'return { status: 200, body: pet }',
    'return { status: 200, body: { ...pet, secret: 1 } }',
    'status 200: \\"body.secret\\" is not declared',
  ],
  [
    'a header that is no longer declared',
    TYPES,
    'readonly body: Pet[]; readonly headers?: { readonly Link?: string } }',
    'readonly body: Pet[] }',
    'status 200: \\"headers\\" is not declared',
  ],
] as const) {
  t.test(`${what} is one error that fits into a terminal`, async (t) => {
    const text = read(file)
    t.ok(text.includes(from))
    const errors = compile({ [file]: text.replace(from, to) })
    t.equal(errors.length, 1, errors.join('\n'))
    t.match(errors[0], `${HANDLERS}: `)
    t.match(errors[0], message)
    t.ok(String(errors[0]).length < 1000)
  })
}
