/**
 * A client of the Animal Store for Node 22 or later and for browsers. It has the types of the spec, and needs only what the
 * platform has: `fetch`, and JSON with the source text of numbers.
 */
import type { components, operations, paths } from '../../generated/openapi.d.ts'

declare global {
  interface JSON {
    rawJSON(text: string): object
  }
}

type Schemas = components['schemas']
type Operation = keyof operations
export type Pet = Schemas['Pet']
export type NewPet = Schemas['NewPet']
/** Which animals to list; `limit` is how many a page has. */
export type PetQuery = Omit<NonNullable<operations['listPets']['parameters']['query']>, 'cursor'>

export interface AnimalStoreOptions {
  /** An absolute URL, such as `https://api.animal-store.example/v1`. */
  readonly baseUrl: string
  /** The API key. */
  readonly key: string
  /** How often a request is sent at most; 5 by default. */
  readonly attempts?: number
  /** Milliseconds for all attempts of a request and the pauses between them, 30,000 by default; an attempt has a third. */
  readonly timeoutMs?: number
  /** Called when an operation first says that it is deprecated; by default, it warns on the console. */
  readonly onDeprecation?: (deprecation: Deprecation) => void
}

export interface Deprecation {
  readonly operation: Operation
  /** The time after which the operation may be removed (RFC 8594). */
  readonly sunset: Date | undefined
  /** The documentation of the deprecation (RFC 9745). */
  readonly link: URL | undefined
}

export interface CallOptions {
  /** Ends the call, which then throws the reason of the signal. */
  readonly signal?: AbortSignal
}

export interface AddOptions extends CallOptions {
  /** 1 to 255 printable ASCII characters, random by default. The same animal with the same key is added once in 24 hours. */
  readonly idempotencyKey?: string
}

/** A request that failed for good, or until attempts or time were used up. */
export class AnimalStoreError extends Error {
  override readonly name = 'AnimalStoreError'
  /** That of the response; or `no_response`; or `unexpected_response`, for one that is not as the spec says. */
  readonly code: string
  /** The HTTP status; 0 without a response. */
  readonly status: number
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined
  /** Milliseconds after which the request may be repeated, if the response says so. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, code: string, response?: Response, cause?: unknown) {
    super(message, { cause })
    this.code = code
    this.status = response?.status ?? 0
    this.requestId = response?.headers.get('X-Request-Id') ?? undefined
    this.retryAfterMs = parseRetryAfter(response?.headers.get('Retry-After') ?? '')
  }
}

export type AnimalStore = ReturnType<typeof createAnimalStore>

/** Makes a client. Its methods repeat a request after a transient error, and throw `AnimalStoreError`. */
export function createAnimalStore(options: AnimalStoreOptions) {
  const { baseUrl, key, attempts = 5, timeoutMs = 30_000, onDeprecation = warn } = options
  if (!JSON.rawJSON) throw new Error('JSON.rawJSON is missing; use Node 22, Chrome 114, Firefox 135 or Safari 18.4')
  const authorization = { Authorization: `Bearer ${key}` }
  const deprecated = new Set<Operation>()

  return {
    /** Lists animals in ascending order of id. It fetches a page when the one before is used up. */
    async *pets(query: PetQuery = {}, { signal }: CallOptions = {}): AsyncGenerator<Pet, void, void> {
      const first = toUrl('/pets')
      for (const [name, value] of Object.entries(query)) first.searchParams.set(name, String(value))
      for (let url: URL | undefined = first; url !== undefined; ) {
        const page: Reply<Pet[]> = await send('listPets', url, signal)
        yield* page.body
        url = getLink(page.response, 'next')
        // The API key must not be sent to another origin.
        if (url && url.origin !== first.origin) throw unexpected(page.response, `the next page is at ${url.origin}`)
      }
    },

    /** Adds an animal, and returns it as it is stored. However often the request is sent, it is added once. */
    async add(pet: NewPet, { idempotencyKey = createKey(), signal }: AddOptions = {}): Promise<Pet> {
      const { body } = await send<Pet>('createPet', toUrl('/pets'), signal, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': JSON.stringify(idempotencyKey) },
        body: JSON.stringify(pet, (_name, value) => (typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value)),
      })
      return body
    },

    /**
     * Fetches an animal; the error is `animal_not_found` if there is none.
     * @deprecated The operation is to be removed; use `pets`.
     */
    async get(id: bigint, { signal }: CallOptions = {}): Promise<Pet> {
      const { body } = await send<Pet>('getPet', toUrl(`/pets/${id}`), signal)
      return body
    },
  }

  function toUrl(path: Filled<keyof paths>): URL {
    return new URL(baseUrl.replace(/\/$/, '') + path)
  }

  async function send<Body>(operation: Operation, url: URL, signal?: AbortSignal, init?: RequestInit) {
    const headers = new Headers({ ...authorization, ...init?.headers })
    const deadline = performance.now() + timeoutMs
    for (let attempt = 1; ; attempt++) {
      ...
    }
  }
}
