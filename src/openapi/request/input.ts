/** Reads what an operation receives from a request: the values of its path, query, headers, cookies and body. */
import type { IncomingMessage } from 'node:http'
import { isChoice } from '../document/content.ts'
import type { Schema } from '../document/model.ts'
import { getHandlerParameters, type Operation } from '../document/operations.ts'
import type { Parameter } from '../document/parameters.ts'
import { getPathParameters } from '../document/path-templates.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { memoizeByView } from '../schema/view.ts'
import { createViolation, invalidRequest, takeValue } from '../schema/violations.ts'
import type { Violation } from '../shared/errors.ts'
import { getFieldValues } from '../shared/http.ts'
import type { AcceptedBody } from './body.ts'
import { createMemberFields, createObjectReader, type Field, type MemberFields } from './fields.ts'
import { createParameterReader, isExplodedObject } from './styles.ts'
import { getQuery, parseCookies, parseQuery, type TextPairs } from './text.ts'

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
 * Creates the reader of an operation's requests. `params` has the texts of the path by the names of the route. Without a body,
 * `parsedBody` and `acceptedBody` are undefined. The reader throws a 400 that lists every violation.
 */
export function createInputReader(operation: Operation, compile: SchemaCompiler) {
  const { requestBody, security } = operation
  const parameters = getHandlerParameters(operation)
  const queryKeyNames = security
    .flat()
    .flatMap(({ scheme }) => (scheme.type === 'apiKey' && scheme.in === 'query' ? [scheme.name] : []))
  const createReader = (location: Parameter['in'], isIgnored?: (name: string) => boolean) =>
    createLocationReader(location, parameters, compile, isIgnored)
  const readPath = createReader('path')
  const readQuery = createReader('query', (name) => queryKeyNames.includes(name))
  const readHeader = createReader('header')
  const readCookie = createReader('cookie', () => true)
  const getPathTexts = createPathReader(operation, compile)
  const hasCookies = parameters.some((parameter) => parameter.in === 'cookie')
  const hasChoice = requestBody !== undefined && isChoice(requestBody.content)

  const headerNames = parameters
    .filter((parameter) => parameter.in === 'header')
    .map(({ name }) => ({ name, lowerCaseName: name.toLowerCase() }))
  const getFieldPairs = (raw: IncomingMessage): TextPairs =>
    headerNames.flatMap(({ name, lowerCaseName }) =>
      getFieldValues(raw, lowerCaseName).map((text) => [name, text] as const),
    )

  return (
    params: Readonly<Record<string, string>>,
    parsedBody: unknown,
    raw: IncomingMessage,
    acceptedBody: AcceptedBody | undefined,
  ): Input => {
    const violations: Violation[] = []
    const path = readPath(getPathTexts(params, raw.url), violations)
    const hasBody = parsedBody !== undefined
    const body = hasBody ? acceptedBody?.parser.validate(parsedBody, violations) : undefined
    if (!hasBody && requestBody?.isRequired) {
      violations.push(createViolation({ in: 'body', keyword: 'required', message: 'body is required' }))
    }
    const pairs = parseQuery(getQuery(raw.url))
    if (pairs === undefined) {
      const message = 'query has a malformed percent-encoding'
      violations.push(createViolation({ in: 'query', keyword: 'encoding', message }))
    }
    const query = pairs === undefined ? {} : readQuery(pairs, violations)
    const header = readHeader(getFieldPairs(raw), violations)
    const cookie = readCookie(hasCookies ? parseCookies(raw) : [], violations)
    if (violations.length > 0) throw invalidRequest(violations)
    const input = { path, query, header, cookie, body }
    if (!hasChoice) return input
    return { ...input, contentType: acceptedBody && getMediaType(acceptedBody) }
  }
}

/** Returns the declared media type of a body; of a range, the one that the client sends, without parameters. */
function getMediaType({ contentType, type }: AcceptedBody): string | undefined {
  return type.includes('*') ? contentType.split(';')[0]?.trim().toLowerCase() : type
}

/**
 * Creates the function that returns the texts of a path by the names of the document. Fastify has decoded them; the texts of lists
 * and objects are taken from the URL as they were sent, because a separator within a value is encoded.
 */
function createPathReader({ path, parameters }: Operation, compile: SchemaCompiler) {
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
  return (params: Readonly<Record<string, string>>, url = ''): TextPairs =>
    pathParameters.map(({ name, routeName, index }) => {
      return [name, (index === undefined ? params[routeName] : getSegments(url).at(index)) ?? '']
    })
}

/** The name of a path parameter for Fastify's router, where "-", ".", "(" and ":" end a name. */
export function toRouteName(name: string): string {
  return name.replaceAll(/\W/gu, (character) => `$${character.codePointAt(0)}$`)
}

/**
 * Creates the reader of the parameters in one location. It returns their values by name, with defaults filled in, and adds
 * what is wrong to `violations`.
 */
function createLocationReader(
  location: Parameter['in'],
  parameters: readonly Parameter[],
  compile: SchemaCompiler,
  isIgnored?: (name: string) => boolean,
) {
  const validate = compile(getParametersSchema(parameters, location), 'request')
  const fields = new Map<string, Field>()
  const explodedObjects: MemberFields[] = []
  for (const parameter of parameters.filter((parameter) => parameter.in === location)) {
    const view = compile.views.get(parameter.schema)
    if (isExplodedObject(parameter, view)) {
      const getReader = memoizeByView((member) =>
        createParameterReader({ ...parameter, style: 'form', explode: true }, member, compile),
      )
      explodedObjects.push(createMemberFields(parameter, view, getReader))
    } else fields.set(parameter.name, createParameterReader(parameter, view, compile))
  }
  for (const { declaredFields } of explodedObjects) for (const [name, field] of declaredFields) fields.set(name, field)
  const findUndeclaredMember = (name: string) =>
    isIgnored?.(name) ? undefined : explodedObjects.map(({ findMember }) => findMember(name)).find(Boolean)
  const find = (name: string) => fields.get(name) ?? findUndeclaredMember(name)
  const readFields = createObjectReader(location, { names: [...fields.keys()], find }, isIgnored)
  // An empty text stands for a parameter that is not sent (OpenAPI 3.1, Parameter Object, allowEmptyValue).
  const emptyNames = new Set(
    parameters.flatMap((parameter) => (parameter.allowEmptyValue && parameter.in === location ? [parameter.name] : [])),
  )
  const isOmitted = ([name, text]: TextPairs[number]) => text === '' && emptyNames.has(name)
  // Nothing is required, and nothing has a default.
  const validatedEmpty = validate({})
  const isOptional = 'value' in validatedEmpty && Object.keys(validatedEmpty.value as object).length === 0
  return (texts: TextPairs, violations: Violation[]): Record<string, unknown> => {
    if (texts.length === 0 && isOptional) return {}
    const sentTexts = emptyNames.size === 0 ? texts : texts.filter((pair) => !isOmitted(pair))
    return takeValue(validate(readFields(sentTexts, violations)), location, violations) as Record<string, unknown>
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
