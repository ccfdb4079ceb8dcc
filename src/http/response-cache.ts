/** Responses that are sent again while the data that they were made of is the same. */
import type { FastifyRequest, RouteShorthandOptions } from 'fastify'
import { type OpenApiDocument, type OperationRequest, saveInput } from 'fastify-openapi-first'
import { toError } from 'fastify-openapi-first/shared'
import type { Problem } from 'fastify-openapi-first/tools'
import type { ScheduleRead } from './snapshot-reads.ts'

/** Identifies a state of the data; undefined if it is unknown. */
type Revision = number | undefined

interface CachedResponse {
  readonly text: string
  /** Content-Type, ETag, and the headers that the handler returned. */
  readonly headers: Readonly<Record<string, string>>
  readonly input: OperationRequest['input']
}

/** The memory that a cache may use, in bytes, roughly. */
const MAX_BYTES = 8 * 1024 * 1024
/** The maximum number of URLs that are remembered after one request. */
const MAX_URLS = 1000
/** The memory of a response besides its text, in bytes, roughly. */
const RESPONSE_BYTES = 1000

/**
 * Creates the hooks of a GET whose response depends on nothing but its URL and the data. `scheduleRead` runs a function in a
 * snapshot of the data. A response is sent again without its handler and without `preSerialization` hooks:
 *
 * | hook            | with a cached response | without one                                           |
 * |-----------------|------------------------|-------------------------------------------------------|
 * | `preValidation` | takes its input        |                                                       |
 * | `preHandler`    | sends it               | begins a new response, with the revision              |
 * | `onSend`        |                        | adds the text and its type to the new response        |
 * | `onResponse`    |                        | adds the new response to the cache: it has its ETag   |
 */
export function cacheResponses(scheduleRead: ScheduleRead, getRevision: () => Revision) {
  const cache = createResponseCache(getRevision)
  /** The responses that may be added to the cache, by their requests. */
  const newResponses = new WeakMap<FastifyRequest, { readonly revision: Revision; text?: string; type?: string }>()

  return {
    // Does not respond yet: that would skip the app's `preHandler` hooks.
    preValidation({ openapi, raw }, _reply, done) {
      const cached = cache.get(String(raw.url))
      if (cached !== undefined && openapi !== undefined) openapi.input = cached.input
      done()
    },
    preHandler(request, reply, done) {
      scheduleRead(() => {
        let revision: Revision
        try {
          revision = cache.dropStale()
        } catch (thrown) {
          done(toError(thrown))
          return
        }
        const cached = cache.get(String(request.raw.url))
        if (cached !== undefined) {
          reply.headers(cached.headers).send(cached.text)
          return
        }
        if (revision !== undefined) newResponses.set(request, { revision })
        done()
      })
    },
    onSend(request, reply, payload, done) {
      const newResponse = newResponses.get(request)
      if (newResponse !== undefined && reply.statusCode === 200 && typeof payload === 'string') {
        newResponse.text = payload
        // Read here, because the layer may turn the response into a 304, which has no type.
        newResponse.type = String(reply.getHeader('content-type'))
      }
      done(null, payload)
    },
    onResponse(request, reply, done) {
      const { revision, text, type = '' } = newResponses.get(request) ?? {}
      const etag = reply.getHeader('etag')
      const { openapi } = request
      if (openapi?.result !== undefined && text !== undefined && typeof etag === 'string') {
        const headers = { ...getHandlerHeaders(openapi), 'content-type': type, etag }
        cache.add(String(request.raw.url), revision, { text, headers, input: saveInput(openapi) })
      }
      done()
    },
  } satisfies RouteShorthandOptions
}

/**
 * Returns the headers of the handler that the spec declares for a 200: the layer sends no others. The headers of the reply differ: a
 * 304 has fewer, and some, such as X-Request-Id, are for one request.
 */
function getHandlerHeaders({ operation: { responses }, result }: OperationRequest): Record<string, string> {
  const response = responses.get(200) ?? responses.get('2XX') ?? responses.get('default')
  const declaredNames = Object.keys(response?.headers ?? {}).map((name) => name.toLowerCase())
  const headers = Object.entries(result?.headers ?? {}).filter(([name, value]) => {
    return value !== undefined && declaredNames.includes(name)
  })
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]))
}

/** Finds what the response of an operation with these hooks depends on besides its URL and the data. */
export function findUncacheable(operations: OpenApiDocument['operations'], id: string): Problem[] {
  const operation = operations.find((candidate) => candidate.id === id)
  if (operation === undefined) return []
  const { parameters, pointer, requestBody, responses } = operation
  const dependencies = [
    ...parameters.filter(isUncacheable).map((parameter) => `the ${parameter.in} parameter "${parameter.name}"`),
    ...(requestBody === undefined ? [] : ['a request body']),
    ...((responses.get(200)?.content.length ?? 0) > 1 ? ['the media type that a client accepts'] : []),
  ]
  const advice = 'remove that, or the cache in src/app.ts'
  return dependencies.map((dependency) => {
    return { pointer, message: `"${id}" is cached by its URL, and cannot depend on ${dependency}; ${advice}` }
  })
}

/** True for headers and cookies but `If-None-Match`, which the layer evaluates. */
function isUncacheable({ in: location, name }: { readonly in: string; readonly name: string }): boolean {
  return location === 'cookie' || (location === 'header' && !/^if-none-match$/i.test(name))
}

/** Creates a cache of responses by URL. */
export function createResponseCache(getRevision: () => Revision) {
  const responses = new Map<string, CachedResponse>()
  const urlsSeenOnce = new Set<string>()
  let currentRevision: Revision
  let bytes = 0

  function clear(): void {
    responses.clear()
    bytes = 0
  }

  return {
    get: (url: string): CachedResponse | undefined => responses.get(url),
    /** Returns the current revision, and drops all responses that were made at another one. */
    dropStale: (): Revision => {
      const revision = getRevision()
      if (revision !== currentRevision) clear()
      currentRevision = revision
      return revision
    },
    /**
     * Adds a response that was made of data that was read after `dropStale` returned the revision. The first time, only its
     * URL is remembered: a client that walks through all pages requests each of them once.
     */
    add: (url: string, revision: Revision, response: CachedResponse): void => {
      // Another request may have found a newer revision meanwhile.
      if (revision === undefined || revision !== currentRevision) return
      // A concurrent request has added the same response. Otherwise, its bytes would count twice.
      if (responses.has(url)) return
      if (!urlsSeenOnce.delete(url)) {
        if (urlsSeenOnce.size >= MAX_URLS) urlsSeenOnce.clear()
        urlsSeenOnce.add(url)
        return
      }
      bytes += 2 * (url.length + response.text.length) + RESPONSE_BYTES
      if (bytes > MAX_BYTES) clear()
      else responses.set(url, response)
    },
  }
}
