/** The supported part of OpenAPI 3.1. Everything else in a document is refused, not ignored. */
import { constants } from 'node:buffer'
import { METHODS } from '../document/model.ts'
import { getEntries, toObject, type Values } from '../document/references.ts'
import { checkHeader, checkParameter, checkPaths } from './paths.ts'
import {
  any,
  checked,
  choice,
  type Fields,
  filled,
  flag,
  integer,
  list,
  map,
  matching,
  number,
  object,
  type Place,
  type Rule,
  referable,
  target,
  text,
  typed,
  valid,
  variants,
} from './rules.ts'
import { checkDepth, checkExamples, checkSchema } from './schemas.ts'

const FIELD_NAME = "[A-Za-z0-9!#$%&'*+.^_`|~-]+" // RFC 9110, section 5.1

const date = typed('string', valid(isDate, 'write it as YYYY-MM-DD', 'a date'))
const pattern = typed(
  'string',
  valid(isRegularExpression, 'correct it', 'a regular expression that JavaScript accepts with the flag "u"'),
)
const count = integer(0)
/** Every object of JavaScript has something of these names, also where nothing was sent. */
const NOT_INHERITED = `(?!(${Object.getOwnPropertyNames(Object.prototype).join('|')})$)`
const propertyName = matching(new RegExp(`^${NOT_INHERITED}.`), 'choose another name')
const headerName = matching(
  new RegExp(`^${NOT_INHERITED}${FIELD_NAME}$`),
  'choose another name that HTTP allows for a header',
)
const prose = { summary: text, description: text }
const noted = { description: text, deprecated: flag }

/** RFC 3339, full-date */
function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(time) && new Date(time).toISOString().slice(0, 10) === text
}

function hasBigint(value: unknown): boolean {
  return typeof value === 'bigint' || getEntries(value).some(([, inner]) => hasBigint(inner))
}

/** With the flag, unlike the format `regex`. */
function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text, 'u') !== undefined
  } catch {
    return false
  }
}

const externalDocs = object('External Documentation Object', { 'url!': text, description: text })
const example = object('Example Object', { 'value!': any, ...prose })
const examples = { example: any, examples: map('Example Objects', /^/, example) }

/** A schema; as a function, because schemas contain schemas. */
const schema: Rule = (value, place) => {
  const [, rule] = SCHEMAS.find(([keyword]) => keyword in toObject(value)) ?? []
  ;(rule ?? fullSchema)(value, place)
}

/** A schema of a value that cannot be left out by itself. */
const part: Rule = (value, place) => {
  schema(value, place)
  if (!('default' in toObject(value))) return
  place.report('a default has no effect here, where no property or parameter can be left out; remove it')
}
const parts = list(part, filled('add a schema'))

/** Ajv fills it in, and writes no bigint. */
const defaultValue: Rule = (value, place) => {
  if (hasBigint(value)) place.report('a default beyond 2^53 is not supported; write a smaller one')
}
const annotations = { title: text, ...noted, default: defaultValue, example: any, examples: list(any) }
const type = choice('null', 'boolean', 'object', 'array', 'number', 'integer', 'string')
const types = list(type, filled('name a type'))

/** By the keyword that stands alone, but for annotations. */
const SCHEMAS: readonly (readonly [keyword: string, rule: Rule])[] = [
  ['$ref', object('Schema Object with a $ref', { '$ref!': target('schemas'), ...annotations }, checkSchema)],
  [
    'allOf',
    object('Schema Object with "allOf"', { 'allOf!': parts, type: choice('object'), ...annotations }, checkSchema),
  ],
  ['anyOf', object('Schema Object with "anyOf"', { 'anyOf!': parts, ...annotations }, checkSchema)],
  ['oneOf', object('Schema Object with "oneOf"', { 'oneOf!': parts, ...annotations }, checkSchema)],
]
const fullSchema = object(
  'Schema Object',
  {
    ...annotations,
    type: (value, place) => (Array.isArray(value) ? types : type)(value, place),
    format: text,
    enum: list(any, filled('add a value')),
    const: any,
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: typed(
      'number',
      valid<number>((value) => value > 0, 'write a number above 0'),
    ),
    minLength: count,
    maxLength: count,
    pattern,
    items: part,
    minItems: count,
    maxItems: count,
    uniqueItems: flag,
    properties: map('properties', new RegExp(`^${NOT_INHERITED}`), schema, 'choose another name'),
    required: list(text),
    additionalProperties: (value, place) => typeof value === 'boolean' || part(value, place),
    'x-extensible-enum': list(any),
  },
  checkSchema,
)

const mediaType = object('Media Type Object', { 'schema!': part, ...examples }, checkExamples)
const contentHint = 'describe "application/json" alone, or leave the content out'
const content = map('content', /^application\/json$/, mediaType, contentHint, filled(contentHint))

/** Parameters and headers have the default style of their location (OpenAPI 3.1, Style Values). */
const simple = { style: choice('simple'), explode: choice(false) }

function parameterWith(fields: Fields): Rule {
  const common = {
    'in!': text,
    'schema!': schema,
    ...noted,
    ...examples,
    // The clocks of the databases do not go much further than a thousand years.
    'x-idempotency-ttl-seconds': integer(1, 31_536_000_000),
  }
  return object('Parameter Object', { ...common, ...fields }, checkParameter, checkExamples)
}
const parameter = referable(
  'parameters',
  variants('Parameter Object', 'in', {
    path: parameterWith({ 'name!': propertyName, 'required!': choice(true), ...simple }),
    query: parameterWith({
      'name!': propertyName,
      required: flag,
      style: choice('form'),
      explode: choice(true),
    }),
    header: parameterWith({ 'name!': headerName, required: flag, ...simple }),
  }),
)

const headerFields = { 'schema!': part, required: flag, ...simple, ...noted, ...examples }
const header = referable('headers', object('Header Object', headerFields, checkHeader, checkExamples))

const requestBody = referable(
  'requestBodies',
  object('Request Body Object', {
    'content!': content,
    // A body is read into one string.
    'x-max-bytes': integer(1, constants.MAX_STRING_LENGTH),
    // Far from the recursion limit of the validators.
    'x-max-depth': integer(1, 1000),
    description: text,
    required: flag,
  }),
)

/** Headers of the message and the connection (RFC 9110, section 8; RFC 9112) follow from the response. */
const FRAMING = 'content-encoding|content-type|content-length|transfer-encoding|connection|keep-alive|trailer|upgrade'
const headersHint =
  'choose another name; Content-Type, -Encoding, -Length and headers of the connection follow from the response'
const responseHeaderName = new RegExp(`^(?!(${FRAMING})$)${FIELD_NAME}$`, 'i')
const response = referable(
  'responses',
  object('Response Object', {
    'description!': text,
    headers: map('headers', responseHeaderName, header, headersHint),
    content,
    links: typed('object'),
  }),
)
const statusHint = 'name a status from "200" to "599", "4XX", "5XX" or "default"'
const status = /^([2-5][0-9]{2}|[45]XX|default)$/
const responses = map('Responses Object', status, response, statusHint, filled(statusHint))

/** RFC 6749, section 3.3: scopes are separated by spaces. */
const scope = matching(/^[!#-[\]-~]+$/, 'use printable ASCII characters without spaces, quotes and backslashes')
const security = list(map('Security Requirement Object', /^/, list(scope), '', requireSchemes))

function requireSchemes(requirement: Values, { root, at }: Place): void {
  for (const name of Object.keys(requirement)) {
    if (Object.hasOwn(toObject(root.components?.securitySchemes), name)) continue
    const advice = 'add it to components.securitySchemes or correct the name'
    at(name).report(`the security scheme "${name}" does not exist; ${advice}`)
  }
}

const typedScheme = { 'type!': text, description: text }
const securityScheme = variants('Security Scheme Object', 'type', {
  http: object('Security Scheme Object', {
    ...typedScheme,
    'scheme!': matching(/^(bearer|basic)$/i, 'use "bearer" or "basic"'),
    bearerFormat: text,
  }),
  apiKey: object('Security Scheme Object', { ...typedScheme, 'in!': choice('header', 'query'), 'name!': headerName }),
})

const operation = object('Operation Object', {
  operationId: matching(/^(?!__proto__$)./, 'choose another name'),
  'responses!': responses,
  tags: list(text),
  ...prose,
  externalDocs,
  parameters: list(parameter),
  requestBody,
  security,
  callbacks: typed('object'),
  servers: typed('array'),
  deprecated: flag,
  'x-deprecated-since': date,
  'x-sunset': date,
  'x-replaced-by': text,
  'x-stability-level': choice('experimental', 'beta', 'stable'),
})

/** Segments (RFC 3986, section 3.3) without escapes and colons, and without "." and "..", which clients remove. */
const PATH = /^(\/(?!\.{1,2}(\/|$))(\{\w+\}|[A-Za-z0-9._~!$&'()+,;=@-]+))+$|^\/$/
const pathHint =
  'begin it with "/", and make each segment plain text or one {parameter}, named with letters, digits and "_"'
const pathItem = object('Path Item Object', {
  ...prose,
  parameters: list(parameter),
  servers: typed('array'),
  ...Object.fromEntries(METHODS.map((method) => [method, operation])),
})

const info = object('Info Object', {
  'title!': text,
  'version!': text,
  ...prose,
  termsOfService: text,
  contact: object('Contact Object', { name: text, url: text, email: text }),
  license: object('License Object', { 'name!': text, identifier: text, url: text }),
})

const variable = object('Server Variable Object', { 'default!': text, enum: list(text), description: text })
const variables = map('Server Variables', /^[a-z0-9_]+$/, variable, 'use lower-case letters, digits and "_"')

function components(kind: string, rule: Rule, ...checks: readonly Rule<never>[]): Rule {
  return map(`components.${kind}`, /^[a-zA-Z0-9._-]+$/, rule, 'use letters, digits, ".", "_" and "-"', ...checks)
}

export const openApi = object('OpenAPI Object', {
  'openapi!': matching(/^3\.1\.\d+$/, 'write the document in OpenAPI 3.1 and "3.1.0" here'),
  'info!': info,
  'paths!': map('Paths Object', PATH, pathItem, pathHint, checked(checkPaths)),
  servers: list(object('Server Object', { 'url!': text, description: text, variables })),
  tags: list(object('Tag Object', { 'name!': text, description: text, externalDocs })),
  externalDocs,
  webhooks: typed('object'),
  security,
  components: object('Components Object', {
    schemas: components('schemas', schema, checked(checkDepth)),
    parameters: components('parameters', parameter),
    requestBodies: components('requestBodies', requestBody),
    responses: components('responses', response),
    headers: components('headers', header),
    securitySchemes: components('securitySchemes', securityScheme),
    links: typed('object'),
    callbacks: typed('object'),
    pathItems: typed('object'),
  }),
})
