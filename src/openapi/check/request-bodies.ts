/** Checks the bodies of requests (OpenAPI 3.1, Request Body Object, Encoding Object). */
import { getEncodingKind, getKind, isRange } from '../document/content.ts'
import { hasOtherCharset } from '../document/media-type.ts'
import type { Encoding, MediaTypeObject, RequestBodyObject } from '../document/model.ts'
import { toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { getReferences } from '../document/references.ts'
import { hasVersion } from '../document/version.ts'
import { mayBeFile } from '../request/form-fields.ts'
import { getFieldViews } from '../request/text-values.ts'
import type { SchemaView } from '../schema/view.ts'
import type { Context } from './context.ts'
import { AMBIGUOUS_TYPES, isAmbiguous } from './text-types.ts'

/** Reports media types that are not received as the document says. */
export function* checkRequestBody(
  { content }: RequestBodyObject,
  pointer: string,
  context: Context,
): Iterable<Problem> {
  const { resolve, resolvePointer } = getReferences(context.root)
  for (const [name, reference] of Object.entries(content)) {
    const type = name.toLowerCase()
    const mediaPointer = resolvePointer(pointer + toPointer('content', name))
    const media = resolve<MediaTypeObject>(reference)
    yield* checkMediaType(type, media, mediaPointer, context)
    if (getKind(type) === 'form') yield* checkForm(type, media, mediaPointer, context)
  }
}

/** Reports a charset that is not read, and streams that a request body cannot be. */
function* checkMediaType(
  type: string,
  { schema = {}, itemSchema, 'x-stream': isStreamed }: MediaTypeObject,
  pointer: string,
  { compile }: Context,
): Iterable<Problem> {
  if (itemSchema !== undefined) {
    const message = 'the body of a request is received as a whole; describe it by "schema"'
    yield { pointer: `${pointer}/itemSchema`, message }
  }
  const isBytes = getKind(type) === 'bytes'
  if (!isBytes && hasOtherCharset(type)) {
    yield { pointer, message: 'texts are read as UTF-8; remove the charset, or write utf-8' }
  }
  if (!isStreamed || isBytes || isRange(type)) return
  const { memberViews } = compile.views.get(schema)
  if (type.startsWith('multipart') && memberViews.some((member) => !member.isNever && mayBeFile(member))) return
  const what = 'neither bytes nor a multipart form with files, so it is not streamed'
  yield { pointer: `${pointer}/x-stream`, message: `this is ${what}; remove "x-stream"` }
}

/** Reports a form whose fields would be read otherwise than the document says. In other bodies, `encoding` has no effect. */
function* checkForm(
  type: string,
  { schema = {}, encoding = {} }: MediaTypeObject,
  pointer: string,
  { compile, root }: Context,
): Iterable<Problem> {
  const view = compile.views.get(schema)
  // A text must have one value, whichever branch the form satisfies.
  if (isAmbiguous(view)) yield { pointer: `${pointer}/schema`, message: AMBIGUOUS_TYPES }
  const isMultipart = type.startsWith('multipart')
  const supportsStyle = !isMultipart || !hasVersion(root, '3.0')
  for (const [name, fieldEncoding] of Object.entries(encoding)) {
    const message = describeEncodingMistake(view.property(name), fieldEncoding, { isMultipart, supportsStyle })
    if (message !== undefined) yield { pointer: pointer + toPointer('encoding', name), message }
  }
}

/**
 * Describes how a field would be read otherwise than its encoding says (OpenAPI 3.1, Encoding Object); undefined if it would
 * not. `supportsStyle` is false where `style` and `explode` have no effect (OpenAPI 3.0.4, Encoding Object).
 */
function describeEncodingMistake(
  field: SchemaView,
  encoding: Encoding,
  { isMultipart, supportsStyle }: { readonly isMultipart: boolean; readonly supportsStyle: boolean },
): string | undefined {
  const { contentType, headers = {}, style } = encoding
  if (supportsStyle && style === 'deepObject') return describeDeepObjectMistake(field)
  if (supportsStyle && !hasFormStyle(field, encoding)) {
    return 'the fields of a form have the style "form", with each item of an array by itself; remove "style" and "explode"'
  }
  if (isMultipart && Object.keys(headers).some((name) => !/^content-(type|disposition)$/i.test(name))) {
    return 'the headers of a part are not read; remove them'
  }
  if (contentType === undefined || canHaveType(field, contentType)) return undefined
  return `no field but a file has the type ${contentType}; remove it, or change the schema`
}

function describeDeepObjectMistake(field: SchemaView): string | undefined {
  if (!field.mentionedTypes.includes('object')) return 'the style "deepObject" is for objects; remove it'
  const parts = field.memberViews.flatMap((member) => getFieldViews(member))
  if (parts.every((part) => part.isScalar)) return undefined
  return 'no style writes what is within arrays and objects; use scalars'
}

/** True if an encoding has the style in which fields are read, or none. A style has no effect on a scalar. */
function hasFormStyle(field: SchemaView, { style, explode }: Encoding): boolean {
  if (field.isScalar || (style ?? explode) === undefined) return true
  return field.mentionedTypes.includes('array') && (style ?? 'form') === 'form' && explode !== false
}

/** True if a field can be sent in a media type: a file in any media type, other values in JSON, and scalars also in a text. */
function canHaveType(field: SchemaView, contentType: string): boolean {
  const kind = getEncodingKind(contentType)
  if (kind === 'json' || mayBeFile(field)) return true
  return kind === 'text' && getFieldViews(field).every((item) => item.isScalar)
}
