/**
 * The supported part of OpenAPI 3.1. Everything else in a document is refused, not ignored.
 */
import { constants } from 'node:buffer'
import { METHODS } from '../document/model.ts'
import { FORMATS } from '../schema/formats.ts'
import { toObject } from './find.ts'
import {
  any,
  exclusive,
  flag,
  integer,
  list,
  map,
  matching,
  members,
  number,
  object,
  oneOf,
  problem,
  type Rule,
  referable,
  target,
  text,
  typed,
  valid,
  within,
} from './rules.ts'
import { checkExamples, checkHeader, checkParameter, checkSchema } from './schema.ts'

/** The names of header fields (RFC 9110, section 5.1). */
const FIELD_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/
/** Without the field that follows from the content (OpenAPI 3.1, Response Object). */
const RESPONSE_FIELD_NAME = /^(?!content-type$)[A-Za-z0-9!#$%&'*+.^_`|~-]+$/i

const date = ofFormat('date', 'a date', 'write it as YYYY-MM-DD')
const url = ofFormat('uri-reference', 'a URL', 'write a URL')
const email = ofFormat('email', 'an email address', 'write an email address such as name@example.com')
const count = integer(0)

function ofFormat(format: keyof typeof FORMATS, what: string, hint: string): Rule {
  return typed('string', valid(FORMATS[format], hint, what))
}

/** What the docs show and the server does not serve. */
const documented = noted(typed('object'))
const documentedList = noted(typed('array'))

function noted(rule: Rule): Rule {
  return (value, place) => {
    place.documented.push(place.pointer)
    return rule(value, place)
  }
}

const externalDocs = object('External Documentation Object', { 'url!': url, description: text })

const example = object('Example Object', { 'value!': any, summary: text, description: text })
const examples = { example: any, examples: map('Example Objects', /^/, example) }
const oneKindOfExamples = exclusive('example', 'examples')

/** A schema; as a function, because schemas contain schemas. */
const schema: Rule = (value, place) => ('$ref' in toObject(value) ? schemaReference : fullSchema)(value, place)

/** A schema of a value that cannot be left out by itself. */
const part: Rule = (value, place) => {
  const hint = 'a default has no effect here, where no property or parameter can be left out; remove it'
  return [...schema(value, place), ...('default' in toObject(value) ? problem(place, hint) : [])]
}
const parts = list(part, { min: 1, hint: 'add a schema' })

const annotations = {
  title: text,
  description: text,
  default: any,
  deprecated: flag,
  example: any,
  examples: list(any),
}
const type = oneOf('null', 'boolean', 'object', 'array', 'number', 'integer', 'string')
const types = list(type, { min: 1, isUnique: true, hint: 'name each type once' })

const schemaReference = object('Schema Object with a $ref', { '$ref!': target('schemas'), ...annotations }, checkSchema)
const fullSchema = object(
  'Schema Object',
  {
    ...annotations,
    type: (value, place) => (Array.isArray(value) ? types : type)(value, place),
    format: text,
    enum: list(any, { min: 1, hint: 'add a value' }),
    const: any,
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: typed(
      'number',
      valid((value: number) => value > 0, 'write a number above 0'),
    ),
    minLength: count,
    maxLength: count,
    pattern: text,
    items: part,
    minItems: count,
    maxItems: count,
    uniqueItems: flag,
    properties: map('properties', /^(?!__proto__$)/, schema, { hint: 'choose another name' }),
    required: list(text, { isUnique: true, hint: 'name each property once' }),
    additionalProperties: (value, place) => (typeof value === 'boolean' ? [] : part(value, place)),
    minProperties: count,
    maxProperties: count,
    allOf: parts,
    anyOf: parts,
    oneOf: parts,
    'x-extensible-enum': list(any),
  },
  checkSchema,
)

const mediaType = object('Media Type Object', { 'schema!': part, ...examples }, oneKindOfExamples, checkExamples)
const content = map('content', /^application\/json$/, mediaType, {
  min: 1,
  hint: 'describe "application/json" alone, or leave the content out',
})

/** Parameters have the default style of their place (OpenAPI 3.1, Style Values). */
const placeRules: Readonly<Record<string, Rule>> = {
  path: members('Parameter Object in path', {
    'required!': oneOf(true),
    style: oneOf('simple'),
    explode: oneOf(false),
  }),
  query: members('Parameter Object in query', { style: oneOf('form'), explode: oneOf(true) }),
  header: members('Parameter Object in header', {
    name: matching(FIELD_NAME, 'use a name that HTTP allows for a header'),
    style: oneOf('simple'),
    explode: oneOf(false),
  }),
}
const parameter = referable(
  'parameters',
  object(
    'Parameter Object',
    {
      'name!': matching(/^(?!__proto__$)./, 'choose another name'),
      'in!': oneOf('path', 'query', 'header'),
      'schema!': schema,
      description: text,
      required: flag,
      deprecated: flag,
      style: text,
      explode: flag,
      ...examples,
      // The clocks of the databases do not go much further than a thousand years.
      'x-idempotency-ttl-seconds': integer(1, 31_536_000_000),
    },
    oneKindOfExamples,
    (value, place) => placeRules[String(toObject(value).in)]?.(value, place) ?? [],
    checkParameter,
    checkExamples,
  ),
)

const header = referable(
  'headers',
  object(
    'Header Object',
    {
      'schema!': part,
      description: text,
      required: flag,
      deprecated: flag,
      style: oneOf('simple'),
      explode: oneOf(false),
      ...examples,
    },
    oneKindOfExamples,
    checkHeader,
    checkExamples,
  ),
)

const requestBody = referable(
  'requestBodies',
  object('Request Body Object', {
    'content!': content,
    // A body is read into one string.
    'x-max-bytes': integer(1, constants.MAX_STRING_LENGTH),
    description: text,
    required: flag,
  }),
)

const response = referable(
  'responses',
  object('Response Object', {
    'description!': text,
    headers: map('headers', RESPONSE_FIELD_NAME, header, {
      hint: 'name a header other than Content-Type, which follows from the content',
    }),
    content,
    links: documented,
  }),
)
const responses = map('Responses Object', /^([2-5][0-9]{2}|[45]XX|default)$/, response, {
  min: 1,
  hint: 'name a status from "200" to "599", "4XX", "5XX" or "default"',
})

/** RFC 6749, section 3.3: scopes are separated by spaces. */
const scope = matching(/^[!#-[\]-~]+$/, 'use printable ASCII characters without spaces, quotes and backslashes')
const security = list(map('Security Requirement Object', /^/, list(scope)))

const schemes: Readonly<Record<string, Rule>> = {
  http: object(
    'Security Scheme Object',
    { 'type!': text, 'scheme!': text, description: text, bearerFormat: text },
    (value, place) => {
      const { bearerFormat, scheme } = toObject(value)
      if (bearerFormat === undefined || /^bearer$/i.test(String(scheme))) return []
      return problem(within(place, 'bearerFormat'), '"bearerFormat" applies to the scheme "bearer" only; remove it')
    },
  ),
  apiKey: object('Security Scheme Object', {
    'type!': text,
    'in!': oneOf('header', 'query', 'cookie'),
    'name!': matching(FIELD_NAME, 'use a name that HTTP allows for a header'),
    description: text,
  }),
}
const securityScheme: Rule = (value, place) => {
  const other = typed('object', members('Security Scheme Object', { 'type!': oneOf('http', 'apiKey') }))
  return (schemes[String(toObject(value).type)] ?? other)(value, place)
}

const operation = object('Operation Object', {
  'operationId!': matching(/^(?!__proto__$)./, 'choose another name'),
  'responses!': responses,
  tags: list(text),
  summary: text,
  description: text,
  externalDocs,
  parameters: list(parameter),
  requestBody,
  security,
  callbacks: documented,
  servers: documentedList,
  deprecated: flag,
  'x-deprecated-since': date,
  'x-sunset': date,
  'x-replaced-by': text,
  'x-stability-level': oneOf('experimental', 'beta', 'stable'),
})

const pathItem = object('Path Item Object', {
  summary: text,
  description: text,
  parameters: list(parameter),
  servers: documentedList,
  ...Object.fromEntries(METHODS.map((method) => [method, operation])),
})

const contact = object('Contact Object', { name: text, url, email })
const license = object('License Object', { 'name!': text, identifier: text, url }, exclusive('identifier', 'url'))
const info = object('Info Object', {
  'title!': text,
  'version!': text,
  summary: text,
  description: text,
  termsOfService: url,
  contact,
  license,
})

const serverVariable = object('Server Variable Object', { 'default!': text, description: text })
const server = object('Server Object', {
  'url!': text,
  description: text,
  variables: map('Server Variables', /^[a-z0-9_]+$/, serverVariable, {
    hint: 'use lower-case letters, digits and "_"',
  }),
})

function components(kind: string, rule: Rule): Rule {
  return map(`components.${kind}`, /^[a-zA-Z0-9._-]+$/, rule, { hint: 'use letters, digits, ".", "_" and "-"' })
}

/** The document itself. */
export const openApi = object('OpenAPI Object', {
  'openapi!': matching(/^3\.1\.\d+$/, 'write the document in OpenAPI 3.1 and "3.1.0" here'),
  'info!': info,
  'paths!': map('Paths Object', /^\//, pathItem, { hint: 'begin the path with "/"' }),
  servers: list(server),
  tags: list(object('Tag Object', { 'name!': text, description: text, externalDocs })),
  externalDocs,
  webhooks: documented,
  security,
  components: object('Components Object', {
    schemas: components('schemas', schema),
    parameters: components('parameters', parameter),
    requestBodies: components('requestBodies', requestBody),
    responses: components('responses', response),
    headers: components('headers', header),
    securitySchemes: components('securitySchemes', securityScheme),
    links: documented,
    callbacks: documented,
    pathItems: documented,
  }),
})
