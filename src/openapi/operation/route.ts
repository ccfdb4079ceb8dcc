/**
 * The route of an operation: hooks of Fastify, in the order in which a request passes them. Each keeps what it finds out in
 * `request.openapi`, for those after it.
 */
import type { HookHandlerDoneFunction as Done, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { OpenApiDocument } from '../check/document.ts'
import { isParsedByApp } from '../document/codecs.ts'
import { type Operation, sendsItems } from '../document/operations.ts'
import { getOwn } from '../document/values.ts'
import { checkNoBody, createAcceptBody } from '../request/body.ts'
import { createInputValidator } from '../request/input.ts'
import { createIdentify, type Identity } from '../request/security.ts'
import { lowerCaseNames } from '../response/headers.ts'
import { findNegotiated, negotiate } from '../response/negotiation.ts'
import { endStream, isWhole } from '../response/stream-bodies.ts'
import { describeType, type ResponseHeaders, toError, toServerError, withServerErrors } from '../shared/errors.ts'
import { receiveBodyForApp, receiveBodyOfGet } from './body-hooks.ts'
import { createExchange, type Exchange, getExchange, type Result } from './exchange.ts'
import { createFinish } from './finish.ts'
import type { HandlerResponse, OperationOptions } from './implementation.ts'
import { compileResponses, type ResponsePlans } from './response-plans.ts'
import { getRouteSchemas } from './route-schemas.ts'
import { isSavedInput } from './saved-input.ts'
import { beginUpload } from './upload.ts'
import { createWriter } from './write.ts'

/**
 * Creates the route of an operation of a checked document, without its method and path. `deprecationHeaders` are `Deprecation`,
 * `Sunset` and `Link` of a deprecated operation.
 */
export function createRoute(
  document: OpenApiDocument,
  operation: Operation,
  deprecationHeaders: ResponseHeaders,
  options: OperationOptions,
) {
  const { beforeIdentify = [], afterIdentify = [], afterAccept = [] } = options.hooks ?? {}
  const { method, requestBody } = operation
  const routeOptions = getOwn(options.routes ?? {}, operation.id) ?? {}
  const responses = compileResponses(document, operation, deprecationHeaders, options)
  const responseTypes = findNegotiated(operation)
  return {
    ...routeOptions,
    // What the layer sets itself stands below: `checkRoutes` rejects these options of the app, except hooks, `config` and `bodyLimit`.
    schema: getRouteSchemas(operation),
    config: { ...routeOptions.config, operation },
    onRequest: [
      ...beforeIdentify,
      createIdentifyHook(document, operation, options),
      ...afterIdentify,
      createAcceptHook(document, operation, responseTypes, options),
      ...afterAccept,
      ...toList(routeOptions.onRequest),
    ],
    // Before the body is received: these hooks may replace the stream of it.
    preParsing: [
      ...toList(routeOptions.preParsing),
      ...(method === 'get' && requestBody ? [receiveBodyOfGet] : []),
      ...(isParsedByApp(operation) ? [receiveBodyForApp] : []),
    ],
    // Otherwise, the parser of the app has Fastify's own limit, 1 MiB.
    ...(requestBody && isParsedByApp(operation) && { bodyLimit: requestBody.maxBytes }),
    // Before validation, as the name says: these hooks may change the parsed body.
    preValidation: [...toList(routeOptions.preValidation), createValidateHook(document, operation)],
    handler: createHandler(operation, responses, options),
    onError: [discardResponse, ...toList(routeOptions.onError)],
    // Before the ETag is computed: these hooks may replace the payload.
    onSend: [...toList(routeOptions.onSend), createSendHook(operation, responses, responseTypes)],
  } satisfies Omit<RouteOptions, 'method' | 'url'>
}

/** Returns the hooks of a route, which may be one or a list. */
function toList<Hook>(hooks: Hook | Hook[] | undefined): Hook[] {
  if (hooks === undefined) return []
  return Array.isArray(hooks) ? hooks : [hooks]
}

/** Creates the hook that finds the caller. It fails with a 401, or with what a security function throws. */
function createIdentifyHook({ root }: OpenApiDocument, operation: Operation, { security = {} }: OperationOptions) {
  const identify = createIdentify(operation.security, security, root.info.title)
  return function identifyCaller(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
    const exchange = createExchange(operation)
    request.openapi = exchange
    let identity: Identity | Promise<Identity>
    try {
      identity = identify(request)
    } catch (thrown) {
      // To Fastify, undefined is success: a thrown undefined becomes an Error.
      done(toError(thrown))
      return
    }
    if (!(identity instanceof Promise)) keepIdentity(exchange, identity, done)
    else {
      identity.then(
        (laterIdentity) => keepIdentity(exchange, laterIdentity, done),
        (thrown) => done(toError(thrown)),
      )
    }
  }
}

function keepIdentity(exchange: Exchange, { caller, denial }: Identity, done: Done): void {
  exchange.caller = caller
  exchange.denial = denial
  done()
}

/**
 * Creates the hook that judges all that the headers say. It throws a 403 for a caller that lacks a scope, a 400 for a body that is
 * not declared, a 406 for a client that accepts none of the media types, and a 415 or 413 for the body.
 */
function createAcceptHook(
  { compile }: OpenApiDocument,
  { requestBody }: Operation,
  responseTypes: readonly string[],
  { streams, uploadFolder }: OperationOptions,
) {
  const acceptBody = requestBody && createAcceptBody(requestBody.content, { ...requestBody, compile, uploadFolder })
  return function accept(request: FastifyRequest, reply: FastifyReply, done: Done): void {
    const exchange = getExchange(request)
    if (exchange.denial !== undefined) throw exchange.denial
    const { raw } = request
    if (acceptBody === undefined) checkNoBody(raw)
    const responseType = responseTypes.length > 0 ? negotiate(responseTypes, raw, reply) : undefined
    const body = acceptBody?.(raw)
    const upload = body?.parser.isStreamed ? beginUpload(request, reply, streams) : undefined
    exchange.accepted = { body, responseType, upload }
    done()
  }
}

/** Creates the hook that validates and converts parameters and the parsed body. It throws the one 400 with every violation. */
function createValidateHook({ compile }: OpenApiDocument, operation: Operation) {
  const validateInput = withServerErrors(createInputValidator(operation, compile), toServerError)
  return function validate(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
    const exchange = getExchange(request)
    const { body, params, raw } = request
    if (!isSavedInput(exchange)) {
      exchange.input = validateInput(params as Readonly<Record<string, string>>, body, raw, exchange.accepted?.body)
    }
    done()
  }
}

/** Creates the handler of the route: calls the app's handler with the input, and returns the body for Fastify to send. */
function createHandler(operation: Operation, responses: ResponsePlans, options: OperationOptions) {
  const call = createCall(operation, options)
  const write = createWriter(operation, responses, options.keepAliveInterval)
  const mayStream = sendsItems(operation)
  const writeResponse = withServerErrors(
    (request: FastifyRequest, reply: FastifyReply, response: HandlerResponse, signal: AbortSignal | undefined) => {
      const exchange = getExchange(request)
      const result = toResult(operation, response)
      // Before it is written: if that fails, `discardResponse` ends the body.
      exchange.result = result
      const payload = write(reply, result, signal)
      // A request that fails later ends the stream of the items, and the stream ends the items.
      if (mayStream) exchange.result = { ...result, body: payload }
      return payload
    },
  )
  return async function respond(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const exchange = getExchange(request)
    const signal = mayStream ? options.streams.createSignal(reply.raw) : undefined
    let response: HandlerResponse
    try {
      const handled = call(request, reply, exchange, signal)
      exchange.accepted?.upload?.waitFor(handled)
      response = await handled
      // A handler without types may return anything.
      if (response?.body instanceof Promise) response = { ...response, body: await response.body }
    } catch (thrown) {
      throw toError(thrown)
    }
    return writeResponse(request, reply, response, signal)
  }
}

function toResult({ id }: Operation, response: HandlerResponse): Result {
  if (!response) {
    throw new Error(`the handler of ${id} returned ${response}; return { status, headers, body }`)
  }
  const { status, headers = {}, body, contentType } = response
  // The names of a Map, or of the Headers of `fetch`, are no members.
  if (headers === null || typeof headers !== 'object' || Symbol.iterator in headers) {
    endStream(body)
    throw new Error(`the handler of ${id} returned headers of type ${describeType(headers)}; return an object`)
  }
  return { status, headers: lowerCaseNames(headers), body, contentType }
}

/** Creates the function that calls the handler of an operation, or its mock. */
function createCall(operation: Operation, { createMock, handlers, urls }: OperationOptions) {
  const handler = getOwn(handlers, operation.id)
  const mock = createMock(operation)
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    { accepted, caller, input }: Exchange,
    signal: AbortSignal | undefined,
  ): Promise<HandlerResponse> => {
    const accept = accepted?.responseType
    if (handler === undefined) return mock(request, reply, accept)
    const { id: requestId, log } = request
    const values: Record<string, unknown> = { ...input, urls, caller, log, requestId }
    if (accept !== undefined) values.accept = accept
    if (signal !== undefined) values.signal = signal
    // The generated types prove that the handler accepts this.
    return handler(values as never)
  }
}

/** A hook: takes back what the handler's response has set, when a request fails. The error handler of the app makes another one. */
function discardResponse(request: FastifyRequest, reply: FastifyReply, _error: Error, done: () => void): void {
  // A hook may have failed before `identifyCaller`.
  const exchange = request.openapi as Exchange | undefined
  exchange?.accepted?.upload?.skipHandler()
  if (exchange?.result !== undefined) {
    endStream(exchange.result.body)
    exchange.result = undefined
    // Fastify applies `error.statusCode` only while the status is 200.
    reply.code(200)
  }
  if (exchange?.earlierHeaders !== undefined) {
    for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name)
    reply.headers(exchange.earlierHeaders)
    exchange.earlierHeaders = undefined
  }
  reply.removeHeader('content-type').serializer(null as never)
  done()
}

/** Creates the hook that sets the headers of any response, and makes a 304. */
function createSendHook(operation: Operation, responses: ResponsePlans, responseTypes: readonly string[]) {
  const finish = withServerErrors(createFinish(operation, responses, responseTypes))
  return function onSend(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: Error | null, payload?: unknown) => void,
  ): void {
    // A hook may have failed or responded before `identifyCaller`.
    const exchange = request.openapi as Exchange | undefined
    // A copy of the lists as well: Fastify adds to a list of Set-Cookie.
    if (exchange !== undefined && !isWhole(payload)) exchange.earlierHeaders = structuredClone(reply.getHeaders())
    const finalPayload = finish(request, reply, exchange?.result, payload)
    const upload = exchange?.accepted?.upload
    if (upload === undefined) done(null, finalPayload)
    else upload.respond(finalPayload, () => done(null, finalPayload))
  }
}
