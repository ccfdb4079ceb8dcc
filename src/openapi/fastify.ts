/**
 * Operations as Fastify routes. A request to an operation takes these steps, in this order; a step that fails ends it:
 *
 * 1. admit: the rules of HTTP, overload                              400, 417, 503
 * 2. security: who sends the request                                 401, 403
 * 3. limit: how many requests the caller may send                    429
 * 4. content: what the headers say of the body                       400, 415
 * 5. body: it arrives completely, and is JSON                        400, 408, 413
 * 6. input: parameters and body, with every violation in one error   400
 * 7. handler: the operation itself                                   the declared statuses
 * 8. response: serialization, and the headers of the status          500
 *
 * The requests of a turn of the event loop wait for each other before step 6 (`turn.ts`).
 * `Stages` has the steps that are the same for every operation and independent of the spec.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { HttpError } from '../errors.ts'
import type { Api } from './api.ts'
import { type Body, MEDIA_TYPE, type Operation } from './document/operations.ts'
import { parseJson } from './json.ts'
import type { Plan, UrlBuilders } from './plan.ts'
import { getInputSchemas, type ReceivedBody } from './request/input.ts'
import { createResponder } from './response/respond.ts'
import { createTurns, type Snapshot } from './turn.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The client, once it is authenticated: `id` distinguishes clients, `name` is for people. */
    caller: { readonly id: string; readonly name: string } | undefined
    operation: Operation | undefined
    /** The body of the response, once it is sent, if it is an error. */
    errorBody: string | undefined
  }
}

type AnyCaller = NonNullable<FastifyRequest['caller']>

/** The steps that are the same for every operation. Each throws an HttpError to end the request. */
export interface Stages {
  /** Runs first. */
  admit(request: FastifyRequest, reply: FastifyReply): void
  /** Runs when the caller is known. */
  limit(request: FastifyRequest, reply: FastifyReply): void
  /** Runs before a body is read. */
  expectBody(request: FastifyRequest, reply: FastifyReply): void
  /** Returns the error for a request that matches no route. */
  notFound(request: FastifyRequest): HttpError
  /** Returns the error that the client is told about, and logs what only operators may know. */
  toHttpError(error: unknown, request: FastifyRequest): HttpError
  toErrorBody(error: HttpError): unknown
  /** Runs when a response is made: adds the headers that depend on the request to a list of alternating names and values. */
  addHeaders(reply: FastifyReply, headers: string[]): void
  /** Sends an error response that no operation describes. */
  refuse(reply: FastifyReply, error: unknown): void
}

/** The options that Fastify needs. */
export const FASTIFY_OPTIONS = {
  // Paths and queries are read here, and the schema limits their length.
  routerOptions: { querystringParser: (query: string) => query as never, maxParamLength: 65_536 },
  // Fastify's validation would stop at the first part that is not valid; `readInput` finds everything at once.
  schemaController: {
    compilersFactory: {
      buildValidator: () => () => (() => true) as never,
      buildSerializer: () => () => JSON.stringify,
    },
  },
}

/** Adds a route for each operation. Without a snapshot, the reads of requests have nothing in common. */
export function addOperations<Caller extends AnyCaller>(
  app: FastifyInstance,
  api: Api<Caller>,
  stages: Stages,
  snapshot?: Snapshot,
): void {
  const { basePath, plans, urls } = api
  app.decorateRequest('caller', undefined)
  app.decorateRequest('operation', undefined)
  app.decorateRequest('errorBody', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(
    MEDIA_TYPE,
    { parseAs: 'buffer' },
    async ({ operation }: FastifyRequest, bytes: Buffer): Promise<ReceivedBody | undefined> => {
      // Other routes read no bodies.
      const { maxDepth } = (operation as Operation).requestBody as Body
      return bytes.length === 0 ? undefined : { json: parseJson(bytes, maxDepth) }
    },
  )
  const endOfTurn = createTurns(snapshot)
  for (const plan of plans) app.route(createRoute(plan, urls, basePath, stages, endOfTurn))
}

function createRoute<Caller extends AnyCaller>(
  plan: Plan<Caller>,
  urls: UrlBuilders,
  basePath: string,
  stages: Stages,
  endOfTurn: () => Promise<void>,
): RouteOptions {
  const { operation, authenticate, checkContent, readInput, handle, cache } = plan
  const responder = createResponder(plan, stages.addHeaders, cache)
  const { idempotencyTtlSeconds, method, path, requestBody, responses } = operation
  const bodies = [...responses].flatMap(([status, { body }]) => (body === undefined ? [] : [[status, body]]))

  /** Steps 1 to 4. */
  function onRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    try {
      request.operation = operation
      stages.admit(request, reply)
      if (hasEmptySegment(request)) {
        stages.refuse(reply, stages.notFound(request))
        return
      }
      const caller = authenticate(request)
      if (caller instanceof Promise) {
        caller.then((each) => admitCaller(request, reply, each, done)).catch((error) => fail(request, reply, error))
      } else {
        admitCaller(request, reply, caller, done)
      }
    } catch (error) {
      fail(request, reply, error)
    }
  }

  function admitCaller(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller | undefined,
    done: () => void,
  ): void {
    request.caller = caller
    stages.limit(request, reply)
    checkContent(request.raw)
    if (requestBody !== undefined) stages.expectBody(request, reply)
    done()
  }

  /** Steps 6 to 8. */
  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      await endOfTurn()
      const revision = cache?.revise()
      if (responder.respondFromCache(reply)) return
      const caller = request.caller as Caller | undefined
      const response = await handle({ ...readInput(request), caller, idempotencyTtlSeconds, urls } as never)
      responder.respond(reply, response, revision)
    } catch (error) {
      fail(request, reply, error)
    }
  }

  function fail(request: FastifyRequest, reply: FastifyReply, cause: unknown): void {
    const error = stages.toHttpError(cause, request)
    try {
      responder.fail(reply, error, stages.toErrorBody(error))
    } catch (problem) {
      // The spec does not allow the error either.
      stages.refuse(reply, problem)
    }
  }

  return {
    method,
    url: toFastifyPath(basePath + path),
    schema: { ...getInputSchemas(operation), response: Object.fromEntries(bodies) },
    ...(requestBody && { bodyLimit: requestBody.maxBytes }),
    onRequest,
    handler: (request, reply) => void respond(request, reply),
    errorHandler: (error, request, reply) => fail(request, reply, error),
  }
}

/** Converts a path template to the syntax of Fastify's router: `/pets/:petId`. */
function toFastifyPath(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** True if a path parameter is empty: Fastify's router matches `/pets/` with `/pets/{petId}`. */
function hasEmptySegment({ params }: FastifyRequest): boolean {
  for (const name in params as object) if ((params as Record<string, string>)[name] === '') return true
  return false
}
