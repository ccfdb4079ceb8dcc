/**
 * Codecs are what an app adds for media types that the layer does not know, such as `application/xml`: content type parsers for
 * requests, and serializers for responses. With them, the body is a value that its schema describes, in place of text or bytes.
 */
import { type Content, getEssence, getKind } from '../document/content.ts'
import type { Operation } from '../document/operations.ts'
import { toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'

/** The media types for which an app has codecs, in lower case and without parameters. */
export interface Codecs {
  readonly parsers: readonly string[]
  readonly serializers: readonly string[]
}

export const NO_CODECS: Codecs = { parsers: [], serializers: [] }

/** A body that a codec could read or write. */
interface CodecBody {
  readonly type: string
  /** The pointer to the body of the request or to the response. */
  readonly pointer: string
}

/** Finds the bodies of requests that a content type parser of the app could read. */
function findParsable(operation: Operation): CodecBody[] {
  const content = operation.requestBody?.content.filter((media) => isParsable(operation, media)) ?? []
  return content.map(({ type }) => ({ type: getEssence(type), pointer: `${operation.pointer}/requestBody` }))
}

/** True unless the layer reads the body itself. */
function isParsable({ method }: Operation, { type, isStreamed }: Content): boolean {
  // Fastify reads no body of a GET.
  return isUnknown(type) && getKind(type) !== 'form' && !isStreamed && method !== 'get'
}

/** Finds the bodies of responses that a serializer of the app could write. */
function findSerializable({ pointer, responses }: Operation): CodecBody[] {
  return [...responses].flatMap(([key, { content }]) =>
    content
      .filter(isSerializable)
      .map(({ type }) => ({ type: getEssence(type), pointer: pointer + toPointer('responses', key) })),
  )
}

function isSerializable({ type, itemSchema }: Content): boolean {
  return isUnknown(type) && itemSchema === undefined
}

/** True for a media type that the layer does not know. Every app has parsers for JSON and `text/plain`, which are Fastify's. */
function isUnknown(type: string): boolean {
  return getKind(type) !== 'json' && getEssence(type) !== 'text/plain' && !type.includes('*')
}

/** Finds the media types of requests for which an app has a content type parser. */
export function findParsers(operations: readonly Operation[], hasParser: (type: string) => boolean): string[] {
  const types = operations.flatMap(findParsable).map(({ type }) => type)
  return [...new Set(types)].filter(hasParser).sort()
}

/** Returns the operations with the mark `hasCodec` at the bodies that codecs read and write. */
export function markCodecs(operations: readonly Operation[], { parsers, serializers }: Codecs): Operation[] {
  if (parsers.length + serializers.length === 0) return [...operations]
  const mark = (content: readonly Content[], types: readonly string[], isPossible: (content: Content) => boolean) =>
    content.map((media) => {
      return isPossible(media) && types.includes(getEssence(media.type)) ? { ...media, hasCodec: true } : media
    })
  return operations.map((operation) => {
    const { requestBody, responses } = operation
    const isParsableHere = (media: Content) => isParsable(operation, media)
    return {
      ...operation,
      requestBody: requestBody && { ...requestBody, content: mark(requestBody.content, parsers, isParsableHere) },
      responses: new Map(
        Array.from(responses, ([key, response]) => [
          key,
          { ...response, content: mark(response.content, serializers, isSerializable) },
        ]),
      ),
    }
  })
}

/** True if a content type parser of the app reads bodies of an operation. */
export function usesParser({ requestBody }: Operation): boolean {
  return requestBody?.content.some(({ hasCodec }) => hasCodec) === true
}

/** What messages say of parsers and of serializers. */
const KINDS = [
  {
    key: 'parsers',
    find: findParsable,
    codec: 'content type parser',
    body: 'request body',
    advice: 'add it before the plugin',
  },
  {
    key: 'serializers',
    find: findSerializable,
    codec: 'serializer',
    body: 'response',
    advice: 'add it to the option serializers',
  },
] as const

/** Finds codecs without a body, and operations that cannot have one; `operations` have the marks of `markCodecs`. */
export function* checkCodecs(operations: readonly Operation[], codecs: Codecs): Iterable<Problem> {
  for (const { key, find, codec, body } of KINDS) {
    const types = new Set(operations.flatMap(find).map(({ type }) => type))
    for (const type of codecs[key]) {
      if (types.has(type)) continue
      const what = `no ${body} has the media type "${type}", or the layer needs no ${codec} for it`
      const advice = 'name another one, in lower case and without parameters, or remove it'
      yield { pointer: '/paths', message: `${what}; ${advice}` }
    }
  }
  for (const operation of operations.filter(usesParser)) {
    const pointer = `${operation.pointer}/requestBody`
    const what = 'a content type parser of the app reads another media type of this body'
    for (const { type, hasCodec } of operation.requestBody?.content ?? []) {
      if (type.includes('*')) {
        yield {
          pointer,
          message: `${what}, and could read some of ${type}; name the media types in place of the range`,
        }
      } else if (!hasCodec && codecs.parsers.includes(getEssence(type))) {
        yield {
          pointer,
          message: `${what}, and would read the stream of ${type}; stream it in an operation of its own`,
        }
      }
    }
  }
}

/** Finds the media types whose bodies are values for the app, and texts or bytes for the generated types, or the reverse. */
export function* checkGeneratedCodecs(
  operations: readonly Operation[],
  codecs: Codecs,
  generated: Codecs,
): Iterable<Problem> {
  const options = KINDS.flatMap(({ key }) => (codecs[key].length > 0 ? [`--${key} ${codecs[key]}`] : []))
  const generate = `generate them ${options.length > 0 ? `with ${options.join(' ')}` : 'again'}`
  for (const { key, find, codec, advice } of KINDS) {
    const bodies = operations.flatMap(find)
    for (const type of new Set(codecs[key]).symmetricDifference(new Set(generated[key]))) {
      const pointer = bodies.find((body) => body.type === type)?.pointer ?? ''
      const message = codecs[key].includes(type)
        ? `the app has a ${codec} for ${type}, and the generated types do not know of it; ${generate}`
        : `the generated types are for an app with a ${codec} for ${type}; ${advice}, or ${generate}`
      yield { pointer, message }
    }
  }
}
