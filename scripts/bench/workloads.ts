/**
 * The workloads: the requests that the client sends, and how a floor tells them apart.
 */

/** The common values of the requests of a run. */
export interface RequestContext {
  /** The API key. */
  readonly key: string
  /** The number of seeded animals; their ids count from 1. */
  readonly animals: number
  /** The ETag of the page that `304` asks for. */
  readonly etag: string
}

export interface Workload {
  readonly title: string
  /** The statuses of the responses; any other ends the run. */
  readonly statuses: readonly number[]
  /** True if a response takes a store; a floor with nothing but a store is not measured with the others. */
  readonly needsStore: boolean
  /** Makes the function that returns the next request, as it is sent. */
  createRequests(context: RequestContext): () => string
}

const collection = '/v1/pets'

/** Requests for further pages begin here, so that each page is full. */
const pageReserve = 100

export const workloads = {
  list: {
    title: 'list, random pages',
    statuses: [200],
    needsStore: true,
    createRequests: (context) => createReads(context, `${collection}?cursor=`, () => randomCursor(context)),
  },
  listByStatus: {
    title: 'list by status, random pages',
    statuses: [200],
    needsStore: true,
    createRequests: (context) =>
      createReads(context, `${collection}?status=available&cursor=`, () => randomCursor(context)),
  },
  samePage: {
    title: 'list, the same page',
    statuses: [200],
    needsStore: true,
    createRequests: (context) => createReads(context, collection),
  },
  fetch: {
    title: 'fetch, random ids',
    statuses: [200],
    needsStore: true,
    createRequests: (context) => createReads(context, `${collection}/`, () => 1 + randomBelow(context.animals)),
  },
  add: {
    title: 'add',
    statuses: [201],
    needsStore: true,
    createRequests: ({ key }) => {
      const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
      const type = ['Content-Type: application/json', `Content-Length: ${body.length}`]
      const request = `${formatHead('POST', collection, [authorization(key), ...type])}${body}`
      return () => request
    },
  },
  mix: {
    title: '90 % reads, 10 % additions',
    statuses: [200, 201],
    needsStore: true,
    createRequests: (context) => {
      const [list, fetch, add] = (['list', 'fetch', 'add'] as const).map((name) =>
        workloads[name].createRequests(context),
      ) as [() => string, () => string, () => string]
      return () => {
        const choice = randomBelow(20)
        if (choice < 2) return add()
        return choice < 11 ? list() : fetch()
      }
    },
  },
  unauthorized: {
    title: '401, no API key',
    statuses: [401],
    needsStore: false,
    createRequests: () => {
      const request = formatHead('GET', `${collection}?limit=10`, [])
      return () => request
    },
  },
  invalid: {
    title: '400, limit=0',
    statuses: [400],
    needsStore: false,
    createRequests: (context) => createReads(context, `${collection}?limit=0`),
  },
  notModified: {
    title: '304, If-None-Match',
    statuses: [304],
    needsStore: false,
    createRequests: ({ key, etag }) => {
      const headers = [authorization(key), `If-None-Match: ${etag}`]
      const request = formatHead('GET', etagPath, headers)
      return () => request
    },
  },
} satisfies Readonly<Record<string, Workload>>

export type WorkloadName = keyof typeof workloads

/** In the order in which the tables show them. */
export const workloadNames = Object.keys(workloads) as WorkloadName[]

/** The page whose ETag `notModified` sends. */
export const etagPath = `${collection}?limit=20`

/** The workloads with a response of their own. The others send requests of these. */
export type ResponseName = Exclude<WorkloadName, 'mix'>

const byQuery: Readonly<Record<string, ResponseName>> = {
  '': 'samePage',
  '?cursor=': 'list',
  '?status=': 'listByStatus',
  '?limit=0': 'invalid',
  '?limit=1': 'unauthorized',
  '?limit=2': 'notModified',
}

/** Tells which workload a request is of, by the first characters after the path of the collection: at hardly any cost. */
export function recognize(method: string | undefined, url = ''): ResponseName {
  if (method === 'POST') return 'add'
  return byQuery[url.slice(collection.length, collection.length + 8)] ?? 'fetch'
}

/** Makes requests for a path, or for a path and the text that follows it in each request. */
function createReads({ key }: RequestContext, path: string, next: () => string | number = () => ''): () => string {
  const head = formatHead('GET', path, [authorization(key)])
  const end = `GET ${path}`.length
  const [before, after] = [head.slice(0, end), head.slice(end)]
  return () => before + next() + after
}

/** Formats the request line and the headers (RFC 9112, section 2.1). */
export function formatHead(method: string, path: string, headers: readonly string[]): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, '', ''].join('\r\n')
}

export function authorization(key: string): string {
  return `Authorization: Bearer ${key}`
}

const cursorBytes = Buffer.alloc(8)

function randomCursor({ animals }: RequestContext): string {
  // The first id is 1.
  cursorBytes.writeUInt32BE(1 + randomBelow(Math.max(1, animals - pageReserve)), 4)
  return cursorBytes.toString('base64url')
}

function randomBelow(limit: number): number {
  return Math.floor(Math.random() * limit)
}
