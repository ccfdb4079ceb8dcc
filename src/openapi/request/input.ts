/** Validates what an operation receives: the parameters of path, query, headers and cookies, and the body. */
import type { IncomingMessage } from 'node:http'
import { isChoice } from '../document/content.ts'
import type { Schema } from '../document/model.ts'
import { getHandlerParameters, type Operation } from '../document/operations.ts'
import type { Parameter } from '../document/parameters.ts'
import { getPathParameters } from '../document/path-templates.ts'
import { memoize } from '../document/values.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import type { SchemaView } from '../schema/view.ts'
import type { Violation } from '../shared/errors.ts'
import type { AcceptedBody } from './body.ts'
import {
  createFieldsParser,
  createMemberParsers,
  type FieldParser,
  type MemberParsers,
  type SentField,
} from './fields.ts'
import { createParameterParser, isExplodedObject } from './styles.ts'
import { parseCookies, parseQuery } from './text.ts'
import { createViolation, invalidRequest, takeValue } from './violations.ts'

/** The parts of a request as its operation declares them: validated, typed, with defaults filled in. */
export interface Input {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly header: Readonly<Record<string, unknown>>
  readonly cookie: Readonly<Record<string, unknown>>
  /** Undefined if there is none. */
  readonly body: unknown
  /** The media type of the body, if the operation declares several. */
  readonly contentType?: string | undefined
}

/**
 * Creates the function that validates what an operation receives. `params` has the texts of the path by the names of the route.
 * Without a body, `parsedBody` and `acceptedBody` are undefined. The function throws a 400 that lists every violation.
 */
export function createInputValidator(operation: Operation, compile: SchemaCompiler) {
  const { requestBody } = operation
  const { validatePath, validateQuery, validateHeader, validateCookie } = createValidators(operation, compile)
  const getPathFields = createGetPathFields(operation, compile)
  const getHeaderFields = createGetHeaderFields(operation)
  const hasChoice = requestBody !== undefined && isChoice(requestBody.content)

  return (
    params: Readonly<Record<string, string>>,
    parsedBody: unknown,
    raw: IncomingMessage,
    acceptedBody: AcceptedBody | undefined,
  ): Input => {
    const violations: Violation[] = []
    const path = validatePath?.(getPathFields(params, raw.url), violations) ?? {}
    const hasBody = parsedBody !== undefined
    const body = hasBody ? acceptedBody?.parser.validate(parsedBody, violations) : undefined
    if (!hasBody && requestBody?.isRequired) {
      violations.push(createViolation({ in: 'body', keyword: 'required', message: 'body is required' }))
    }
    const queryFields = parseQuery(raw.url)
    if (queryFields === undefined) {
      const message = 'query has a malformed percent-encoding'
      violations.push(createViolation({ in: 'query', keyword: 'encoding', message }))
    }
    const query = queryFields === undefined ? {} : validateQuery(queryFields, violations)
    const header = validateHeader?.(getHeaderFields(raw), violations) ?? {}
    const cookie = validateCookie?.(parseCookies(raw), violations) ?? {}
    if (violations.length > 0) throw invalidRequest(violations)
    const input = { path, query, header, cookie, body }
    if (!hasChoice) return input
    return { ...input, contentType: acceptedBody && getMediaType(acceptedBody) }
  }
}

/** Creates the validators of the parameters by location; undefined where an operation has none and undeclared names have no effect. */
function createValidators(operation: Operation, compile: SchemaCompiler) {
  const parameters = getHandlerParameters(operation)
  const create = (location: Parameter['in'], isIgnored?: (name: string) => boolean) =>
    createParametersValidator(location, parameters, compile, isIgnored)
  const hasParameters = (location: Parameter['in']) => parameters.some((parameter) => parameter.in === location)
  const queryKeyNames = operation.security
    .flat()
    .flatMap(({ scheme }) => (scheme.type === 'apiKey' && scheme.in === 'query' ? [scheme.name] : []))
  return {
    validatePath: hasParameters('path') ? create('path') : undefined,
    validateQuery: create('query', (name) => queryKeyNames.includes(name)),
    validateHeader: hasParameters('header') ? create('header') : undefined,
    validateCookie: hasParameters('cookie') ? create('cookie', () => true) : undefined,
  }
}

/** Creates the function that returns the header fields of parameters, by the names of the document. */
function createGetHeaderFields(operation: Operation) {
  const headers = getHandlerParameters(operation).filter((parameter) => parameter.in === 'header')
  const declaredNames = new Map(headers.map(({ name }) => [name.toLowerCase(), name]))
  return ({ rawHeaders }: IncomingMessage): readonly SentField[] => {
    const fields: SentField[] = []
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = declaredNames.get(String(rawHeaders[index]).toLowerCase())
      if (name !== undefined) fields.push([name, String(rawHeaders[index + 1])])
    }
    return fields
  }
}

/** Returns the declared media type of a body; of a range, the one that the client sends, without parameters. */
function getMediaType({ contentType, type }: AcceptedBody): string | undefined {
  return type.includes('*') ? contentType.split(';')[0]?.trim().toLowerCase() : type
}

/**
 * Creates the function that returns the parameters of a path by the names of the document. Fastify has decoded them; the texts of lists
 * and objects are taken from the URL as they were sent, because a separator within a value is encoded.
 */
function createGetPathFields({ path, parameters }: Operation, compile: SchemaCompiler) {
  const segments = path.replace(/\/$/, '').split('/')
  const undecodedNames = parameters
    .filter((parameter) => parameter.in === 'path' && !compile.views.get(parameter.schema).isScalar)
    .map(({ name }) => name)
  const pathParameters = getPathParameters(path).map((name) => ({
    name,
    routeName: toRouteName(name),
    // Count from the end, because a prefix may precede the template: {list} of `/pets/{list}/toys` has the index -2, also in
    // `/v1/pets/1,2/toys`.
    index: undecodedNames.includes(name) ? segments.indexOf(`{${name}}`) - segments.length : undefined,
  }))
  const getSegments = (url: string) => {
    const [urlPath = ''] = url.split(/[?#]/)
    // The router may ignore trailing slashes.
    return urlPath.replace(/(?<!\/)\/+$/, '').split('/')
  }
  return (params: Readonly<Record<string, string>>, url = ''): readonly SentField[] =>
    pathParameters.map(({ name, routeName, index }) => {
      return [name, (index === undefined ? params[routeName] : getSegments(url).at(index)) ?? '']
    })
}

/** The name of a path parameter for Fastify's router, where "-", ".", "(" and ":" end a name. */
export function toRouteName(name: string): string {
  return name.replaceAll(/\W/gu, (character) => `$${character.codePointAt(0)}$`)
}

/**
 * Creates the function that parses and validates the parameters in one location. It returns their values by name, with defaults
 * filled in, and adds what is wrong to `violations`.
 */
function createParametersValidator(
  location: Parameter['in'],
  parameters: readonly Parameter[],
  compile: SchemaCompiler,
  isIgnored?: (name: string) => boolean,
) {
  const validate = compile(getParametersSchema(parameters, location), 'request')
  const parsers = new Map<string, FieldParser>()
  const explodedObjects: MemberParsers<FieldParser>[] = []
  const locationParameters = parameters.filter((parameter) => parameter.in === location)
  for (const parameter of locationParameters) {
    const view = compile.views.get(parameter.schema)
    if (isExplodedObject(parameter, view)) {
      const getParser = memoize((member: SchemaView) =>
        createParameterParser({ ...parameter, style: 'form', explode: true }, member, compile),
      )
      explodedObjects.push(createMemberParsers(parameter, view, getParser))
    } else parsers.set(parameter.name, createParameterParser(parameter, view, compile))
  }
  for (const { declared } of explodedObjects) for (const [name, parser] of declared) parsers.set(name, parser)
  const findUndeclaredMember = (name: string) =>
    isIgnored?.(name) ? undefined : explodedObjects.map((object) => object.find(name)).find(Boolean)
  const find = (name: string) => parsers.get(name) ?? findUndeclaredMember(name)
  const parseFields = createFieldsParser(location, { names: [...parsers.keys()], find }, isIgnored)
  // An empty text stands for a parameter that is not sent (OpenAPI 3.1, Parameter Object, allowEmptyValue).
  const emptyNames = new Set(locationParameters.flatMap(({ name, allowEmptyValue }) => (allowEmptyValue ? [name] : [])))
  const isOmitted = ([name, text]: SentField) => text === '' && emptyNames.has(name)
  const hasDefault = ({ schema }: Parameter) =>
    compile.views.get(schema).unconditional.conjuncts.some((conjunct) => 'default' in conjunct)
  const isOptional = !locationParameters.some((parameter) => parameter.required || hasDefault(parameter))
  return (fields: readonly SentField[], violations: Violation[]): Record<string, unknown> => {
    if (fields.length === 0 && isOptional) return {}
    const sentFields = emptyNames.size === 0 ? fields : fields.filter((field) => !isOmitted(field))
    return takeValue(validate(parseFields(sentFields, violations)), location, violations) as Record<string, unknown>
  }
}

/** The schema of the parameters in one location, as the members of an object. */
export function getParametersSchema(parameters: readonly Parameter[], location: Parameter['in']): Schema {
  const parametersThere = parameters.filter((parameter) => parameter.in === location)
  return {
    type: 'object',
    properties: Object.fromEntries(parametersThere.map(({ name, schema }) => [name, schema])),
    required: parametersThere.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}
