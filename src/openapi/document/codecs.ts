/**
 * Codecs are what an app adds for media types that the layer does not know, such as `application/xml`: content type parsers for
 * requests, and serializers for responses. With them, the body is a value that its schema describes, in place of text or bytes.
 */
import { getEssence, getKind, isRange, type MediaType } from './content.ts'
import type { Operation } from './operations.ts'

/** The media types for which an app has codecs, in lower case and without parameters. */
export interface Codecs {
  readonly parsers: readonly string[]
  readonly serializers: readonly string[]
}

export const NO_CODECS: Codecs = { parsers: [], serializers: [] }

/** Finds the media types of request bodies that the layer does not read itself. */
export function findParsableTypes(operations: readonly Operation[]): Set<string> {
  return new Set(
    operations.flatMap((operation) => {
      const content = operation.requestBody?.content ?? []
      return content.filter((media) => isParsable(media, operation)).map(({ type }) => getEssence(type))
    }),
  )
}

/** Finds the media types of responses that a serializer of the app could write. */
export function findSerializableTypes(operations: readonly Operation[]): Set<string> {
  const content = operations.flatMap(({ responses }) => [...responses.values()].flatMap(({ content }) => content))
  return new Set(content.filter(isSerializable).map(({ type }) => getEssence(type)))
}

function isParsable({ type, isStreamed }: MediaType, { method }: Operation): boolean {
  // Fastify reads no body of a GET.
  return needsCodec(type) && getKind(type) !== 'form' && !isStreamed && method !== 'get'
}

function isSerializable({ type, itemSchema }: MediaType): boolean {
  return needsCodec(type) && itemSchema === undefined
}

/** True for a media type that the layer does not know. Every app has parsers for JSON and `text/plain`, which are Fastify's. */
function needsCodec(type: string): boolean {
  return getKind(type) !== 'json' && getEssence(type) !== 'text/plain' && !isRange(type)
}

/** Returns the operations with the mark `hasCodec` at the bodies that codecs read and write. */
export function markCodecs(operations: readonly Operation[], { parsers, serializers }: Codecs): Operation[] {
  if (parsers.length + serializers.length === 0) return [...operations]
  const hasSerializer = (media: MediaType) => isSerializable(media) && serializers.includes(getEssence(media.type))
  return operations.map((operation) => {
    const { requestBody, responses } = operation
    const hasParser = (media: MediaType) => isParsable(media, operation) && parsers.includes(getEssence(media.type))
    return {
      ...operation,
      requestBody: requestBody && { ...requestBody, content: markContent(requestBody.content, hasParser) },
      responses: new Map(
        Array.from(responses, ([key, response]) => [
          key,
          { ...response, content: markContent(response.content, hasSerializer) },
        ]),
      ),
    }
  })
}

function markContent(content: readonly MediaType[], hasCodec: (media: MediaType) => boolean): MediaType[] {
  return content.map((media) => (hasCodec(media) ? { ...media, hasCodec: true } : media))
}

/** True if a content type parser of the app reads bodies of an operation. */
export function isParsedByApp({ requestBody }: Operation): boolean {
  return requestBody?.content.some(({ hasCodec }) => hasCodec) === true
}
