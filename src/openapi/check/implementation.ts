/** Checks a document against its implementation: handlers, functions of security schemes, and headers of responses. */

import { getKind } from '../document/content.ts'
import type { Schema } from '../document/model.ts'
import type { Operation } from '../document/operations.ts'
import { toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { findResponse, type Header, type Response, type ResponseKey } from '../document/responses.ts'
import { parseBasePath } from '../document/servers.ts'
import { getOwn, type Values } from '../document/values.ts'
import type { UploadFolder } from '../request/upload-folder.ts'
import { findSenders, type ServerHeaders } from '../response/headers.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { formatViolations } from '../schema/messages.ts'
import type { ResponseHeaders } from '../shared/errors.ts'

/** The statuses that the layer or an app may send without the handler, so that no required header can be left to the handler. */
const SERVER_STATUSES = [400, 401, 403, 406, 408, 413, 415, 429, 500, 503]

/** Reports the option `basePath` if it is not a path. */
export function checkBasePath(basePath: string | undefined): Problem[] {
  if (basePath === undefined || parseBasePath(basePath) !== undefined) return []
  const message = `the option basePath is "${basePath}", which is not a path; write a path such as /v1`
  return [{ pointer: '', message }]
}

/** Reports an option with a value that it cannot have: a program without types may give it any. */
export function checkChoice(name: string, value: unknown, choices: readonly unknown[]): Problem[] {
  if (value === undefined || choices.includes(value)) return []
  const message = `the option ${name} is ${JSON.stringify(value)}; use one of: ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`
  return [{ pointer: '', message }]
}

/** The longest time that a timer of Node can have, in milliseconds. */
const MAX_INTERVAL = 2 ** 31 - 1

/** Reports the option `keepAliveInterval` if it is not a time. */
export function checkInterval(interval: number | undefined): Problem[] {
  if (interval === undefined || (Number.isInteger(interval) && interval >= 0 && interval <= MAX_INTERVAL)) return []
  const message = `the option keepAliveInterval is ${interval}; use an integer from 0 to ${MAX_INTERVAL}`
  return [{ pointer: '', message }]
}

/** Finds the operations whose files could not be written. */
export function* checkUploads(operations: readonly Operation[], uploadFolder: UploadFolder): Iterable<Problem> {
  const { folder } = uploadFolder
  for (const { pointer, requestBody } of operations) {
    const isUpload = requestBody?.content.some((content) => content.isStreamed && getKind(content.type) === 'form')
    if (!isUpload || uploadFolder.isWritable()) continue
    const message = `files cannot be written to the folder "${folder}"; create it, or change the option uploadFolder`
    yield { pointer: `${pointer}/requestBody`, message }
  }
}

/**
 * Finds what is missing in the implementation, and what no operation needs. `substitute` is what operations without a handler
 * respond with; undefined if each needs one. `hasDocumentation` is true if the app has a page for each operation.
 */
export function* checkImplementation(
  operations: readonly Operation[],
  handlers: Values,
  substitute: '501' | 'examples' | undefined,
  security: object,
  serverHeaders: ServerHeaders,
  hasDocumentation: boolean,
): Iterable<Problem> {
  yield* checkHandlers(operations, handlers, substitute)
  yield* checkSecurityFunctions(operations, security)
  for (const operation of operations) yield* checkHeaders(operation, serverHeaders, hasDocumentation)
}

/** Finds handlers without an operation, and operations without a handler. */
function* checkHandlers(
  operations: readonly Operation[],
  handlers: Values,
  substitute: '501' | 'examples' | undefined,
): Iterable<Problem> {
  for (const id of Object.keys(handlers)) {
    if (operations.some((operation) => operation.id === id)) continue
    yield { pointer: '/paths', message: `the handler "${id}" has no operation; add one or remove the handler` }
  }
  const unhandledOperations = operations.filter(({ id }) => getOwn(handlers, id) === undefined)
  if (substitute !== undefined && unhandledOperations.length > 0) {
    const ids = unhandledOperations.map(({ id }) => id).join(', ')
    const message = `these operations have no handler, and respond with ${substitute}: ${ids}; write one for each`
    yield { pointer: '/paths', message, isWarning: true }
    return
  }
  for (const { id, pointer } of unhandledOperations) {
    const advice = 'write one, remove the operation, or set the option missingHandlers'
    yield { pointer: `${pointer}/operationId`, message: `"${id}" has no handler; ${advice}` }
  }
}

/** Finds security schemes that an operation requires, and that have no function. */
function* checkSecurityFunctions(operations: readonly Operation[], security: object): Iterable<Problem> {
  const schemeNames = operations.flatMap((operation) => operation.security.flat().map(({ name }) => name))
  for (const name of new Set(schemeNames)) {
    if (Object.hasOwn(security, name)) continue
    const message = `the security scheme "${name}" has no function; write one or remove the scheme`
    yield { pointer: toPointer('components', 'securitySchemes', name), message }
  }
}

/** Finds declared response headers that contradict what the server sends, and required ones that some responses lack. */
function* checkHeaders(
  operation: Operation,
  serverHeaders: ServerHeaders,
  hasDocumentation: boolean,
): Iterable<Problem> {
  // A header that several responses share is reported once.
  const reportedSchemas = new Map<string, Schema>()
  for (const [key, response] of operation.responses) {
    for (const [name, header] of Object.entries(response.headers)) {
      const pointer = operation.pointer + toPointer('responses', key, 'headers', name)
      const senders = findSenders(name, header, operation, key, serverHeaders)
      // `Link` may be constant: the server adds its links to the constant.
      const isFixed = header.allowedValues !== undefined && senders.isComputed && !isLink(name)
      if (isFixed && reportedSchemas.get(name) !== header.schema) {
        reportedSchemas.set(name, header.schema)
        yield { pointer, message: `the value of "${name}" is for the server to compute; remove its const or enum` }
      }
      if (isFalseEncoding(name, header, response)) {
        const message = 'the server does not encode this body; remove the header, or describe the body as bytes'
        yield { pointer, message }
      }
      const isSent = senders.isSentByServer
        ? hasDocumentation || !isOfDeprecation(name, header, operation, serverHeaders)
        : senders.mayBeReturned && isAlwaysHandled(name, operation, key)
      if (!header.required || isSent) continue
      const what = `"${name}" is required, but not sent with every response of this kind`
      yield { pointer, message: `${what}; remove the header or "required", or name it in serverHeaders` }
    }
  }
}

function isLink(name: string): boolean {
  return /^link$/i.test(name)
}

/** True if only the link from a deprecated operation to its documentation could be sent in a `Link`. */
function isOfDeprecation(
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

/** True if a header says that each body is encoded, and the layer writes some of them. A handler may encode texts and bytes. */
function isFalseEncoding(name: string, header: Header, { content }: Response): boolean {
  if (name.toLowerCase() !== 'content-encoding' || header.constant === undefined) return false
  return content.some(({ type, itemSchema }) => itemSchema !== undefined || getKind(type) === 'json')
}

/** True if the server cannot send a header with a 304, which it makes of a 200, because the 200 may lack the header. */
function isLackedByNotModified(name: string, { isConditional, responses }: Operation, key: ResponseKey): boolean {
  if (key !== 304 || !isConditional) return false
  const headers = Object.entries(findResponse(responses, 200)?.headers ?? {})
  return !headers.some(([header, { required }]) => required && header.toLowerCase() === name.toLowerCase())
}

/** Finds headers of a deprecation, by name, that are not as the document declares them. */
export function* checkDeprecation(
  { pointer, responses }: Operation,
  deprecationHeaders: ResponseHeaders,
  compile: SchemaCompiler,
): Iterable<Problem> {
  // A header that several responses share is reported once.
  const reportedSchemas = new Set<Schema>()
  for (const [key, { headers }] of responses) {
    for (const [name, { schema }] of Object.entries(headers)) {
      const value = Object.entries(deprecationHeaders).find(
        ([header]) => header.toLowerCase() === name.toLowerCase(),
      )?.[1]
      const [violation] = value === undefined ? [] : formatViolations(name, compile(schema)(value))
      if (violation === undefined || reportedSchemas.has(schema)) continue
      reportedSchemas.add(schema)
      const message = `${violation}, but the server sends ${value}; change the schema`
      yield { pointer: pointer + toPointer('responses', key, 'headers', name), message }
    }
  }
}
