/** The route of an operation: its hooks, in the order in which they run, and its handler. */
import type { FastifyReply, FastifyRequest, HTTPMethods, RequestPayload, RouteOptions } from 'fastify'
import { HttpError, toError } from '../errors.ts'
import { type Content, MEDIA_TYPE, type Operation } from './document/operations.ts'
import type { CompiledApi, HandlerResponse, Plan, Replay } from './plan.ts'
import { checkNoBody, findBodyReader, parseBody } from './request/body.ts'
import { getParametersSchema, toRouteName } from './request/input.ts'
import type { Identity } from './request/security.ts'
import { negotiate, notAcceptable } from './response/content.ts'
import { createSender } from './response/sender.ts'

type Params = Readonly<Record<string, string>>
type Done = (error?: Error) => void

/**
 * Makes the route. `readTogether` delays a function to the end of the iteration of the event loop, and runs all of them on one
 * snapshot of the data.
 */
export function createRoute(api: CompiledApi, plan: Plan, readTogether: (read: () => void) => void) {
  const { operation, identify, findReader, readInput, negotiableTypes, handle, cache } = plan
  const { id, idempotencyTtlSeconds, method, path, requestBody } = operation
  const { urls } = api
  const { respond, write, replay, onError, onSend } = createSender(plan)
  const ofOperation = { idempotencyTtlSeconds, urls, write }

  /** Begins the state of the request, and sets its operation and caller. Fails with a 401, or with what the lookup throws. */
  function authenticate(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
    request.operation = operation
    let identity: ReturnType<typeof identify>
    try {
      identity = identify(request)
    } catch (thrown) {
      // To Fastify, undefined is success: a thrown undefined becomes an Error.
      done(toError(thrown))
      return
    }
    if (identity instanceof Promise) {
      identity.then(
        (resolved) => begin(request, resolved, done),
        (thrown) => done(toError(thrown)),
      )
    } else begin(request, identity, done)
  }

  /**
   * Fails with a 403 for a caller without the scopes, with a 400 for a body that the operation does not have, and with a 406 for
   * a client that accepts no declared media type.
   */
  function authorize({ raw, operationState: state }: FastifyRequest, reply: FastifyReply, done: Done): void {
    let error = state.denial ?? (requestBody === undefined ? checkNoBody(raw) : undefined)
    if (error === undefined && negotiableTypes.length > 0) {
      // RFC 9110, section 12.5.5
      reply.header('vary', [reply.getHeader('vary') ?? [], 'Accept'].flat().join(', '))
      state.accept = negotiate(negotiableTypes, raw.headers.accept)
      if (state.accept === undefined) error = notAcceptable(negotiableTypes)
    }
    done(error)
  }

  /** Finds the reader of the body; fails with a 415 for a media type that is not declared, and a 413 for a large Content-Length. */
  function preParsing(request: FastifyRequest, _reply: unknown, payload: RequestPayload, done: Done): void {
    const found = requestBody && findReader && findBodyReader(request.raw, requestBody, findReader)
    if (found instanceof HttpError) {
      done(found)
      return
    }
    request.operationState.reader = found
    if (method !== 'get') {
      done()
      return
    }
    // Fastify reads no body of GET and HEAD: to change that would change all routes of the app.
    readBody(request, payload, (error, body) => {
      request.body = body
      done(error ?? undefined)
    })
  }

  /** Sets `request.input`, or throws a 400. */
  function preValidation(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
    const { body, operationState: state, params, raw } = request
    // The input is the same for each request of a URL. Whether the response is, `preHandler` finds out.
    request.input = cache?.get(String(raw.url))?.input ?? readInput(params as Params, body, raw, state.reader)
    done()
  }

  /**
   * Lets a GET wait for the end of the iteration: up to the first `await` of their handlers, all of them share a snapshot. Then
   * looks for a cached response.
   */
  function preHandler({ operationState: state, raw }: FastifyRequest, _reply: FastifyReply, done: Done): void {
    readTogether(() => {
      try {
        if (cache !== undefined) {
          state.revision = cache.dropStale()
          state.cached = cache.get(String(raw.url))
        }
      } catch (thrown) {
        done(toError(thrown))
        return
      }
      done()
    })
  }

  function handler(request: FastifyRequest, reply: FastifyReply): unknown {
    const { operationState: state } = request
    // Only responses with the status 200 are cached (`onSend`).
    return state.cached === undefined ? runOperation(request, reply) : respond(reply, state, 200, state.cached.result)
  }

  async function runOperation(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { caller, operationState: state, id: requestId, input, log } = request
    let response: HandlerResponse | Replay
    try {
      const negotiated = state.accept === undefined ? undefined : { accept: state.accept }
      // The generated types prove that the handler accepts this.
      response = await handle({ ...input, ...negotiated, ...ofOperation, caller, log, requestId } as never)
    } catch (thrown) {
      throw toError(thrown)
    }
    // Handlers without types may return anything.
    if (!response) throw new Error(`the handler of ${id} returned ${response}; return { status, headers, body }`)
    if (response.written !== undefined) return replay(reply, state, response)
    const { status, headers = {}, body, contentType } = response
    return respond(reply, state, status, { headers, body, contentType })
  }

  return {
    method: getMethods(api.operations, operation),
    url: toFastifyPath(api.basePath + path),
    schema: getSchemas(operation),
    config: { operation },
    onRequest: [authenticate, authorize],
    ...(requestBody && { preParsing }),
    preValidation,
    ...(method === 'get' && { preHandler }),
    handler,
    onError,
    onSend,
  } satisfies RouteOptions
}

/** Parses the body of a request, as Fastify's content type parsers do it. */
export function readBody(
  { headers, operation, operationState: { reader } }: FastifyRequest,
  payload: RequestPayload,
  done: (error: Error | null, value?: unknown) => void,
): void {
  const declared = operation?.requestBody
  // Without a reader there is no body: `authorize` and `preParsing` reject one that is not declared.
  if (reader === undefined || declared === undefined) done(null)
  else parseBody(payload, declared, (bytes) => reader.parse(bytes, String(headers['content-type'])), done)
}

function begin(request: FastifyRequest, { caller, denial }: Identity, done: Done): void {
  request.caller = caller
  request.operationState = { denial }
  done()
}

/** Returns the methods of an operation: GET serves HEAD as well, unless the path has an operation for HEAD. */
export function getMethods(operations: readonly Operation[], { method, path }: Operation): HTTPMethods[] {
  const isOwnHead = (other: Operation) => other.path === path && other.method === 'head'
  if (method === 'get' && !operations.some(isOwnHead)) return ['GET', 'HEAD']
  return [method.toUpperCase() as HTTPMethods]
}

/**
 * Converts a path template to the syntax of Fastify's router, which applies the pattern of a parameter to one segment. A
 * parameter matches one or more characters. If another one follows it, it ends where the text between the two begins for the
 * first time, so that a match takes linear time.
 */
export function toFastifyPath(template: string): string {
  return template.replaceAll(/:|\{([^{}]+)\}(?:([^/{}]+)(?=\{))?/g, (text, name: string, next = '') => {
    if (text === ':') return '::'
    const escaped = next.replaceAll(/\W/g, '\\$&')
    const pattern = next === '' ? '[\\s\\S]+' : `(?:(?!${escaped})[\\s\\S])+`
    return `:${toRouteName(name)}(${pattern})${next.replaceAll(':', '::')}`
  })
}

/** The schemas of an operation, by Fastify's names: plugins read them from the routes. */
function getSchemas({ method, parameters, requestBody, responses }: Operation) {
  const bodies = [...responses].flatMap(([key, { content }]) =>
    content.length === 0 ? [] : [[key, toBodySchema(content)]],
  )
  return {
    params: getParametersSchema(parameters, 'path'),
    querystring: getParametersSchema(parameters, 'query'),
    headers: getParametersSchema(parameters, 'header'),
    // Fastify rejects it for the route of HEAD, which comes with GET.
    ...(requestBody && method !== 'get' && { body: toBodySchema(requestBody.content) }),
    response: Object.fromEntries(bodies),
  }
}

function toBodySchema(content: readonly Content[]): object {
  const [first] = content
  if (first?.type === MEDIA_TYPE && content.length === 1) return first.schema
  return { content: Object.fromEntries(content.map(({ type, schema }) => [type, { schema }])) }
}
