/** Writes what a handler returns: the status, and the body in its media type. `finish` adds the headers. */
import type { FastifyBaseLogger, FastifyReply } from 'fastify'
import type { Operation } from '../document/operations.ts'
import { findResponse, STATUSES_WITHOUT_BODY } from '../document/responses.ts'
import {
  type BodyPlan,
  bypassesSerializer,
  checkBody,
  createJsonError,
  findBodyPlan,
  formatContentType,
} from '../response/content.ts'
import type { HandlerHeaders } from '../response/headers.ts'
import { createItemStream, endStream, isAsyncIterable } from '../response/items.ts'
import type { SchemaViews } from '../schema/selection.ts'
import { createIntegerTest, hasIntegers } from '../schema/types.ts'
import { describeType } from '../shared/errors.ts'
import { isNumber } from '../shared/json.ts'
import { validateHeaderValue } from '../shared/node-http.ts'
import type { Result } from './exchange.ts'
import type { ResponsePlan, ResponsePlans } from './responses.ts'
import { prepareStream } from './streams.ts'

/** The HTML Standard, section 9.2.7, recommends a comment every 15 seconds or so. */
const KEEP_ALIVE_INTERVAL = 15_000

/**
 * Creates the function that takes what the handler returned, sets the status and the Content-Type, and returns the body for Fastify to
 * send. It throws if the spec does not allow the response: handlers without types may return anything. `signal` is for a stream of
 * items, `keepAliveInterval` for one of events, in milliseconds; 0 for none.
 */
export function createWriter(
  { id }: Operation,
  { declared }: ResponsePlans,
  views: SchemaViews,
  keepAliveInterval = KEEP_ALIVE_INTERVAL,
) {
  return (reply: FastifyReply, result: Result, signal: AbortSignal | undefined): unknown => {
    const { status, body, contentType, headers } = result
    const plan = findResponse(declared, status)
    if (plan === undefined) throw new Error(`${id} returned the status ${status}, which is not declared`)
    reply.code(status)
    checkHeaders(plan, views, headers, reply.log)
    const bodyPlan = STATUSES_WITHOUT_BODY.includes(status) ? undefined : findBodyPlan(plan.bodies, contentType)
    if (bodyPlan === undefined) {
      // What a handler returns as the body of such a response is not sent.
      endStream(body)
      return undefined
    }
    reply.type(contentType === undefined ? bodyPlan.contentType : formatContentType(contentType))
    if (bodyPlan.items === undefined || signal === undefined) return writeBody(reply, plan.bodies, bodyPlan, result)
    // A request that fails ends the stream in place of the items.
    result.body = writeItems(reply, body, bodyPlan.items, signal, keepAliveInterval)
    return result.body
  }
}

/** Throws, or reports, what is wrong with the headers of the handler. */
function checkHeaders(plan: ResponsePlan, views: SchemaViews, headers: HandlerHeaders, log: FastifyBaseLogger): void {
  for (const lowerCaseName of Object.keys(headers)) {
    const value = headers[lowerCaseName]
    if (value === undefined) continue
    // Before any header is set: Fastify sends those of a response that fails with its error.
    validateHeaderValue(lowerCaseName, String(value))
    const declared = plan.declaredHeaders.get(lowerCaseName)
    if (declared === undefined) continue
    const { name, schema, constant } = declared
    if (constant !== undefined && String(value) !== constant) {
      throw new Error(
        `invalid response: the header ${name} is always ${constant}, and the handler returned another value`,
      )
    }
    // An integer that may have been rounded. Others are for `validateResponses`.
    const isInexact = isNumber(value) && Number.isInteger(Number(value)) && !createIntegerTest(views.int64)(value)
    if (isInexact && hasIntegers(views.get(schema))) {
      throw new Error(`invalid response: the header ${name} is an integer of more than 53 bits`)
    }
  }
  plan.validator?.checkHeaders(headers, log)
}

/** Sets the serializer for a value. Returns the body for Fastify to send. */
function writeBody(
  reply: FastifyReply,
  bodies: readonly BodyPlan[],
  { getSerializer }: BodyPlan,
  { body, contentType }: Result,
): unknown {
  const serialize = getSerializer(contentType)
  if (serialize === undefined) return checkBody(body)
  const { log } = reply
  // `serialize` throws for undefined. Otherwise, Fastify does not call it and sends no body.
  if (body === undefined) serialize(undefined, log)
  if (bypassesSerializer(body)) {
    endStream(body)
    throw createJsonError(body, contentType, bodies)
  }
  // Fastify sends bytes as well as texts, which its types do not say.
  reply.serializer((payload: unknown) => serialize(payload, log) as string)
  return body
}

/** Returns the stream of the items for Fastify to send. */
function writeItems(
  reply: FastifyReply,
  body: unknown,
  { write, keepAlive }: NonNullable<BodyPlan['items']>,
  signal: AbortSignal,
  interval: number,
) {
  if (!isAsyncIterable(body)) {
    throw new Error(`invalid response: body must be an async iterable of items, but is of type ${describeType(body)}`)
  }
  const { log } = reply
  prepareStream(reply.raw)
  return createItemStream(body, {
    write: write(log),
    signal,
    endsAtStop: keepAlive !== undefined,
    keepAlive: keepAlive !== undefined && interval > 0 ? { text: keepAlive, interval } : undefined,
    onEndError: (err) => log.error({ err }, 'the items of a response could not be ended'),
  })
}
