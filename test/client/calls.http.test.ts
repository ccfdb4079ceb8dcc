/**
 * The calls of the client, against the service.
 */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { AnimalStoreError, createAnimalStore, type NewPet, type Pet } from '../../src/client/index.ts'
import { type ServiceOptions, startService } from '../helpers/service.ts'
import { execute } from '../helpers/sql.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

t.test('an id is a bigint of exactly its digits, in and out, small and large', async (t) => {
  const databaseUrl = `sqlite:${temporaryFolder(t)}/animals.db`
  const { store, service } = await start(t, { databaseUrl })
  const rex = await store.add({ name: 'Rex', categoryId: 1n })
  t.strictSame(rex, { id: 1n, name: 'Rex', categoryId: 1n, status: 'available' })

  await execute(databaseUrl, `INSERT INTO pets VALUES (${2n ** 53n}, 'Tom', 0, 'sold')`)
  const mia = await store.add({ name: 'Mia', categoryId: -(2n ** 63n), status: 'pending' })
  t.strictSame(mia, { id: 9007199254740993n, name: 'Mia', categoryId: -(2n ** 63n), status: 'pending' })
  t.strictSame(await store.get(9007199254740993n), mia)
  t.strictSame(await collect(store.pets({ status: 'pending' })), [mia])
  t.match((await service.store.pets.find(mia.id))?.categoryId, -(2n ** 63n))
})

t.test('a list goes through all pages, each animal once and in order', async (t) => {
  const { store } = await start(t)
  const added: Pet[] = []
  for (const pet of catalogue(7)) added.push(await store.add(pet))
  t.strictSame(await collect(store.pets()), added)
  for (const limit of [1, 2, 7, 100]) t.strictSame(await collect(store.pets({ limit })), added, `limit ${limit}`)
  const sold = added.filter(({ status }) => status === 'sold')
  t.strictSame(await collect(store.pets({ status: 'sold', limit: 2 })), sold)
  t.strictSame(await collect(createStore(store.baseUrl, store.key).pets({ status: 'pending' })), [])
  // As the compiler allows it without exactOptionalPropertyTypes.
  t.strictSame(await collect(store.pets({ status: undefined } as object)), added)
})

t.test('a page is fetched only when the one before is used up', async (t) => {
  const { store, service } = await start(t)
  for (const pet of catalogue(4)) await store.add(pet)
  const before = service.logged().length
  const names: string[] = []
  for await (const { name } of store.pets({ limit: 2 })) {
    names.push(name)
    if (names.length === 2) break
  }
  t.same(names, ['Animal 0', 'Animal 1'])
  t.equal(service.logged().length - before, 1)
})

t.test('an idempotency key of the caller is sent as it is', async (t) => {
  const { store } = await start(t)
  for (const idempotencyKey of ['order 7', 'a "quoted" \\ key']) {
    const first = await store.add({ name: 'Rex', categoryId: 1n }, { idempotencyKey })
    t.strictSame(await store.add({ name: 'Rex', categoryId: 1n }, { idempotencyKey }), first)
    const reused = store.add({ name: 'Mia', categoryId: 1n }, { idempotencyKey })
    await t.rejects(reused, { code: 'idempotency_key_reused', status: 422 })
  }
  t.equal((await collect(store.pets())).length, 2)
})

t.test('an error has the code, the message, the status and the id of the request', async (t) => {
  const { store, service } = await start(t)
  const error = await getError(store.add({ name: '', categoryId: 2n ** 63n }))
  t.match(error, {
    name: 'AnimalStoreError',
    code: 'invalid_request',
    message: 'body.name must have at least 1 character; body.categoryId must be an int64 integer',
    status: 400,
    retryAfterMs: 0,
  })
  t.match(
    service.logged().find(({ reqId }) => reqId === error.requestId),
    { req: { method: 'POST' }, res: { statusCode: 400 } },
  )
  await t.rejects(store.get(7n), { code: 'animal_not_found', status: 404 })
  const stranger = createStore(store.baseUrl, 'the-key-of-a-stranger')
  await t.rejects(collect(stranger.pets()), { code: 'invalid_key', status: 401 })
})

t.test('a deprecated operation causes one warning', async (t) => {
  const { store, service } = await start(t)
  const { id } = await store.add({ name: 'Rex', categoryId: 1n })
  await store.get(id)
  await t.rejects(store.get(7n))
  const docs = `${service.origin}/docs#/Animals/getPet`
  t.same(store.warnings, [
    `Animal Store: getPet is deprecated and may be removed after Thu, 05 Dec 2030 00:00:00 GMT; see ${docs}`,
  ])

  const printed = t.capture(console, 'warn')
  await createAnimalStore(store).get(id)
  t.match(printed(), [{ args: [/getPet is deprecated/] }])
})

t.test('a deprecated list is named, too, and its pages are found among the other links', async (t) => {
  const { base, requests } = await startServer(t, (request, response) => {
    const link = `</docs>; rel="deprecation"; type="text/html", </v2/pets>; rel="successor-version"`
    const next = request.url === '/v1/pets' ? ', </v1/pets?cursor=a,b>; rel="next"' : ''
    response
      .setHeader('Deprecation', '@1795132800')
      .setHeader('Link', link + next)
      .end('[]')
  })
  const store = createStore(`${base}/`)
  t.same(await collect(store.pets()), [])
  t.same(requests, ['/v1/pets', '/v1/pets?cursor=a,b'])
  t.match(store.warnings, [
    /^Animal Store: listPets is deprecated and may be removed after a date that is not set; see /,
  ])
})

t.test('a response that is not of the service is reported as unexpected', async (t) => {
  for (const [status, body, message] of [
    [200, '<p>Welcome</p>', /unexpected response with status 200: SyntaxError: .*<p>/],
    [200, '[{"id": 1.5}]', /unexpected response with status 200: SyntaxError: .*1\.5/],
    [302, '', /unexpected response with status 302: /],
    [403, '{}', /unexpected response with status 403: no error code/],
    [403, 'null', /unexpected response with status 403: no error code/],
  ] as const) {
    const { base, requests } = await startServer(t, (_request, response) => {
      response.writeHead(status, { Location: '/elsewhere' }).end(body)
    })
    const error = await getError(collect(createStore(base).pets()))
    t.match(error, { code: 'unexpected_response', status, message, requestId: undefined })
    t.same(requests, ['/v1/pets'])
  }
})

t.test('a date in Retry-After counts from now', async (t) => {
  const { base } = await startServer(t, (_request, response) => {
    const later = new Date(Date.now() + 600_000).toUTCString()
    response.writeHead(503, { 'Retry-After': later }).end('{"code":"service_unavailable","message":"later"}')
  })
  const error = await getError(collect(createStore(base).pets()))
  t.match(error, { code: 'service_unavailable', message: 'later', status: 503 })
  t.ok(Number(error.retryAfterMs) > 590_000 && Number(error.retryAfterMs) <= 600_000, `${error.retryAfterMs}`)
})

t.test('the API key is not sent to another origin', async (t) => {
  const other = await startServer(t, (_request, response) => void response.end('[]'))
  const { base } = await startServer(t, (_request, response) => {
    response.setHeader('Link', `<${other.base}/pets>; rel="next"`).end('[]')
  })
  const error = await getError(collect(createStore(base).pets()))
  t.match(error, { code: 'unexpected_response', message: `the next page is ${other.base}/pets` })
  t.same(other.requests, [])
})

t.test('a JavaScript engine that would round integers is refused', async (t) => {
  t.intercept(JSON, 'rawJSON', { value: undefined })
  t.throws(
    () => createAnimalStore({ baseUrl: 'http://127.0.0.1/v1', key: 'k' }),
    /JSON\.rawJSON is missing: use Node 22/,
  )
})

/** A client of the service, with its options and its warnings. */
function createStore(baseUrl: string, key = '0123456789abcdef') {
  const warnings: string[] = []
  const store = createAnimalStore({ baseUrl, key, warn: (message) => warnings.push(message) })
  return { ...store, baseUrl, key, warnings }
}

async function start(t: Test, options?: ServiceOptions) {
  const service = await startService(t, options)
  return { service, store: createStore(`${service.origin}/v1`, service.key) }
}

/** A server that is not the service. */
async function startServer(t: Test, respond: RequestListener) {
  const requests: (string | undefined)[] = []
  const server = createServer((request, response) => {
    requests.push(request.url)
    respond(request, response)
  })
  t.teardown(() => void server.close().closeAllConnections())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests }
}

function catalogue(count: number): NewPet[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `Animal ${index}`,
    categoryId: BigInt(index),
    status: index % 2 === 0 ? 'available' : 'sold',
  }))
}

async function collect(pets: AsyncIterable<Pet>): Promise<Pet[]> {
  return Array.fromAsync(pets)
}

async function getError(call: Promise<unknown>): Promise<AnimalStoreError> {
  const error = await call.catch((reason: unknown) => reason)
  if (error instanceof AnimalStoreError) return error
  throw new Error('the call is not rejected with an AnimalStoreError', { cause: error })
}
