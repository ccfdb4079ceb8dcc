/** The bodies of responses: a plan for each media type, which says how a body is sent. */
import type { FastifyBaseLogger } from 'fastify'
import { getKind, isRange, JSON_TYPE, type MediaType, planMedia } from '../document/content.ts'
import { toLowerCaseNames } from '../document/media-type.ts'
import type { Schema } from '../document/model.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { describeType, withServerErrors } from '../shared/errors.ts'
import { compileTextValidator, type ReportViolations } from './complete-validation.ts'
import { EVENT_COMMENT, EVENT_STREAM, type Frame, findFrame } from './frames.ts'
import type { CompileAppSerializer, CompileSerializer } from './serializer.ts'
import { isResponse, isStream } from './stream-bodies.ts'

/** How a body of a media type is sent: by `serialize`, by `items`, or else as it is. */
export interface BodyPlan {
  /** The media type or media type range, as the document has it. */
  readonly type: string
  /** The value of Content-Type, if the handler names no media type. */
  readonly contentType: string
  /** True if a media type that the handler names is this one, or is in this range. */
  matches(contentType: string): boolean
  /** Writes a value; undefined if the body is not one value. Throws a ServerError for an invalid one. */
  readonly serialize: ((value: unknown, log: FastifyBaseLogger) => string | Buffer) | undefined
  /** How a stream of items is sent; undefined if the body is none. */
  readonly items: ItemsPlan | undefined
}

interface ItemsPlan {
  /** Creates the function that writes the items of one stream. */
  createWrite(log: FastifyBaseLogger): (item: unknown) => string
  /** What is sent while no item comes; undefined if the media type has nothing for this. */
  readonly keepAlive: string | undefined
}

export interface SerializerCompilers {
  readonly compileSerializer: CompileSerializer
  readonly compileAppSerializer: CompileAppSerializer
}

/** What plans are compiled with. */
interface PlanContext extends SerializerCompilers {
  readonly compile: SchemaCompiler
  /** Undefined unless values are validated. */
  readonly report: ReportViolations | undefined
}

/** Plans the bodies of a media type, with a plan for each kind of bodies in a range. Only a value and items have a serializer. */
export function createBodyPlans(content: MediaType, context: PlanContext): BodyPlan[] {
  const { type, schema, itemSchema } = content
  const frame = findFrame(type)
  return planMedia(content, context.compile.views.get(schema).mayBeBytes).map(({ kind, matches }) => {
    if (itemSchema !== undefined && frame !== undefined) {
      const items = createItemsPlan(type, itemSchema, frame, context)
      return { type, contentType: type, matches, serialize: undefined, items }
    }
    const isValue = kind === 'json' || kind === 'codec'
    const serialize = isValue ? createBodySerializer(content, context) : undefined
    return { type, contentType: formatContentType(type), matches, serialize, items: undefined }
  })
}

function createBodySerializer(
  content: MediaType,
  { compile, compileAppSerializer, compileSerializer, report }: PlanContext,
) {
  const serializeJson = compileSerializer(content.schema)
  const serializeByApp = content.hasCodec ? compileAppSerializer(content) : undefined
  if (report === undefined) return withServerErrors(serializeByApp ?? serializeJson)
  const findViolations = compileTextValidator(content.schema, 'body', compile)
  return withServerErrors((value: unknown, log: FastifyBaseLogger) => {
    // The validation reads JSON, also of a body that the serializer of the app writes.
    const json = serializeJson(value)
    report(findViolations(json), log)
    return serializeByApp === undefined ? json : serializeByApp(value)
  })
}

function createItemsPlan(
  type: string,
  itemSchema: Schema,
  frame: Frame,
  { compile, compileSerializer, report }: PlanContext,
): ItemsPlan {
  const serialize = compileSerializer(itemSchema, 'invalid response: item')
  const findViolations = report && compileTextValidator(itemSchema, 'item', compile)
  return {
    createWrite: (log) => {
      let isReported = false
      return (item) => {
        const json = serialize(item)
        // A stream reports its first invalid item alone: it may have any number of them.
        if (report && findViolations && !isReported) isReported = !report(findViolations(json), log)
        return frame(json)
      }
    },
    keepAlive: type.startsWith(EVENT_STREAM) ? EVENT_COMMENT : undefined,
  }
}

/** Completes a media type by the charset of its texts, which is always UTF-8. */
export function formatContentType(type: string): string {
  const needsCharset = type === JSON_TYPE || (getKind(type) === 'text' && !/;[ \t]*charset=/i.test(type))
  return needsCharset ? `${type}; charset=utf-8` : type
}

/**
 * Finds the plan for the media type that a handler names, which it may leave out if there is only one. Throws for others. Undefined
 * if the response has no body.
 */
export function findBodyPlan(plans: readonly BodyPlan[], contentType: string | undefined): BodyPlan | undefined {
  const [firstPlan] = plans
  if (firstPlan === undefined) return undefined
  const mayBeLeftOut = plans.length === 1 && !isRange(firstPlan.type)
  if (contentType === undefined && mayBeLeftOut) return firstPlan
  if (contentType === undefined) throw new Error(`invalid response: it needs a contentType, ${listTypes(plans)}`)
  if (isRange(contentType)) {
    throw new Error(`invalid response: its content type ${contentType} is a range; return a media type of the range`)
  }
  const lowerCaseType = toLowerCaseNames(contentType)
  const plan = plans.find(({ type }) => type === lowerCaseType) ?? plans.find(({ matches }) => matches(contentType))
  if (plan !== undefined) return plan
  throw new Error(`invalid response: its content type ${contentType} is not ${listTypes(plans)}`)
}

function listTypes(plans: readonly BodyPlan[]): string {
  return `one of ${[...new Set(plans.map(({ type }) => type))].join(', ')}`
}

/** Throws unless a body can be a value of JSON. */
export function checkValue(body: unknown, { type }: BodyPlan): void {
  if (body !== undefined && !skipsSerializer(body) && !(body instanceof Error)) return
  const message = `the body of ${type} must be a JSON value, but is of type ${describeType(body)}`
  throw new Error(
    `invalid response: ${message}; for bytes, declare a media type such as application/octet-stream`,
    body instanceof Error ? { cause: body } : {},
  )
}

/** True for a body that Fastify sends without the serializer, by its own test: bytes, a Response, and what has a method of streams. */
function skipsSerializer(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  const { pipe, getReader } = body as Partial<Record<'pipe' | 'getReader', unknown>>
  return ArrayBuffer.isView(body) || typeof pipe === 'function' || typeof getReader === 'function' || isResponse(body)
}

/** Throws unless Fastify can send a body without a serializer. */
export function checkRaw(body: unknown): void {
  if (typeof body === 'string' || ArrayBuffer.isView(body) || isStream(body)) return
  throw new Error(`invalid response: body must be a text, bytes or a stream, but is of type ${describeType(body)}`)
}
