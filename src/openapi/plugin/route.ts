/** The route of an operation: hooks of Fastify that call its steps, in the order in which they run. */
import { AsyncResource } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import type {
  HookHandlerDoneFunction as Done,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  onRequestHookHandler,
  RequestPayload,
  RouteOptions,
} from 'fastify'
import { usesParser } from '../check/codecs.ts'
import type { OperationRouteOptions } from '../check/route-options.ts'
import { type Content, MEDIA_TYPE } from '../document/content.ts'
import type { Operation } from '../document/operations.ts'
import type { CompiledOperation } from '../operation/compile.ts'
import { createExchange, type Exchange } from '../operation/exchange.ts'
import type { HandlerResponse } from '../operation/implementation.ts'
import { getParametersSchema, toRouteName } from '../request/input.ts'
import type { Identity } from '../request/security.ts'
import { toError } from '../shared/errors.ts'
import { whenBodyEnds } from '../shared/http.ts'
import type { CompiledApi } from './api.ts'

/** Where an app puts `onRequest` hooks of its own into every operation. Fastify runs those of a list in its order. */
export interface OperationHooks {
  /** After the `onRequest` hooks of the app. The client is not known. */
  readonly beforeIdentify?: readonly onRequestHookHandler[]
  /** The client is `request.openapi.caller`. It may lack a scope: its 403 comes after these hooks. */
  readonly afterIdentify?: readonly onRequestHookHandler[]
  /** The client has the scopes, and the headers of the request are accepted. The body is not read. */
  readonly afterAccept?: readonly onRequestHookHandler[]
}

type DonePayload = (error: Error | null, payload?: unknown) => void

/** Creates the route. `routeOptions` are those of the app for this operation. */
export function createRoute(
  { basePath, operations, streams }: CompiledApi,
  compiledOperation: CompiledOperation,
  { beforeIdentify = [], afterIdentify = [], afterAccept = [] }: OperationHooks = {},
  routeOptions: OperationRouteOptions = {},
) {
  const { operation } = compiledOperation
  const { method, path, requestBody } = operation

  function identify(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
    const exchange = createExchange(operation)
    request.openapi = exchange
    const finishIdentify = ({ caller, denial }: Identity) => {
      exchange.caller = caller
      exchange.denial = denial
      done()
    }
    let identity: Identity | Promise<Identity>
    try {
      identity = compiledOperation.identify(request)
    } catch (thrown) {
      // To Fastify, undefined is success: a thrown undefined becomes an Error.
      done(toError(thrown))
      return
    }
    if (identity instanceof Promise) identity.then(finishIdentify, (thrown) => done(toError(thrown)))
    else finishIdentify(identity)
  }

  function accept(request: FastifyRequest, reply: FastifyReply, done: Done): void {
    const exchange = getExchange(request)
    exchange.accepted = compiledOperation.accept(request, reply, exchange)
    // Fastify's `onResponse` hooks do not run for a client that has disconnected.
    if (isStreamed(exchange)) {
      exchange.closed = waitForClose(reply.raw)
      streams.addUpload(request.raw)
    }
    done()
  }

  /** Receives the body of a GET. Fastify reads none, and to change that would change all routes of the app. */
  function receiveBodyOfGet(request: FastifyRequest, _reply: unknown, payload: RequestPayload, done: Done): void {
    // Otherwise, the handler runs in the context of the connection, in which an AsyncLocalStorage of a hook has no store.
    const finish = AsyncResource.bind(done)
    receiveBody(request, payload, (error, parsedBody) => {
      request.body = parsedBody
      finish(error ?? undefined)
    })
  }

  /** Receives a body for a content type parser of the app, with the limits of the layer. The parser gets a stream of it. */
  function receiveBodyForParser(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: RequestPayload,
    done: (error: Error | null, payload?: RequestPayload) => void,
  ): void {
    const body = getExchange(request).accepted?.body
    if (!body?.parser.isParsedByApp) {
      done(null, payload)
      return
    }
    // As above, for the parser.
    const finish = AsyncResource.bind(done)
    body.parser.receive(payload, body.contentType, (error, stream) => {
      // As Fastify does after an error of a parser: the client may go on sending.
      if (error !== null) reply.header('connection', 'close')
      finish(error, stream as RequestPayload | undefined)
    })
  }

  function read(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
    compiledOperation.read(request, getExchange(request))
    done()
  }

  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const exchange = getExchange(request)
    let response: HandlerResponse
    try {
      const handled = compiledOperation.handle(request, reply, exchange)
      exchange.handled = handled
      response = await handled
    } catch (thrown) {
      throw toError(thrown)
    }
    const isSentBack = response?.body === request.body
    if (isStreamed(exchange) && !isSentBack) discardStream(request)
    return compiledOperation.write(reply, exchange, response)
  }

  function onError(request: FastifyRequest, reply: FastifyReply, _error: Error, done: () => void): void {
    const exchange = request.openapi as Exchange | undefined
    if (exchange !== undefined && isStreamed(exchange)) discardStream(request)
    compiledOperation.discard(reply, exchange)
    done()
  }

  function onSend(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: DonePayload): void {
    const exchange = request.openapi as Exchange | undefined
    const finalPayload = compiledOperation.finish(request, reply, exchange, payload)
    const { raw } = request
    const isWhole = typeof finalPayload === 'string' || finalPayload instanceof Uint8Array || finalPayload == null
    // Node closes the connection after this response. Data that is unread then makes the system discard the response.
    const mustDrain = exchange && isStreamed(exchange) && isWhole && !reply.raw.shouldKeepAlive && !raw.complete
    if (mustDrain) whenBodyEnds(raw, () => done(null, finalPayload))
    else done(null, finalPayload)
  }

  return {
    ...routeOptions,
    method: getMethods(operations, operation),
    url: toFastifyPath(basePath + path),
    schema: getSchemas(operation),
    config: { ...routeOptions.config, operation },
    onRequest: [
      ...beforeIdentify,
      identify,
      ...afterIdentify,
      accept,
      ...afterAccept,
      ...toList(routeOptions.onRequest),
    ],
    // Before the body is received: these hooks may replace the stream of it.
    preParsing: [
      ...toList(routeOptions.preParsing),
      ...(method === 'get' && requestBody ? [receiveBodyOfGet] : []),
      ...(usesParser(operation) ? [receiveBodyForParser] : []),
    ],
    // The limit of the body, and not that of a parser.
    ...(usesParser(operation) && { bodyLimit: requestBody?.maxBytes as number }),
    // Before validation, as the name says: these hooks may change the parsed body.
    preValidation: [...toList(routeOptions.preValidation), read],
    handler: respond,
    onError: [onError, ...toList(routeOptions.onError)],
    // Before the ETag is computed: these hooks may replace the payload.
    onSend: [...toList(routeOptions.onSend), onSend],
  } satisfies RouteOptions
}

/** Returns the hooks of a route, which may be one or a list. */
function toList<Hook>(hooks: Hook | Hook[] | undefined): Hook[] {
  if (hooks === undefined) return []
  return Array.isArray(hooks) ? hooks : [hooks]
}

/** A content type parser of Fastify: passes on the parsed body, or undefined without a body. Fails with a 400 or 413. */
export function receiveBody(
  request: FastifyRequest,
  payload: RequestPayload,
  done: (error: Error | null, parsedBody?: unknown) => void,
): void {
  const exchange = getExchange(request)
  const body = exchange.accepted?.body
  if (body === undefined) {
    done(null)
  } else {
    body.parser.receive(payload, body.contentType, (error, parsedBody, end) => {
      if (end !== undefined) void endWhenDone(exchange, end)
      done(error, parsedBody)
    })
  }
}

/** True if the handler may read the body, or files of it, while the request lasts. */
function isStreamed({ accepted }: Exchange): boolean {
  return accepted?.body?.parser.isStreamed === true
}

/** Resolves when a response is closed. A client may have left while a hook waited: then there is no event any more. */
async function waitForClose(response: ServerResponse): Promise<void> {
  if (!response.closed) await new Promise((resolve) => response.once('close', resolve))
}

/** Waits for the response and for the handler, which goes on if its client disconnects. */
async function endWhenDone(exchange: Exchange, end: () => void | Promise<void>): Promise<void> {
  await exchange.closed
  await Promise.allSettled([exchange.handled])
  await end()
}

/** Discards a body that nobody reads: many clients read the response only after they have sent the whole body. */
function discardStream({ body }: FastifyRequest): void {
  // Rejects for a stream that has failed, of which nothing is left.
  if (body instanceof ReadableStream && !body.locked) body.cancel().catch(() => {})
}

/** Returns the exchange of a request, from `identify` on, with what only the layer sees of it. */
function getExchange({ openapi }: FastifyRequest): Exchange {
  return openapi as Exchange
}

/** Returns the methods of an operation: GET serves HEAD as well, unless the path has an operation for HEAD. */
export function getMethods(operations: readonly Operation[], { method, path }: Operation): HTTPMethods[] {
  const isHeadOfPath = (operation: Operation) => operation.path === path && operation.method === 'head'
  if (method === 'get' && !operations.some(isHeadOfPath)) return ['GET', 'HEAD']
  return [method.toUpperCase() as HTTPMethods]
}

/**
 * Converts a path template to the syntax of Fastify's router, which applies the pattern of a parameter to one segment. A
 * parameter matches one or more characters. If another one follows it, it ends where the text between the two begins for the
 * first time, so that a match takes linear time. `/a/{b}-{c}` becomes `/a/:b((?:(?!\-)[\s\S])+)-:c([\s\S]+)`.
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
