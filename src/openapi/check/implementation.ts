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
import { type Features, isSent, isServerHeader } from '../response/headers.ts'
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
export function checkResponses(
  plans: readonly Pick<Plan<unknown>, 'operation' | 'deprecationHeaders'>[],
  compile: SchemaCompiler,
  features: Features,
  samples: Samples,
): Problem[] {
  const problems: Problem[] = []
  const report = (pointer: string, message: string) => void problems.push({ pointer, message })
  /** The schemas of headers that do not fit what the server sends. */
  const wrong = new Set<Schema>()
  /** The declared bodies of errors, and what is wrong with those of the server by their schemas. */
  const bodies: { pointer: string; target: string | undefined; violations: string[] }[] = []

  function checkOperation({ operation, deprecationHeaders }: (typeof plans)[number]): void {
    const ofDeprecation = Object.entries(deprecationHeaders).map(
      ([name, value]) => [name.toLowerCase(), [value]] as const,
    )
    const place = `${operation.pointer}/responses`
    const declared = new Map([...operation.responses].map(([key, response]) => [key, { key, ...response }]))
    const errors = getServerStatuses(operation).map((status) => ({ status, ...findResponse(declared, status) }))
    const missing = errors.filter(({ key }) => key === undefined)
    if (missing.length > 0) {
      const list = missing.map(({ status }) => status).join(', ')
      report(place, `the server may respond with ${list}; declare each, or "4XX" and "5XX", or "default"`)
    }
    for (const { status, key, body } of errors) {
      if (key === undefined) continue
      const pointer = place + toPointer(key)
      if (body === undefined) {
        report(pointer, 'the errors of the server have a body; declare the content "application/json"')
      } else {
        const validate = compile(body)
        const violations = samples.getErrorBodies(status).flatMap((each) => formatViolations('body', validate(each)))
        bodies.push({ pointer, target: body.$ref?.slice(1), violations })
      }
    }
    for (const { key, headers } of declared.values()) {
      const sent = new Map([...Object.entries(samples.getHeaders(key)), ...ofDeprecation])
      for (const [name, header] of Object.entries(headers)) {
        const pointer = place + toPointer(key, 'headers', name)
        // A response that only the handler makes has the headers that the compiler asks for.
        const isOfHandler = !isServerHeader(name, header) && errors.every((error) => error.key !== key)
        if (header.required && !isOfHandler && !isSent(name, header, operation, key, features)) {
          const what = `"${name}" is required, but not sent with every response of this kind`
          report(pointer, `${what}; remove the header or "required"`)
        }
        const [type = 'string'] = getTypes(header.schema)
        for (const text of sent.get(name.toLowerCase()) ?? []) {
          const [violation] = formatViolations(name, compile(header.schema)(parseText(text, type)))
          // A schema that several responses share is reported once.
          if (violation === undefined || wrong.has(header.schema)) continue
          wrong.add(header.schema)
          report(pointer, `${violation}, but the server sends ${text}; change the schema`)
        }
      }
    }
  }

  for (const plan of plans) checkOperation(plan)
  for (const { pointer, target, violations } of bodies) {
    const alike = bodies.filter((other) => other.target === target)
    for (const violation of violations) {
      // A mistake in a schema that several responses share is reported at the schema.
      const isShared = alike.length > 1 && alike.every((other) => other.violations.includes(violation))
      const place = (isShared && target) || pointer
      report(place, `the errors of the server do not fit: ${violation}; change the schema`)
    }
  }
  return problems
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
