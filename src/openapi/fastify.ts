/** Operations as Fastify routes. `handleRequest` has the steps of a request, from top to bottom. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HttpError } from '../errors.ts'
import type { Parameter, Schema } from './document/model.ts'
import type { Operation } from './document/operations.ts'
import type { Api, Plan } from './plan.ts'
import { readBody } from './request/body.ts'
import type { Caller } from './request/security.ts'
import { completeError, completeResponse, respond } from './response/respond.ts'
import { createTurns, type Snapshot } from './turn.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The client, once it is authenticated. */
    caller: Caller | undefined
    operation: Operation | undefined
    /** The body of the response, once it is sent, if it is an error. */
    errorBody: string | undefined
  }
}

/** The steps that are the same for every operation and independent of the spec. Each throws an HttpError to end the request. */
export interface Stages {
  /** Runs first. */
  admit(request: FastifyRequest, reply: FastifyReply): void
  /** Runs when the caller is known. */
  limit(request: FastifyRequest, reply: FastifyReply): void
  /** Returns the error for a request that matches no route. */
  notFound(request: FastifyRequest): HttpError
  /** Returns the error that the client is told about, and logs what only operators may know. */
  toHttpError(error: unknown, request: FastifyRequest): HttpError
  toErrorBody(error: HttpError): unknown
  /** Runs when a response is made: adds the headers that depend on the request to a list of alternating names and values. */
  addHeaders(reply: FastifyReply, headers: string[]): void
  /** Sends an error response that no operation describes. Must not throw: nothing would catch it. */
  refuse(reply: FastifyReply, error: unknown): void
  /** Admits a request for which there is no handler, and then refuses it with the error. Must not throw either. */
  admitAndRefuse(reply: FastifyReply, getError: (request: FastifyRequest) => unknown): void
}

/** The options that Fastify needs. */
export const FASTIFY_OPTIONS = {
  // Paths and queries are read here, and the schema limits their length.
  routerOptions: { querystringParser: (query: string) => query as never, maxParamLength: 65_536 },
  // Fastify has no validators: they would stop at the first part that is not valid, and `readInput` finds everything at once.
  schemaController: {
    compilersFactory: {
      buildValidator: () => () => undefined as never,
      buildSerializer: () => () => JSON.stringify,
    },
  },
}

/** The parts of a request that are read here. */
interface Route {
  Params: Readonly<Record<string, string>>
  Querystring: string
}

/** Adds a route for each operation. Without a snapshot, the reads of requests have nothing in common. */
export function addOperations(app: FastifyInstance, api: Api, stages: Stages, snapshot?: Snapshot): void {
  for (const name of ['caller', 'operation', 'errorBody']) app.decorateRequest(name, undefined)
  const endOfTurn = createTurns(snapshot)
  for (const plan of api.plans) addOperation(app, api, plan, stages, endOfTurn)
  addMethodNotAllowed(app, api, stages)
}

/**
 * Adds routes for the methods that a path lacks and others have. Without them, Fastify's router would match `/pets/count`
 * with `/pets/{petId}`, which comes after it (OpenAPI 3.1, Paths Object).
 */
function addMethodNotAllowed(app: FastifyInstance, { basePath, plans }: Api, stages: Stages): void {
  const methods = new Set(plans.map(({ operation }) => operation.method))
  for (const [path, own] of Map.groupBy(plans, ({ operation }) => operation.path)) {
    app.route({
      method: [...methods.difference(new Set(own.map(({ operation }) => operation.method)))],
      url: toFastifyPath(basePath + path),
      // Without `done`: nothing follows the error.
      onRequest: (_request, reply, _done) => stages.admitAndRefuse(reply, stages.notFound),
      // Never reached: it tells these routes from those of methods that the path has.
      handler: stages.notFound,
    })
  }
}

function addOperation(
  app: FastifyInstance,
  api: Api,
  plan: Plan,
  stages: Stages,
  endOfTurn: () => Promise<void>,
): void {
  const { basePath, urls } = api
  const { operation, authenticate, checkContent, readInput, handle, cache } = plan
  const { idempotencyTtlSeconds, method, path, requestBody } = operation

  /** A step that fails ends the request with the error that it throws. */
  async function handleRequest(request: FastifyRequest<Route>, reply: FastifyReply): Promise<void> {
    try {
      // 1. Admit: the rules of HTTP, overload. 400, 417, 503
      request.operation = operation
      stages.admit(request, reply)
      // Fastify's router matches `/pets/` with `/pets/{petId}`.
      if (Object.values(request.params).includes('')) {
        stages.refuse(reply, stages.notFound(request))
        return
      }

      // 2. Security: who sends the request. 401, 403
      const found = authenticate(request)
      const caller = found instanceof Promise ? await found : found
      request.caller = caller

      // 3. Limit: how many requests the caller may send. 429
      stages.limit(request, reply)

      // 4. Content: what the headers say of the body. 400, 415
      checkContent(request.raw)

      // 5. Body: it arrives completely, and is JSON. 400, 408, 413
      const received = requestBody && (await readBody(request.raw, requestBody))

      // The requests of a turn of the event loop wait for each other.
      await endOfTurn()
      const url = String(request.raw.url)
      const revision = cache?.revise()
      const cached = cache?.get(url)
      if (cached !== undefined) {
        respond(reply, plan, cached, stages.addHeaders)
        return
      }

      // 6. Input: parameters and body, with every violation in one error. 400
      const input = readInput(request, received)

      // 7. Handler: the operation itself. The declared statuses
      const returned = await handle({ ...input, caller, idempotencyTtlSeconds, urls } as never)

      // 8. Response: serialization, and the headers of the status. 500
      const response = completeResponse(plan, returned)
      if (response.etag !== undefined) cache?.add(url, response, revision)
      respond(reply, plan, response, stages.addHeaders)
    } catch (error) {
      fail(request, reply, error)
    }
  }

  function fail(request: FastifyRequest, reply: FastifyReply, cause: unknown): void {
    try {
      const error = stages.toHttpError(cause, request)
      respond(reply, plan, completeError(plan, error, stages.toErrorBody(error)), stages.addHeaders)
    } catch (problem) {
      // The spec, or HTTP, does not allow the error either.
      stages.refuse(reply, problem)
    }
  }

  app.route<Route>({
    method,
    url: toFastifyPath(basePath + path),
    schema: getSchemas(operation),
    // The hook takes all steps, and the handler is never reached: before it, Fastify would read the body.
    onRequest: (request, reply) => void handleRequest(request, reply),
    handler: handleRequest,
    // A hook of a plugin may fail before that.
    errorHandler: (error, request, reply) => fail(request, reply, error),
  })
}

/** Converts a path template to the syntax of Fastify's router: `/pets/:petId`. */
function toFastifyPath(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** The schemas of an operation, by Fastify's names: plugins read them from the routes. */
function getSchemas({ parameters, requestBody, responses }: Operation) {
  const toObjectSchema = (location: Parameter['in']): Schema => {
    const found = parameters.filter((each) => each.in === location)
    return {
      type: 'object',
      properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema])),
      required: found.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    }
  }
  const bodies = [...responses].flatMap(([key, { body }]) => (body === undefined ? [] : [[key, body]]))
  return {
    params: toObjectSchema('path'),
    querystring: toObjectSchema('query'),
    headers: toObjectSchema('header'),
    ...(requestBody && { body: requestBody.schema }),
    response: Object.fromEntries(bodies),
  }
}
