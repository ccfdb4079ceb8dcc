/** The bodies of responses: how one of each media type is sent. */
import { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { type Content, getKind, MEDIA_TYPE, toPattern } from '../document/content.ts'
import { createParametersMatcher, toLowerCaseNames } from '../document/media-type.ts'
import type { SchemaViews } from '../schema/selection.ts'
import { describeType, withServerErrors } from '../shared/errors.ts'
import { EVENT_COMMENT, EVENT_STREAM, type Frame, findFrame } from './frames.ts'
import type { CompileAppSerializer, CompileSerializer, Serializer } from './serializer.ts'
import type { ResponseValidator } from './validator.ts'

/** How a body of a media type is sent. */
export interface BodyPlan {
  /** The media type or media type range, as the document has it. */
  readonly type: string
  /** The value of Content-Type, if the handler names no media type. */
  readonly contentType: string
  /** True if a media type that the handler names is this one, or is in this range. */
  matches(contentType: string): boolean
  /** Returns what writes a value; undefined if a body of this media type is text, bytes or a stream. */
  getSerializer(contentType: string | undefined): BodySerializer | undefined
  /** How a stream of items is sent; undefined if the body is none. */
  readonly items: ItemsPlan | undefined
}

/** Writes a value, and validates it first if `validateResponses` is set. Throws a ServerError if the value is not valid. */
type BodySerializer = (value: unknown, log: FastifyBaseLogger) => string | Buffer

interface ItemsPlan {
  /** Creates the function that writes the items of one stream. */
  write(log: FastifyBaseLogger): (item: unknown) => string
  /** What is sent while no item comes; undefined if the media type has nothing for this. */
  readonly keepAlive: string | undefined
}

export interface SerializerCompilers {
  readonly compileSerializer: CompileSerializer
  readonly compileAppSerializer: CompileAppSerializer
}

/** Plans the bodies of a media type; `validator` is undefined unless values are validated. */
export function createBodyPlan(
  content: Content,
  views: SchemaViews,
  serializers: SerializerCompilers,
  validator: ResponseValidator | undefined,
): BodyPlan {
  const { type, schema, itemSchema } = content
  const isRange = type.includes('*')
  const pattern = toPattern(type)
  const hasParameters = createParametersMatcher(type, false)
  // The bodies of a range may be JSON, if the handler names such a media type.
  const mayBeJson = isRange ? !views.get(schema).mayBeBytes : getKind(type) === 'json'
  const serialize = mayBeJson || content.hasCodec ? createBodySerializer(content, serializers, validator) : undefined
  const frame = itemSchema && findFrame(type)
  return {
    type,
    contentType: frame === undefined ? formatContentType(type) : type,
    matches: (contentType) => pattern.test(contentType) && hasParameters(contentType),
    getSerializer: (contentType) => (isRange && getKind(String(contentType)) !== 'json' ? undefined : serialize),
    items: frame && createItemsPlan(type, serializers.compileSerializer(itemSchema, 'item'), frame, validator),
  }
}

function createBodySerializer(
  content: Content,
  { compileAppSerializer, compileSerializer }: SerializerCompilers,
  validator: ResponseValidator | undefined,
): BodySerializer {
  const serializeJson = compileSerializer(content.schema)
  const serialize = content.hasCodec ? compileAppSerializer(content) : serializeJson
  if (validator === undefined) return withServerErrors(serialize)
  return withServerErrors((value, log) => {
    // The validation reads JSON, also of a body that the serializer of the app writes.
    const json = serializeJson(value)
    validator.checkText(content.type, json, log)
    return content.hasCodec ? serialize(value) : json
  })
}

function createItemsPlan(
  type: string,
  serialize: Serializer,
  frame: Frame,
  validator: ResponseValidator | undefined,
): ItemsPlan {
  return {
    write: (log) => {
      let isReported = false
      return (item) => {
        const json = serialize(item)
        // A stream reports its first invalid item alone: it may have any number of them.
        if (!isReported) isReported = validator?.checkText(type, json, log) === false
        return frame(json)
      }
    },
    keepAlive: type.startsWith(EVENT_STREAM) ? EVENT_COMMENT : undefined,
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
export function findBodyPlan(plans: readonly BodyPlan[], contentType: string | undefined): BodyPlan | undefined {
  const [firstPlan] = plans
  if (firstPlan === undefined) return undefined
  const mayBeLeftOut = plans.length === 1 && !firstPlan.type.includes('*')
  if (contentType === undefined && mayBeLeftOut) return firstPlan
  const type = String(contentType)
  const lowerCaseType = toLowerCaseNames(type)
  const plan = plans.find((plan) => plan.type === lowerCaseType) ?? plans.find(({ matches }) => matches(type))
  if (plan !== undefined) return plan
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
export function createJsonError(body: unknown, contentType: string | undefined, plans: readonly BodyPlan[]): Error {
  const plansForBytes = plans.filter(({ type, getSerializer }) => getSerializer(type) === undefined)
  const types = plansForBytes.map(({ type }) => type).join(', ')
  const advice =
    types === '' ? 'declare a media type for bytes, such as application/octet-stream' : `for bytes, use ${types}`
  const problem = `the body of ${contentType ?? plans[0]?.type} must be a JSON value, but is of type ${describeType(body)}`
  return new Error(`invalid response: ${problem}; ${advice}`, body instanceof Error ? { cause: body } : {})
}
