/**
 * What the engine honours of OpenAPI 3.1, as a JSON Schema of the document. It is a part of the standard's own schema:
 * what it accepts is valid OpenAPI. Whatever else a document says is refused, not ignored.
 */
import { METHODS } from '../model.ts'

type JsonSchema = Readonly<Record<string, unknown>>

const text: JsonSchema = { type: 'string' }
const flag: JsonSchema = { type: 'boolean' }
const any: JsonSchema = {}
const count: JsonSchema = { type: 'integer', minimum: 0 }
const number: JsonSchema = { type: 'number' }
const date: JsonSchema = { type: 'string', format: 'date' }

/** An object of the standard by its name there, with the fields that are honoured. */
function object(title: string, required: readonly string[], properties: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return { title, type: 'object', required, properties, additionalProperties: false, ...more }
}

function mapOf(title: string, keys: string, values: JsonSchema): JsonSchema {
  return { title, type: 'object', patternProperties: { [keys]: values }, additionalProperties: false }
}

function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

function to(definition: string): JsonSchema {
  return { $ref: `#/$defs/${definition}` }
}

/** Either the object itself or a Reference Object that leads to a component of its kind. */
function referable(definition: string, kind: string): JsonSchema {
  const reference = object('Reference Object', ['$ref'], {
    $ref: { type: 'string', pattern: `^#/components/${kind}/[^/]+$`, leads: true },
    summary: text,
    description: text,
  })
  return when({ type: 'object', required: ['$ref'] }, reference, to(definition))
}

function componentsOf(kind: string, values: JsonSchema): JsonSchema {
  return mapOf(`components.${kind}`, '^[a-zA-Z0-9._-]+$', values)
}

/** Parameters are serialised in the default style of the place they stand in (OpenAPI 3.1, Style Values). */
function parameterIn(place: string, style: string, more: JsonSchema): JsonSchema {
  const properties = { style: { enum: [style] }, ...(more.properties as object) }
  return when({ properties: { in: { const: place } } }, { title: `Parameter Object in ${place}`, ...more, properties })
}

/** The keyword `if` with its branches; written out, an object with a `then` would look like a promise. */
function when(condition: JsonSchema, consequence: JsonSchema, otherwise: JsonSchema = {}): JsonSchema {
  return Object.fromEntries([
    ['if', condition],
    ['then', consequence],
    ['else', otherwise],
  ])
}

const examples = { example: any, examples: mapOf('Example Objects', '', to('example')) }
const content = {
  title: 'content map',
  type: 'object',
  properties: { 'application/json': to('mediaType') },
  additionalProperties: false,
  minProperties: 1,
}
const externalDocs = object('External Documentation Object', ['url'], { url: text, description: text })
const annotations = {
  title: text,
  description: text,
  default: any,
  deprecated: flag,
  example: any,
  examples: listOf(any),
}

const document = object('OpenAPI Object', ['openapi', 'info', 'paths'], {
  openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$' },
  info: object('Info Object', ['title', 'version'], {
    title: text,
    version: text,
    summary: text,
    description: text,
    termsOfService: text,
    contact: object('Contact Object', [], { name: text, url: text, email: text }),
    license: object('License Object', ['name'], { name: text, identifier: text, url: text }),
  }),
  servers: listOf(
    object('Server Object', ['url'], {
      url: text,
      description: text,
      variables: mapOf(
        'Server Variables',
        '^[a-z0-9_]+$',
        object('Server Variable Object', ['default'], { default: text, description: text }),
      ),
    }),
  ),
  tags: listOf(object('Tag Object', ['name'], { name: text, description: text, externalDocs })),
  externalDocs,
  security: to('security'),
  paths: mapOf('Paths Object', '^/', to('pathItem')),
  components: object('Components Object', [], {
    schemas: componentsOf('schemas', to('schema')),
    parameters: componentsOf('parameters', referable('parameter', 'parameters')),
    requestBodies: componentsOf('requestBodies', referable('requestBody', 'requestBodies')),
    responses: componentsOf('responses', referable('response', 'responses')),
    headers: componentsOf('headers', referable('header', 'headers')),
    securitySchemes: componentsOf('securitySchemes', to('securityScheme')),
  }),
})

const definitions = {
  pathItem: object('Path Item Object', [], {
    summary: text,
    description: text,
    parameters: listOf(referable('parameter', 'parameters')),
    ...Object.fromEntries(METHODS.map((method) => [method, to('operation')])),
  }),
  operation: object('Operation Object', ['operationId', 'responses'], {
    operationId: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]*$' },
    tags: listOf(text),
    summary: text,
    description: text,
    externalDocs,
    parameters: listOf(referable('parameter', 'parameters')),
    requestBody: referable('requestBody', 'requestBodies'),
    responses: {
      ...mapOf('Responses Object', '^[2-5][0-9]{2}$', referable('response', 'responses')),
      minProperties: 1,
    },
    security: to('security'),
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
      name: { type: 'string', minLength: 1 },
      in: { enum: ['path', 'query', 'header'] },
      description: text,
      required: flag,
      deprecated: flag,
      style: text,
      explode: flag,
      schema: to('schema'),
      ...examples,
    },
    {
      allOf: [
        parameterIn('path', 'simple', {
          required: ['required'],
          properties: { required: { const: true }, explode: { const: false } },
        }),
        parameterIn('query', 'form', { properties: { explode: { const: true } } }),
        parameterIn('header', 'simple', { properties: { explode: { const: false } } }),
      ],
    },
  ),
  requestBody: object('Request Body Object', ['content'], {
    description: text,
    required: flag,
    content,
    'x-max-bytes': { type: 'integer', minimum: 1 },
  }),
  mediaType: object('Media Type Object', ['schema'], { schema: to('schema'), ...examples }),
  response: object('Response Object', ['description'], {
    description: text,
    headers: mapOf('Response Headers', '', referable('header', 'headers')),
    content,
  }),
  header: object('Header Object', ['schema'], {
    description: text,
    required: flag,
    deprecated: flag,
    style: { enum: ['simple'] },
    explode: { const: false },
    schema: to('schema'),
    ...examples,
  }),
  example: object('Example Object', ['value'], { summary: text, description: text, value: any }),
  securityScheme: object('Security Scheme Object', ['type', 'scheme'], {
    type: { enum: ['http'] },
    scheme: text,
    description: text,
    bearerFormat: text,
  }),
  // One scheme at most, and no scopes: neither alternatives nor combinations are honoured.
  security: {
    type: 'array',
    maxItems: 1,
    items: {
      title: 'Security Requirement Object',
      type: 'object',
      minProperties: 1,
      maxProperties: 1,
      additionalProperties: { type: 'array', maxItems: 0 },
    },
  },
  schema: {
    coherent: true,
    ...when(
      { type: 'object', required: ['$ref'] },
      object('Schema Object with a $ref', [], {
        $ref: { type: 'string', pattern: '^#/components/schemas/[^/]+$', leads: true },
        ...annotations,
      }),
      object('Schema Object', [], {
        ...annotations,
        type: when({ type: 'array' }, { items: to('type'), minItems: 1, uniqueItems: true }, to('type')),
        format: text,
        enum: { type: 'array', minItems: 1 },
        const: any,
        minimum: number,
        maximum: number,
        exclusiveMinimum: number,
        exclusiveMaximum: number,
        multipleOf: { type: 'number', exclusiveMinimum: 0 },
        minLength: count,
        maxLength: count,
        pattern: { type: 'string', format: 'regex' },
        items: to('schema'),
        minItems: count,
        maxItems: count,
        uniqueItems: flag,
        properties: mapOf('properties', '', to('schema')),
        required: { type: 'array', items: text, uniqueItems: true },
        additionalProperties: when({ type: 'boolean' }, {}, to('schema')),
        minProperties: count,
        maxProperties: count,
        allOf: { type: 'array', items: to('schema'), minItems: 1 },
        anyOf: { type: 'array', items: to('schema'), minItems: 1 },
        oneOf: { type: 'array', items: to('schema'), minItems: 1 },
        'x-extensible-enum': { type: 'array' },
      }),
    ),
  },
  type: { enum: ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'] },
}

export const HONOURED: JsonSchema = { ...document, $defs: definitions }
