/** Checks the declared headers of responses against what the server and the handlers send. */
import { getKind } from '../document/content.ts'
import type { Schema } from '../document/model.ts'
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

/**
 * Reports headers that contradict what the server sends, and required headers that some responses lack. `hasDocumentation` is true if
 * the app has a page for each operation.
 */
export function* checkSentHeaders(
  operation: Operation,
  serverHeaders: ServerHeaders,
  hasDocumentation: boolean,
): Iterable<Problem> {
  // A header that several responses share is reported once.
  const reportedSchemas = new Set<Schema>()
  for (const [key, response] of operation.responses) {
    for (const [name, header] of Object.entries(response.headers)) {
      // An optional header with any value contradicts nothing.
      if (!header.required && header.allowedValues === undefined) continue
      const toProblem = (message: string) => {
        return { pointer: operation.pointer + toPointer('responses', key, 'headers', name), message }
      }
      const senders = findSenders(name, header, operation, key, serverHeaders)
      // `Link` may be constant: the server adds its links to the constant.
      const isFixed = header.allowedValues !== undefined && senders.isComputed && !isLink(name)
      if (isFixed && !reportedSchemas.has(header.schema)) {
        reportedSchemas.add(header.schema)
        yield toProblem(`the value of "${name}" is for the server to compute; remove its const or enum`)
      }
      if (header.constant !== undefined && isFalseEncoding(name, response)) {
        yield toProblem('the server does not encode this body; remove the header, or describe the body as bytes')
      }
      if (!header.required) continue
      const hasValue = hasDocumentation || !isDocumentationLink(name, header, operation, serverHeaders)
      const isSentByServer = senders.isSentByServer && hasValue
      const isSentByHandler = !senders.isSentByServer && senders.mayBeReturned && isAlwaysHandled(name, operation, key)
      if (isSentByServer || isSentByHandler) continue
      const what = `"${name}" is required, but not sent with every response of this kind`
      yield toProblem(`${what}; remove the header or "required", or name it in serverHeaders`)
    }
  }
}

function isLink(name: string): boolean {
  return /^link$/i.test(name)
}

/** True for a `Link` that the server sends only with the link from a deprecated operation to its documentation. */
function isDocumentationLink(
  name: string,
  { constant }: Header,
  { deprecation }: Operation,
  serverHeaders: ServerHeaders,
): boolean {
  return isLink(name) && constant === undefined && !serverHeaders.includes('link') && !deprecation?.replacedBy
}

/** True if every response with this key is one of a handler: the types ask the handler for a required header. */
function isAlwaysHandled(name: string, operation: Operation, key: ResponseKey): boolean {
  const isServerResponse = typeof key === 'number' ? SERVER_STATUSES.includes(key) : !/^[23]/.test(key)
  return !isServerResponse && !isLackedByNotModified(name, operation, key)
}

/** True if a constant header says that each body is encoded, and the layer writes some of them. A handler may encode texts and bytes. */
function isFalseEncoding(name: string, { content }: Response): boolean {
  if (name.toLowerCase() !== 'content-encoding') return false
  return content.some(({ type, itemSchema }) => itemSchema !== undefined || getKind(type) === 'json')
}

/** True if the server cannot send a header with a 304, which it makes of a 200, because the 200 may lack the header. */
function isLackedByNotModified(name: string, { isConditional, responses }: Operation, key: ResponseKey): boolean {
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
  // A header that several responses share is reported once.
  const reportedSchemas = new Set<Schema>()
  for (const [key, { headers }] of responses) {
    for (const [name, { schema }] of Object.entries(headers)) {
      const value = values.get(name.toLowerCase())
      if (value === undefined || reportedSchemas.has(schema)) continue
      const [violation] = formatViolations(name, compile(schema)(value))
      if (violation === undefined) continue
      reportedSchemas.add(schema)
      const message = `${violation}, but the server sends ${value}; change the schema`
      yield { pointer: pointer + toPointer('responses', key, 'headers', name), message }
    }
  }
}
