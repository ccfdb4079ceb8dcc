/**
 * Checks the declared responses against those that the server makes by itself: each of its errors is declared, its bodies
 * and headers are as they are declared, and each header that is declared as required is sent.
 */
import type { Problem } from '../document/load.ts'
import type { Header, Schema } from '../document/model.ts'
import { findResponse, type Operation, type ResponseKey } from '../document/operations.ts'
import { toPointer } from '../document/references.ts'
import { getTypes } from '../document/schemas.ts'
import { parseText } from '../request/text.ts'
import { type Features, isSent, isServerHeader } from '../response/headers.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { formatViolation } from '../schema/violations.ts'

/** Examples of what the server sends by itself. */
export interface Samples {
  /** Returns the bodies of its errors with this status, one of each kind. */
  getErrorBodies(status: number): readonly unknown[]
  /** Values of its headers, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** Finds what the server sends and an operation does not declare, and what an operation declares and nobody sends. */
export function checkResponses(
  operations: readonly Operation[],
  compile: SchemaCompiler,
  features: Features,
  samples: Samples,
): Problem[] {
  const bodies: CheckedBody[] = []

  function checkOperation(operation: Operation): Problem[] {
    const place = toPointer('paths', operation.path, operation.method, 'responses')
    const keys = new Map([...operation.responses.keys()].map((key) => [key, key]))
    const problems: Problem[] = []
    const ofServer = new Set<ResponseKey>()
    const statuses = getServerStatuses(operation)
    const missing = statuses.filter((status) => findResponse(keys, status) === undefined)
    if (missing.length > 0) {
      const message = `the server may respond with ${missing.join(', ')}; declare each, or "4XX" and "5XX", or "default"`
      problems.push({ pointer: place, message })
    }
    for (const status of statuses) {
      const key = findResponse(keys, status)
      const schema = findResponse(operation.responses, status)?.body
      if (key === undefined) continue
      if (schema === undefined) {
        const message = 'the errors of the server have a body; declare the content "application/json"'
        if (!ofServer.has(key)) problems.push({ pointer: place + toPointer(key), message })
        ofServer.add(key)
      } else {
        ofServer.add(key)
        const violations = findViolations(schema, samples.getErrorBodies(status))
        bodies.push({ pointer: place + toPointer(key), schema, violations })
      }
    }
    for (const [key, { headers }] of operation.responses) {
      for (const [name, header] of Object.entries(headers)) {
        const pointer = place + toPointer(key, 'headers', name)
        // A response that only the handler makes has the headers that the compiler asks for.
        const isOfHandler = !ofServer.has(key) && !isServerHeader(name, header)
        if (header.required === true && !isOfHandler && !isSent(name, header, operation, key, features)) {
          const message = `"${name}" is required, but not sent with every response of this kind; remove the header or "required"`
          problems.push({ pointer, message })
        }
        problems.push(...checkValue(name, header).map((message) => ({ pointer, message })))
      }
    }
    return problems
  }

  function findViolations(schema: Schema, values: readonly unknown[]): string[] {
    const validate = compile(schema)
    const violations = values.flatMap((value) => {
      const result = validate(structuredClone(value))
      return 'value' in result ? [] : result.errors.map((error) => formatViolation('body', error))
    })
    return [...new Set(violations)]
  }

  function checkValue(name: string, { schema }: Header): string[] {
    const text = samples.headers[name.toLowerCase()]
    const [type] = getTypes(schema)
    if (text === undefined || type === undefined) return []
    const result = compile(schema)(parseText(text, type))
    if ('value' in result) return []
    return result.errors.map(
      (error) => `${formatViolation(name, error)}, but the server sends ${text}; change the schema`,
    )
  }

  return [...operations.flatMap(checkOperation), ...reportBodies(bodies)]
}

/** A declared response, and what is wrong with the errors of the server by its schema. */
interface CheckedBody {
  readonly pointer: string
  readonly schema: Schema
  readonly violations: readonly string[]
}

/** Reports a mistake in a schema that several responses share once, at the schema; any other at the response. */
function reportBodies(bodies: readonly CheckedBody[]): Problem[] {
  return bodies.flatMap(({ pointer, schema, violations }) => {
    const alike = bodies.filter((other) => other.schema.$ref === schema.$ref)
    return violations.map((violation) => {
      const isInSchema = alike.length > 1 && alike.every((other) => other.violations.includes(violation))
      return {
        pointer: (isInSchema ? schema.$ref?.slice(1) : undefined) ?? pointer,
        message: `the errors of the server do not fit: ${violation}; change the schema`,
      }
    })
  })
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
