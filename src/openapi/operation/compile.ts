/** Compiles an operation of a document: everything that can be computed before a request arrives. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenApiDocument } from '../check/document.ts'
import { type Operation, sendsItems } from '../document/operations.ts'
import { getOwn } from '../document/values.ts'
import { createFindBodyParser } from '../request/body.ts'
import { createInputReader } from '../request/input.ts'
import { createIdentify, type Identity } from '../request/security.ts'
import { findNegotiated } from '../response/content.ts'
import { keepHttpErrors, type ResponseHeaders, withServerErrors } from '../shared/errors.ts'
import { createAccept } from './accept.ts'
import type { Accepted, Exchange } from './exchange.ts'
import { createFinish } from './finish.ts'
import type { HandlerResponse, OperationOptions } from './implementation.ts'
import { compileResponses } from './responses.ts'
import { isSavedInput } from './saved-input.ts'
import { createWriter, discardResponse } from './write.ts'

/**
 * An operation, as steps in the order of a request. The hooks of its route call them, and keep in the exchange what `identify`
 * and `accept` return; the steps after them keep in it what they find out.
 */
export interface CompiledOperation {
  readonly operation: Operation
  /** Finds the client, with its 403 if it lacks a scope. Throws or rejects with a 401, or with what a security function throws. */
  identify(request: FastifyRequest): Identity | Promise<Identity>
  /** Judges all that the headers say. Throws the 403, or a 400, 406, 415 or 413. */
  accept(request: FastifyRequest, reply: FastifyReply, exchange: Exchange): Accepted
  /** Validates and converts parameters and the parsed body. Throws the one 400 with every violation. */
  read(request: FastifyRequest, exchange: Exchange): void
  /** Calls the handler with the input. */
  handle(request: FastifyRequest, reply: FastifyReply, exchange: Exchange): Promise<HandlerResponse>
  /**
   * Sets the status and the Content-Type, and returns the body for Fastify to send. Throws a ServerError if the document does not
   * allow the response.
   */
  write(reply: FastifyReply, exchange: Exchange, response: HandlerResponse): unknown
  /** Takes back what `write` has set, for the response of the error handler. */
  discard(reply: FastifyReply, exchange: Exchange | undefined): void
  /** Sets the headers and the ETag of any response, and returns the payload to send: null for a 304. Throws as `write` does. */
  finish(request: FastifyRequest, reply: FastifyReply, exchange: Exchange | undefined, payload: unknown): unknown
}

/** The HTML Standard, section 9.2.7, recommends a comment every 15 seconds or so. */
const KEEP_ALIVE_INTERVAL = 15_000

/**
 * Compiles an operation of a checked document with its implementation. `deprecationHeaders` are `Deprecation`, `Sunset` and
 * `Link` of a deprecated operation.
 */
export function compileOperation(
  document: OpenApiDocument,
  operation: Operation,
  deprecationHeaders: ResponseHeaders,
  options: OperationOptions,
): CompiledOperation {
  const { compile, root } = document
  const { requestBody, security } = operation
  const { keepAliveInterval = KEEP_ALIVE_INTERVAL, streams, urls } = options
  const responses = compileResponses(document, operation, deprecationHeaders, options)
  const negotiableTypes = findNegotiated(operation)
  const readInput = createInputReader(operation, compile)
  const findBodyParser =
    requestBody &&
    createFindBodyParser(requestBody.content, { ...requestBody, compile, uploadFolder: options.uploadFolder })
  const handler = getOwn(options.handlers, operation.id)
  const mock = options.createMock(operation)
  const mayStream = sendsItems(operation)

  return {
    operation,
    identify: createIdentify(security, options.security ?? {}, root.info.title),
    accept: keepHttpErrors(createAccept(operation, negotiableTypes, findBodyParser)),
    read: keepHttpErrors(({ body: parsedBody, params, raw }: FastifyRequest, exchange: Exchange) => {
      if (isSavedInput(exchange)) return
      exchange.input = readInput(params as PathTexts, parsedBody, raw, exchange.accepted?.body)
    }),
    handle(request, reply, exchange) {
      const { accepted, caller, input } = exchange
      const accept = accepted?.responseType
      if (mayStream) exchange.signal = streams.createSignal(reply.raw)
      if (handler === undefined) return mock(request, reply, accept)
      const { id: requestId, log } = request
      const values = { ...input, ...(accept !== undefined && { accept }), urls, caller, log, requestId }
      // The generated types prove that the handler accepts this.
      return handler((mayStream ? { ...values, signal: exchange.signal } : values) as never)
    },
    write: withServerErrors(createWriter(operation, responses, keepAliveInterval)),
    discard: discardResponse,
    finish: withServerErrors(createFinish(operation, responses, negotiableTypes)),
  }
}

type PathTexts = Readonly<Record<string, string>>
