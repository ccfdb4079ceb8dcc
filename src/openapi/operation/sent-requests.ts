/** The requests of webhooks and callbacks, which the app sends: their bodies are validated and written like those of responses. */
import type { OpenApiDocument } from '../check/document.ts'
import { getKind, isRange, JSON_TYPE, toPattern } from '../document/content.ts'
import type { Schema } from '../document/model.ts'
import { getSentContent, type Operation } from '../document/operations.ts'
import { formatContentType } from '../response/body-plans.ts'
import { compileTextValidator } from '../response/complete-validation.ts'
import type { CompileSerializer } from '../response/serializer.ts'

/** A request for `fetch`, without its URL. */
export interface SentRequest {
  readonly method: string
  /** The app may add to them. */
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

type SentBody = NonNullable<SentRequest['body']>

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
  return Object.fromEntries(
    Array.from(requestsByPath, ([path, requests]) => {
      const writers = requests.map((request) => compileWriter(document, request, compileSerializer))
      const [onlyWriter] = writers
      if (writers.length === 1 && onlyWriter !== undefined) return [path, onlyWriter]
      return [path, Object.fromEntries(requests.map(({ method }, index) => [method, writers[index]]))]
    }),
  )
}

/** Compiles the writer of a request. A range that includes JSON is sent as JSON; for another range, the app sets the Content-Type. */
function compileWriter(
  document: OpenApiDocument,
  request: Operation,
  compileSerializer: CompileSerializer,
): RequestWriter {
  const { id, method, requestBody } = request
  // A new object for each request, because the app may add headers, such as a signature.
  const createHead = (headers = {}) => ({ method: method.toUpperCase(), headers: { ...headers } })
  const content = getSentContent(request)
  if (content === undefined) return () => createHead()
  const isJsonRange = isRange(content.type) && toPattern(content.type).test(JSON_TYPE)
  const type = isJsonRange ? JSON_TYPE : content.type
  const isJson = getKind(type) === 'json'
  const headers = isRange(type) ? {} : { 'content-type': formatContentType(type) }
  const subject = `invalid body of ${id}`
  const write = isJson
    ? compileJsonWriter(content.schema, subject, document, compileSerializer)
    : (body: unknown) => body as SentBody
  return (body) => {
    if (body !== undefined) return { ...createHead(headers), body: write(body) }
    if (requestBody?.isRequired) throw new Error(`${subject}: body is required`)
    return createHead()
  }
}

/** Compiles what writes a value as JSON; `subject` begins its messages. */
function compileJsonWriter(
  schema: Schema,
  subject: string,
  { compile }: OpenApiDocument,
  compileSerializer: CompileSerializer,
): (value: unknown) => SentBody {
  const serialize = compileSerializer(schema, `${subject}: body`)
  const findViolations = compileTextValidator(schema, 'body', compile)
  return (value) => {
    const json = serialize(value)
    const violations = findViolations(json)
    if (violations.length > 0) throw new Error(`${subject}: ${violations.join('; ')}`)
    return json
  }
}
