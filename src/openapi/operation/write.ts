/** Writes what a handler returns: the status, and the body in its media type. `finish` adds the headers. */
import type { Readable } from 'node:stream'
import type { FastifyBaseLogger, FastifyReply } from 'fastify'
import { getKind } from '../document/content.ts'
import type { Operation } from '../document/operations.ts'
import { findResponse, STATUSES_WITHOUT_BODY } from '../document/responses.ts'
import {
  bypassesSerializer,
  type ContentPlan,
  checkBody,
  createJsonError,
  endStream,
  findContent,
  formatContentType,
  isAsyncIterable,
} from '../response/content.ts'
import { EVENT_COMMENT, EVENT_STREAM } from '../response/frames.ts'
import type { HandlerHeaders } from '../response/headers.ts'
import { createItemStream } from '../response/items.ts'
import type { Serializer } from '../response/serializer.ts'
import { describeType, ServerError } from '../shared/errors.ts'
import type { Exchange, Result } from './exchange.ts'
import type { CompiledResponse, CompiledResponses } from './responses.ts'
import { prepareStream } from './streams.ts'

/** The HTML Standard, section 9.2.7, recommends a comment every 15 seconds or so. */
const KEEP_ALIVE_INTERVAL = 15_000

/** Creates the writer of an operation's responses. `keepAliveInterval` is for its streams of events, in milliseconds; 0 for none. */
export function createWriter(
  { id }: Operation,
  { declared }: CompiledResponses,
  keepAliveInterval = KEEP_ALIVE_INTERVAL,
) {
  /**
   * Takes what the handler returned, sets the status and the Content-Type, and returns the body for Fastify to send. Throws if the
   * spec does not allow the response: handlers without types may return anything.
   */
  function write(reply: FastifyReply, exchange: Exchange, result: Result, signal: AbortSignal | undefined): unknown {
    const { status, body, contentType, headers } = result
    const response = findResponse(declared, status)
    if (response === undefined) throw new Error(`${id} returned the status ${status}, which is not declared`)
    reply.code(status)
    checkHeaders(response, headers, reply.log)
    const content = STATUSES_WITHOUT_BODY.includes(status) ? undefined : findContent(response.content, contentType)
    if (content?.items !== undefined)
      return writeItems(reply, exchange, response, result, content.type, content.items, signal)
    if (content !== undefined) return writeBody(reply, response, result, content)
    // What a handler returns as the body of such a response is not sent.
    endStream(body)
    return undefined
  }

  /** Throws, or reports, what is wrong with the headers of the handler. */
  function checkHeaders(response: CompiledResponse, headers: HandlerHeaders, log: FastifyBaseLogger): void {
    for (const { name, lowerCaseName, value } of response.fixedHeaders) {
      const handlerValue = headers[lowerCaseName]
      if (handlerValue === undefined || String(handlerValue) === value) continue
      throw new Error(`invalid response: the header ${name} is always ${value}, and the handler returned another value`)
    }
    response.checkIntegers(headers)
    response.check?.checkHeaders(headers, log)
  }

  /** Sets the Content-Type and, for a value, the serializer. Returns the body for Fastify to send. */
  function writeBody(
    reply: FastifyReply,
    response: CompiledResponse,
    { body, contentType }: Result,
    content: ContentPlan,
  ): unknown {
    const { serialize, type } = content
    reply.type(contentType === undefined ? content.contentType : formatContentType(contentType))
    // In a range such as `*/*`, the type that the handler names decides.
    const isJson = !type.includes('*') || getKind(String(contentType)) === 'json'
    if (serialize === undefined || !isJson) return checkBody(body)
    // `serialize` throws for undefined. Otherwise, Fastify does not call it and sends no body.
    if (body === undefined) serialize(undefined)
    if (bypassesSerializer(body)) {
      endStream(body)
      throw createJsonError(body, contentType, response.content)
    }
    const serializePayload = (payload: unknown) => {
      try {
        return serializeBody(response, content, serialize, payload, reply.log)
      } catch (thrown) {
        throw new ServerError(thrown)
      }
    }
    // Fastify sends bytes as well as texts, which its types do not say.
    reply.serializer(serializePayload as (payload: unknown) => string)
    return body
  }

  /** Writes a body as JSON, or by the serializer of the app. Throws if it is not valid. */
  function serializeBody(
    { check }: CompiledResponse,
    { encode, type }: ContentPlan,
    serialize: Serializer,
    body: unknown,
    log: FastifyBaseLogger,
  ): string | Buffer {
    if (encode !== undefined && check === undefined) return encode(body)
    // The validation reads JSON, also of a body that the serializer of the app writes.
    const json = serialize(body)
    check?.checkText(type, json, log)
    return encode === undefined ? json : encode(body)
  }

  /** Returns the stream of the items for Fastify to send. */
  function writeItems(
    reply: FastifyReply,
    exchange: Exchange,
    { check }: CompiledResponse,
    result: Result,
    type: string,
    { serialize, frame }: NonNullable<ContentPlan['items']>,
    signal: AbortSignal | undefined,
  ): Readable {
    const { body } = result
    if (!isAsyncIterable(body)) {
      throw new Error(`invalid response: body must be an async iterable of items, but is of type ${describeType(body)}`)
    }
    let isReported = false
    const isEvents = type.startsWith(EVENT_STREAM)
    const keepAlive = { text: EVENT_COMMENT, interval: keepAliveInterval }
    const stream = createItemStream(body, {
      write(item) {
        const json = serialize(item)
        // A stream reports its first invalid item alone: it may have any number of them.
        if (!isReported) isReported = check?.checkText(type, json, reply.log) === false
        return frame(json)
      },
      signal: signal as AbortSignal,
      endsAtStop: isEvents,
      keepAlive: isEvents && keepAliveInterval > 0 ? keepAlive : undefined,
      onEndError: (err) => reply.log.error({ err }, 'the items of a response could not be ended'),
    })
    exchange.result = { ...result, body: stream }
    prepareStream(reply.raw)
    reply.type(type)
    return stream
  }

  return write
}
