// docs/examples/openapi-fetch.ts
import { createAnimalStore } from './openapi-fetch-client.ts'

const { ANIMAL_STORE_URL = 'http://127.0.0.1:3000/v1', ANIMAL_STORE_KEY = '' } = process.env
const client = createAnimalStore(ANIMAL_STORE_URL, ANIMAL_STORE_KEY)

const added = await client.POST('/pets', {
  params: { header: { 'Idempotency-Key': `"${crypto.randomUUID()}"` } },
  body: { name: 'Io', categoryId: 9007199254740993n, status: 'pending' },
})
if (added.error) throw new Error(added.error.message)
console.log('added', added.data.id, added.data.categoryId)

let cursor: string | undefined
do {
  const query = { status: 'pending' as const, limit: 2, ...(cursor !== undefined && { cursor }) }
  const { data, error, response } = await client.GET('/pets', { params: { query } })
  if (error) throw new Error(error.message)
  for (const { id, name } of data) console.log('listed', id, name)
  const [, next] = /<([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '') ?? []
  cursor = next === undefined ? undefined : (new URL(next, ANIMAL_STORE_URL).searchParams.get('cursor') ?? undefined)
} while (cursor !== undefined)

const { error, response } = await client.GET('/pets/{petId}', { params: { path: { petId: 9223372036854775807n } } })
if (error) console.log(error.status, error.code, response.headers.get('X-Request-Id'))
