/**
 * The whole contract, with the client of docs/clients.md whose types are generated from the spec, against the real
 * process.
 */
import t from 'tap'
import { createAnimalStore } from '../../docs/examples/openapi-fetch-client.ts'
import type { components } from '../../generated/openapi.d.ts'
import { startFlakyProxy } from '../helpers/flaky-proxy.ts'
import { startServiceProcess } from '../helpers/process.ts'

type Pet = components['schemas']['Pet']

t.test('a generated client adds, lists, pages, filters and fetches, and reads errors', async (t) => {
  const { origin } = await startServiceProcess(t, { env: { API_KEYS: '0123456789abcdef' } })
  const client = createAnimalStore(`${origin}/v1`, '0123456789abcdef')

  const empty = await client.GET('/pets')
  t.same(empty.data, [])

  const wanted = [
    { name: 'Rex', categoryId: 9007199254740993n },
    { name: 'Mia', categoryId: -(2n ** 63n), status: 'sold' },
    { name: 'Tom', categoryId: 2n ** 63n - 1n, status: 'pending' },
    { name: 'Łaika', categoryId: 0n, status: 'sold' },
    { name: 'Bo', categoryId: 1n, status: 'available' },
  ] as const
  const added: Pet[] = []
  for (const body of wanted) {
    const { data, response } = await client.POST('/pets', { body })
    t.equal(response.status, 201)
    t.match(data, { status: 'available', ...body })
    t.type(data?.id, 'bigint')
    t.equal(response.headers.get('location'), `/v1/pets/${data?.id}`)
    added.push(data as Pet)
  }
  t.strictSame((await client.GET('/pets')).data, added)

  const paged: Pet[] = []
  let cursor: string | undefined
  do {
    const { data = [], response } = await client.GET('/pets', {
      params: { query: { limit: 2, ...(cursor !== undefined && { cursor }) } },
    })
    paged.push(...data)
    cursor = cursorOf(response)
  } while (cursor !== undefined)
  t.strictSame(paged, added)

  const sold = await client.GET('/pets', { params: { query: { status: 'sold' } } })
  t.same(
    sold.data?.map(({ name }) => name),
    ['Mia', 'Łaika'],
  )

  const [rex] = added
  const one = await client.GET('/pets/{petId}', { params: { path: { petId: rex?.id ?? 0n } } })
  t.strictSame(one.data, rex)
  t.equal(one.response.headers.get('sunset'), 'Thu, 05 Dec 2030 00:00:00 GMT')

  const absent = await client.GET('/pets/{petId}', { params: { path: { petId: 2n ** 63n - 1n } } })
  t.same(absent.error, {
    code: 'animal_not_found',
    message: 'no animal has the id 9223372036854775807',
    status: 404,
  })
  const wrong = await client.POST('/pets', { body: { name: '', categoryId: 2n ** 63n } })
  t.same(wrong.error, {
    code: 'invalid_request',
    message: 'body.name must have at least 1 character; body.categoryId must be an int64 integer',
    status: 400,
  })
  const stranger = await createAnimalStore(`${origin}/v1`, 'someone-elses-key').GET('/pets')
  t.match(stranger.error, { code: 'invalid_key', status: 401 })
  t.equal(stranger.response.headers.get('www-authenticate'), 'Bearer realm="Animal Store", error="invalid_token"')
})

t.test('an addition that is repeated under its idempotency key adds no second animal', async (t) => {
  const { origin } = await startServiceProcess(t, { env: { API_KEYS: '0123456789abcdef' } })
  const client = createAnimalStore(`${origin}/v1`, '0123456789abcdef')
  const params = { header: { 'Idempotency-Key': '"8e03978e-40d5-43e8-bc93-6894a57f9324"' } }
  const first = await client.POST('/pets', { params, body: { name: 'Rex', categoryId: 1n } })
  const second = await client.POST('/pets', { params, body: { name: 'Rex', categoryId: 1n } })
  t.ok(first.data)
  t.strictSame(second.data, first.data)
  t.equal((await client.GET('/pets')).data?.length, 1)
})

/** The cursor in the link to the next page, if there is one. */
function cursorOf({ headers }: Response): string | undefined {
  const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
  return next === undefined ? undefined : (new URLSearchParams(next.replace(/.*\?/, '')).get('cursor') ?? undefined)
}

t.test('the client of the docs sends a request again after transient errors, and gives up at last', async (t) => {
  const { origin } = await startServiceProcess(t, { env: { API_KEYS: '0123456789abcdef' } })
  const store = async (faults: Parameters<typeof startFlakyProxy>[2]) => {
    const proxy = await startFlakyProxy(t, origin, faults)
    return createAnimalStore(`${proxy.origin}/v1`, '0123456789abcdef')
  }
  const recovers = await store(['unavailable', 'loseResponse'])
  t.equal((await recovers.GET('/pets')).response.status, 200)
  const givesUp = await store(['refuse', 'refuse', 'refuse', 'refuse', 'refuse'])
  await t.rejects(givesUp.GET('/pets'), { name: 'TypeError' })
})
