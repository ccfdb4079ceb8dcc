/**
 * A client of the Animal Store, for Node 22 or later and for browsers. It has the types of the spec, and needs nothing but
 * `fetch` and a JSON parser that gives the source text of numbers.
 */
import type { components, operations } from '../../generated/openapi.d.ts'

declare global {
  interface JSON {
    rawJSON(text: string): object
  }
}

export type Pet = components['schemas']['Pet']
export type NewPet = components['schemas']['NewPet']
type ErrorBody = components['schemas']['Error']
/** The animals to list; `limit` is the number of animals on a page. */
export type PetQuery = Omit<NonNullable<operations['listPets']['parameters']['query']>, 'cursor'>

export interface ClientOptions {
  /** Such as `https://api.animal-store.example/v1`. */
  readonly baseUrl: string
  /** The API key. */
  readonly key: string
  /** The maximum number of times that a request is sent; by default 5. */
  readonly attempts?: number
  /** Milliseconds for one attempt; by default 10,000. */
  readonly timeoutMs?: number
  /** Receives one message for each operation that says it is deprecated; by default `console.warn`. */
  readonly warn?: (message: string) => void
}

/** The error of a request that cannot succeed, or has not succeeded after all attempts. */
export class AnimalStoreError extends Error {
  override readonly name = 'AnimalStoreError'
  /** That of the response; or `no_response`; or `unexpected_response`, which is not as the spec says. */
  readonly code: string
  /** The HTTP status; undefined without a response. */
  readonly status: number | undefined
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined
  /** Milliseconds after which the request may be repeated (RFC 9110, section 10.2.3); 0 if the response does not say. */
  readonly retryAfterMs: number

  constructor(origin: string, cause: unknown, response?: Response, body?: Partial<ErrorBody> | null) {
    const what = response === undefined ? 'no response' : `unexpected response with status ${response.status}`
    super(body?.message ?? `${origin}: ${what}: ${cause ?? 'no error code'}`, { cause })
    this.code = body?.code ?? (response === undefined ? 'no_response' : 'unexpected_response')
    this.status = response?.status
    this.requestId = response?.headers.get('X-Request-Id') ?? undefined
    const after = response?.headers.get('Retry-After') ?? ''
    const ms = /^\d+$/.test(after) ? 1000 * Number(after) : Date.parse(after) - Date.now()
    this.retryAfterMs = ms > 0 ? ms : 0
  }
}

/** The members that are int64: each is a bigint, however small it is. */
const INT64: Readonly<Record<{ [Name in keyof Pet]: Pet[Name] extends bigint ? Name : never }[keyof Pet], true>> = {
  id: true,
  categoryId: true,
}

/** Statuses that may pass. 409 says that an earlier attempt is still in progress; 502 and 504 are from proxies. */
const TRANSIENT: ReadonlySet<number | undefined> = new Set([undefined, 408, 409, 429, 500, 502, 503, 504])

/** A response that asks for a longer pause is an error at once. */
const MAX_PAUSE_MS = 60_000

/** Creates a client. Its calls repeat a request after a transient error, and reject with `AnimalStoreError`. */
export function createAnimalStore(options: ClientOptions) {
  if (!JSON.rawJSON) throw new Error('JSON.rawJSON is missing: use Node 22, Chrome 114, Firefox 135 or Safari 18.4')
  const { baseUrl, key, attempts = 5, timeoutMs = 10_000, warn = console.warn } = options
  const petsUrl = new URL(`${baseUrl.replace(/\/$/, '')}/pets`)
  const authorization = { Authorization: `Bearer ${key}` }
  const warned = new Set<string>()

  return {
    /** Lists animals in ascending order of id. A page is fetched when the animals of the one before are used up. */
    async *pets(query: PetQuery = {}): AsyncGenerator<Pet, void, void> {
      let url: URL | undefined = new URL(petsUrl)
      for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, `${value}`)
      while (url !== undefined) {
        const { response, body }: Success<'listPets'> = await send('listPets', url)
        yield* body
        url = getLink(response, 'next', url)
        // The API key must not be sent to another origin.
        if (url && url.origin !== petsUrl.origin)
          throw new AnimalStoreError(petsUrl.origin, `the next page is ${url}`, response)
      }
    },

    /**
     * Adds an animal; resolves with it as it is stored. It is added once, however often the request is sent. The idempotency
     * key is printable ASCII; the spec says how long it may be, and how long it is stored. By default, it is a random UUID.
     */
    async add(pet: NewPet, { idempotencyKey = crypto.randomUUID() }: { idempotencyKey?: string } = {}): Promise<Pet> {
      // In printable ASCII, JSON escapes what a string of RFC 9651 does (section 3.3.3).
      const extra = { 'Content-Type': 'application/json', 'Idempotency-Key': JSON.stringify(idempotencyKey) }
      const init = { method: 'POST', headers: { ...authorization, ...extra }, body: formatJson(pet) }
      return (await send('createPet', petsUrl, init)).body
    },

    /**
     * Fetches an animal; rejects with the code `animal_not_found` if there is none.
     * @deprecated The operation is to be removed: use `pets`.
     */
    async get(id: bigint): Promise<Pet> {
      return (await send('getPet', new URL(`${petsUrl}/${id}`))).body
    },
  }

  /** Sends a request until it succeeds, cannot succeed, or has been sent often enough. */
  async function send<Name extends keyof operations>(name: Name, url: URL, init?: RequestInit): Promise<Success<Name>> {
    for (let attempt = 1; ; attempt++) {
      const limits = { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) } as const
      const { response, body, cause } = await exchange(url, { headers: authorization, ...init, ...limits })
      if (response !== undefined) warnOfDeprecation(name, response, url)
      if (response?.ok && cause === undefined) return { response, body }
      const error = new AnimalStoreError(url.origin, cause, response, body)
      if (attempt >= attempts || !TRANSIENT.has(error.status) || error.retryAfterMs > MAX_PAUSE_MS) throw error
      const pauseMs = error.retryAfterMs + (1 + Math.random()) * 50 * 2 ** attempt
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }

  function warnOfDeprecation(operation: string, response: Response, url: URL): void {
    if (warned.has(operation) || !response.headers.has('Deprecation')) return
    warned.add(operation)
    const sunset = response.headers.get('Sunset') ?? 'a date that is not set'
    const page = getLink(response, 'deprecation', url)
    warn(`Animal Store: ${operation} is deprecated and may be removed after ${sunset}; see ${page}`)
  }
}

interface Success<Name extends keyof operations> {
  readonly response: Response
  readonly body: JsonOf<Responses<Name>[keyof Responses<Name> & (200 | 201)]>
}
type Responses<Name extends keyof operations> = operations[Name]['responses']
type JsonOf<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : never

/** Sends a request once. The cause is why there is no response, or why its body is not JSON. */
async function exchange(url: URL, init: RequestInit) {
  let response: Response | undefined
  try {
    response = await fetch(url, init)
    return { response, body: parseJson(await response.text()) }
  } catch (cause) {
    // A body that is not complete is no response.
    return { response: cause instanceof SyntaxError ? response : undefined, cause }
  }
}

/** Parses JSON. Every integer of 64 bits becomes a bigint of exactly its digits. */
function parseJson(text: string) {
  return JSON.parse(text, (name, value, context?: { readonly source?: string }) =>
    Object.hasOwn(INT64, name) && context?.source ? BigInt(context.source) : value,
  )
}

function formatJson(value: unknown): string {
  return JSON.stringify(value, (_name, each) => (typeof each === 'bigint' ? JSON.rawJSON(String(each)) : each))
}

/** Returns the target of the link with a relation (RFC 8288). */
function getLink({ headers }: Response, relation: string, base: URL): URL | undefined {
  const [, target] = new RegExp(`<([^>]*)>[^<]*\\brel="${relation}"`).exec(headers.get('Link') ?? '') ?? []
  return target === undefined ? undefined : new URL(target, base)
}
