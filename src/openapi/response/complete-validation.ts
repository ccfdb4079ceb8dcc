/** The complete validation of responses, by the option `validateResponses`, and of the bodies that an app sends to webhooks. */
import type { FastifyBaseLogger } from 'fastify'
import type { Schema } from '../document/model.ts'
import type { Header } from '../document/responses.ts'
import { getOwn, mapValues } from '../document/values.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { formatViolations } from '../schema/messages.ts'
import { toError } from '../shared/errors.ts'
import { parseJson } from '../shared/parse-json.ts'
import { type HandlerHeaders, lowerCaseNames } from './headers.ts'

/** Throws, or logs, what violates the document in a response; returns true without violations. */
export type ReportViolations = (violations: readonly string[], log: FastifyBaseLogger) => boolean

/** Creates the report of an operation: with 'report', an invalid response is logged and sent; with true, it is an error. */
export function createReport(operationId: string, validateResponses: true | 'report'): ReportViolations {
  return (violations, log) => {
    if (violations.length === 0) return true
    const message = `invalid response: ${violations.join('; ')}`
    if (validateResponses === true) throw new Error(message)
    log.error({ operationId }, message)
    return false
  }
}

/** Finds what violates the schema in the JSON text of a body or item. The list has at most one violation, which says enough. */
type FindTextViolations = (text: string) => readonly string[]

/**
 * Compiles the validation of a body or item, which `name` says. It validates the text and not the value, because a member that is
 * undefined, for example, is not written.
 */
export function compileTextValidator(
  schema: Schema,
  name: 'body' | 'item',
  compile: SchemaCompiler,
): FindTextViolations {
  const validate = compile(schema, 'response')
  return (text) => {
    let value: unknown
    try {
      value = parseJson(Buffer.from(text))
    } catch (error) {
      // A text that no JSON should have is a fault of the handler, not of the request.
      return [`${name} ${toError(error).message}`]
    }
    return formatViolations(name, validate(value)).slice(0, 1)
  }
}

/** Validates the headers that a handler returns, by names in lower case. */
export type ValidateHeaders = (handlerHeaders: HandlerHeaders, log: FastifyBaseLogger) => void

/** Compiles the validation of a response's headers; `required` are those that the handler must set. */
export function compileHeadersValidator(
  headers: Readonly<Record<string, Header>>,
  required: readonly string[],
  compile: SchemaCompiler,
  report: ReportViolations,
): ValidateHeaders {
  const validators = lowerCaseNames(
    mapValues(headers, ({ schema }, name) => ({ name, validate: compile(schema, 'response') })),
  )
  const findViolations = ([lowerCaseName, value]: [string, unknown]): readonly string[] => {
    if (value === undefined) return []
    const validator = getOwn(validators, lowerCaseName)
    if (validator === undefined) return [`the header ${lowerCaseName} is not declared`]
    return formatViolations(validator.name, validator.validate(value))
  }
  return (handlerHeaders, log) => {
    const missingNames = required.filter((name) => handlerHeaders[name.toLowerCase()] === undefined)
    const missing = missingNames.map((name) => `the header ${name} is required and missing`)
    report([...Object.entries(handlerHeaders).flatMap(findViolations), ...missing], log)
  }
}
