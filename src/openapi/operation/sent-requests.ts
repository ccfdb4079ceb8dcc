/** The requests of webhooks and callbacks, which the app sends: their bodies are validated and written like those of responses. */
import type { OpenApiDocument } from '../check/document.ts'
import { getKind, MEDIA_TYPE, toPattern } from '../document/content.ts'
import { getSentContent, type Operation } from '../document/operations.ts'
import { formatContentType } from '../response/content.ts'
import type { CompileSerializer } from '../response/serializer.ts'
import { createResponseValidator, throwViolations } from '../response/validator.ts'
import { toError } from '../shared/errors.ts'

/** A request for `fetch`, without its URL. */
export interface SentRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/**
 * Writes a request: a value as JSON, without members that are undeclared or `writeOnly`; a body of another media type as it is, a
 * text or bytes. Throws if the document does not allow the body.
 */
export type RequestWriter = (body?: unknown) => SentRequest

/** The writers by the name of the webhook or callback; of several methods, by method. */
export type RequestWriters = Readonly<Record<string, RequestWriter | Readonly<Record<string, RequestWriter>>>>

/** Compiles the writers of all webhooks and callbacks. */
export function compileSentRequests(document: OpenApiDocument, compileSerializer: CompileSerializer): RequestWriters {
  const requestsByPath = Map.groupBy(document.sentRequests, ({ path }) => path)
  const compileAll = (requests: readonly Operation[]) =>
    requests.map((request) => [request.method, compileWriter(document, request, compileSerializer)] as const)
  return Object.fromEntries(
    Array.from(requestsByPath, ([path, requests]) => {
      const writers = compileAll(requests)
      const [[, onlyWriter] = []] = writers.length === 1 ? writers : []
      return [path, onlyWriter ?? Object.fromEntries(writers)]
    }),
  )
}

function compileWriter(
  { compile }: OpenApiDocument,
  request: Operation,
  compileSerializer: CompileSerializer,
): RequestWriter {
  const { id, method, requestBody } = request
  const sentContent = getSentContent(request)
  const head = { method: method.toUpperCase(), headers: {} }
  if (sentContent === undefined) return () => head
  const isJsonRange = sentContent.type.includes('*') && toPattern(sentContent.type).test(MEDIA_TYPE)
  const type = isJsonRange ? MEDIA_TYPE : sentContent.type
  // The app chooses a media type of another range, such as `image/*`.
  const contentHead = type.includes('*') ? head : { ...head, headers: { 'content-type': formatContentType(type) } }
  if (getKind(type) !== 'json') {
    return (body) => {
      if (body === undefined && requestBody?.isRequired) throw new Error(`invalid body of ${id}: body is required`)
      return body === undefined ? head : { ...contentHead, body: body as NonNullable<SentRequest['body']> }
    }
  }
  const serialize = compileSerializer(sentContent.schema)
  const response = { content: [{ ...sentContent, type }], headers: {} }
  const { checkText } = createResponseValidator(response, compile, [], throwViolations)
  return (value) => {
    if (value === undefined && requestBody?.isRequired !== true) return head
    try {
      const body = serialize(value)
      // `throwViolations` throws, and logs nothing.
      checkText(type, body, console)
      return { ...contentHead, body }
    } catch (thrown) {
      const error = toError(thrown)
      throw new Error(error.message.replace('invalid response', `invalid body of ${id}`), { cause: error })
    }
  }
}
