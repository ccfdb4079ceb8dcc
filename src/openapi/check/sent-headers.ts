/**
 * Checks the declared headers of responses against what the server and the handlers send. The table of `response/headers.ts` says who
 * sends a header.
 */
import { getKind } from '../document/content.ts'
import type { Operation } from '../document/operations.ts'
import { toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { findResponse, type Header, type Response, type ResponseKey } from '../document/responses.ts'
import { findSenders, type ServerHeaders } from '../response/headers.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { formatViolations } from '../schema/messages.ts'
import type { ResponseHeaders } from '../shared/errors.ts'

/**
 * The statuses that the layer or a hook of the app may send in place of the handler, so that a required header cannot be left to the
 * handler. 404 and 405 are for requests without an operation, and 501 for operations without a handler.
 */
const SERVER_STATUSES = [400, 401, 403, 406, 408, 413, 415, 429, 500, 503]

/** What an app adds to responses: headers that it sets itself, and a `Link` from a deprecated operation to its page. */
interface SentByApp {
  readonly serverHeaders: ServerHeaders
  /** True if the app has a page for each operation. */
  readonly hasDocumentation: boolean
}

/** A header that an operation declares for its responses with a key. */
interface DeclaredHeader {
  readonly operation: Operation
  readonly key: ResponseKey
  readonly name: string
  readonly header: Header
}

/** Reports headers that contradict what the server sends, and required headers that some responses lack. */
export function* checkSentHeaders(operation: Operation, app: SentByApp): Iterable<Problem> {
  for (const [key, { content, headers }] of operation.responses) {
    for (const [name, header] of Object.entries(headers)) {
      const declaredHeader = { operation, key, name, header }
      const toProblem = (message: string) => {
        return { pointer: operation.pointer + toPointer('responses', key, 'headers', name), message }
      }
      if (isComputedWithValues(declaredHeader, app)) {
        yield toProblem(`the value of "${name}" is for the server to compute; remove its const or enum`)
      }
      if (isWrongEncoding(name, header, content)) {
        yield toProblem('the server does not encode this body; remove the header, or describe the body as bytes')
      }
      if (header.required && !isAlwaysSent(declaredHeader, app)) {
        const what = `"${name}" is required, but not sent with every response of this kind`
        yield toProblem(`${what}; remove the header or "required", or name it in serverHeaders`)
      }
    }
  }
}

/** True if a header lists its values although the server computes the value. A `Link` may list some: the server adds its links. */
function isComputedWithValues({ operation, key, name, header }: DeclaredHeader, { serverHeaders }: SentByApp): boolean {
  if (header.allowedValues === undefined || isLink(name)) return false
  return findSenders(name, header, operation, key, serverHeaders).isComputed
}

/** True if a constant header says that each body is encoded, but the layer writes some bodies. A handler may encode texts and bytes. */
function isWrongEncoding(name: string, { constant }: Header, content: Response['content']): boolean {
  if (name.toLowerCase() !== 'content-encoding' || constant === undefined) return false
  return content.some(({ type, itemSchema }) => itemSchema !== undefined || getKind(type) === 'json')
}

/**
 * True if each response with the key has the header, from the server or from the handler.
 *
 * | sender      | header, key                            | always sent                    |
 * |-------------|----------------------------------------|--------------------------------|
 * | the server  | a `Link` that is only to documentation | if the app has documentation   |
 * | the server  | any other header                       | yes                            |
 * | the handler | a status that the server may also send | no                             |
 * | the handler | the 304 that the server makes of a 200 | if the 200 requires the header |
 * | the handler | any other key                          | yes: the types ask for it      |
 */
function isAlwaysSent(declaredHeader: DeclaredHeader, app: SentByApp): boolean {
  const { operation, key, name, header } = declaredHeader
  const { isSentByServer, mayBeReturned } = findSenders(name, header, operation, key, app.serverHeaders)
  if (isSentByServer) return app.hasDocumentation || !isDocumentationLink(declaredHeader, app)
  if (!mayBeReturned || mayBeSentByServer(key)) return false
  return key !== 304 || !operation.isConditional || isRequiredIn200(operation, name)
}

/** True for a `Link` that the server sends only with the link from a deprecated operation to its documentation. */
function isDocumentationLink({ operation, name, header }: DeclaredHeader, { serverHeaders }: SentByApp): boolean {
  const hasOtherLink =
    header.constant !== undefined || serverHeaders.includes('link') || operation.deprecation?.replacedBy
  return isLink(name) && !hasOtherLink
}

function isLink(name: string): boolean {
  return /^link$/i.test(name)
}

/** True if the key has a status that the server may send in place of the handler. */
function mayBeSentByServer(key: ResponseKey): boolean {
  return typeof key === 'number' ? SERVER_STATUSES.includes(key) : !/^[23]/.test(key)
}

function isRequiredIn200({ responses }: Operation, name: string): boolean {
  const headers = Object.entries(findResponse(responses, 200)?.headers ?? {})
  return headers.some(([header, { required }]) => required && header.toLowerCase() === name.toLowerCase())
}

/** Reports headers of a deprecation whose schemas do not allow the values that the server sends. */
export function* checkDeprecationHeaders(
  { pointer, responses }: Operation,
  sentHeaders: ResponseHeaders,
  compile: SchemaCompiler,
): Iterable<Problem> {
  const values = new Map(Object.entries(sentHeaders).map(([name, value]) => [name.toLowerCase(), value]))
  for (const [key, { headers }] of responses) {
    for (const [name, { schema }] of Object.entries(headers)) {
      const value = values.get(name.toLowerCase())
      if (value === undefined) continue
      const [violation] = formatViolations(name, compile(schema)(value))
      if (violation === undefined) continue
      const message = `${violation}, but the server sends ${value}; change the schema`
      yield { pointer: pointer + toPointer('responses', key, 'headers', name), message }
    }
  }
}
