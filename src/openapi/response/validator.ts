/** The complete validation of responses, by the option `validateResponses`. */
import type { FastifyBaseLogger } from 'fastify'
import type { Response } from '../document/responses.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { formatViolations } from '../schema/messages.ts'
import { toError } from '../shared/errors.ts'
import { parseJson } from '../shared/parse-json.ts'
import type { HandlerHeaders } from './headers.ts'

/** The complete validation of a response. Its functions return true if what a handler returned is what the spec allows. */
export interface ResponseValidator {
  /** Checks the headers, by names in lower case. */
  checkHeaders(headers: HandlerHeaders, log: Log): boolean
  /** Checks a body, or an item of a stream, by the JSON text of it. */
  checkText(type: string, text: string, log: Log): boolean
}

/** Throws or logs the violations of a response. */
type OnViolations = (violations: readonly string[], log: Log) => void

/** The log of a request. */
type Log = Pick<FastifyBaseLogger, 'error'>

/** Creates the complete validation of a response; `required` are the headers that the handler must set. */
export function createResponseValidator(
  { content, headers }: Response,
  compile: SchemaCompiler,
  required: readonly string[],
  onViolations: OnViolations,
): ResponseValidator {
  const textValidators = new Map(
    content.map(({ type, schema, itemSchema }) => {
      const name = itemSchema === undefined ? 'body' : 'item'
      return [type, { name, validate: compile(itemSchema ?? schema, 'response') }]
    }),
  )
  const headerValidators = new Map(
    Object.entries(headers).map(([name, { schema }]) => [
      name.toLowerCase(),
      { name, validate: compile(schema, 'response') },
    ]),
  )

  function* findHeaderViolations(handlerHeaders: HandlerHeaders): Iterable<string> {
    for (const [name, value] of Object.entries(handlerHeaders)) {
      if (value === undefined) continue
      const validator = headerValidators.get(name)
      if (validator === undefined) yield `the header ${name} is not declared`
      else yield* formatViolations(validator.name, validator.validate(value))
    }
    for (const name of required) {
      if (handlerHeaders[name.toLowerCase()] === undefined) yield `the header ${name} is required and missing`
    }
  }

  /** Validates the text and not the value, because a member that is undefined, for example, is not written. */
  function findTextViolations(type: string, text: string): string[] {
    const validator = textValidators.get(type)
    if (validator === undefined) return []
    let value: unknown
    try {
      value = parseJson(Buffer.from(text))
    } catch (error) {
      // A text that no JSON should have is a fault of the handler, not of the request.
      return [`${validator.name} ${toError(error).message}`]
    }
    return formatViolations(validator.name, validator.validate(value))
  }

  function check(violations: readonly string[], log: Log): boolean {
    if (violations.length > 0) onViolations(violations, log)
    return violations.length === 0
  }

  return {
    checkHeaders: (handlerHeaders, log) => check([...findHeaderViolations(handlerHeaders)], log),
    // The first violation says enough for the log.
    checkText: (type, text, log) => check(findTextViolations(type, text).slice(0, 1), log),
  }
}

export function throwViolations(violations: readonly string[]): never {
  throw new Error(`invalid response: ${violations.join('; ')}`)
}

/** Creates the function that logs the violations in a response of an operation, which is sent nevertheless. */
export function reportViolations(operationId: string): OnViolations {
  return (violations, log) => log.error({ operationId }, `invalid response: ${violations.join('; ')}`)
}
