/** Documents as `npm run dev` serves them: the responses of operations without a handler, and what it refuses. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { formatFailure } from '../../scripts/dev/problems.ts'
import { build } from '../../scripts/dev/serve.ts'
import { DocumentError } from '../../src/openapi/shared/errors.ts'
import { type Call, send } from '../helpers/http.ts'
import { writeJson } from '../helpers/json.ts'
import { spec as ours } from '../helpers/service.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { readYaml } from '../helpers/yaml.ts'
import { expectListed, type ListedRequest } from '../openapi/requests.ts'

interface Case {
  readonly name: string
  readonly document: object
  readonly says?: string
  readonly requests: readonly ListedRequest[]
}

for (const { name, document, says, requests } of readYaml<Case[]>(join(import.meta.dirname, 'documents.yaml'))) {
  t.test(name, async (t) => {
    const root = { openapi: '3.1.0', info: { title: 'Things', version: '1.0.0' }, ...document }
    const { lines, call } = await serve(t, writeJson(root))
    t.match(lines.join(''), 'this document has no operation of this service, whose handlers and store are left out\n')
    if (says !== undefined) t.match(lines.join(''), says)
    await expectListed(t, { call }, [], requests)
  })
}

t.test('a response without a mock is a 501 that names the schema', async (t) => {
  const { call } = await serve(
    t,
    `openapi: 3.1.0
info: { title: Things, version: 1.0.0 }
paths:
  /thing:
    get:
      operationId: getThing
      responses: { "200": { $ref: "#/components/responses/Thing" } }
  /place:
    get:
      operationId: getPlace
      responses:
        "200":
          description: It.
          headers: { Location: { required: true, schema: { type: string, pattern: ^x$ } } }
components:
  responses:
    Thing:
      description: It.
      content:
        Application/JSON:
          schema: { type: string, pattern: ^x$ }
`,
  )
  for (const [path, operation, place] of [
    ['/thing', 'getThing', '21:11'],
    ['/place', 'getPlace', '14:50'],
  ]) {
    const { body, status } = await call('GET', String(path))
    t.equal(status, 501)
    t.match(body, {
      code: 'not_implemented',
      message: new RegExp(
        `^"${operation}" has no handler, and no valid value is known of the schema at .*api\\.yaml:${place}; add an example$`,
      ),
    })
  }
})

t.test('a variant of the spec of this service has its handlers and keys, and mocks for the rest', async (t) => {
  const { call, lines } = await serve(t, ours.replace('operationId: getPet', 'operationId: fetchPet'))
  t.match(lines.join(''), 'handlers without an operation, which are left out: getPet\n')
  t.match(lines.join(''), 'these operations have no handler, and respond with examples: fetchPet; ')
  t.match(await call('GET', '/v1/pets', { headers: { authorization: 'Bearer someone-elses-key' } }), { status: 401 })
  const headers = { authorization: 'Bearer 0123456789abcdef' }
  t.match(await call('GET', '/v1/pets', { headers }), { status: 200, body: [] })
  t.match(await call('GET', '/v1/pets/7', { headers }), { status: 200, body: { name: 'Rex' } })
})

t.test('operations whose servers have other paths are served with the others', async (t) => {
  const { call } = await serve(
    t,
    `openapi: 3.1.0
info: { title: Things, version: 1.0.0 }
servers: [{ url: https://things.example/v1 }, { url: https://things.example/v2 }]
paths:
  /thing:
    servers: [{ url: https://upload.example }]
    get: { responses: { "204": { description: Nothing. } } }
`,
  )
  t.equal((await call('GET', '/v1/thing')).status, 204)
})

t.test('an operation with a mistake is a 501 with the Error body, and the log names the mistake', async (t) => {
  const { lines, call } = await serve(
    t,
    `openapi: 3.1.0
info: { title: Things, version: 1.0.0 }
paths:
  /wrong: { get: { unknownField: 1, responses: { "200": { description: It. } } } }
  /right: { get: { responses: { "204": { description: It. } } } }
`,
  )
  t.match(lines.join(''), '"unknownField" is not supported in Operation Object; remove or correct it')
  t.match(lines.join(''), 'GET /wrong is not served, because of a mistake in it or in what it refers to')
  t.match(await call('GET', '/wrong'), { status: 501, body: { code: 'not_implemented' } })
  t.equal((await call('GET', '/right')).status, 204)
})

t.test('a path that the service uses itself is refused at its place', async (t) => {
  for (const [servers, path, message] of [
    ['/', '/livez', /api\.yaml:5:3: the service itself uses "\/livez"; /],
    ['/docs', '/thing', /api\.yaml:5:3: the service itself uses "\/docs"; /],
  ] as const) {
    const source = `openapi: 3.1.0
info: { title: Things, version: 1.0.0 }
servers: [{ url: ${servers} }]
paths:
  ${path}: { get: { responses: { "204": { description: Nothing. } } } }
`
    await t.rejects(serve(t, source), { name: 'DocumentError', message })
  }
})

t.test('a problem is shown without the line of a file that is gone', async (t) => {
  const message = 'gone.yaml:1:1: it is wrong'
  t.equal(formatFailure(new DocumentError(message)), message)
})

/** Builds the service for the text of a document; rejects as `build`. */
async function serve(t: Test, source: string | Uint8Array) {
  const folder = temporaryFolder(t)
  const file = join(folder, 'api.yaml')
  writeFileSync(file, source)
  const lines: string[] = []
  const environment = { API_KEYS: 'tests=0123456789abcdef', DATABASE_URL: 'sqlite::memory:' }
  const { app } = await build(file, folder, environment, { write: (line) => void lines.push(line) })
  t.teardown(() => app.close())
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return { lines, call: (method: string, path: string, call?: Call) => send(origin, method, path, call) }
}
