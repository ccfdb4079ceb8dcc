/**
 * The supported part of OpenAPI 3.1, as a JSON Schema of the document. It is a part of the standard's own schema: what it
 * accepts is valid OpenAPI. Everything else in a document is refused, not ignored.
 *
 * For messages, `title` is the name of an object in the standard, and `hint` says what to do about a refused value.
 */
import { constants } from 'node:buffer'
import { METHODS } from '../document/model.ts'

type JsonSchema = Readonly<Record<string, unknown>>

const text: JsonSchema = { type: 'string' }
const flag: JsonSchema = { type: 'boolean' }
const any: JsonSchema = {}
const count: JsonSchema = {
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  hint: 'write a number of 0 or more',
}
const number: JsonSchema = { type: 'number' }
const date: JsonSchema = { type: 'string', format: 'date', hint: 'write it as YYYY-MM-DD' }
const link: JsonSchema = { type: 'string', format: 'uri-reference', hint: 'write a URL' }

/** An object of the standard, by its name there, with its supported fields. */
function object(title: string, required: readonly string[], properties: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return { title, type: 'object', required, properties, additionalProperties: false, ...more }
}

function mapOf(title: string, keys: string, values: JsonSchema, hint?: string): JsonSchema {
  return { title, hint, type: 'object', patternProperties: { [keys]: values }, additionalProperties: false }
}

function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

function refer(definition: string): JsonSchema {
  return { $ref: `#/$defs/${definition}` }
}

/** Either the object itself or a Reference Object to a component of its kind. */
function referable(definition: string, kind: string): JsonSchema {
  const reference = object('Reference Object', ['$ref'], {
    $ref: target(kind),
    summary: text,
    description: text,
  })
  return when({ type: 'object', required: ['$ref'] }, reference, refer(definition))
}

/** A reference within the document, to a component of the kind that belongs there. */
function target(kind: string): JsonSchema {
  const hint = `refer to a component of this document, as "#/components/${kind}/NAME"`
  return { type: 'string', pattern: `^#/components/${kind}/[^/]+$`, resolvableRef: true, hint }
}

function componentsOf(kind: string, values: JsonSchema): JsonSchema {
  return mapOf(`components.${kind}`, '^[a-zA-Z0-9._-]+$', values, 'use letters, digits, ".", "_" and "-"')
}

/** Parameters are serialized in the default style of their place (OpenAPI 3.1, Style Values). */
function parameterIn(place: string, style: string, more: JsonSchema): JsonSchema {
  const properties = { style: { enum: [style] }, ...(more.properties as object) }
  return when({ properties: { in: { const: place } } }, { title: `Parameter Object in ${place}`, ...more, properties })
}

/** Two properties that exclude each other. */
function exclusive(one: string, other: string): JsonSchema {
  return { not: { required: [one, other] }, hint: `"${one}" and "${other}" exclude each other; keep one of them` }
}

/** The keyword `if` with its branches. Written as a literal, an object with a `then` would look like a promise. */
function when(condition: JsonSchema, consequence: JsonSchema, otherwise: JsonSchema = {}): JsonSchema {
  return Object.fromEntries([
    ['if', condition],
    ['then', consequence],
    ['else', otherwise],
  ])
}

/** The names of header fields (RFC 9110, section 5.1). */
const FIELD_NAME = "[A-Za-z0-9!#$%&'*+.^_`|~-]+$"
const CONTENT_TYPE = '[Cc][Oo][Nn][Tt][Ee][Nn][Tt]-[Tt][Yy][Pp][Ee]$'

const examples = { example: any, examples: mapOf('Example Objects', '', refer('example')) }
const oneKindOfExamples = exclusive('example', 'examples')
const content = {
  title: 'content',
  hint: 'describe "application/json" alone, or leave the content out',
  type: 'object',
  properties: { 'application/json': refer('mediaType') },
  additionalProperties: false,
  minProperties: 1,
}
const externalDocs = object('External Documentation Object', ['url'], { url: link, description: text })
/** A schema of a value that cannot be left out by itself. */
const part: JsonSchema = {
  allOf: [refer('schema')],
  not: { type: 'object', required: ['default'] },
  hint: 'a default has no effect here, where no property or parameter can be left out; remove it',
}
const parts: JsonSchema = { type: 'array', items: part, minItems: 1, hint: 'add a schema' }
const headerName: JsonSchema = { pattern: `^${FIELD_NAME}`, hint: 'use a name that HTTP allows for a header' }
const annotations = {
  title: text,
  description: text,
  default: any,
  deprecated: flag,
  example: any,
  examples: listOf(any),
}

const document = object('OpenAPI Object', ['openapi', 'info', 'paths'], {
  openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$', hint: 'write the document in OpenAPI 3.1 and "3.1.0" here' },
  info: object('Info Object', ['title', 'version'], {
    title: text,
    version: text,
    summary: text,
    description: text,
    termsOfService: link,
    contact: object('Contact Object', [], {
      name: text,
      url: link,
      email: { type: 'string', format: 'email', hint: 'write an email address such as name@example.com' },
    }),
    license: object(
      'License Object',
      ['name'],
      { name: text, identifier: text, url: link },
      { allOf: [exclusive('identifier', 'url')] },
    ),
  }),
  servers: listOf(
    object('Server Object', ['url'], {
      url: text,
      description: text,
      variables: mapOf(
        'Server Variables',
        '^[a-z0-9_]+$',
        object('Server Variable Object', ['default'], { default: text, description: text }),
        'use lower-case letters, digits and "_"',
      ),
    }),
  ),
  tags: listOf(object('Tag Object', ['name'], { name: text, description: text, externalDocs })),
  externalDocs,
  security: refer('security'),
  paths: mapOf('Paths Object', '^/', refer('pathItem'), 'begin the path with "/"'),
  components: object('Components Object', [], {
    schemas: componentsOf('schemas', refer('schema')),
    parameters: componentsOf('parameters', referable('parameter', 'parameters')),
    requestBodies: componentsOf('requestBodies', referable('requestBody', 'requestBodies')),
    responses: componentsOf('responses', referable('response', 'responses')),
    headers: componentsOf('headers', referable('header', 'headers')),
    securitySchemes: componentsOf('securitySchemes', refer('securityScheme')),
  }),
})

const definitions = {
  pathItem: object('Path Item Object', [], {
    summary: text,
    description: text,
    parameters: listOf(referable('parameter', 'parameters')),
    ...Object.fromEntries(METHODS.map((method) => [method, refer('operation')])),
  }),
  operation: object('Operation Object', ['operationId', 'responses'], {
    operationId: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]*$', hint: 'use letters, digits and "_"' },
    tags: listOf(text),
    summary: text,
    description: text,
    externalDocs,
    parameters: listOf(referable('parameter', 'parameters')),
    requestBody: referable('requestBody', 'requestBodies'),
    responses: {
      ...mapOf(
        'Responses Object',
        '^[2-5][0-9]{2}$',
        referable('response', 'responses'),
        'name each status, from "200" to "599"',
      ),
      minProperties: 1,
    },
    security: refer('security'),
    deprecated: flag,
    'x-deprecated-since': date,
    'x-sunset': date,
    'x-replaced-by': text,
    'x-stability-level': { enum: ['experimental', 'beta', 'stable'] },
  }),
  parameter: object(
    'Parameter Object',
    ['name', 'in', 'schema'],
    {
      name: { type: 'string', minLength: 1, pattern: '^(?!__proto__$)', hint: 'choose another name' },
      in: { enum: ['path', 'query', 'header'] },
      description: text,
      required: flag,
      deprecated: flag,
      style: text,
      explode: flag,
      schema: refer('schema'),
      ...examples,
      // The clocks of the databases do not go much further than a thousand years.
      'x-idempotency-ttl-seconds': {
        type: 'integer',
        minimum: 1,
        maximum: 31_536_000_000,
        hint: 'write a number of seconds',
      },
    },
    {
      serializable: true,
      allOf: [
        oneKindOfExamples,
        parameterIn('path', 'simple', {
          required: ['required'],
          properties: { required: { const: true }, explode: { const: false } },
        }),
        parameterIn('query', 'form', { properties: { explode: { const: true } } }),
        parameterIn('header', 'simple', { properties: { explode: { const: false }, name: headerName } }),
      ],
    },
  ),
  requestBody: object('Request Body Object', ['content', 'x-max-bytes'], {
    description: text,
    required: flag,
    content,
    // A body is read into one string.
    'x-max-bytes': {
      type: 'integer',
      minimum: 1,
      maximum: constants.MAX_STRING_LENGTH,
      hint: 'write a number of bytes',
    },
  }),
  mediaType: object('Media Type Object', ['schema'], { schema: part, ...examples }, { allOf: [oneKindOfExamples] }),
  response: object('Response Object', ['description'], {
    description: text,
    headers: mapOf(
      'headers',
      `^(?!${CONTENT_TYPE})${FIELD_NAME}`,
      referable('header', 'headers'),
      // OpenAPI 3.1, Response Object: a Content-Type here is ignored.
      'name a header other than Content-Type, which follows from the content',
    ),
    content,
  }),
  header: object(
    'Header Object',
    ['schema'],
    {
      description: text,
      required: flag,
      deprecated: flag,
      style: { enum: ['simple'] },
      explode: { const: false },
      schema: part,
      ...examples,
    },
    { allOf: [oneKindOfExamples], serializable: true },
  ),
  example: object('Example Object', ['value'], { summary: text, description: text, value: any }),
  securityScheme: when(
    { type: 'object', properties: { type: { const: 'http' } } },
    object(
      'Security Scheme Object',
      ['type', 'scheme'],
      { type: text, scheme: text, description: text, bearerFormat: text },
      when(
        { type: 'object', required: ['bearerFormat'] },
        {
          properties: {
            scheme: { pattern: '^[Bb][Ee][Aa][Rr][Ee][Rr]$', hint: 'bearerFormat goes with "bearer" only' },
          },
        },
      ),
    ),
    { type: 'object', properties: { type: { enum: ['http'] } } },
  ),
  security: {
    type: 'array',
    maxItems: 1,
    hint: 'name one scheme; alternatives are not supported',
    items: {
      title: 'Security Requirement Object',
      type: 'object',
      minProperties: 1,
      maxProperties: 1,
      hint: 'name one scheme, or write "security: []"; combinations and optional security are not supported',
      additionalProperties: { type: 'array', maxItems: 0, hint: 'write []; scopes are not supported' },
    },
  },
  schema: {
    validSchema: true,
    ...when(
      { type: 'object', required: ['$ref'] },
      object('Schema Object with a $ref', [], {
        $ref: target('schemas'),
        ...annotations,
      }),
      object('Schema Object', [], {
        ...annotations,
        type: when(
          { type: 'array' },
          { items: refer('type'), minItems: 1, uniqueItems: true, hint: 'name each type once' },
          refer('type'),
        ),
        format: text,
        enum: { type: 'array', minItems: 1, hint: 'add a value' },
        const: any,
        minimum: number,
        maximum: number,
        exclusiveMinimum: number,
        exclusiveMaximum: number,
        multipleOf: { type: 'number', exclusiveMinimum: 0, hint: 'write a number above 0' },
        minLength: count,
        maxLength: count,
        pattern: text,
        items: part,
        minItems: count,
        maxItems: count,
        uniqueItems: flag,
        properties: mapOf('properties', '^(?!__proto__$)', refer('schema'), 'choose another name'),
        required: { type: 'array', items: text, uniqueItems: true, hint: 'name each property once' },
        additionalProperties: when({ type: 'boolean' }, {}, part),
        minProperties: count,
        maxProperties: count,
        allOf: parts,
        anyOf: parts,
        oneOf: parts,
        'x-extensible-enum': { type: 'array' },
      }),
    ),
  },
  type: { enum: ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'] },
}

export const SUPPORTED: JsonSchema = { ...document, $defs: definitions }
