/** The media types of responses: what a client accepts, and how a body of each is written. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import Negotiator from 'negotiator'
import { type Content, getKind, MEDIA_TYPE, toPattern } from '../document/content.ts'
import { createParametersMatcher, toLowerCaseNames } from '../document/media-type.ts'
import type { Operation } from '../document/operations.ts'
import type { SchemaViews } from '../schema/selection.ts'
import { describeType, HttpError } from '../shared/errors.ts'
import type { CompileEncoder } from './encoder.ts'
import { findFrame } from './frames.ts'
import type { CompileSerializer } from './serializer.ts'

/** How a body of a media type is written. */
export type ContentPlan = ReturnType<typeof createContentPlan>

export function createContentPlan(
  views: SchemaViews,
  content: Content,
  compileSerializer: CompileSerializer,
  compileEncoder: CompileEncoder,
) {
  const { type, schema, itemSchema } = content
  // The bodies of a range may be JSON, if the handler names such a media type.
  const mayBeJson = type.includes('*') ? !views.get(schema).mayBeBytes : getKind(type) === 'json'
  const encode = compileEncoder(content)
  const frame = itemSchema && findFrame(type)
  return {
    type,
    pattern: toPattern(type),
    hasParameters: createParametersMatcher(type, false),
    /** The value of Content-Type. */
    contentType: frame === undefined ? formatContentType(type) : type,
    /** Writes a body as JSON; undefined if no body of this media type is a value. */
    serialize: mayBeJson || encode !== undefined ? compileSerializer(schema) : undefined,
    /** Writes a body by the serializer of the app, in place of `serialize`; undefined without such a serializer. */
    encode,
    /** How each item of a stream is written; undefined if the body is not a stream of items. */
    items: frame && { serialize: compileSerializer(itemSchema, 'item'), frame },
  }
}

/** Completes a media type by the charset of its texts, which is always UTF-8. */
export function formatContentType(type: string): string {
  const needsCharset = type === MEDIA_TYPE || (getKind(type) === 'text' && !/;[ \t]*charset=/i.test(type))
  return needsCharset ? `${type}; charset=utf-8` : type
}

/**
 * Finds the plan for the media type that a handler names, which it may leave out if there is only one. Throws for others. Undefined
 * if the response has no body.
 */
export function findContent(plans: readonly ContentPlan[], type: string | undefined): ContentPlan | undefined {
  const [firstPlan] = plans
  if (firstPlan === undefined) return undefined
  const mayBeLeftOut = plans.length === 1 && !firstPlan.type.includes('*')
  if (type === undefined && mayBeLeftOut) return firstPlan
  const text = String(type)
  const matchingPlan =
    plans.find((plan) => plan.type === toLowerCaseNames(text)) ??
    plans.find(({ pattern, hasParameters }) => pattern.test(text) && hasParameters(text))
  if (matchingPlan !== undefined) return matchingPlan
  throw new Error(
    `invalid response: its content type ${type} is not one of ${plans.map((plan) => plan.type).join(', ')}`,
  )
}

/** Returns the body of a response that is not JSON. Throws unless Fastify can send it. */
export function checkBody(body: unknown): unknown {
  if (
    typeof body === 'string' ||
    body instanceof Uint8Array ||
    body instanceof Readable ||
    body instanceof ReadableStream
  )
    return body
  throw new Error(`invalid response: body must be a text, bytes or a stream, but is of type ${typeof body}`)
}

/** True for a body that Fastify sends without the serializer, or throws: a stream, a Response, bytes or an Error. */
export function bypassesSerializer(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  const { pipe, getReader, buffer } = body as Partial<Record<'pipe' | 'getReader' | 'buffer', unknown>>
  if (typeof pipe === 'function' || typeof getReader === 'function' || buffer instanceof ArrayBuffer) return true
  // Compare the name: a reference to the class would load `fetch`.
  return body instanceof Error || Object.prototype.toString.call(body) === '[object Response]'
}

/**
 * Creates the error for a JSON body that Fastify sends without the serializer. The message names the media types that such a body may
 * have.
 */
export function createJsonError(body: unknown, contentType: string | undefined, plans: readonly ContentPlan[]): Error {
  const plansForBytes = plans.filter(({ type, serialize }) => serialize === undefined || type.includes('*'))
  const types = plansForBytes.map(({ type }) => type).join(', ')
  const advice =
    types === '' ? 'declare a media type for bytes, such as application/octet-stream' : `for bytes, use ${types}`
  const problem = `the body of ${contentType ?? plans[0]?.type} must be a JSON value, but is of type ${describeType(body)}`
  return new Error(`invalid response: ${problem}; ${advice}`, body instanceof Error ? { cause: body } : {})
}

/** Ends a stream or an iterable that is not sent, also the stream of a Response. Returns false for other bodies. */
export function endStream(body: unknown): boolean {
  // Compare the name: a reference to the class would load `fetch`.
  const stream = Object.prototype.toString.call(body) === '[object Response]' ? (body as Response).body : body
  // Without a listener, an error of the stream ends the process.
  if (stream instanceof Readable) stream.on('error', () => {}).destroy()
  else if (stream instanceof ReadableStream) stream.cancel().catch(() => {})
  else if (isAsyncIterable(stream)) endIterator(stream[Symbol.asyncIterator]()).catch(() => {})
  else return false
  return true
}

/** Ends an iterator as `for await` does: it may have no `return`, or one that returns no promise. */
export async function endIterator(iterator: AsyncIterator<unknown>): Promise<void> {
  await iterator.return?.()
}

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** Finds the media types among which a client may choose: of the successes, if they have several. */
export function findNegotiated({ responses }: Operation): string[] {
  const successes = [...responses].filter(([key]) => /^2/.test(String(key)))
  const defaults = [...responses].filter(([key]) => key === 'default')
  const content = (successes.length > 0 ? successes : defaults).flatMap(([, response]) => response.content)
  const types = [...new Set(content.map(({ type }) => type))]
  // Of a range, it is not known which types the handler can return.
  return types.length < 2 || types.some((type) => type.includes('*')) ? [] : types
}

/**
 * Returns the media type that a client prefers, and adds `Accept` to the `Vary` of the reply. Throws a 406 if the client accepts none
 * of them (RFC 9110, sections 12.5.1 and 12.5.5).
 */
export function negotiate(types: readonly string[], { headers }: IncomingMessage, reply: FastifyReply): string {
  reply.header('vary', [reply.getHeader('vary') ?? [], 'Accept'].flat().join(', '))
  // All texts are in UTF-8, so a client that asks for it accepts them.
  const accept = headers.accept?.replaceAll(/;[ \t]*charset="?utf-8"?(?=[ \t]*[;,]|[ \t]*$)/gi, '') || undefined
  const type = new Negotiator({ headers: { accept } }).mediaType(types)
  if (type !== undefined) return type
  throw new HttpError(406, 'not_acceptable', `this operation responds with one of: ${types.join(', ')}`)
}
