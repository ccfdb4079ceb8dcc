/** Writes what a handler returns: the status, and the body in its media type. Checks its headers, which `finish.ts` sets. */
import { inspect } from 'node:util'
import type { FastifyBaseLogger, FastifyReply } from 'fastify'
import type { Operation } from '../document/operations.ts'
import { findResponse, STATUSES_WITHOUT_BODY } from '../document/responses.ts'
import { type BodyPlan, checkRaw, checkValue, findBodyPlan, formatContentType } from '../response/body-plans.ts'
import type { HandlerHeaders } from '../response/headers.ts'
import { ItemStream } from '../response/items.ts'
import { endStream, isAsyncIterable } from '../response/stream-bodies.ts'
import { describeType } from '../shared/errors.ts'
import { validateHeaderValue } from '../shared/node-http.ts'
import type { Result } from './exchange.ts'
import type { ResponsePlan, ResponsePlans } from './response-plans.ts'
import { prepareStream } from './stream-connections.ts'

/** The HTML Standard, section 9.2.7, recommends a comment every 15 seconds or so. */
const KEEP_ALIVE_INTERVAL = 15_000

/**
 * Creates the function that takes what the handler returned, sets the status and the Content-Type, and returns the body for Fastify to
 * send. It throws if the spec does not allow the response: handlers without types may return anything. `signal` is for a stream of
 * items, `keepAliveInterval` for one of events, in milliseconds; 0 for none.
 */
export function createWriter({ id }: Operation, { declared }: ResponsePlans, keepAliveInterval = KEEP_ALIVE_INTERVAL) {
  return (
    reply: FastifyReply,
    { status, body, contentType, headers }: Result,
    signal: AbortSignal | undefined,
  ): unknown => {
    // A plan of a range or of `default` takes a text, a fraction or a 101 as well.
    if (!Number.isInteger(status) || status < 200 || status > 599) {
      throw new Error(`${id} returned the status ${inspect(status)}, which is no integer from 200 to 599`)
    }
    const plan = findResponse(declared, status)
    if (plan === undefined) throw new Error(`${id} returned the status ${status}, which is not declared`)
    reply.code(status)
    checkHeaders(plan, headers, reply.log)
    const bodyPlan = STATUSES_WITHOUT_BODY.includes(status) ? undefined : findBodyPlan(plan.bodies, contentType)
    if (bodyPlan === undefined) {
      // What a handler returns as the body of such a response is not sent.
      endStream(body)
      return undefined
    }
    reply.type(contentType === undefined ? bodyPlan.contentType : formatContentType(contentType))
    // The signal is there for an operation that may send items.
    if (bodyPlan.items !== undefined && signal !== undefined) {
      return createItemStream(reply, body, bodyPlan.items, signal, keepAliveInterval)
    }
    setSerializer(reply, body, bodyPlan)
    return body
  }
}

/**
 * Throws, or reports, what is wrong with the headers of the handler. Before any of them is set: Fastify sends those of a response that
 * fails with its error.
 */
function checkHeaders(plan: ResponsePlan, headers: HandlerHeaders, log: FastifyBaseLogger): void {
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    if (value === undefined) continue
    // Null as well, which the types of handlers exclude.
    if (typeof value === 'object') {
      throw new Error(`invalid response: the header ${name} must be a scalar, but is of type ${describeType(value)}`)
    }
    validateHeaderValue(name, String(value))
    const constant = plan.fixedValues.get(name)
    if (constant === undefined || constant === String(value)) continue
    throw new Error(
      `invalid response: the header ${name} is always ${constant}, and the handler returned another value`,
    )
  }
  plan.validateHeaders?.(headers, log)
}

/** Sets what serializes a value. Throws for a body that Fastify cannot send by the plan. */
function setSerializer(reply: FastifyReply, body: unknown, plan: BodyPlan): void {
  const { serialize } = plan
  if (serialize === undefined) {
    checkRaw(body)
    return
  }
  checkValue(body, plan)
  const { log } = reply
  // Fastify sends bytes as well as texts, which its types do not say.
  reply.serializer((value: unknown) => serialize(value, log) as string)
}

/** Creates the stream of the items. */
function createItemStream(
  reply: FastifyReply,
  body: unknown,
  { createWrite, keepAlive }: NonNullable<BodyPlan['items']>,
  signal: AbortSignal,
  interval: number,
): ItemStream {
  if (!isAsyncIterable(body)) {
    throw new Error(`invalid response: body must be an async iterable of items, but is of type ${describeType(body)}`)
  }
  const { log } = reply
  prepareStream(reply.raw)
  return new ItemStream(body, {
    write: createWrite(log),
    signal,
    endsAtStop: keepAlive !== undefined,
    keepAlive: keepAlive !== undefined && interval > 0 ? { text: keepAlive, interval } : undefined,
    onEndError: (err) => log.error({ err }, 'the items of a response could not be ended'),
  })
}
