/**
 * Checks a document against its implementation: a handler for each operation and no other, a function for each security
 * scheme, and somebody who sends each required header.
 */
import type { Schema } from '../document/model.ts'
import type { Operation } from '../document/operations.ts'
import type { Problem } from '../document/parse.ts'
import { getTypes, toPointer } from '../document/references.ts'
import { parseText } from '../request/text.ts'
import { findSendingRule, isServerHeader, type ServerHeaders } from '../response/headers.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { formatViolations } from '../schema/violations.ts'

/** Finds what is missing in the implementation, and what no operation needs. */
export function* checkImplementation(
  operations: readonly Operation[],
  handlers: object,
  security: object,
): Iterable<Problem> {
  for (const id of Object.keys(handlers)) {
    if (operations.some((operation) => operation.id === id)) continue
    yield { pointer: '/paths', message: `the handler "${id}" has no operation; add one or remove the handler` }
  }
  for (const { id, pointer } of operations) {
    if (Object.hasOwn(handlers, id)) continue
    yield { pointer: `${pointer}/operationId`, message: `"${id}" has no handler; write one or remove the operation` }
  }
  const names = operations.flatMap((operation) => operation.security.flat().map(({ name }) => name))
  for (const name of new Set(names)) {
    if (Object.hasOwn(security, name)) continue
    const message = `the security scheme "${name}" has no function; write one or remove the scheme`
    yield { pointer: toPointer('components', 'securitySchemes', name), message }
  }
}

/** The statuses of errors that are not of a handler. */
const SERVER_STATUSES = [400, 401, 403, 408, 413, 415, 429, 500, 503]

/**
 * Finds required headers that nobody sends, constants in place of what the server computes, and headers of a deprecation (by
 * name) that are not as the document declares them.
 */
export function* checkHeaders(
  operation: Operation,
  deprecationHeaders: Readonly<Record<string, string>>,
  serverHeaders: ServerHeaders,
  compile: SchemaCompiler,
): Iterable<Problem> {
  /** The schemas that do not fit what is sent, by header: one that several responses share is reported once. */
  const wrong = new Map<string, Schema>()
  const ofDeprecation = new Map(Object.entries(deprecationHeaders).map(([name, value]) => [name.toLowerCase(), value]))
  for (const [key, { headers }] of operation.responses) {
    const isOfServer = typeof key === 'number' ? SERVER_STATUSES.includes(key) : !/^[23]/.test(key)
    for (const [name, header] of Object.entries(headers)) {
      const pointer = operation.pointer + toPointer('responses', key, 'headers', name)
      // The compiler asks a handler for the headers of its responses.
      const isOfHandler = !isOfServer && !isServerHeader(name, header, serverHeaders)
      if (header.required && !isOfHandler && !findSendingRule(name, header, serverHeaders)?.(operation, key)) {
        const what = `"${name}" is required, but not sent with every response of this kind`
        yield { pointer, message: `${what}; remove the header or "required"` }
      }
      if (wrong.get(name) === header.schema) continue
      // The links of a constant are sent with others.
      const isComputed = findSendingRule(name, { schema: {} }, serverHeaders) !== undefined && !/^link$/i.test(name)
      if (isComputed && ('const' in header.schema || 'enum' in header.schema)) {
        wrong.set(name, header.schema)
        yield { pointer, message: `the value of "${name}" is for the server to compute; remove its const or enum` }
        continue
      }
      const [type = 'string'] = getTypes(header.schema)
      const sent = ofDeprecation.get(name.toLowerCase())
      const [violation] =
        sent === undefined ? [] : formatViolations(name, compile(header.schema)(parseText(sent, type)))
      if (violation === undefined) continue
      wrong.set(name, header.schema)
      yield { pointer, message: `${violation}, but the server sends ${sent}; change the schema` }
    }
  }
}
