/** The whole of openapi.yaml against the whole of the service: every operation, every response, every example. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { createKey, hashKey } from '../../src/auth/keys.ts'
import { sharedDatabases } from '../helpers/databases.ts'
import { type Service, type ServiceOptions, spec, startService } from '../helpers/service.ts'
import { execute, lock } from '../helpers/sql.ts'
import { using } from '../helpers/stores.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const { components, paths } = parse(spec)
const rex = { name: 'Rex', categoryId: 1 }

/** A good request to each operation with animals. */
const operations = [
  ['GET', '/v1/pets', {}],
  ['POST', '/v1/pets', { json: rex }],
  ['GET', '/v1/pets/1', {}],
] as const

for (const database of sharedDatabases) {
  t.test(`every response that is declared is given: ${database.name}`, async (t) => {
    const services: Service[] = []
    const start = async (options: ServiceOptions = {}) => {
      const databaseUrl = await database.fresh(t)
      const service = await startService(t, { databaseUrl, ...options })
      services.push(service)
      return { ...service, databaseUrl }
    }
    /** Every operation responds with the status, whatever the request. */
    const all = async (t: Test, { call }: Service, expected: number, key?: string | null) => {
      for (const [method, path, body] of operations) {
        const { status } = await call(method, path, { ...body, key })
        t.equal(status, expected, `${method} ${path}`)
      }
    }

    const service = await start()
    const { call } = service
    t.equal((await call('POST', '/v1/pets', { json: rex })).status, 201)
    t.equal((await call('GET', '/v1/pets')).status, 200)
    t.equal((await call('GET', '/v1/pets/1')).status, 200)
    for (const path of ['/v1/pets', '/v1/pets/1']) {
      t.equal((await call('GET', path, { headers: { 'if-none-match': '*' } })).status, 304)
    }
    t.equal((await call('GET', '/v1/pets/2')).status, 404)
    t.equal((await call('GET', '/v1/pets?limit=0')).status, 400)
    t.equal((await call('POST', '/v1/pets', { json: {} })).status, 400)
    t.equal((await call('GET', '/v1/pets/abc')).status, 400)
    t.equal((await call('POST', '/v1/pets', { json: { ...rex, name: 'x'.repeat(8192) } })).status, 413)
    t.equal((await call('POST', '/v1/pets', { body: 'Rex' })).status, 415)
    await all(t, service, 401, null)

    const limitedKey = createKey()
    await service.store.keys.add('no-rights', hashKey(limitedKey), { scopes: ['none'] })
    await all(t, service, 403, limitedKey)

    const retried = { json: rex, headers: { 'idempotency-key': '"1"' } }
    const release = await lock(t, service.databaseUrl)
    const simultaneous = [call('POST', '/v1/pets', retried), call('POST', '/v1/pets', retried)]
    t.equal((await Promise.race(simultaneous)).status, 409)
    await release()
    await Promise.all(simultaneous)
    t.equal((await call('POST', '/v1/pets', { ...retried, json: { ...rex, name: 'Mia' } })).status, 422)

    const limited = await start({ rateLimit: { count: 3, seconds: 60 } })
    for (const [method, path, body] of operations) await limited.call(method, path, body)
    await all(t, limited, 429)

    const impatient = await start({ requestTimeout: 100 })
    const headers = { 'content-type': 'application/json', 'content-length': 2 }
    t.equal((await impatient.call('POST', '/v1/pets', { headers, body: '{' })).status, 408)

    const broken = await start()
    await execute(broken.databaseUrl, 'DROP TABLE pets')
    await all(t, broken, 500)

    const gone = await start()
    await gone.store.close()
    await all(t, gone, 503)

    const seen = new Set(services.flatMap(({ contract }) => [...contract.seen]))
    t.same(
      service.contract.declared.filter((response) => !seen.has(response)),
      [],
    )
    for (const { id } of service.contract.operations) t.ok(seen.has(`${id} 401`), `${id} needs a key`)
  })
}

t.test('every example of a header is valid against the schema beside it', async (t) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const headers = Object.entries<{ schema: object; example?: unknown }>(components.headers)
  const examples = headers.filter(([, { example }]) => example !== undefined)
  t.ok(examples.length > 10)
  for (const [name, { schema, example }] of examples) t.ok(ajv.validate(schema, example), name)
})

t.test('every example of a request is accepted', async (t) => {
  const { call } = await startService(t)
  const { examples } = paths['/pets'].post.requestBody.content['application/json']
  for (const { value } of Object.values<{ value: object }>(examples)) {
    t.match(await call('POST', '/v1/pets', { json: value }), { status: 201, body: value })
  }
})

t.test('the examples of responses are real responses', async (t) => {
  const exampleOf = (header: string) => components.headers[header].example
  const { call } = await startService(t)
  for (const [name, method, path, options] of [
    ['NotFound', 'GET', '/v1/pets/7', {}],
    ['Unauthorized', 'GET', '/v1/pets', { key: null }],
    ['BadRequest', 'POST', '/v1/pets', { json: { categoryId: null } }],
    ['ContentTooLarge', 'POST', '/v1/pets', { json: 'x'.repeat(70_000) }],
    ['UnsupportedMediaType', 'POST', '/v1/pets', { body: 'Rex', headers: { 'content-type': 'text/plain' } }],
  ] as const) {
    const response = await call(method, path, options)
    t.same(response.body, components.responses[name].content['application/json'].example)
    const challenge = response.headers['www-authenticate']
    if (challenge !== undefined) t.equal(challenge, exampleOf('WwwAuthenticate'))
  }

  const headers = { 'idempotency-key': '"a"' }
  const { location } = (await call('POST', '/v1/pets', { json: rex, headers })).headers
  t.equal(location, exampleOf('Location'))
  const { body } = await call('POST', '/v1/pets', { json: { ...rex, name: 'Mia' }, headers })
  t.same(body, components.responses.KeyReused.content['application/json'].example)

  const { deprecation, sunset, link } = (await call('GET', '/v1/pets/1')).headers
  t.equal(deprecation, exampleOf('Deprecation'))
  t.equal(sunset, exampleOf('Sunset'))
  t.equal(link, exampleOf('DeprecationLinks'))

  for (let count = 0; count < 20; count++) await call('POST', '/v1/pets', { json: rex })
  t.equal((await call('GET', '/v1/pets')).headers.link, exampleOf('NextPage'))
})

t.test('a store whose file was overwritten causes a 500 that does not describe it', async (t) => {
  const file = join(temporaryFolder(t), 'animals.db')
  await using(`sqlite:${file}`, ({ pets }) => pets.add({ ...rex, categoryId: 1n, status: 'available' }))
  const { call } = await startService(t, { databaseUrl: `sqlite:${file}` })
  // All but the first page, by which SQLite knows its own.
  writeFileSync(file, readFileSync(file).fill(0xff, 4096))
  for (const [method, path, body] of operations) {
    const { status, text } = await call(method, path, body)
    t.equal(status, 500, `${method} ${path}`)
    t.notMatch(text, /sqlite|disk|malformed|animals\.db/i)
  }
})
