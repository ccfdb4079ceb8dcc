/**
 * Reads what an operation receives from a request: the values of its path, query, headers and body.
 */
import type { IncomingMessage } from 'node:http'
import type { OpenApi, Parameter, Schema } from '../document/model.ts'
import { type Body, isServerParameter, type Operation } from '../document/operations.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { formatViolation, invalidRequest } from '../schema/violations.ts'
import { getFieldValues } from './headers.ts'
import { createParametersReader, type ParameterTexts, toObjectSchema } from './parameters.ts'
import { parseQuery } from './text.ts'

/** A request, as Fastify has it. */
export interface ReceivedRequest {
  /** The decoded texts of the path parameters. */
  readonly params: unknown
  /** The query as it was sent. */
  readonly query: unknown
  /** The request of Node, with every header field as it was sent. */
  readonly raw: IncomingMessage
  /** A `ReceivedBody`, or undefined if the request has none. */
  readonly body: unknown
}

/** A parsed body. The wrapper distinguishes the body `null` from no body. */
export interface ReceivedBody {
  readonly json: unknown
}

/** The values of a request, typed as the spec says, with defaults filled in; `body` is undefined if there is none. */
export interface RequestInput {
  readonly path: unknown
  readonly query: unknown
  readonly header: unknown
  readonly body: unknown
}

/** Reads a request. Throws a 400 that lists everything in it that violates the spec. */
export type InputReader = (request: ReceivedRequest) => RequestInput

/** The schemas of the parts of an operation's requests, by Fastify's names. */
export function getInputSchemas({ parameters, requestBody }: Operation): Record<string, Schema> {
  const schemaOf = (location: Parameter['in']) => toObjectSchema(parameters.filter((each) => each.in === location))
  const parts = { params: schemaOf('path'), querystring: schemaOf('query'), headers: schemaOf('header') }
  return requestBody === undefined ? parts : { ...parts, body: requestBody.schema }
}

/** Makes the reader of an operation's requests. */
export function createInputReader(root: OpenApi, operation: Operation, compile: SchemaCompiler): InputReader {
  const { requestBody } = operation
  const parameters = operation.parameters.filter((parameter) => !isServerParameter(parameter))
  const parametersIn = (location: Parameter['in']) => parameters.filter((parameter) => parameter.in === location)
  const createReader = (location: Parameter['in']) =>
    createParametersReader(root, location, parametersIn(location), compile)
  const readPath = createReader('path')
  const readQuery = createReader('query')
  const readHeader = createReader('header')
  const readBody = createBodyReader(requestBody, compile)
  const headerNames = parametersIn('header').map(({ name }) => name)
  const credentialNames = operation.security.flatMap((requirements) =>
    requirements.flatMap(({ scheme }) => (scheme.type === 'apiKey' && scheme.in === 'query' ? [scheme.name] : [])),
  )

  return (request) => {
    const violations: string[] = []
    const path = readPath(Object.entries(request.params as Record<string, string>), violations)
    const body = readBody(request.body, violations)
    const pairs = parseQuery(request.query as string)
    if (pairs === undefined) violations.push('query has a malformed percent-encoding')
    const query =
      pairs &&
      readQuery(
        credentialNames.length === 0 ? pairs : pairs.filter(([name]) => !credentialNames.includes(name)),
        violations,
      )
    const header = readHeader(getFields(request.raw, headerNames), violations)
    if (violations.length > 0) throw invalidRequest(violations)
    return { path, query, header, body }
  }
}

function createBodyReader(body: Body | undefined, compile: SchemaCompiler) {
  if (body === undefined) return () => undefined
  const validate = compile(body.schema)
  return (received: unknown, violations: string[]): unknown => {
    if (received === undefined) {
      if (body.isRequired) violations.push('body is required')
      return undefined
    }
    const result = validate((received as ReceivedBody).json)
    if ('value' in result) return result.value
    for (const error of result.errors) violations.push(formatViolation('body', error))
    return undefined
  }
}

function getFields(request: IncomingMessage, names: readonly string[]): ParameterTexts {
  return names.flatMap((name) => getFieldValues(request, name.toLowerCase()).map((value) => [name, value] as const))
}
