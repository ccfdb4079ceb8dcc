/** The supported part of OpenAPI 3.1. Everything else in a document is refused, not ignored. */
import { constants } from 'node:buffer'
import { METHODS } from '../document/model.ts'
import { toObject, type Values } from '../document/references.ts'
import { FORMATS } from '../schema/formats.ts'
import { checkOperations } from './operations.ts'
import {
  any,
  distinct,
  exclusive,
  type Fields,
  filled,
  findRepeated,
  flag,
  integer,
  list,
  map,
  matching,
  members,
  number,
  object,
  oneOf,
  type Place,
  type Rule,
  referable,
  target,
  text,
  typed,
  valid,
} from './rules.ts'
import { checkExamples, checkHeader, checkHeaders, checkKeywords, checkParameter, checkSchema } from './schema.ts'

const FIELD_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/ // RFC 9110, section 5.1
/** Without the field that follows from the content (OpenAPI 3.1, Response Object). */
const RESPONSE_FIELD_NAME = /^(?!content-type$)[A-Za-z0-9!#$%&'*+.^_`|~-]+$/i

const date = ofFormat('date', 'a date', 'write it as YYYY-MM-DD')
const url = ofFormat('uri-reference', 'a URL', 'write a URL')
const email = ofFormat('email', 'an email address', 'write an email address such as name@example.com')
const pattern = ofFormat('regex', 'a regular expression that JavaScript accepts with the flag "u"', 'correct it')
const count = integer(0)
const headerName = matching(FIELD_NAME, 'use a name that HTTP allows for a header')
/** A name that becomes the name of a property in JavaScript. */
const propertyName = matching(/^(?!__proto__$)./, 'choose another name')
const prose = { summary: text, description: text }
const noted = { description: text, deprecated: flag }

function ofFormat(format: keyof typeof FORMATS, what: string, hint: string): Rule {
  return typed('string', valid(FORMATS[format], hint, what))
}

/** What the docs show and the server does not serve. */
function documented(type: 'object' | 'array'): Rule {
  return typed(type, (_value, { documented, pointer }) => void documented.push(pointer))
}

const externalDocs = object('External Documentation Object', { 'url!': url, description: text })
const example = object('Example Object', { 'value!': any, ...prose })
const examples = { example: any, examples: map('Example Objects', /^/, example) }
const exampleChecks = [exclusive('example', 'examples'), checkExamples]

/** A schema; as a function, because schemas contain schemas. */
const schema: Rule = (value, place) => ('$ref' in toObject(value) ? schemaReference : fullSchema)(value, place)

/** A schema of a value that cannot be left out by itself. */
const part: Rule = (value, place) => {
  schema(value, place)
  if (!('default' in toObject(value))) return
  place.report('a default has no effect here, where no property or parameter can be left out; remove it')
}
const parts = list(part, filled('add a schema'))

const annotations = { title: text, ...noted, default: any, example: any, examples: list(any) }
const type = oneOf('null', 'boolean', 'object', 'array', 'number', 'integer', 'string')
const types = list(type, filled('name each type once'), distinct('name each type once'))

/** The keywords that have an effect on values of some types only, by these types. */
const KEYWORDS: Readonly<Record<string, Fields>> = {
  'integer and number': {
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: typed(
      'number',
      valid<number>((value) => value > 0, 'write a number above 0'),
    ),
  },
  string: { minLength: count, maxLength: count, pattern },
  array: { items: part, minItems: count, maxItems: count, uniqueItems: flag },
  object: {
    properties: map('properties', /^(?!__proto__$)/, schema, 'choose another name'),
    required: list(text, distinct('name each property once')),
    additionalProperties: (value, place) => typeof value === 'boolean' || part(value, place),
    minProperties: count,
    maxProperties: count,
  },
}

const schemaReference = object('Schema Object with a $ref', { '$ref!': target('schemas'), ...annotations }, checkSchema)
const fullSchema = object(
  'Schema Object',
  {
    ...annotations,
    type: (value, place) => (Array.isArray(value) ? types : type)(value, place),
    format: text,
    enum: list(any, filled('add a value')),
    const: any,
    ...Object.assign({}, ...Object.values(KEYWORDS)),
    allOf: parts,
    anyOf: parts,
    oneOf: parts,
    'x-extensible-enum': list(any),
  },
  ...Object.entries(KEYWORDS).map(([types, keywords]) => checkKeywords(types, Object.keys(keywords))),
  checkSchema,
)

const mediaType = object('Media Type Object', { 'schema!': part, ...examples }, ...exampleChecks)
const contentHint = 'describe "application/json" alone, or leave the content out'
const content = map('content', /^application\/json$/, mediaType, contentHint, filled(contentHint))

/** Parameters have the default style of their place (OpenAPI 3.1, Style Values). */
const simple = { style: oneOf('simple'), explode: oneOf(false) }
const placeRules = new Map([
  ['path', members('Parameter Object in path', { 'required!': oneOf(true), ...simple })],
  ['query', members('Parameter Object in query', { style: oneOf('form'), explode: oneOf(true) })],
  ['header', members('Parameter Object in header', { name: headerName, ...simple })],
])
const checkPlace = (values: Values, place: Place) => placeRules.get(String(values.in))?.(values, place)
const parameter = referable('parameters', 'Parameter Object', [checkPlace, checkParameter, ...exampleChecks], {
  'name!': propertyName,
  'in!': oneOf(...placeRules.keys()),
  'schema!': schema,
  required: flag,
  style: text,
  explode: flag,
  ...noted,
  ...examples,
  // The clocks of the databases do not go much further than a thousand years.
  'x-idempotency-ttl-seconds': integer(1, 31_536_000_000),
})

const header = referable('headers', 'Header Object', [checkHeader, ...exampleChecks], {
  'schema!': part,
  required: flag,
  ...simple,
  ...noted,
  ...examples,
})

const requestBody = referable('requestBodies', 'Request Body Object', [], {
  'content!': content,
  // A body is read into one string.
  'x-max-bytes': integer(1, constants.MAX_STRING_LENGTH),
  // Far from the recursion limit of the validators.
  'x-max-depth': integer(1, 1000),
  description: text,
  required: flag,
})

const headersHint = 'name a header other than Content-Type, which follows from the content'
const response = referable('responses', 'Response Object', [], {
  'description!': text,
  headers: map('headers', RESPONSE_FIELD_NAME, header, headersHint, checkHeaders),
  content,
  links: documented('object'),
})
const statusHint = 'name a status from "200" to "599", "4XX", "5XX" or "default"'
const status = /^([2-5][0-9]{2}|[45]XX|default)$/
const responses = map('Responses Object', status, response, statusHint, filled(statusHint))

/** RFC 6749, section 3.3: scopes are separated by spaces. */
const scope = matching(/^[!#-[\]-~]+$/, 'use printable ASCII characters without spaces, quotes and backslashes')
const security = list(map('Security Requirement Object', /^/, list(scope), '', checkSchemeNames))

function checkSchemeNames(requirement: Values, { root, at }: Place): void {
  for (const name of Object.keys(requirement)) {
    if (Object.hasOwn(toObject(root.components?.securitySchemes), name)) continue
    const advice = 'add it to components.securitySchemes or correct the name'
    at(name).report(`the security scheme "${name}" does not exist; ${advice}`)
  }
}

function checkBearerFormat({ bearerFormat, scheme }: Values, { at }: Place): void {
  if (bearerFormat === undefined || /^bearer$/i.test(String(scheme))) return
  at('bearerFormat').report('"bearerFormat" applies to the scheme "bearer" only; remove it')
}

const httpScheme = { 'type!': text, 'scheme!': text, description: text, bearerFormat: text }
const keyPlace = oneOf('header', 'query', 'cookie')
const apiKey = { 'type!': text, 'in!': keyPlace, 'name!': headerName, description: text }
const schemes = new Map([
  ['http', object('Security Scheme Object', httpScheme, checkBearerFormat)],
  ['apiKey', object('Security Scheme Object', apiKey)],
])
const otherScheme = typed('object', members('Security Scheme Object', { 'type!': oneOf(...schemes.keys()) }))
const securityScheme: Rule = (value, place) => (schemes.get(String(toObject(value).type)) ?? otherScheme)(value, place)

const operation = object('Operation Object', {
  'operationId!': propertyName,
  'responses!': responses,
  tags: list(text),
  ...prose,
  externalDocs,
  parameters: list(parameter),
  requestBody,
  security,
  callbacks: documented('object'),
  servers: documented('array'),
  deprecated: flag,
  'x-deprecated-since': date,
  'x-sunset': date,
  'x-replaced-by': text,
  'x-stability-level': oneOf('experimental', 'beta', 'stable'),
})

const pathItem = object('Path Item Object', {
  ...prose,
  parameters: list(parameter),
  servers: documented('array'),
  ...Object.fromEntries(METHODS.map((method) => [method, operation])),
})

const info = object('Info Object', {
  'title!': text,
  'version!': text,
  ...prose,
  termsOfService: url,
  contact: object('Contact Object', { name: text, url, email }),
  license: object('License Object', { 'name!': text, identifier: text, url }, exclusive('identifier', 'url')),
})

const variable = object('Server Variable Object', { 'default!': text, description: text })
const variables = map('Server Variables', /^[a-z0-9_]+$/, variable, 'use lower-case letters, digits and "_"')

/** OpenAPI 3.1, OpenAPI Object: the names of tags are unique. */
function checkTags(tags: readonly unknown[], { at }: Place): void {
  const named = tags.map((tag, index) => ({ index, name: toObject(tag).name }))
  for (const [{ index, name }] of findRepeated(named, (each) => each.name)) {
    at(index).report(`the tag "${name}" is declared twice; remove one`)
  }
}

/** The rules of the components, by kind. */
const components = Object.entries({
  schemas: schema,
  parameters: parameter,
  requestBodies: requestBody,
  responses: response,
  headers: header,
  securitySchemes: securityScheme,
}).map(([kind, rule]) => {
  const hint = 'use letters, digits, ".", "_" and "-"'
  return [kind, map(`components.${kind}`, /^[a-zA-Z0-9._-]+$/, rule, hint)] as const
})

export const openApi = object('OpenAPI Object', {
  'openapi!': matching(/^3\.1\.\d+$/, 'write the document in OpenAPI 3.1 and "3.1.0" here'),
  'info!': info,
  'paths!': map('Paths Object', /^\//, pathItem, 'begin the path with "/"', checkOperations),
  servers: list(object('Server Object', { 'url!': text, description: text, variables })),
  tags: list(object('Tag Object', { 'name!': text, description: text, externalDocs }), checkTags),
  externalDocs,
  webhooks: documented('object'),
  security,
  components: object('Components Object', {
    ...Object.fromEntries(components),
    links: documented('object'),
    callbacks: documented('object'),
    pathItems: documented('object'),
  }),
})
