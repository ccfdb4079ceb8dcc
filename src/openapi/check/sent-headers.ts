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
interface AppOptions {
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
export function* checkSentHeaders(operation: Operation, app: AppOptions): Iterable<Problem> {
  for (const [key, { content, headers }] of operation.responses) {
    for (const [name, header] of Object.entries(headers)) {
      const declaredHeader = { operation, key, name, header }
      const toProblem = (message: string) => {
        return { pointer: operation.pointer + toPointer('responses', key, 'headers', name), message }
      }
      if (isFalseList(declaredHeader, app)) {
        yield toProblem(`the value of "${name}" is for the server to compute; remove its const or enum`)
      }
      if (header.constant !== undefined && isFalseEncoding(name, content)) {
        yield toProblem('the server does not encode this body; remove the header, or describe the body as bytes')
      }
      if (header.required && !isAlwaysSent(declaredHeader, app)) {
        const what = `"${name}" is required, but not sent with every response of this kind`
        yield toProblem(`${what}; remove the header or "required", or name it in serverHeaders`)
      }
    }
  }
}

/** True if a header lists its values although the server computes the value. To a listed `Link`, the server adds its links. */
function isFalseList({ operation, key, name, header }: DeclaredHeader, { serverHeaders }: AppOptions): boolean {
  if (header.allowedValues === undefined || isLink(name)) return false
  return findSenders(name, header, operation, key, serverHeaders).isComputed
}

/** True if a constant header says that each body is encoded, and the layer writes some of them. A handler may encode texts and bytes. */
function isFalseEncoding(name: string, content: Response['content']): boolean {
  if (name.toLowerCase() !== 'content-encoding') return false
  return content.some(({ type, itemSchema }) => itemSchema !== undefined || getKind(type) === 'json')
}

/** True if each response with the key has the header, from the server or from the handler. */
function isAlwaysSent(declaredHeader: DeclaredHeader, app: AppOptions): boolean {
  const { operation, key, name, header } = declaredHeader
  const { isSentByServer, mayBeReturned } = findSenders(name, header, operation, key, app.serverHeaders)
  if (isSentByServer) return app.hasDocumentation || !isDocumentationLink(declaredHeader, app)
  return mayBeReturned && isAlwaysHandled(declaredHeader)
}

/** True for a `Link` that the server sends only with the link from a deprecated operation to its documentation. */
function isDocumentationLink({ operation, name, header }: DeclaredHeader, { serverHeaders }: AppOptions): boolean {
  const isOfServer = header.constant !== undefined || serverHeaders.includes('link')
  return isLink(name) && !isOfServer && !operation.deprecation?.replacedBy
}

function isLink(name: string): boolean {
  return /^link$/i.test(name)
}

/** True if every response with the key is one of a handler: the types ask the handler for a required header. */
function isAlwaysHandled(declaredHeader: DeclaredHeader): boolean {
  const { key } = declaredHeader
  const isServerResponse = typeof key === 'number' ? SERVER_STATUSES.includes(key) : !/^[23]/.test(key)
  return !isServerResponse && !isLackedByNotModified(declaredHeader)
}

/** True if the server cannot send the header with a 304, which it makes of a 200, because the 200 may lack the header. */
function isLackedByNotModified({ operation: { isConditional, responses }, key, name }: DeclaredHeader): boolean {
  if (key !== 304 || !isConditional) return false
  const headers = Object.entries(findResponse(responses, 200)?.headers ?? {})
  return !headers.some(([header, { required }]) => required && header.toLowerCase() === name.toLowerCase())
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
