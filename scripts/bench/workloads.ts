/**
 * The workloads: what the client sends again and again, and what it expects.
 */

/** What the requests of a run have in common. */
export interface RequestContext {
  /** The API key. */
  readonly key: string
  /** The number of seeded animals; their ids count from 1. */
  readonly animals: number
  /** The ETag of `GET /v1/pets`, once it is known. */
  readonly etag: string
}

export interface BenchRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The status of the response; any other ends the run. */
  readonly status: number
}

export interface Workload {
  readonly title: string
  /** True if each request must differ from every one before, because it adds an animal. */
  readonly isFresh?: boolean
  /** True if a store is needed for the response. */
  readonly needsStore?: boolean
  createRequest(context: RequestContext): BenchRequest
}

const collection = '/v1/pets'

export const workloads = {
  list: {
    title: 'list, random pages',
    needsStore: true,
    createRequest: (context) => get(context, `${collection}?cursor=${randomCursor(context)}`),
  },
  'list-status': {
    title: 'list by status, random pages',
    needsStore: true,
    createRequest: (context) => get(context, `${collection}?status=available&cursor=${randomCursor(context)}`),
  },
  'same-page': {
    title: 'list, the same page',
    needsStore: true,
    createRequest: (context) => get(context, collection),
  },
  fetch: {
    title: 'fetch, random ids',
    needsStore: true,
    createRequest: (context) => get(context, `${collection}/${1 + randomBelow(context.animals)}`),
  },
  add: {
    title: 'add, durable',
    isFresh: true,
    needsStore: true,
    createRequest: createAddition,
  },
  mix: {
    title: '45 % list, 45 % fetch, 10 % add',
    isFresh: true,
    needsStore: true,
    createRequest: (context) => {
      const choice = randomBelow(20)
      if (choice < 2) return createAddition(context)
      return (choice < 11 ? workloads.list : workloads.fetch).createRequest(context)
    },
  },
  // The paths differ, so that a floor can tell by them which response to send.
  401: {
    title: '401, no API key',
    createRequest: () => ({ method: 'GET', path: `${collection}?status=sold`, headers: {}, status: 401 }),
  },
  400: {
    title: '400, limit=0',
    createRequest: (context) => ({ ...get(context, `${collection}?limit=0`), status: 400 }),
  },
  304: {
    title: '304, If-None-Match',
    createRequest: (context) => {
      const { headers, ...request } = get(context, `${collection}?limit=20`)
      return { ...request, headers: { ...headers, 'If-None-Match': context.etag }, status: 304 }
    },
  },
} satisfies Readonly<Record<string, Workload>>

export type WorkloadName = keyof typeof workloads

/** In the order in which the tables show them. Integer keys would come first in the object. */
export const workloadNames = ['list', 'list-status', 'same-page', 'fetch', 'add', 'mix', 401, 400, 304] as const satisfies readonly WorkloadName[]
