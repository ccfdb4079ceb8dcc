/** Validates what an operation receives: the parameters of path, query, headers and cookies, and the body. */
import type { IncomingMessage } from 'node:http'
import { isChoice, isRange } from '../document/content.ts'
import type { Schema } from '../document/model.ts'
import { getHandlerParameters, type Operation } from '../document/operations.ts'
import type { Parameter } from '../document/parameters.ts'
import { memoize, type Values } from '../document/values.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import type { SchemaView } from '../schema/view.ts'
import type { Violation } from '../shared/errors.ts'
import type { AcceptedBody } from './body.ts'
import {
  createFieldsParser,
  createMemberParsers,
  type FieldParser,
  type FieldParsers,
  type MemberParsers,
  type SentField,
} from './field-parsers.ts'
import {
  createGetCookieFields,
  createGetHeaderFields,
  createGetPathFields,
  type GetFields,
  type PathTexts,
  parseQuery,
} from './sent-fields.ts'
import { createParameterParser, isExplodedObject } from './styles.ts'
import { createViolation, invalidRequest, takeValidValue } from './violations.ts'

/** The parts of a request as its operation declares them: validated, typed, with defaults filled in. */
export interface Input {
  readonly path: Values
  readonly query: Values
  readonly header: Values
  readonly cookie: Values
  /** Undefined if there is none. */
  readonly body: unknown
  /** The media type of the body, if the operation declares several. */
  readonly contentType?: string | undefined
}

/** Parses and validates the parameters in one location. Adds what is wrong to `violations`. */
type ValidateLocation = (raw: IncomingMessage, params: PathTexts, violations: Violation[]) => Values

/**
 * Creates the function that validates what an operation receives. Without a body, `parsedBody` and `acceptedBody` are undefined. The
 * function throws a 400 that lists every violation.
 */
export function createInputValidator(operation: Operation, compile: SchemaCompiler) {
  const { requestBody } = operation
  const validate = createLocationValidators(operation, compile)
  const hasChoice = requestBody !== undefined && isChoice(requestBody.content)

  return (
    params: PathTexts,
    parsedBody: unknown,
    raw: IncomingMessage,
    acceptedBody: AcceptedBody | undefined,
  ): Input => {
    const violations: Violation[] = []
    // The message of the 400 lists the violations in this order.
    const path = validate.path?.(raw, params, violations) ?? {}
    const body = validateBody(parsedBody, acceptedBody, requestBody?.isRequired, violations)
    const query = validate.query(raw, params, violations)
    const header = validate.header?.(raw, params, violations) ?? {}
    const cookie = validate.cookie?.(raw, params, violations) ?? {}
    if (violations.length > 0) throw invalidRequest(violations)
    const input = { path, query, header, cookie, body }
    return hasChoice ? { ...input, contentType: acceptedBody && getMediaType(acceptedBody) } : input
  }
}

/** Validates a parsed body. Adds what is wrong to `violations`. */
function validateBody(
  parsedBody: unknown,
  acceptedBody: AcceptedBody | undefined,
  isRequired: boolean | undefined,
  violations: Violation[],
): unknown {
  // A parser of the app may return a value although there is no body.
  if (acceptedBody !== undefined && parsedBody !== undefined)
    return acceptedBody.parser.validate(parsedBody, violations)
  if (isRequired) violations.push(createViolation({ in: 'body', keyword: 'required', message: 'body is required' }))
  return undefined
}

/** Returns the declared media type of a body; of a range, the one that the client sends, without parameters. */
function getMediaType({ contentType, type }: AcceptedBody): string | undefined {
  return isRange(type) ? contentType.split(';')[0]?.trim().toLowerCase() : type
}

/** Creates the validators of the locations with parameters, and of the query, where undeclared names are violations. */
function createLocationValidators(operation: Operation, compile: SchemaCompiler) {
  const parameters = Object.groupBy(getHandlerParameters(operation), (parameter) => parameter.in)
  const { path, query = [], header, cookie } = parameters
  const queryKeyNames = operation.security
    .flat()
    .flatMap(({ scheme }) => (scheme.type === 'apiKey' && scheme.in === 'query' ? [scheme.name] : []))
  return {
    path: path && createLocationValidator(path, 'path', createGetPathFields(operation.path, path, compile), compile),
    query: createLocationValidator(query, 'query', parseQuery, compile, queryKeyNames),
    header: header && createLocationValidator(header, 'header', createGetHeaderFields(header), compile),
    cookie: cookie && createLocationValidator(cookie, 'cookie', createGetCookieFields(cookie), compile),
  }
}

/**
 * Creates the function that parses and validates the parameters in one location. It returns their values by name, with defaults
 * filled in. Undeclared names are violations, unless they are in `keyNames`: the names of API keys.
 */
function createLocationValidator(
  parameters: readonly Parameter[],
  location: Parameter['in'],
  getFields: GetFields,
  compile: SchemaCompiler,
  keyNames: readonly string[] = [],
): ValidateLocation {
  const validate = compile(getParametersSchema(parameters, location), 'request')
  const parsers = createLocationParsers(parameters, compile)
  const parseFields = createFieldsParser(location, parsers)
  const selectFields = createFieldSelection(parameters, new Set(keyNames).difference(new Set(parsers.names)))
  const isEmptyValid = mayBeLeftOut(parameters, compile)
  return (raw, params, violations) => {
    const fields = getFields(raw, params)
    if (fields === undefined) {
      const message = `${location} has a malformed percent-encoding`
      violations.push(createViolation({ in: location, keyword: 'encoding', message }))
      return {}
    }
    if (fields.length === 0 && isEmptyValid) return {}
    const object = parseFields(selectFields(fields), violations)
    return (object && takeValidValue(validate(object), location, violations)) as Values
  }
}

/** True if a request without any of the parameters is valid, and gets no defaults. */
function mayBeLeftOut(parameters: readonly Parameter[], { views }: SchemaCompiler): boolean {
  const hasDefault = (schema: Schema) =>
    views.get(schema).unconditional.conjuncts.some((conjunct) => 'default' in conjunct)
  return parameters.every(({ required, schema }) => !required && !hasDefault(schema))
}

/**
 * Creates the function that drops the ignored fields. An empty text stands for a parameter that is not sent, if it has
 * `allowEmptyValue` (OpenAPI 3.1, Parameter Object): the parameter has its default.
 */
function createFieldSelection(parameters: readonly Parameter[], ignoredNames: ReadonlySet<string>) {
  const emptyNames = new Set(parameters.flatMap(({ name, allowEmptyValue }) => (allowEmptyValue ? [name] : [])))
  const isIgnored = ([name, text]: SentField) => ignoredNames.has(name) || (text === '' && emptyNames.has(name))
  const ignoresNone = ignoredNames.size + emptyNames.size === 0
  return (fields: readonly SentField[]) => (ignoresNone ? fields : fields.filter((field) => !isIgnored(field)))
}

/** Creates the parsers of the parameters in one location, by the names that clients send: of an exploded object, the names of its members. */
function createLocationParsers(parameters: readonly Parameter[], compile: SchemaCompiler): FieldParsers<string> {
  const parsers = new Map<string, FieldParser>()
  const explodedObjects: MemberParsers<FieldParser>[] = []
  for (const parameter of parameters) {
    const view = compile.views.get(parameter.schema)
    if (!isExplodedObject(parameter, view)) {
      parsers.set(parameter.name, createParameterParser(parameter, view, compile))
      continue
    }
    const memberParameter = { ...parameter, style: 'form', explode: true }
    const getMemberParser = memoize((member: SchemaView) => createParameterParser(memberParameter, member, compile))
    const members = createMemberParsers(parameter, view, getMemberParser)
    for (const [name, parser] of members.declared) parsers.set(name, parser)
    explodedObjects.push(members)
  }
  const findUndeclaredMember = (name: string) => explodedObjects.map((object) => object.find(name)).find(Boolean)
  return { names: [...parsers.keys()], find: (name) => parsers.get(name) ?? findUndeclaredMember(name) }
}

/** The schema of the parameters in one location, as the members of an object. */
export function getParametersSchema(parameters: readonly Parameter[], location: Parameter['in']): Schema {
  const locationParameters = parameters.filter((parameter) => parameter.in === location)
  return {
    type: 'object',
    properties: Object.fromEntries(locationParameters.map(({ name, schema }) => [name, schema])),
    required: locationParameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}
