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
const MAX_CANDIDATES = 1000
/** The memory of a response besides its text, in bytes, roughly. */
const RESPONSE_BYTES = 1000

/**
 * Creates the hooks of a GET whose response depends on nothing but its URL and the data. `scheduleRead` runs a function in a
 * snapshot of the data. A response is sent again without its handler and without `preSerialization` hooks.
 */
export function cacheResponses(scheduleRead: ScheduleRead, getRevision: () => Revision) {
  const cache = createResponseCache(getRevision)
  /** The responses that may be added to the cache, by their requests. */
  const newResponses = new WeakMap<FastifyRequest, { readonly revision: Revision; text?: string; type?: string }>()

  return {
    // Parameters are validated once for each URL. To respond here would skip the `preHandler` hooks of the app.
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
      const response = newResponses.get(request)
      if (response !== undefined && reply.statusCode === 200 && typeof payload === 'string') {
        response.text = payload
        // A 304 has none.
        response.type = String(reply.getHeader('content-type'))
      }
      done(null, payload)
    },
    // Here the response has its ETag.
    onResponse(request, reply, done) {
      const { revision, text, type = '' } = newResponses.get(request) ?? {}
      const etag = reply.getHeader('etag')
      const { openapi } = request
      if (openapi?.result !== undefined && text !== undefined && typeof etag === 'string') {
        // Not the values of the reply: some are for one request. The layer sends declared headers alone.
        const sentHeaders = Object.entries(openapi.result.headers).filter(([name]) => reply.hasHeader(name))
        const handlerHeaders = Object.fromEntries(sentHeaders.map(([name, value]) => [name, String(value)]))
        const headers = { ...handlerHeaders, 'content-type': type, etag }
        cache.add(String(request.raw.url), revision, { text, headers, input: saveInput(openapi) })
      }
      done()
    },
  } satisfies RouteShorthandOptions
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
  const candidates = new Set<string>()
  let current: Revision
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
      if (revision !== current) clear()
      current = revision
      return revision
    },
    /**
     * Adds a response that was made of data that was read after `dropStale` returned the revision. The first time, only its
     * URL is remembered: a client that walks through all pages requests each of them once.
     */
    add: (url: string, revision: Revision, response: CachedResponse): void => {
      // Another request may have found a newer revision meanwhile.
      if (revision === undefined || revision !== current) return
      // A concurrent request has added the same response. To add it again would count its bytes twice.
      if (responses.has(url)) return
      if (!candidates.delete(url)) {
        if (candidates.size >= MAX_CANDIDATES) candidates.clear()
        candidates.add(url)
        return
      }
      bytes += 2 * (url.length + response.text.length) + RESPONSE_BYTES
      if (bytes > MAX_BYTES) clear()
      else responses.set(url, response)
    },
  }
}
