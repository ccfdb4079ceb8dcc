/** Reads what an operation receives from a request: the values of its path, query, headers and body. */
import type { IncomingMessage } from 'node:http'
import type { OpenApi, Parameter, Schema } from '../document/model.ts'
import { isServerParameter, type Operation } from '../document/operations.ts'
import { getDefault, getTypes, resolve } from '../document/references.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { MAX_LISTED } from '../schema/keywords.ts'
import {
  formatMember,
  formatUndeclared,
  formatViolations,
  invalidRequest,
  type Validated,
} from '../schema/violations.ts'
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
  const credentials = schemes.flatMap((each) => (each.type === 'apiKey' && each.in === 'query' ? [each.name] : []))
  const createReader = (location: Parameter['in']) =>
    createParametersReader(root, location, parameters, location === 'query' ? credentials : [], compile)
  const readPath = createReader('path')
  const readQuery = createReader('query')
  const readHeader = createReader('header')
  const validateBody = requestBody && compile(requestBody.schema)
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
 * what is wrong to `violations`. Parameters that are neither declared nor among `others` are refused.
 */
function createParametersReader(
  root: OpenApi,
  location: Parameter['in'],
  parameters: readonly Parameter[],
  others: readonly string[],
  compile: SchemaCompiler,
) {
  const declared = parameters
    .filter((parameter) => parameter.in === location)
    .map((parameter) => prepareParameter(root, parameter, compile))
  const byName = new Map(declared.map((each) => [each.name, each]))

  return (texts: TextPairs, violations: string[]): Record<string, unknown> => {
    const values: Record<string, unknown> = {}
    const undeclared: string[] = []
    for (const [name, text] of texts) {
      const parameter = byName.get(name)
      const given = values[name]
      if (parameter === undefined) {
        if (!others.includes(name)) undeclared.push(name)
      } else if (!Object.hasOwn(values, name))
        values[name] = parameter.isList ? [parameter.read(text)] : parameter.read(text)
      else if (Array.isArray(given)) given.push(parameter.read(text))
      else violations.push(`${parameter.place} is given more than once`)
    }
    const invalid: string[] = []
    for (const { name, place, isList, isRequired, initial, validate } of declared) {
      if (Object.hasOwn(values, name)) values[name] = takeValue(validate(values[name]), place, invalid)
      else if (isRequired) violations.push(`${place} is required`)
      else if (initial !== undefined) values[name] = isList ? structuredClone(initial) : initial
    }
    for (const name of undeclared.length === 0 ? [] : new Set(undeclared).values().take(MAX_LISTED + 1)) {
      violations.push(formatUndeclared(location, name, [...byName.keys()]))
    }
    violations.push(...invalid)
    return values
  }
}

/** Prepares the reading of a parameter; `initial` is the value of one that is left out. */
function prepareParameter(root: OpenApi, parameter: Parameter, compile: SchemaCompiler) {
  const { in: location, name, required: isRequired = false, schema: reference } = parameter
  const schema = resolve<Schema>(root, reference)
  const { items = {} } = schema
  const isList = schema.type === 'array'
  const [type = 'string'] = getTypes(isList ? resolve<Schema>(root, items) : schema)
  const read = (text: string) => parseText(text, type)
  const place = formatMember(location, name)
  const validate = compile(reference)
  const value = getDefault(root, reference)
  const initial = value === undefined ? undefined : takeValue(validate(structuredClone(value)), place, [])
  return { name, place, isList, read, validate, isRequired, initial }
}
