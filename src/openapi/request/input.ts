/** Reads what an operation receives from a request: the values of its path, query, headers and body. */
import type { IncomingMessage } from 'node:http'
import type { OpenApi, Parameter, Schema } from '../document/model.ts'
import { isServerParameter, type Operation } from '../document/operations.ts'
import { getTypes, resolve } from '../document/references.ts'
import type { SchemaCompiler, Validated } from '../schema/compiler.ts'
import { formatMember, formatViolations, invalidRequest } from '../schema/violations.ts'
import { getFieldValues, getQuery, parseQuery, parseText, type TextPairs } from './text.ts'

/** The parts of a request as its operation declares them: validated, typed, with defaults filled in. */
export interface Input {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly header: Readonly<Record<string, unknown>>
  /** Undefined if there is none. */
  readonly body: unknown
}

/**
 * Makes the reader of an operation's requests. `body` is the parsed JSON, undefined if there is none. It throws a 400 that
 * lists everything that violates the spec.
 */
export function createInputReader(root: OpenApi, operation: Operation, compile: SchemaCompiler) {
  const { requestBody, security } = operation
  const parameters = operation.parameters.filter((parameter) => !isServerParameter(parameter))
  const schemes = security.flat().map(({ scheme }) => scheme)
  const credentials = schemes.flatMap((scheme) =>
    scheme.type === 'apiKey' && scheme.in === 'query' ? [scheme.name] : [],
  )
  const createReader = (location: Parameter['in']) =>
    createParametersReader(root, location, parameters, location === 'query' ? credentials : [], compile)
  const readPath = createReader('path')
  const readQuery = createReader('query')
  const readHeader = createReader('header')
  const validateBody = requestBody && compile(requestBody.schema, 'request')
  const headers = parameters.flatMap(({ in: location, name }) =>
    location === 'header' ? [{ name, field: name.toLowerCase() }] : [],
  )

  return (params: Readonly<Record<string, string>>, received: unknown, raw: IncomingMessage): Input => {
    const violations: string[] = []
    const path = readPath(Object.entries(params), violations)
    const isThere = received !== undefined
    const body = isThere && validateBody ? takeValue(validateBody(received), 'body', violations) : undefined
    if (!isThere && requestBody?.isRequired) violations.push('body is required')
    const pairs = parseQuery(getQuery(raw.url))
    if (pairs === undefined) violations.push('query has a malformed percent-encoding')
    const query = pairs === undefined ? {} : readQuery(pairs, violations)
    const fields = headers.flatMap(({ name, field }) =>
      getFieldValues(raw, field).map((value) => [name, value] as const),
    )
    const header = readHeader(fields, violations)
    if (violations.length > 0) throw invalidRequest(violations)
    return { path, query, header, body }
  }
}

/** Returns a valid value; adds what is wrong with another to `violations`. */
function takeValue(result: Validated, place: string, violations: string[]): unknown {
  if ('value' in result) return result.value
  for (const violation of formatViolations(place, result)) violations.push(violation)
  return undefined
}

/**
 * Makes the reader of the parameters in one location. It returns their values by name, with defaults filled in, and adds
 * what is wrong to `violations`. Parameters that are neither declared nor among `others` are rejected.
 */
function createParametersReader(
  root: OpenApi,
  location: Parameter['in'],
  parameters: readonly Parameter[],
  others: readonly string[],
  compile: SchemaCompiler,
) {
  const validate = compile(getParametersSchema(parameters, location), 'request')
  const readers = new Map(
    parameters
      .filter((parameter) => parameter.in === location)
      .map(({ name, schema }) => [name, createTextReader(root, schema)]),
  )

  return (texts: TextPairs, violations: string[]): Record<string, unknown> => {
    if (texts.length === 0 && readers.size === 0) return {}
    const values: Record<string, unknown> = {}
    for (const [name, text] of texts) {
      const read = readers.get(name)
      const given = values[name]
      if (read === undefined) {
        // Defined rather than assigned, so that the validator sees a name like `__proto__`, too.
        if (!others.includes(name)) Object.defineProperty(values, name, { configurable: true, enumerable: true })
      } else if (!Object.hasOwn(values, name)) values[name] = read(text)
      else if (Array.isArray(given)) given.push(...(read(text) as unknown[]))
      else violations.push(`${formatMember(location, name)} is given more than once`)
    }
    return takeValue(validate(values), location, violations) as Record<string, unknown>
  }
}

/** The schema of the parameters in one location, as the members of an object. */
export function getParametersSchema(parameters: readonly Parameter[], location: Parameter['in']): Schema {
  const found = parameters.filter((parameter) => parameter.in === location)
  return {
    type: 'object',
    properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema])),
    required: found.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}

/** Makes the function that reads a text as the value of a parameter, or as a list of one. */
function createTextReader(root: OpenApi, reference: Schema): (text: string) => unknown {
  const schema = resolve<Schema>(root, reference)
  const [type = 'string'] = getTypes(schema)
  if (type !== 'array') return (text) => parseText(text, type)
  const read = createTextReader(root, schema.items ?? {})
  return (text) => [read(text)]
}
