/** The whole of openapi.yaml against the whole of the service: every operation, every response, every example. */
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createKey, hashKey } from '../../src/auth/keys.ts'
import { parseFile } from '../../src/openapi/document/parse.ts'
import { getValueAt, toPointer } from '../../src/openapi/document/references.ts'
import { openStore } from '../../src/stores/open.ts'
import { createContract } from '../helpers/contract.ts'
import { sharedDatabases } from '../helpers/databases.ts'
import { readResponse } from '../helpers/http.ts'
import { contractFile, type Service, type ServiceOptions, startService } from '../helpers/service.ts'
import { execute, lock } from '../helpers/sql.ts'

const source = readFileSync(contractFile, 'utf8')
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
        const { status } = await call(method, path, { ...body, ...(key !== undefined && { key }) })
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
    t.equal((await call('POST', '/v1/pets', { json: { ...rex, name: 'x'.repeat(65_536) } })).status, 413)
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
    const headers = {
      authorization: `Bearer ${impatient.key}`,
      'content-type': 'application/json',
      'content-length': 2,
    }
    const unfinished = request(impatient.origin, { method: 'POST', path: '/v1/pets', headers, agent: false })
    unfinished.write('{')
    const response = await readResponse(unfinished)
    impatient.contract.check({ method: 'POST', path: '/v1/pets', ...response })
    t.equal(response.status, 408)

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
  })
}

t.test('every operation of the contract exists and needs a key', async (t) => {
  const { call, contract } = await startService(t)
  t.ok(contract.operations.length >= operations.length)
  for (const { method, template } of contract.operations) {
    const path = template.replaceAll(/\{\w+\}/g, '1')
    t.equal((await call(method, path, { key: null })).status, 401, `${method} ${path}`)
  }
  t.same([...contract.seen].toSorted(), contract.declared.filter((response) => response.endsWith(' 401')).toSorted())
})

t.test('every example is valid against the schema beside it', async (t) => {
  const { exampleCount, wrongExamples } = createContract(source)
  t.ok(exampleCount > 20, `${exampleCount} examples`)
  t.same(wrongExamples(), [])
})

t.test('every example of a request is accepted', async (t) => {
  const { call, contract } = await startService(t)
  const examples = contract.requestExamples.filter(({ operationId }) => operationId === 'createPet')
  t.ok(examples.length > 0)
  for (const { body } of examples) {
    const response = await call('POST', '/v1/pets', { json: body })
    t.equal(response.status, 201)
    t.match(response.body, body as object)
  }
})

t.test('the examples of responses are real responses', async (t) => {
  const { root } = parseFile(contractFile)
  const exampleOf = (...place: string[]) => getValueAt(root, toPointer('components', ...place, 'example'))
  const { call } = await startService(t)
  for (const [name, method, path, options] of [
    ['NotFound', 'GET', '/v1/pets/7', {}],
    ['Unauthorized', 'GET', '/v1/pets', { key: null }],
    ['BadRequest', 'POST', '/v1/pets', { json: { categoryId: null } }],
    ['ContentTooLarge', 'POST', '/v1/pets', { json: 'x'.repeat(70_000) }],
    ['UnsupportedMediaType', 'POST', '/v1/pets', { body: 'Rex', headers: { 'content-type': 'text/plain' } }],
  ] as const) {
    const response = await call(method, path, options)
    t.same(response.body, exampleOf('responses', name, 'content', 'application/json'))
    const challenge = response.headers['www-authenticate']
    if (challenge !== undefined) t.equal(challenge, exampleOf('headers', 'WwwAuthenticate'))
  }

  const headers = { 'idempotency-key': '"a"' }
  const { location } = (await call('POST', '/v1/pets', { json: rex, headers })).headers
  t.equal(location, exampleOf('headers', 'Location'))
  const { body } = await call('POST', '/v1/pets', { json: { ...rex, name: 'Mia' }, headers })
  t.same(body, exampleOf('responses', 'KeyReused', 'content', 'application/json'))

  const { deprecation, sunset, link } = (await call('GET', '/v1/pets/1')).headers
  t.equal(deprecation, exampleOf('headers', 'Deprecation'))
  t.equal(sunset, exampleOf('headers', 'Sunset'))
  t.equal(link, exampleOf('headers', 'DeprecationLinks'))

  for (let count = 0; count < 20; count++) await call('POST', '/v1/pets', { json: rex })
  t.equal((await call('GET', '/v1/pets')).headers.link, exampleOf('headers', 'NextPage'))
})

t.test('a store whose file was overwritten causes a 500 that does not describe it', async (t) => {
  const file = join(t.testdir(), 'animals.db')
  const before = await openStore(`sqlite:${file}`)
  await before.pets.add({ ...rex, categoryId: 1n, status: 'available' })
  await before.close()
  const { call } = await startService(t, { databaseUrl: `sqlite:${file}` })
  // All but the first page, by which SQLite knows its own.
  writeFileSync(file, readFileSync(file).fill(0xff, 4096))
  for (const [method, path, body] of operations) {
    const { status, text } = await call(method, path, body)
    t.equal(status, 500, `${method} ${path}`)
    t.notMatch(text, /sqlite|disk|malformed|animals\.db/i)
  }
})
