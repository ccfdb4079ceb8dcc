/** Complete validation of responses, for tests and development. */
import type { Response } from '../document/operations.ts'
import { parseExactly } from '../json.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { formatViolations } from '../schema/violations.ts'
import type { HandlerHeaders } from './headers.ts'

/** Makes the function that throws if a body or a header of a handler, which owes some, is not what the spec allows. */
export function createResponseCheck({ body, headers }: Response, compile: SchemaCompiler, owed: readonly string[]) {
  const validateBody = body && compile(body)
  const validators = new Map(Object.entries(headers).map(([name, { schema }]) => [name, compile(schema)]))
  return (text: string | undefined, given: HandlerHeaders): void => {
    // The text rather than the value: a member that is undefined, say, is not written.
    const violations =
      validateBody && text ? formatViolations('body', validateBody(parseExactly(text))).slice(0, 1) : []
    for (const [name, value] of Object.entries(given)) {
      if (value === undefined) continue
      const validate = validators.get(name)
      if (validate === undefined) violations.push(`the header ${name} is not declared`)
      else violations.push(...formatViolations(name, validate(value)))
    }
    for (const name of owed) {
      if (given[name] === undefined) violations.push(`the header ${name} is required and missing`)
    }
    if (violations.length > 0) throw new Error(`invalid response: ${violations.join('; ')}`)
  }
}
