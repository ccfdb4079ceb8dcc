// docs/examples/openapi-fetch.ts
import { setTimeout } from 'node:timers/promises'
import createClient from 'openapi-fetch'
import type { paths } from '../../generated/openapi.d.ts'

declare global {
  interface JSON {
    rawJSON(text: string): object
  }
}

const { ANIMAL_STORE_URL = 'http://127.0.0.1:3000/v1', ANIMAL_STORE_KEY = '' } = process.env

/** The members that the spec declares with `format: int64`. */
const INT64 = new Set(['id', 'categoryId'])

function parseJson(text: string): unknown {
  return JSON.parse(text, (name, value, context?: { readonly source?: string }) =>
    INT64.has(name) && typeof value === 'number' && context?.source ? BigInt(context.source) : value,
  )
}

function formatJson(value: unknown): string {
  return JSON.stringify(value, (_name, each) => (typeof each === 'bigint' ? JSON.rawJSON(String(each)) : each))
}

const TRANSIENT = new Set([408, 409, 429, 500, 502, 503, 504])

/** Sends a request, again after transient errors, and has the response read int64 as bigint. */
async function send(request: Request): Promise<Response> {
  const attempts = request.method === 'GET' || request.headers.has('Idempotency-Key') ? 5 : 1
  for (let attempt = 1; ; attempt++) {
    let retryAfterMs = 0
    try {
      const response = await fetch(request.clone(), { signal: AbortSignal.timeout(10_000) })
      const text = await response.text()
      if (attempt === attempts || !TRANSIENT.has(response.status)) return toExactResponse(response, text)
      retryAfterMs = 1000 * Number(response.headers.get('Retry-After') ?? 0)
    } catch (error) {
      if (attempt === attempts) throw error
    }
    await setTimeout(retryAfterMs + (1 + Math.random()) * 50 * 2 ** attempt)
  }
}

function toExactResponse(response: Response, text: string): Response {
  const copy = new Response(text || null, response)
  // Without the length, which a proxy may remove, openapi-fetch would not call json() but parse the text, and round.
  copy.headers.set('Content-Length', String(new TextEncoder().encode(text).length))
  return Object.assign(copy, { json: async () => parseJson(text) })
}

const client = createClient<paths>({
  baseUrl: ANIMAL_STORE_URL,
  headers: { Authorization: `Bearer ${ANIMAL_STORE_KEY}` },
  bodySerializer: formatJson,
  fetch: send,
})

const warned = new Set<string>()
client.use({
  onResponse({ request: { method }, schemaPath, response: { headers } }) {
    if (!headers.has('Deprecation') || warned.has(method + schemaPath)) return
    warned.add(method + schemaPath)
    console.warn(`${method} ${schemaPath} is deprecated and may be removed after ${headers.get('Sunset')}`)
  },
})

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
