/** The OpenAPI layer as a Fastify plugin: an ordinary route for each operation of a document. */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { HttpError, toError } from '../errors.ts'
import { type Content, findResponse, getKind, MEDIA_TYPE, type Operation } from './document/operations.ts'
import {
  type Api,
  compileApi,
  type HandlerResponse,
  type OpenApiOptions,
  type Plan,
  type ResponsePlan,
} from './plan.ts'
import { type BodyReader, checkNoBody, findBodyReader, parseBody } from './request/body.ts'
import { getParametersSchema, type Input } from './request/input.ts'
import type { Caller, Identity } from './request/security.ts'
import { type Cached, computeETag, matchesETag, type Result, type Revision } from './response/cache.ts'
import { checkBody, findContent, negotiate } from './response/content.ts'
import type { HandlerHeaders } from './response/headers.ts'
import { createReadTogether } from './together.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The document that is served, and what follows from it. */
    openapi: ReturnType<typeof describeApi>
  }
  interface FastifyRequest {
    /** The operation; set at the start of authentication, and undefined on other routes. */
    operation: Operation | undefined
    /** The client of an operation, once it is authenticated. */
    caller: Caller | undefined
    /** The parts that the operation declares, typed, once they are validated. */
    input: Input | undefined
    /** Internal to the layer: see `OperationState`. */
    state: OperationState | undefined
  }
  interface FastifyContextConfig {
    /** The operation of a route. */
    operation?: Operation
  }
}

/** State passed between the hooks of one request. */
interface OperationState {
  readonly denial: Identity['denial']
  revision?: Revision
  cached?: Cached | undefined
  /** Reads the body; undefined if there is none. */
  reader?: BodyReader | undefined
  /** The media type that the client prefers, if there are several. */
  accept?: string | undefined
  /** What the handler has returned; undefined for errors, and for responses of hooks. */
  result?: Result | undefined
}

const { validateHeaderName, validateHeaderValue } = process.getBuiltinModule('node:http')

/**
 * Registers the operations of a document. Rejects with a DocumentError that names everything in which the document and the
 * options do not match. Hooks that were added before run on every operation.
 */
export const openapi = fastifyPlugin(
  async (app: FastifyInstance, options: OpenApiOptions) => {
    const api = compileApi({ ...options, publicPath: (options.publicPath ?? '') + app.prefix })
    app.decorate('openapi', describeApi(options, api))
    for (const name of ['operation', 'caller', 'input', 'state']) app.decorateRequest(name, undefined)
    await app.register(async function operations(scope) {
      // `preValidation` validates everything at once; Fastify would stop at the first part that is not valid.
      scope.setValidatorCompiler(() => undefined as never)
      // The handler sets a serializer. Errors are those of the host, with whatever body it gives them.
      scope.setSerializerCompiler(() => undefined as never)
      scope.removeAllContentTypeParsers()
      // Fastify finds the parser of a named type in its cache, that of `*` only after parsing the type.
      scope.addContentTypeParser([MEDIA_TYPE, '*'], ({ headers, operation, state }, payload, done) => {
        const reader = state?.reader
        if (reader === undefined || operation?.requestBody === undefined) done(null)
        else
          parseBody(
            payload,
            operation.requestBody,
            (bytes) => reader.parse(bytes, String(headers['content-type'])),
            done,
          )
      })
      const readTogether = createReadTogether(options.snapshot)
      addMethods(scope, api)
      for (const plan of api.plans) {
        const route = createRoute(api, plan, readTogether)
        options.onOperation?.(route, plan.operation)
        scope.route(route)
      }
      addMethodNotAllowed(scope, api)
    })
  },
  { name: 'openapi', fastify: '5.x' },
)

function describeApi({ document }: OpenApiOptions, api: Api) {
  const { basePath, publicBasePath, commonHeaders, errorHeaders, urls } = api
  const operations = api.plans.map(({ operation }) => operation)
  return { document, operations, urls, basePath, publicBasePath, commonHeaders, errorHeaders }
}

/** The route of an operation; its hooks are in the order in which they run. */
function createRoute(api: Api, plan: Plan, readTogether: (read: () => void) => void) {
  const { operation, identify, findReader, readInput, types, handle, cache, responses } = plan
  const { idempotencyTtlSeconds, method, path, requestBody } = operation
  const { urls } = api
  // It changes nothing (RFC 9110, section 9.2.1).
  const isSafe = method === 'get'

  /** Sets `request.operation` and `request.caller`; fails with a 401. */
  function authenticate(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
    request.operation = operation
    let found: ReturnType<typeof identify>
    try {
      found = identify(request)
    } catch (thrown) {
      // Fastify takes a call without an error for success, whatever was thrown.
      done(toError(thrown))
      return
    }
    if (found instanceof Promise) {
      found.then(
        (identity) => accept(request, identity, done),
        (thrown) => done(toError(thrown)),
      )
    } else accept(request, found, done)
  }

  /** 403 for a caller without the scopes, and 400 for a body that the operation does not have. */
  function authorize({ raw, state }: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
    done(state?.denial ?? (requestBody === undefined ? checkNoBody(raw) : undefined))
  }

  /** 415 for a body of a media type that is not declared, and 413 for one that says that it is too large. */
  function preParsing(
    { raw, state }: FastifyRequest,
    _reply: unknown,
    _payload: unknown,
    done: (error?: Error) => void,
  ): void {
    const found = requestBody && findReader && findBodyReader(raw, requestBody, findReader)
    const error = found instanceof HttpError ? found : undefined
    if (state !== undefined && !(found instanceof HttpError)) state.reader = found
    done(error)
  }

  /** Sets `request.input`. 400, and 406 for a client that accepts no declared media type. */
  function preValidation(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
    const { body, params, raw, state } = request
    try {
      if (types.length > 0 && state !== undefined) state.accept = negotiate(types, raw.headers.accept)
      // The input of a cached URL was validated before, also if the response is stale by now.
      request.input = cache?.get(String(raw.url))?.input ?? readInput(params as Params, body, raw, state?.reader)
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  }

  /** The reads of an iteration of the event loop wait for each other, and then have the same state of the data. */
  function preHandler({ state, raw }: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
    readTogether(() => {
      try {
        if (cache !== undefined && state !== undefined) {
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
    const { state } = request
    return state?.cached === undefined ? callHandler(request, reply) : respond(reply, state, 200, state.cached.result)
  }

  async function callHandler(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { caller, state, id: requestId, input, log } = request
    let response: HandlerResponse
    try {
      const more = state?.accept === undefined ? undefined : { accept: state.accept }
      response = await handle({ ...input, ...more, caller, idempotencyTtlSeconds, urls, log, requestId } as never)
    } catch (thrown) {
      throw toError(thrown)
    }
    // Handlers without types may return anything.
    if (!response)
      throw new Error(`the handler of ${operation.id} returned ${response}; return { status, headers, body }`)
    const { status, headers = {}, body, contentType } = response
    return respond(reply, state as OperationState, status, { headers, body, contentType })
  }

  /** Returns the body of a response, for Fastify to send. */
  function respond(reply: FastifyReply, state: OperationState, status: number, result: Result): unknown {
    const declared = findResponse(responses, status)
    if (declared === undefined) throw new Error(`${operation.id} returned the status ${status}, which is not declared`)
    state.result = result
    reply.code(status)
    const { body, contentType = '', headers } = result
    const content = findContent(declared.content, result.contentType)
    if (content === undefined) {
      declared.check?.(undefined, headers)
      return undefined
    }
    const { check, header, serialize, toHeader, type } = content
    reply.type(type.includes('*') ? toHeader(contentType) : header)
    // RFC 9110, section 12.5.5
    if (types.length > 0) reply.header('vary', [reply.getHeader('vary') ?? [], 'Accept'].flat().join(', '))
    if (serialize === undefined || (type.includes('*') && getKind(contentType) !== 'json')) {
      check?.(typeof body === 'string' ? body : undefined, headers)
      return checkBody(body)
    }
    // Fastify does not serialize undefined, and would send no body: this throws.
    if (body === undefined) serialize(undefined)
    reply.serializer((body) => {
      // A hook may have replaced the body.
      if (body === result.body && result.text !== undefined) return result.text
      const text = serialize(body)
      check?.(text, headers)
      if (body === result.body) result.text = text
      return text
    })
    return result.body
  }

  /** An error gets its body from the error handler of the host, whatever the operation declares for its status. */
  function onError({ state }: FastifyRequest, reply: FastifyReply, _error: Error, done: () => void): void {
    if (state !== undefined) state.result = undefined
    reply.removeHeader('content-type').serializer(null as never)
    done()
  }

  /** Sets the headers of the status, and the ETag; a client that has the response already gets a 304. */
  function onSend(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void {
    const { headers, raw, state } = request
    const result = state?.result
    let body = payload
    if (result && plan.notModified && reply.statusCode === 200 && typeof payload === 'string') {
      // A hook may have replaced the text.
      const isOwn = payload === result.text
      const etag = (isOwn ? result.etag : undefined) ?? computeETag(payload, result.headers.Link)
      if (isOwn && state?.cached === undefined) {
        result.etag = etag
        cache?.add(String(raw.url), { input: request.input as Input, result }, state?.revision)
      }
      reply.header('etag', etag)
      if (matchesETag(headers['if-none-match'], etag)) {
        reply.code(304).removeHeader('content-type')
        body = null
      }
    }
    const { statusCode } = reply
    const declared = findResponse(responses, statusCode) ?? plan.otherResponse
    setHeaders(reply, declared, statusCode === 304 ? undefined : result?.headers)
    writeResponse(request, reply, body, done)
  }

  return {
    method: getMethods(api, operation) as HTTPMethods[],
    url: toFastifyPath(api.basePath + path),
    schema: getSchemas(operation),
    config: { operation },
    onRequest: [authenticate, authorize],
    ...(requestBody && { preParsing }),
    preValidation,
    ...(isSafe && { preHandler }),
    handler,
    onError,
    onSend,
  } satisfies RouteOptions
}

function accept(request: FastifyRequest, { caller, denial }: Identity, done: (error?: Error) => void): void {
  request.caller = caller
  request.state = { denial }
  done()
}

type Params = Readonly<Record<string, string>>
type Done = (error?: Error | null, payload?: unknown) => void

/** Sets the constant headers of a response, and those of the handler that are declared. */
function setHeaders(reply: FastifyReply, declared: ResponsePlan, more: HandlerHeaders = {}): void {
  reply.headers(declared.headers)
  let { link } = declared
  for (const name of Object.keys(more)) {
    const value = more[name]
    if (value === undefined || !Object.hasOwn(declared.declaredHeaders, name)) continue
    if (name.toLowerCase() !== 'link') reply.header(name, String(value))
    else link = link === undefined ? String(value) : `${value}, ${link}`
  }
  if (link === undefined) return
  // Links are a list (RFC 8288, section 3): a hook may have set others.
  const others = reply.getHeader('link') ?? []
  reply.header('link', [others, link].flat().join(', '))
}

/**
 * The last `onSend` hook: lets Fastify write a response. If a hook has set a header that HTTP does not allow, the header is
 * removed and the client gets an error. Otherwise the exception of Node in a late hook would end the process.
 */
export function writeResponse(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void {
  try {
    done(null, payload)
  } catch (error) {
    request.log.error({ err: error }, 'the response cannot be written')
    if (reply.raw.headersSent) {
      // A hook has begun a response of its own.
      if (!reply.raw.writableEnded) reply.raw.destroy()
      return
    }
    removeInvalidHeaders(reply)
    if (reply.statusCode < 400) {
      // An error goes through the hooks as well.
      reply.send(error)
      return
    }
    try {
      done(null, payload)
    } catch {
      // It is not the headers. Nobody else would catch it.
      reply.raw.destroy()
    }
  }
}

/** Removes the headers that HTTP does not allow. */
function removeInvalidHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    try {
      validateHeaderName(name)
      for (const line of [value].flat()) validateHeaderValue(name, line as string)
    } catch {
      reply.removeHeader(name)
    }
  }
}

/** The methods of the requests that an operation serves: HEAD with GET, unless it is an operation of its own. */
function getMethods({ plans }: Pick<Api, 'plans'>, { method, path }: Operation): string[] {
  const hasHead = () => plans.some(({ operation }) => operation.path === path && operation.method === 'head')
  return method === 'get' && !hasHead() ? ['GET', 'HEAD'] : [method.toUpperCase()]
}

/** Lets Fastify route the methods that it does not know, and read their bodies. */
function addMethods(app: FastifyInstance, { plans }: Api): void {
  for (const { operation } of plans) {
    if (/^(head|get|put|post|delete|patch|options)$/.test(operation.method)) continue
    const hasBody = operation.requestBody !== undefined
    app.addHttpMethod(operation.method.toUpperCase(), { hasBody, overrideExisting: true })
  }
}

/**
 * Adds routes for the methods that a path lacks. Without them, Fastify's router would match `/pets/count` with
 * `/pets/{petId}`, which comes after it (OpenAPI 3.1, Paths Object).
 */
function addMethodNotAllowed(scope: FastifyInstance, { basePath, plans }: Api): void {
  for (const [path, own] of Map.groupBy(plans, ({ operation }) => operation.path)) {
    const allowed = own.flatMap(({ operation }) => getMethods({ plans: own }, operation))
    const allow = allowed.sort().join(', ')
    const url = toFastifyPath(basePath + path)
    scope.route({
      method: scope.supportedMethods.filter((method) => !allowed.includes(method)) as HTTPMethods[],
      url,
      // RFC 9110, section 15.5.6
      onRequest: (_request, _reply, done) =>
        done(
          new HttpError(405, 'method_not_allowed', `this path supports only ${allow}`, { headers: { Allow: allow } }),
        ),
      // Never reached.
      handler: (_request, reply) => reply.callNotFound(),
    })
  }
}

/** Converts a path template to the syntax of Fastify's router, with parameters that are not empty. */
function toFastifyPath(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ':$1([\\s\\S]+)')
}

/** The schemas of an operation, by Fastify's names: plugins read them from the routes. */
function getSchemas({ parameters, requestBody, responses }: Operation) {
  const bodies = [...responses].flatMap(([key, { content }]) => (content.length === 0 ? [] : [[key, toBody(content)]]))
  return {
    params: getParametersSchema(parameters, 'path'),
    querystring: getParametersSchema(parameters, 'query'),
    headers: getParametersSchema(parameters, 'header'),
    ...(requestBody && { body: toBody(requestBody.content) }),
    response: Object.fromEntries(bodies),
  }
}

function toBody(content: readonly Content[]): object {
  const [first] = content
  if (first?.type === MEDIA_TYPE && content.length === 1) return first.schema
  return { content: Object.fromEntries(content.map(({ type, schema }) => [type, { schema }])) }
}
