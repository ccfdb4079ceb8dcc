/**
 * What an operation takes from a request: the values of its path, body, query and headers.
 */
import type { IncomingMessage } from 'node:http'
import type { OpenApi, Parameter, RequestBody, Schema, SchemaType } from '../model.ts'
import { MEDIA_TYPE, type Operation } from '../operations.ts'
import { resolve } from '../references.ts'
import type { SchemaCompiler, Validator } from './compiler.ts'
import { fieldValues } from './fields.ts'
import { readQuery, readText } from './text.ts'
import { InvalidRequestError, memberOf, violationOf } from './violations.ts'

/** What of a request is to be read, as Fastify has it. */
export interface ReceivedRequest {
  readonly params: unknown
  /** The query as it was sent. */
  readonly query: unknown
  /** The request as Node has it, with every header field as it was sent. */
  readonly raw: IncomingMessage
  /** A `ReceivedBody`, or undefined where the request has none. */
  readonly body: unknown
}

/** A body as the JSON parser leaves it. In its box, `null` in the request is not taken for no body at all. */
export interface ReceivedBody {
  readonly json: unknown
}

/** The values of a request as the document types them, defaults filled in; the body is undefined where there is none. */
export interface RequestInput {
  readonly path: unknown
  readonly body: unknown
  readonly query: unknown
  readonly header: unknown
}

/** Reads a request. Throws an InvalidRequestError that names everything in it that is not as the document says. */
export type InputReader = (request: ReceivedRequest) => RequestInput

/** The schemas of the parts of an operation's requests, as they stand in the document, by Fastify's names. */
export function inputSchemas({ parameters, requestBody }: Operation): Record<string, Schema> {
  const schemaIn = (place: Parameter['in']) => schemaOf(parameters.filter((parameter) => parameter.in === place))
  const parts = { params: schemaIn('path'), querystring: schemaIn('query'), headers: schemaIn('header') }
  const body = requestBody?.content[MEDIA_TYPE]?.schema
  return body === undefined ? parts : { ...parts, body }
}

/** Makes the reader of an operation's requests. */
export function createInputReader(root: OpenApi, operation: Operation, compile: SchemaCompiler): InputReader {
  const { parameters, requestBody } = operation
  const readerIn = (place: Parameter['in']) =>
    createTextsReader(
      root,
      place,
      parameters.filter((parameter) => parameter.in === place),
      compile,
    )
  const [path, query, header] = [readerIn('path'), readerIn('query'), readerIn('header')]
  const body = createBodyReader(requestBody, compile)
  const headerNames = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)

  return (request) => {
    const violations: string[] = []
    const input = {
      path: path(Object.entries(request.params as Record<string, string>), violations),
      body: body(request.body, violations),
      query: query(readQuery(request.query as string), violations),
      header: header(headersNamed(headerNames, request.raw), violations),
    }
    if (violations.length > 0) throw new InvalidRequestError(violations)
    return input
  }
}

/** Gives the value of a part of a request, or adds what is wrong with it. */
type PartReader<Received> = (received: Received, violations: string[]) => unknown

/** Names and texts, in the order of the request; undefined where they cannot be read. */
type Texts = readonly (readonly [string, string])[] | undefined

function createTextsReader(
  root: OpenApi,
  place: Parameter['in'],
  parameters: readonly Parameter[],
  compile: SchemaCompiler,
): PartReader<Texts> {
  const validate = compile(schemaOf(parameters))
  const readers = new Map(parameters.map(({ name, schema }) => [name, createReader(root, schema)]))
  return (received, violations) => {
    if (received === undefined) {
      violations.push(`${place} has a malformed percent-encoding`)
      return undefined
    }
    // Without a prototype, for the names are the sender's.
    const values: Record<string, unknown> = Object.create(null)
    for (const [name, pairs] of Map.groupBy(received, ([name]) => name)) {
      const reader = readers.get(name)
      if (pairs.length > 1 && !reader?.isList) violations.push(`${memberOf(place, name)} is given more than once`)
      values[name] = reader?.read(pairs.map(([, text]) => text))
    }
    return validated(place, validate, values, violations)
  }
}

/** Parameters that the operation does not declare are refused, like members of a body with a closed schema. */
function schemaOf(parameters: readonly Parameter[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}

function createReader(root: OpenApi, reference: Schema) {
  const schema = resolve<Schema>(root, reference)
  const isList = schema.type === 'array'
  const { type } = isList ? resolve<Schema>(root, schema.items as Schema) : schema
  const read = (text: string) => readText(text, type as SchemaType)
  return { isList, read: (texts: readonly string[]) => (isList ? texts.map(read) : read(texts[0] as string)) }
}

function createBodyReader(requestBody: RequestBody | undefined, compile: SchemaCompiler): PartReader<unknown> {
  if (requestBody === undefined) return () => undefined
  const validate = compile(requestBody.content[MEDIA_TYPE]?.schema as Schema)
  return (received, violations) => {
    if (received !== undefined) return validated('body', validate, (received as ReceivedBody).json, violations)
    if (requestBody.required) violations.push('body is required')
    return undefined
  }
}

function validated(place: string, validate: Validator, value: unknown, violations: string[]): unknown {
  const result = validate(value)
  if ('value' in result) return result.value
  for (const error of result.errors) violations.push(violationOf(place, error))
  return undefined
}

function headersNamed(names: readonly string[], request: IncomingMessage): [string, string][] {
  return names.flatMap((name) =>
    fieldValues(request, name.toLowerCase()).map((value): [string, string] => [name, value]),
  )
}
