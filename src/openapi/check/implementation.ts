/**
 * Checks a document against its implementation: a handler for each operation and no other, an authenticator for each
 * security scheme, no path that the service uses for something else, and responses as the server makes them by itself.
 */
import type { Problem } from '../document/document.ts'
import type { OpenApi, Schema } from '../document/model.ts'
import { findResponse, getSchemeKey, type Operation, type ResponseKey } from '../document/operations.ts'
import { getTypes, toPointer } from '../document/references.ts'
import type { Plan } from '../plan.ts'
import { parseText } from '../request/text.ts'
import { isSent, isServerHeader } from '../response/headers.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { formatViolations } from '../schema/violations.ts'

/** Finds what is missing in the implementation, and the handlers that no operation needs. */
export function* checkImplementation(
  root: OpenApi,
  operations: readonly Operation[],
  handlers: object,
  authenticators: object,
): Iterable<Problem> {
  for (const id of Object.keys(handlers)) {
    if (operations.some((operation) => operation.id === id)) continue
    yield { pointer: '/paths', message: `the handler "${id}" has no operation; add one or remove the handler` }
  }
  for (const { id, pointer } of operations) {
    if (Object.hasOwn(handlers, id)) continue
    yield { pointer: `${pointer}/operationId`, message: `"${id}" has no handler; write one or remove the operation` }
  }
  const needed = operations.flatMap(({ security }) => security.flat().map(({ scheme }) => scheme))
  for (const [name, scheme] of Object.entries(root.components?.securitySchemes ?? {})) {
    const key = getSchemeKey(scheme)
    if (!needed.includes(scheme) || Object.hasOwn(authenticators, key)) continue
    const known = Object.keys(authenticators).join(', ') || 'none'
    const message = `the security scheme "${key}" is not implemented; implemented: ${known}`
    yield { pointer: toPointer('components', 'securitySchemes', name), message }
  }
}

/** Finds paths of the document, behind the base path, that the service uses for something else. */
export function* checkReserved(root: OpenApi, basePath: string, reserved: readonly string[]): Iterable<Problem> {
  for (const path of Object.keys(root.paths)) {
    const taken = reserved.find((other) => isWithin(basePath + path, other))
    if (taken === undefined) continue
    yield { pointer: toPointer('paths', path), message: `the service itself uses "${taken}"; choose another path` }
  }
}

/** True if a path template can match another path, or one below it; the root has none below it. */
function isWithin(template: string, other: string): boolean {
  if (other === '/') return template === '/'
  const segments = template.split('/')
  return other.split('/').every((segment, index) => segments[index] === segment || segments[index]?.startsWith('{'))
}

/** Examples of what the server sends by itself. */
export interface Samples {
  /** Returns the bodies of its errors with this status, one of each kind. */
  getErrorBodies(status: number): readonly unknown[]
  /** Returns values of its headers in a response under this key, by name in lower case. */
  getHeaders(key: ResponseKey): Readonly<Record<string, readonly string[]>>
}

/** Finds what the server sends and an operation does not declare, and what an operation declares and is never sent. */
export function* checkResponses(
  plans: readonly Pick<Plan, 'operation' | 'deprecationHeaders'>[],
  compile: SchemaCompiler,
  hasRateLimit: boolean,
  samples: Samples,
): Iterable<Problem> {
  /** The schemas of headers that do not fit what the server sends: one that several responses share is reported once. */
  const wrong = new Set<Schema>()
  for (const { operation, deprecationHeaders } of plans) {
    const place = `${operation.pointer}/responses`
    const declared = new Map([...operation.responses].map(([key, response]) => [key, { key, ...response }]))
    const errors = getServerStatuses(operation).map((status) => ({ status, ...findResponse(declared, status) }))
    const missing = errors.filter(({ key }) => key === undefined).map(({ status }) => status)
    if (missing.length > 0) {
      const advice = 'declare each, or "4XX" and "5XX", or "default"'
      yield { pointer: place, message: `the server may respond with ${missing.join(', ')}; ${advice}` }
    }
    for (const { status, key, body } of errors) {
      if (key === undefined) continue
      const pointer = place + toPointer(key)
      if (body === undefined) {
        yield { pointer, message: 'the errors of the server have a body; declare the content "application/json"' }
        continue
      }
      const validate = compile(body)
      const violations = samples.getErrorBodies(status).flatMap((each) => formatViolations('body', validate(each)))
      for (const violation of violations) {
        const message = `the errors of the server do not fit: ${violation}; change the schema`
        yield { pointer: body.$ref?.slice(1) ?? pointer, message }
      }
    }
    const ofDeprecation = Object.entries(deprecationHeaders).map(
      ([name, value]) => [name.toLowerCase(), [value]] as const,
    )
    for (const { key, headers } of declared.values()) {
      const sent = new Map([...Object.entries(samples.getHeaders(key)), ...ofDeprecation])
      for (const [name, header] of Object.entries(headers)) {
        const pointer = place + toPointer(key, 'headers', name)
        // A response that only the handler makes has the headers that the compiler asks for.
        const isOfHandler = !isServerHeader(name, header) && errors.every((error) => error.key !== key)
        if (header.required && !isOfHandler && !isSent(name, header, operation, key, hasRateLimit)) {
          const what = `"${name}" is required, but not sent with every response of this kind`
          yield { pointer, message: `${what}; remove the header or "required"` }
        }
        const [type = 'string'] = getTypes(header.schema)
        for (const text of sent.get(name.toLowerCase()) ?? []) {
          const [violation] = formatViolations(name, compile(header.schema)(parseText(text, type)))
          if (violation === undefined || wrong.has(header.schema)) continue
          wrong.add(header.schema)
          yield { pointer, message: `${violation}, but the server sends ${text}; change the schema` }
        }
      }
    }
  }
}

/** The statuses of the errors that the server may send by itself. */
function getServerStatuses({ requestBody, security }: Operation): number[] {
  const hasScopes = security.flat().some(({ scopes }) => scopes.length > 0)
  return [
    400,
    ...(security.length > 0 ? [401, 429] : []),
    ...(hasScopes ? [403] : []),
    ...(requestBody === undefined ? [] : [408, 413, 415]),
    500,
    503,
  ]
}
