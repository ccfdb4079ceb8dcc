// docs/examples/openapi-fetch-client.ts
import { setTimeout } from 'node:timers/promises'
import createClient from 'openapi-fetch'
import type { paths } from '../../generated/openapi.d.ts'

declare global {
  interface JSON {
    rawJSON(text: string): object
  }
}

/** Creates a client whose int64 are bigint, that repeats requests, and that warns of deprecated operations. */
export function createAnimalStore(baseUrl: string, key: string) {
  // fetch would repeat the key in its error.
  if (!/^[\w.~+/-]+=*$/.test(key)) throw new Error('not an API key: it is empty, or has a character that no key has')
  const client = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${key}` },
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
  return client
}

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
