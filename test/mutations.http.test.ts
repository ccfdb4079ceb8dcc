/**
 * Spec mutations: openapi.yaml is the only place where the interface is stated, so an edit to its text alone changes what
 * the running service does, or is refused.
 */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createContract } from './helpers/contract.ts'
import { editLines } from './helpers/edit.ts'
import { type Service, type ServiceCall, spec, startService } from './helpers/service.ts'
import { waitUntil } from './helpers/wait.ts'
import { readYaml } from './helpers/yaml.ts'

interface Mutation {
  readonly name: string
  readonly edit: string
  readonly requests: readonly (ServiceCall & {
    /** Its method and path. */
    readonly request: string
    /** What the response matches by the document as it is, and once it is edited. */
    readonly before: object
    readonly after: object
  })[]
}

// A method that the spec has not given to the path.
const [otherMethod = ''] = createContract(spec).missing('/v1/pets')
const mutations = readYaml<Mutation[]>(join(import.meta.dirname, 'mutations.yaml'))

const before = await start(t, spec)

for (const { name, edit, requests } of mutations) {
  t.test(`${name} changes with the document`, async (t) => {
    const after = await start(t, editLines(spec, edit.replace('OTHER', otherMethod.toLowerCase())))
    for (const { request, before: expectedBefore, after: expectedAfter, ...call } of requests) {
      const [method = '', path = ''] = request.replace('OTHER', otherMethod).split(' ')
      for (const [time, service, expected] of [
        ['before', before, expectedBefore],
        ['after', after, expectedAfter],
      ] as const) {
        const response = await service.call(method, path, call)
        t.match(response, expected, `${request} ${time}`)
        if (response.status === 405) t.equal(response.headers.allow, service.contract.allow(path))
      }
    }
  })
}

t.test('the lifetime of idempotency keys changes with the document', async (t) => {
  const add = ({ call }: Service) =>
    call('POST', '/v1/pets', { json: { name: 'Rex', categoryId: 1 }, headers: { 'idempotency-key': '"a"' } })
  const second = await start(t, spec.replace('x-idempotency-ttl-seconds: 86400', 'x-idempotency-ttl-seconds: 1'))
  const first = [await add(before), await add(second)]
  await waitUntil(async () => (await add(second)).text !== first[1]?.text)
  t.equal((await add(before)).text, first[0]?.text)
})

t.test('versions that are in the paths are served side by side', async (t) => {
  const source = spec
    .replaceAll(/(default: https:.+)\/v1$/gm, '$1')
    .replaceAll(/^ {2}\/pets/gm, '  /v1/pets')
    .replace(/^components:/m, '  /v2/pets:\n    $ref: "#/paths/~1v1~1pets"\n\n$&')
  const { call } = await startService(t, {
    source,
    databaseUrl: 'sqlite::memory:',
    extend: (_app, { handlers = {}, ...options }) => {
      // At a path that refers to another one, the operationId follows from method and path.
      const { listPets: getV2Pets, createPet: postV2Pets } = handlers
      return { ...options, handlers: Object.assign({}, handlers, { getV2Pets, postV2Pets }) }
    },
  })
  t.equal((await call('POST', '/v2/pets', { json: { name: 'Rex', categoryId: 1 } })).status, 201)
  for (const path of ['/v1/pets/1', '/v1/pets', '/v2/pets']) t.equal((await call('GET', path)).status, 200, path)
})

for (const [name, edited, ...messages] of [
  [
    'an operation that no handler is written for',
    editLines(spec, '-      operationId: createPet\n+      operationId: addPet\n'),
    /the handler "createPet" has no operation/,
    /"addPet" has no handler/,
  ],
  [
    'an operation that goes, while another still names it,',
    editLines(spec, '-      operationId: listPets\n+      operationId: findPets\n'),
    // The handlers are compared with a document that is consistent.
    /"listPets" is not the operationId of an operation/,
  ],
  [
    'a cached operation that depends on a header',
    editLines(
      spec,
      '         - $ref: "#/components/parameters/Limit"\n+        - { name: X-Filter, in: header, schema: { type: string } }\n',
    ),
    /"listPets" is cached by its URL, and cannot depend on the header parameter "X-Filter"; remove that, or the cache in/,
  ],
  [
    'a date of deprecation that its headers have no place for',
    editLines(spec, '-      x-deprecated-since: 2026-11-20\n+      x-deprecated-since: 1969-01-01\n'),
    /Deprecation must match \S+, but the server sends @-31536000; change the schema/,
    /Deprecation must match \S+, but the server sends @-31536000; change the schema/,
    /Deprecation must match \S+, but the server sends @-31536000; change the schema \(and 6 more of this kind\)/,
  ],
  [
    'links of a deprecation that their header has no place for',
    editLines(spec, '@    DeprecationLinks:\n-        type: string\n+        type: string\n+        maxLength: 9\n'),
    /Link must have at most 9 characters, but the server sends <\/docs#\/Animals\/getPet>; rel="deprecation"; .+; change/,
  ],
] as const) {
  t.test(`${name} is refused`, async (t) => {
    const corsOrigins = ['https://pages.example']
    const rateLimit = { count: 100, seconds: 60 }
    const options = { databaseUrl: 'sqlite::memory:', corsOrigins, rateLimit, trustProxy: ['127.0.0.1'] }
    const error = await startService(t, { source: edited, ...options }).then(
      () => t.fail('the service has started'),
      (reason: unknown) => reason as Error,
    )
    const lines = (error as Error).message.split('\n')
    t.match(lines, messages)
    for (const line of lines) t.match(line, /^\S+openapi\.yaml:\d+:\d+: .+; .+$/)
    t.equal(lines.length, messages.length)
  })
}

/** The service by a document, with 125 animals. */
async function start(t: Test, document: string): Promise<Service> {
  const service = await startService(t, { source: document, databaseUrl: 'sqlite::memory:' })
  const add = (_: unknown, index: number) =>
    service.store.pets.add({ name: `Rex ${index + 1}`, categoryId: 1n, status: 'available' })
  await Promise.all(Array.from({ length: 125 }, add))
  return service
}
