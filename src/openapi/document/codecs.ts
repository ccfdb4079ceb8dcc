/**
 * Codecs are what an app adds for media types that the layer does not know, such as `application/xml`: content type parsers for
 * requests, and serializers for responses. With them, the body is a value that its schema describes, in place of text or bytes.
 */
import { getEssence, getKind, type MediaType } from './content.ts'
import type { Operation } from './operations.ts'

/** The media types for which an app has codecs, in lower case and without parameters. */
export interface Codecs {
  readonly parsers: readonly string[]
  readonly serializers: readonly string[]
}

export const NO_CODECS: Codecs = { parsers: [], serializers: [] }

/** Finds the media types of requests for which an app has a content type parser. */
export function findParsers(operations: readonly Operation[], hasParser: (type: string) => boolean): string[] {
  const parsableContent = operations.flatMap(findParsableContent)
  return [...new Set(parsableContent.map(({ type }) => getEssence(type)))].filter(hasParser).sort()
}

/** Returns the operations with the mark `hasCodec` at the bodies that codecs read and write. */
export function markCodecs(operations: readonly Operation[], { parsers, serializers }: Codecs): Operation[] {
  if (parsers.length + serializers.length === 0) return [...operations]
  return operations.map((operation) => {
    const { requestBody, responses } = operation
    const parsedContent = findParsableContent(operation).filter(({ type }) => parsers.includes(getEssence(type)))
    return {
      ...operation,
      requestBody: requestBody && { ...requestBody, content: mark(requestBody.content, parsedContent) },
      responses: new Map(
        Array.from(responses, ([key, response]) => {
          const { content } = response
          const serializedContent = content.filter((media) => {
            return isSerializable(media) && serializers.includes(getEssence(media.type))
          })
          return [key, { ...response, content: mark(content, serializedContent) }]
        }),
      ),
    }
  })
}

function mark(content: readonly MediaType[], codecContent: readonly MediaType[]): MediaType[] {
  return content.map((media) => (codecContent.includes(media) ? { ...media, hasCodec: true } : media))
}

/** Finds the media types of a request body that the layer does not read itself. */
export function findParsableContent({ method, requestBody }: Operation): MediaType[] {
  // Fastify reads no body of a GET.
  if (requestBody === undefined || method === 'get') return []
  return requestBody.content.filter(
    ({ type, isStreamed }) => isUnknown(type) && getKind(type) !== 'form' && !isStreamed,
  )
}

/** True if a serializer of the app could write bodies of a response. */
export function isSerializable({ type, itemSchema }: MediaType): boolean {
  return isUnknown(type) && itemSchema === undefined
}

/** True for a media type that the layer does not know. Every app has parsers for JSON and `text/plain`, which are Fastify's. */
function isUnknown(type: string): boolean {
  return getKind(type) !== 'json' && getEssence(type) !== 'text/plain' && !type.includes('*')
}

/** True if a content type parser of the app reads bodies of an operation. */
export function usesParser({ requestBody }: Operation): boolean {
  return requestBody?.content.some(({ hasCodec }) => hasCodec) === true
}
