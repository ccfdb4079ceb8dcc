/**
 * What an operation takes from a request: the validators of its path, query, headers and body.
 */
import type { OpenApi, Parameter, Schema, SchemaType } from '../model.ts'
import { MEDIA_TYPE, type Operation } from '../operations.ts'
import { resolve } from '../references.ts'
import type { SchemaCompiler } from './compiler.ts'
import { readQuery, readText } from './text.ts'
import { InvalidRequestError, violationOf } from './violations.ts'

/** The parts of a request by Fastify's names, in the order in which Fastify validates them. */
export const PARTS = ['params', 'body', 'querystring', 'headers'] as const
export type Part = (typeof PARTS)[number]

/** Takes a part as it was received; gives the values as the document types them, defaults filled in, or what is wrong. */
export type PartValidator = (received: unknown) => { value: unknown } | { error: InvalidRequestError }

/** A body as the JSON parser leaves it. In its box, `null` in the request is not taken for no body at all. */
export interface ReceivedBody {
  readonly json: unknown
}

/** The schemas of an operation's parts, as they stand in the document: what Fastify is told of the route. */
export function inputSchemas(operation: Operation): Partial<Record<Part, unknown>> {
  const { requestBody, parameters } = operation
  const of = (place: Parameter['in']) => parametersSchema(parameters.filter((parameter) => parameter.in === place))
  const has = (place: Parameter['in']) => parameters.some((parameter) => parameter.in === place)
  return {
    // A query is always looked at, for parameters that the operation does not know.
    querystring: of('query'),
    ...(has('path') ? { params: of('path') } : {}),
    ...(has('header') ? { headers: of('header') } : {}),
    ...(requestBody === undefined ? {} : { body: requestBody.content[MEDIA_TYPE]?.schema }),
  }
}

/** The validators of an operation's parts. Throws where a schema cannot be compiled. */
export function createInputValidators(
  root: OpenApi,
  operation: Operation,
  compile: SchemaCompiler,
): Readonly<Record<Part, PartValidator>> {
  const of = (place: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === place)
  return {
    params: parametersValidator(root, 'path', of('path'), compile, (params) => Object.entries(params as object)),
    querystring: parametersValidator(root, 'query', of('query'), compile, (query) => readQuery(query as string)),
    headers: parametersValidator(root, 'header', of('header'), compile, (headers) =>
      of('header').flatMap(({ name }) => {
        const value = (headers as Record<string, string | undefined>)[name.toLowerCase()]
        return value === undefined ? [] : [[name, value] as const]
      }),
    ),
    body: bodyValidator(operation, compile),
  }
}

function bodyValidator({ requestBody }: Operation, compile: SchemaCompiler): PartValidator {
  if (requestBody === undefined) return () => ({ value: undefined })
  const validate = compile(requestBody.content[MEDIA_TYPE]?.schema as Schema)
  return (received) => {
    if (received === null) {
      return requestBody.required ? { error: new InvalidRequestError(['body is required']) } : { value: undefined }
    }
    const result = validate((received as ReceivedBody).json)
    if ('value' in result) return result
    return { error: new InvalidRequestError(result.errors.map((error) => violationOf('body', error))) }
  }
}

function parametersValidator(
  root: OpenApi,
  place: Parameter['in'],
  parameters: readonly Parameter[],
  compile: SchemaCompiler,
  read: (received: unknown) => Iterable<readonly [string, string]>,
): PartValidator {
  const validate = compile(parametersSchema(parameters.map((each) => ({ ...each, schema: inline(root, each.schema) }))))
  const readers = new Map(parameters.map((parameter) => [parameter.name, createReader(root, parameter.schema)]))
  return (received) => {
    const values: Record<string, unknown> = Object.create(null)
    const violations: string[] = []
    try {
      for (const [name, text] of read(received)) {
        const reader = readers.get(name)
        if (reader?.isList) {
          values[name] = [...((values[name] as unknown[]) ?? []), reader.read(text)]
        } else if (name in values) {
          violations.push(`${place}.${name} is given more than once`)
        } else {
          values[name] = reader === undefined ? text : reader.read(text)
        }
      }
    } catch {
      return { error: new InvalidRequestError([`${place} has a malformed percent-encoding`]) }
    }
    const result = validate(values)
    if ('errors' in result) violations.push(...result.errors.map((error) => violationOf(place, error)))
    return violations.length > 0 ? { error: new InvalidRequestError(violations) } : { value: values }
  }
}

/** Parameters that the operation does not declare are refused, like members of a body with a closed schema. */
function parametersSchema(parameters: readonly Parameter[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}

/** Ajv fills in a default only where it stands itself, not behind a reference. */
function inline(root: OpenApi, { $ref, ...rest }: Schema): Schema {
  return $ref === undefined ? rest : { ...resolve<Schema>(root, { $ref }), ...rest }
}

function createReader(root: OpenApi, reference: Schema): { isList: boolean; read: (text: string) => unknown } {
  const schema = resolve<Schema>(root, reference)
  const isList = schema.type === 'array'
  const { type } = isList ? resolve<Schema>(root, schema.items as Schema) : schema
  return { isList, read: (text) => readText(text, type as SchemaType) }
}
