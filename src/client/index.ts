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
/** Which animals to list; `limit` is how many a page has. */
export type PetQuery = Omit<NonNullable<operations['listPets']['parameters']['query']>, 'cursor'>

export interface ClientOptions {
  /** Such as `https://api.animal-store.example/v1`. */
  readonly baseUrl: string
  /** The API key. */
  readonly key: string
  /** How often a request is sent at most; by default 5. */
  readonly attempts?: number
  /** Milliseconds for one attempt; by default 10,000. */
  readonly timeoutMs?: number
  /** Receives one message for each operation that says it is deprecated; by default `console.warn`. */
  readonly warn?: (message: string) => void
}

export interface CallOptions {
  /** Ends the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

export interface AddOptions extends CallOptions {
  /** 1 to 255 printable ASCII characters; by default a random UUID. One key adds one animal in 24 hours. */
  readonly idempotencyKey?: string
}

/** A request that cannot succeed, or has not after all attempts. */
export class AnimalStoreError extends Error {
  override readonly name = 'AnimalStoreError'
  /** That of the response; or `no_response`; or `unexpected_response`, which is not as the spec says. */
  readonly code: string
  /** The HTTP status; undefined without a response. */
  readonly status: number | undefined
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined
  /** Milliseconds after which the request may be repeated, if the response says so (RFC 9110, section 10.2.3). */
  readonly retryAfterMs: number | undefined

  constructor(code: string, message: string, response?: Response, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.status = response?.status
    this.requestId = response?.headers.get('X-Request-Id') ?? undefined
    this.retryAfterMs = parseRetryAfter(response?.headers.get('Retry-After') ?? '')
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
  if (!JSON.rawJSON) throw new Error('JSON.rawJSON is missing: use Node 22, Chrome 116, Firefox 135 or Safari 18.4')
  const { key, attempts = 5, timeoutMs = 10_000, warn = console.warn } = options
  const baseUrl = options.baseUrl.replace(/\/$/, '')
  const warned = new Set<string>()

  return {
    /** Lists animals in ascending order of id. A page is fetched when the animals of the one before are used up. */
    async *pets(query: PetQuery = {}, { signal }: CallOptions = {}): AsyncGenerator<Pet, void, void> {
      const first = new URL(`${baseUrl}/pets`)
      for (const [name, value] of Object.entries(query)) first.searchParams.set(name, String(value))
      for (let url: URL | undefined = first; url !== undefined; ) {
        const page = await send('listPets', url, {}, signal)
        yield* page.body
        url = getLink(page.response, url, 'next')
        // The API key must not be sent to another origin.
        if (url && url.origin !== first.origin) throw toError(first, { ...page, cause: `the next page is ${url}` })
      }
    },

    /** Adds an animal; resolves with it as it is stored. It is added once, however often the request is sent. */
    async add(pet: NewPet, { idempotencyKey = crypto.randomUUID(), signal }: AddOptions = {}): Promise<Pet> {
      // In printable ASCII, JSON escapes what a string of RFC 9651 does (section 3.3.3).
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': JSON.stringify(idempotencyKey) }
      const init = { method: 'POST', headers, body: formatJson(pet) }
      return (await send('createPet', new URL(`${baseUrl}/pets`), init, signal)).body
    },

    /**
     * Fetches an animal; rejects with the code `animal_not_found` if there is none.
     * @deprecated The operation is to be removed: use `pets`.
     */
    async get(id: bigint, { signal }: CallOptions = {}): Promise<Pet> {
      return (await send('getPet', new URL(`${baseUrl}/pets/${id}`), {}, signal)).body
    },
  }

  /** Sends a request until it succeeds, cannot succeed, or has been sent often enough. */
  async function send<Name extends keyof operations>(name: Name, url: URL, init: RequestInit, signal?: AbortSignal) {
    const headers = new Headers(init.headers)
    headers.set('Authorization', `Bearer ${key}`)
    let attempt = 0
    for (;;) {
      attempt++
      const timeout = AbortSignal.timeout(timeoutMs)
      const signals = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
      const outcome = await exchange<Body<Name>>(url, { ...init, headers, redirect: 'manual', signal: signals })
      const { response, body } = outcome
      if (response !== undefined) warnOfDeprecation(name, response, url)
      if (response?.ok && body !== undefined) return { response, body }
      signal?.throwIfAborted()
      const error = toError(url, outcome)
      const { status, retryAfterMs = 0 } = error
      if (attempt >= attempts || !TRANSIENT.has(status) || retryAfterMs > MAX_PAUSE_MS) throw error
      await pause(retryAfterMs + (1 + Math.random()) * 50 * 2 ** attempt, signal)
    }
  }

  function warnOfDeprecation(operation: string, response: Response, url: URL): void {
    if (warned.has(operation) || !response.headers.has('Deprecation')) return
    warned.add(operation)
    const sunset = response.headers.get('Sunset') ?? 'a date that is not set'
    const page = getLink(response, url, 'deprecation')
    warn(`Animal Store: ${operation} is deprecated and may be removed after ${sunset}; see ${page}`)
  }
}

type Body<Name extends keyof operations> = JsonOf<Responses<Name>[keyof Responses<Name> & (200 | 201)]>
type Responses<Name extends keyof operations> = operations[Name]['responses']
type JsonOf<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : never

/** What a request leads to. The cause is why there is no response, or why its body is not JSON. */
interface Outcome<Body> {
  readonly response?: Response
  readonly body?: Body
  readonly cause?: unknown
}

async function exchange<Body>(url: URL, init: RequestInit): Promise<Outcome<Body>> {
  let response: Response | undefined
  try {
    response = await fetch(url, init)
    return { response, body: parseJson(await response.text()) }
  } catch (cause) {
    // A body that is not complete is no response.
    return response && cause instanceof SyntaxError ? { response, cause } : { cause }
  }
}

function toError({ origin }: URL, { response, body, cause }: Outcome<unknown>): AnimalStoreError {
  if (response === undefined) return new AnimalStoreError('no_response', `${origin}: ${cause}`, response, { cause })
  const unexpected = `${origin}: unexpected response with status ${response.status}: ${cause ?? 'no error code'}`
  const { code = 'unexpected_response', message = unexpected } = (body ?? {}) as Partial<components['schemas']['Error']>
  return new AnimalStoreError(code, message, response, { cause })
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
function getLink({ headers }: Response, base: URL, relation: string): URL | undefined {
  for (const [, target = '', parameters = ''] of (headers.get('Link') ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    if (parameters.includes(`rel="${relation}"`)) return new URL(target, base)
  }
  return undefined
}

/** Reads seconds or a date, as milliseconds from now. */
function parseRetryAfter(text: string): number | undefined {
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}

/** Waits, but not after the signal is aborted. */
async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
    function end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
  })
  signal?.throwIfAborted()
}
