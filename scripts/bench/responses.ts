/** The responses that each of the peers must have: a server that does less than the others is not measured. */
import { isDeepStrictEqual } from 'node:util'
import { key, type Server } from './server.ts'

/** The animals that a server has at its start, as many as a page has at most. */
export const pets = Array.from({ length: 100 }, (_, index) => {
  return { id: index + 1, name: `Rex ${index + 1}`, categoryId: 1, status: 'available' }
})

/** The first request of all, for every animal. */
export const PAGE_PATH = `/v1/pets?limit=${pets.length}`

interface Exchange {
  readonly path: string
  /** By default, a GET with the API key. */
  readonly request?: RequestInit
  readonly status: number
  /** The JSON of the response; by default, any content. */
  readonly value?: unknown
}

const newPet = { name: 'Rex', categoryId: 1 }
const addedPet = { id: pets.length + 1, ...newPet, status: 'available' }

/** What a server without validation does as well. */
const exchanges: readonly Exchange[] = [
  { path: '/v1/pets?limit=2', status: 200, value: pets.slice(0, 2) },
  { path: '/v1/pets', status: 200, value: pets.slice(0, 20) },
  { path: '/v1/pets', request: createAddition(newPet), status: 201, value: addedPet },
  { path: `/v1/pets/${addedPet.id}`, status: 200, value: addedPet },
  { path: `/v1/pets/${addedPet.id + 1}`, status: 404 },
  { path: '/v1/pets', request: { headers: {} }, status: 401 },
  { path: '/v1/pets', request: { headers: { Authorization: 'Bearer another' } }, status: 401 },
]

const invalidExchanges: readonly Exchange[] = [
  { path: `/v1/pets?limit=${pets.length + 1}`, status: 400 },
  { path: '/v1/pets/0', status: 400 },
  { path: '/v1/pets', request: createAddition({ ...newPet, name: '' }), status: 400 },
  { path: '/v1/pets', request: createAddition({ name: 'Rex' }), status: 400 },
]

/** Checks the first response of a server, to `PAGE_PATH`, and those to other requests; throws if one is wrong. */
export async function checkResponses({ origin, firstResponse }: Server, name: string, validates: boolean) {
  await checkResponse(name, { path: PAGE_PATH, status: 200, value: pets }, firstResponse)
  for (const exchange of validates ? [...exchanges, ...invalidExchanges] : exchanges) {
    const request = { headers: { Authorization: `Bearer ${key}` }, ...exchange.request }
    await checkResponse(name, exchange, await fetch(origin + exchange.path, request))
  }
}

function createAddition(value: object): RequestInit {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  return { method: 'POST', headers, body: JSON.stringify(value) }
}

async function checkResponse(name: string, exchange: Exchange, response: Response): Promise<void> {
  const { path, request, status, value } = exchange
  const text = await response.text()
  if (response.status === status && (value === undefined || isDeepStrictEqual(JSON.parse(text), value))) return
  const start = text.slice(0, 200)
  throw new Error(`${name} responds to ${request?.method ?? 'GET'} ${path} with ${response.status}: ${start}`)
}
