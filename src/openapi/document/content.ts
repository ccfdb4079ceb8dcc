/** The content of bodies, by media types (OpenAPI 3.1, Media Type Object). */
import { createParametersMatcher, toLowerCaseNames } from './media-type.ts'
import type * as model from './model.ts'
import type { OpenApi } from './model.ts'
import { getReferences } from './references.ts'
import { toSchema } from './subschemas.ts'

/** The media type of most bodies. */
export const JSON_TYPE = 'application/json'

/** One media type that a body may have (OpenAPI 3.1, Media Type Object). */
export interface MediaType {
  /** A media type or media type range, with the parameters that the document gives it. All but their values is in lower case. */
  readonly type: string
  readonly schema: model.Schema
  /** The schema of each item of a stream; undefined if the body is no stream (OpenAPI 3.2, Sequential Media Types). */
  readonly itemSchema?: model.Schema | undefined
  /** Encoding Objects by the names of form fields: the media types that a file may have (OpenAPI 3.1, Encoding Object). */
  readonly encoding?: NonNullable<model.MediaTypeObject['encoding']>
  /** True with `x-stream`: a handler reads the bytes as they arrive, or the files of a form are written to disk. */
  readonly isStreamed: boolean
  /** True if the app converts between the bytes of the body and its value, by a content type parser or a serializer. */
  readonly hasCodec?: boolean
  readonly example?: unknown
  readonly examples?: unknown
}

/**
 * Reads the media types that a body may have, the narrowest range first (OpenAPI 3.1, Media Type Object). Among media types that differ
 * in parameters alone, `createParametersMatcher` chooses.
 */
export function readContent(root: OpenApi, content: model.ContentObject = {}): MediaType[] {
  const mediaTypes = Object.entries(content).map(([name, reference]): MediaType => {
    const media = getReferences(root).resolve<model.MediaTypeObject>(reference)
    const { schema = {}, itemSchema, 'x-stream': isStreamed = false, ...fields } = media
    return {
      ...fields,
      type: toLowerCaseNames(name),
      schema: toSchema(schema),
      itemSchema: itemSchema && toSchema(itemSchema),
      isStreamed,
    }
  })
  return mediaTypes.sort((first, second) => getRangeWidth(first.type) - getRangeWidth(second.type))
}

/** Returns 3 for any type, 2 for any subtype, 1 for a structured suffix, and 0 for one media type. */
function getRangeWidth(type: string): number {
  // A parameter does not make a range specific: `text/*; charset=utf-8`.
  const range = getEssence(type)
  if (range.startsWith('*')) return 3
  if (range.endsWith('/*')) return 2
  return isRange(range) ? 1 : 0
}

/** True for a media type range, such as `image/*`; not for a star in a parameter, as in `text/csv; header="*"`. */
export function isRange(type: string): boolean {
  return /^[^;]*\*/.test(type)
}

/** The way in which a body is parsed and written: by a codec of the app, or by the layer. */
export type BodyKind = 'codec' | 'json' | 'form' | 'text' | 'bytes'

/** How bodies of a media type are parsed and written, and for which Content-Types. A media type range has a plan for each kind of body. */
export interface MediaPlan {
  readonly kind: BodyKind
  /** True for a Content-Type whose body has this plan. */
  matches(contentType: string): boolean
}

const KINDS_OF_RANGE = ['json', 'form', 'text', 'bytes'] as const

/**
 * Plans the bodies of a media type, of requests and of responses. `isBytes` is true if the schema says that a body is bytes.
 *
 * | media type                                         | kind                            |
 * |----------------------------------------------------|---------------------------------|
 * | one that a codec of the app converts               | `codec`                         |
 * | any other one                                      | by its name (`getKind`)         |
 * | a range whose bodies are bytes, or with `x-stream` | `bytes`                         |
 * | any other range                                    | by the media type of each body  |
 */
export function planMedia({ type, hasCodec, isStreamed }: MediaType, isBytes: boolean): MediaPlan[] {
  const pattern = toPattern(type)
  const hasParameters = createParametersMatcher(type)
  const matches = (contentType: string) => pattern.test(contentType) && hasParameters(contentType)
  if (!isRange(type)) return [{ kind: hasCodec ? 'codec' : getKind(type), matches }]
  if (isStreamed || isBytes) return [{ kind: 'bytes', matches }]
  return KINDS_OF_RANGE.map((kind) => ({
    kind,
    matches: (contentType) => getKind(contentType.toLowerCase()) === kind && matches(contentType),
  }))
}

/** Returns the kind of a body by the name of its media type, in lower case. */
export function getKind(type: string): Exclude<BodyKind, 'codec'> {
  const essence = getEssence(type)
  if (/.[/+]json$/.test(essence)) return 'json'
  if (/^(application\/x-www-form-urlencoded|multipart\/form-data)$/.test(essence)) return 'form'
  return essence.startsWith('text/') ? 'text' : 'bytes'
}

/**
 * Returns the kind of a form field by its encoding's `contentType`, which may be a list (OpenAPI 3.1, Encoding Object): `bytes` if its
 * media types have several kinds, because a part does not have to say its media type.
 */
export function getEncodingKind(contentType = ''): ReturnType<typeof getKind> {
  const kinds = new Set(contentType.toLowerCase().split(',').map(getKind))
  const [kind = 'bytes'] = kinds
  return kinds.size === 1 ? kind : 'bytes'
}

/** Returns a media type without parameters. */
export function getEssence(type: string): string {
  return String(type.split(';')[0]).trim()
}

/** Returns the pattern of the media types in a range, in any case and with any parameters. */
export function toPattern(type: string): RegExp {
  const source = getEssence(type)
    .replaceAll(/[^\w/*]/g, '\\$&')
    .replaceAll('*', '[^\\s;/]+')
  return new RegExp(`^${source}[ \\t]*(;|$)`, 'i')
}

/** True if a body has one of several media types. The handler then receives or returns `contentType`. */
export function isChoice(content: readonly MediaType[]): boolean {
  return content.length > 1 || content.some(({ type }) => isRange(type))
}
