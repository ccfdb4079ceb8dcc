/** The spec as generators, validators and strict clients of other languages read it. */
import t from 'tap'
import { parse } from 'yaml'
import { spec } from '../helpers/service.ts'

const { components, info, paths, servers } = parse(spec)
const { schemas } = components

t.test('a later version may add members to responses, but clients must not add any to requests', async (t) => {
  for (const name of ['Pet', 'Error']) t.notOk('additionalProperties' in schemas[name], name)
  t.equal(schemas.NewPet.additionalProperties, false)
})

t.test('no two components have the same name, because generators make types of all kinds of them', async (t) => {
  const names = Object.values(components).flatMap((section) => Object.keys(section as object))
  t.same(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
})

t.test('the body of a request is stated where it is used, or a generator loses its media type', async (t) => {
  t.same(Object.keys(paths['/pets'].post.requestBody.content), ['application/json'])
})

t.test('no server variable has a description, because swagger-parser refuses it', async (t) => {
  for (const { variables } of servers)
    for (const variable of Object.values(variables)) t.notOk('description' in Object(variable))
})

t.test('it says whom to ask', async (t) => {
  t.match(info.contact, { name: /./, url: /^https:/ })
})

t.test('the responses with the Error body are those with a status of 400 or more', async (t) => {
  t.match(schemas.Error.description, 'every response with a status of 400 or more')
  for (const path of Object.values<object>(paths)) {
    for (const { responses } of Object.values(path)) {
      for (const [status, { $ref }] of Object.entries<{ $ref?: string }>(responses)) {
        const { content } = components.responses[$ref?.split('/').at(-1) ?? ''] ?? {}
        const isError = content?.['application/json'].schema.$ref === '#/components/schemas/Error'
        t.equal(isError, Number(status) >= 400, status)
      }
    }
  }
})

t.test('the table of error codes has each of them, with its status', async (t) => {
  const rows = [...info.description.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ])
  const statuses = Object.fromEntries(rows)
  t.same(Object.keys(statuses).sort(), schemas.ErrorCode['x-extensible-enum'].toSorted())
  for (const { content } of Object.values<{ content?: object }>(components.responses)) {
    const { code, status } = Object(content)['application/json']?.example ?? { code: 'not_found', status: 404 }
    t.equal(statuses[code], status, code)
  }
})
