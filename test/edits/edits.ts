/**
 * Edits of `openapi.yaml`. Most are derived from what is in it: each field removed, each type changed, each limit moved by
 * one, each header removed and renamed. The rest is what may be added, and the edits that once led to a failure.
 */
export type Values = Record<string, unknown>

export interface Edit {
  /** The edited object: `schemas.PetName`. */
  readonly place: string
  /** What is edited: `maxLength: 254`. */
  readonly what: string
  /** Edits a document of its own in place. */
  apply(document: Values): void
}

type Path = readonly string[]

/** Returns the edits of a document. */
export function deriveEdits(document: Values): Edit[] {
  const alike = new Map<string, number>()
  return [...listEverywhere(), ...deriveHeaders(document), ...deriveFields(document), ...listAdditions()].filter(
    ({ place, what }) => {
      // Headers and responses are alike: two of a kind are enough.
      const kind = `${place.replace(/^(headers|responses)\.\w+/, '$1')} ${what}`
      const count = (alike.get(kind) ?? 0) + 1
      alike.set(kind, count)
      return count <= 2
    },
  )
}

/** What is not a part of the interface. */
const PROSE = ['description', 'summary', 'example', 'examples']

/** Prose is removed and changed everywhere at once. */
function listEverywhere(): Edit[] {
  const removals = PROSE.map((key) => everywhere(`${key} removed`, (object) => delete object[key]))
  return [
    ...removals,
    everywhere('description changed', (object) => {
      if (typeof object.description === 'string') object.description = 'Other words.'
    }),
    everywhere('x-of-another-tool added', (object, path) => {
      if (!isMap(path)) object['x-of-another-tool'] = { any: ['value'] }
    }),
  ]
}

function everywhere(what: string, change: (object: Values, path: Path) => void): Edit {
  return {
    place: 'everywhere',
    what,
    apply: (copy) => {
      for (const { object, path } of objectsOf(copy)) change(object, path)
    },
  }
}

/** A header that many responses have is edited in all of them. */
function deriveHeaders(document: Values): Edit[] {
  const maps = (copy: Values) => objectsOf(copy).filter(({ path }) => isHeaderMap(path))
  const names = new Set(maps(document).flatMap(({ object }) => Object.keys(object)))
  return [...names].flatMap((name) => {
    const change = (what: string, edit: (headers: Values) => void): Edit => ({
      place: `header ${name} of every response`,
      what,
      apply: (copy) => {
        for (const { object } of maps(copy)) if (name in object) edit(object)
      },
    })
    return [
      change('removed', (headers) => delete headers[name]),
      change('required', (headers) => {
        headers[name] = { required: true, schema: { type: 'string' } }
      }),
    ]
  })
}

/** Each field removed, and each value changed to others. */
function* deriveFields(document: Values): Iterable<Edit> {
  for (const { object, path } of objectsOf(document)) {
    if (isHeaderMap(path) || isHeaderMap(path.slice(0, -1)) || '$ref' in object) continue
    for (const [key, value] of Object.entries(object)) {
      if (PROSE.includes(key)) continue
      yield edit(path, `${key} removed`, (found) => delete found[key])
      if (isMap(path)) continue
      for (const other of getOthers(path, key, value)) {
        yield edit(path, `${key}: ${print(other)}`, (found) => {
          found[key] = structuredClone(other)
        })
      }
    }
  }
}

/** Returns what a value may become. */
function getOthers(path: Path, key: string, value: unknown): readonly unknown[] {
  if (key === 'type' && path.includes('headers')) return ['boolean']
  if (key === 'type' && path.includes('schemas')) return [...(TYPES[String(value)] ?? []), [value, 'null']]
  if (typeof value === 'number') return [value - 1, value + 1]
  if (typeof value === 'boolean') return [!value]
  if (Array.isArray(value) && key !== 'servers') {
    const shorter = value.map((_, index) => value.filter((_, other) => other !== index))
    return key === 'enum'
      ? [...shorter, [...value, 'other']]
      : key === 'x-extensible-enum'
        ? shorter.slice(0, 2)
        : shorter
  }
  return (OTHERS[key] ?? []).filter((other) => other !== value)
}

const TYPES: Readonly<Record<string, readonly string[]>> = {
  string: ['integer', 'array'],
  integer: ['number', 'string'],
  object: ['array'],
  array: ['object'],
}

const OTHERS: Readonly<Record<string, readonly unknown[]>> = {
  openapi: ['3.0.3', '3.1.1', '3.2.0'],
  title: ['Zoo', 1],
  version: ['2.0.0'],
  operationId: ['other', 'getPet'],
  in: ['query', 'header', 'path', 'cookie'],
  name: ['other', 'x y'],
  pattern: ['^[A-Z]*$', '('],
  format: ['int32', 'uuid', 'int65'],
  const: ['other'],
  default: ['other', 'sold'],
  scheme: ['basic', 'digest'],
  'x-deprecated-since': ['2026-01-01', '1969-01-01', 'yesterday'],
  'x-sunset': ['2020-01-01', '2031-01-01'],
  'x-stability-level': ['beta', 'alpha'],
  'x-replaced-by': ['createPet', 'nothing'],
  url: ['/v2', 'a b'],
}

/** What may be added or replaced; the last part is what once led to a 500, or to an animal that was not as it was sent. */
function listAdditions(): Edit[] {
  const get = ['paths', '/pets', 'get']
  const post = ['paths', '/pets', 'post']
  const one = ['paths', '/pets/{petId}', 'get']
  const schema = (name: string, ...rest: string[]) => ['components', 'schemas', name, ...rest]
  const set = (path: Path, key: string, value: unknown) =>
    edit(path, `${key}: ${print(value)}`, (found) => {
      found[key] = structuredClone(value)
    })
  const name = (path: Path, from: string, to: string) =>
    edit(path, `${from} renamed ${to}`, (found) => rename(found, from, to))
  const push = (path: Path, key: string, value: unknown) =>
    edit(path, `${key} with ${print(value)}`, (found) => {
      found[key] = [...(Array.isArray(found[key]) ? found[key] : []), structuredClone(value)]
    })
  const error = { $ref: '#/components/responses/BadRequest' }
  const query = (schema: unknown, more = {}) => ({ name: 'more', in: 'query', schema, ...more })
  const kinds = [
    [],
    ['info'],
    ['servers', '0'],
    ['servers', '0', 'variables', 'base_url'],
    ['tags', '0'],
    ['paths', '/pets'],
    get,
    [...get, 'responses', '200'],
    [...get, 'responses', '200', 'content', 'application/json'],
    ['components'],
    ['components', 'parameters', 'Limit'],
    ['components', 'requestBodies', 'NewPet'],
    ['components', 'headers', 'Location'],
    ['components', 'securitySchemes', 'ApiKey'],
    schema('Limit'),
  ]
  return [
    ...kinds.map((path) => set(path, 'unknown', true)),
    // Extensions, and mistakes in ours.
    set(get, 'x-sunsett', '2030-01-01'),
    set(get, 'x-sunset', '2030-01-01'),
    set(get, 'deprecated', true),
    // Operations and paths.
    name(['paths'], '/pets', '/animals'),
    name(['paths'], '/pets', '/health'),
    name(['paths'], '/pets', 'pets'),
    name(['paths'], '/pets/{petId}', '/pets/{id}'),
    name(['paths'], '/pets/{petId}', '/pets/{petId}.json'),
    name(['paths', '/pets'], 'post', 'put'),
    name(['paths', '/pets'], 'post', 'options'),
    name(['paths', '/pets'], 'post', 'trace'),
    set(['paths', '/pets'], 'delete', { operationId: 'removePets', responses: { default: error } }),
    set(get, 'requestBody', { $ref: '#/components/requestBodies/NewPet' }),
    edit(['paths'], 'operationIds swapped', (paths) => {
      const { get: list, post: create } = (paths as { '/pets': Record<'get' | 'post', Values> })['/pets']
      ;[list.operationId, create.operationId] = [create.operationId, list.operationId]
    }),
    // Parameters.
    push(get, 'parameters', query({ type: 'boolean' })),
    push(get, 'parameters', query({ type: 'object' })),
    push(get, 'parameters', query({ type: 'array', items: { type: 'string' } }, { style: 'pipeDelimited' })),
    push(get, 'parameters', query({ type: 'object' }, { style: 'deepObject' })),
    push(get, 'parameters', { name: 'more', in: 'cookie', schema: { type: 'string' } }),
    push(get, 'parameters', { name: 'Authorization', in: 'header', schema: { type: 'string' } }),
    push(get, 'parameters', { $ref: '#/components/parameters/Limit' }),
    push(get, 'parameters', { $ref: '#/components/parameters/Nothing' }),
    push(get, 'parameters', { $ref: './other.yaml#/Limit' }),
    set(['components', 'parameters', 'Limit'], 'required', true),
    set(['components', 'parameters', 'IdempotencyKey'], 'name', 'idempotency-key'),
    set(['components', 'parameters', 'Limit'], 'content', { 'application/json': { schema: { type: 'integer' } } }),
    // Responses.
    ...['418', '302', '4XX', 'default', '99', '2XX'].map((status) => set([...get, 'responses'], status, error)),
    name([...get, 'responses'], '200', '206'),
    name([...post, 'responses'], '201', '200'),
    edit([...get, 'responses'], '4XX and 5XX for all errors', (responses) => {
      for (const status of Object.keys(responses)) if (status >= '400') delete responses[status]
      Object.assign(responses, { '4XX': error, '5XX': error })
    }),
    set([...get, 'responses', '200', 'content'], 'text/csv', { schema: { type: 'string' } }),
    set([...get, 'responses', '200'], 'links', { next: { operationId: 'listPets' } }),
    // Security.
    set([], 'security', []),
    set([], 'security', [{}]),
    set(get, 'security', []),
    set(get, 'security', [{ ApiKey: ['pets:other'] }]),
    set(get, 'security', [{ ApiKey: [] }, {}]),
    set(get, 'security', [{ Nothing: [] }]),
    set(get, 'security', { ApiKey: [] }),
    set(get, 'security', [{ ApiKey: ['a b'] }]),
    ...['header', 'query', 'cookie'].map((place) => {
      return set(['components', 'securitySchemes'], 'ApiKey', { type: 'apiKey', in: place, name: 'key' })
    }),
    set(['components', 'securitySchemes'], 'ApiKey', { type: 'oauth2', flows: {} }),
    set(['components', 'securitySchemes'], 'ApiKey', { type: 'mutualTLS' }),
    // Documentation.
    set([], 'webhooks', { sold: {} }),
    set(get, 'callbacks', { sold: {} }),
    set(get, 'servers', [{ url: '/v3' }]),
    set(['paths', '/pets'], 'servers', [{ url: '/v3' }]),
    set([], 'jsonSchemaDialect', 'https://json-schema.org/draft/2020-12/schema'),
    // Schemas.
    ...[
      ['readOnly', true],
      ['writeOnly', true],
      ['nullable', true],
      ['xml', { name: 'pet' }],
      ['discriminator', { propertyName: 'status' }],
      ['not', { type: 'null' }],
      ['if', {}],
      ['patternProperties', {}],
      ['unevaluatedProperties', false],
      ['$defs', {}],
      ['minProperties', 3],
      ['maxProperties', 2],
    ].map(([key, value]) => set(schema('NewPet'), String(key), value)),
    ...['date', 'uuid', 'password', 'iban'].map((format) => set(schema('PetName'), 'format', format)),
    set(schema('NewPet', 'properties'), 'colour', { type: 'string' }),
    set(schema('NewPet', 'properties', 'status'), 'default', 'other'),
    set(schema('Pet', 'properties'), 'status', { type: 'string' }),
    set(schema('Pet', 'properties'), 'id', { type: 'string' }),
    set(schema('Limit'), 'default', 200),
    set(schema('Limit'), 'multipleOf', 5),
    set(schema('CategoryId'), 'maximum', 5),
    set(schema('NewPet', 'properties'), 'name', { $ref: '#/components/schemas/Nothing' }),
    set(schema('NewPet', 'properties'), 'name', { $ref: './other.yaml#/Name' }),
    set(schema('NewPet', 'properties'), 'name', { $ref: '#/components/schemas/NewPet/properties/name' }),
    // Values of responses.
    set(schema('Pets'), 'maxItems', 1),
    set(schema('PetId'), 'minimum', 100),
    set(schema('Pet', 'properties'), 'id', { allOf: [{ $ref: '#/components/schemas/PetId' }, { minimum: 100 }] }),
    set(schema('Pets'), 'uniqueItems', true),
    set(schema('Error', 'properties', 'message'), 'maxLength', 5),
    set(schema('Error', 'properties', 'code'), 'enum', ['invalid_request']),
    // Declared and never sent; sent and not declared.
    set([...get, 'responses', '200', 'headers'], 'X-Total', { required: true, schema: { type: 'integer' } }),
    set([...get, 'responses', '200', 'headers'], 'X-Total', { schema: { type: 'integer' } }),
    set([...get, 'responses', '200', 'headers'], 'Vary', { schema: { const: 'Accept' } }),
    ...['Deprecation', 'Sunset', 'RateLimit'].map((header) => {
      return set([...get, 'responses', '200', 'headers'], header, { required: true, schema: { type: 'string' } })
    }),
    set(['components', 'responses', 'BadRequest', 'headers'], 'X-Reason', {
      required: true,
      schema: { type: 'string' },
    }),
    set(['components', 'headers', 'RequestId', 'schema'], 'maxLength', 5),
    set(['components', 'headers', 'RetryAfter', 'schema'], 'minimum', 60),
    set(['components', 'headers', 'WwwAuthenticate', 'schema'], 'enum', ['Bearer']),
    set([...one, 'responses', '404'], '$ref', '#/components/responses/Nothing'),
    edit([...one, 'responses', '404'], 'a Pet', (found) => {
      delete found.$ref
      const content = { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } }
      Object.assign(found, { description: 'None.', content })
    }),
    edit(schema('Pets'), 'the list within an object', (found) => {
      const { type, items } = found
      delete found.items
      Object.assign(found, { type: 'object', properties: { items: { type, items } } })
    }),
    set([...post, 'responses', '201', 'content', 'application/json'], 'example', { id: 'one' }),
    set([...get, 'responses', '200'], 'content', { 'x-mock': {} }),
    set(['components', 'headers', 'RetryAfter', 'schema'], 'const', 1),
    set(['components', 'headers', 'NoStore', 'schema'], 'const', 'no-störe'),
    set(['components', 'headers', 'WwwAuthenticate', 'schema'], 'pattern', '^Bearer realm="[^"]*"$'),
    set(['components', 'headers', 'DeprecationLinks', 'schema'], 'maxLength', 9),
    set([...get, 'responses', '200', 'headers'], 'Content-Length', { schema: { type: 'integer' } }),
    set(['components', 'parameters', 'IfNoneMatch'], 'required', true),
    set(['components', 'parameters', 'IfNoneMatch', 'schema'], 'pattern', '^"x"$'),
    set(['components', 'securitySchemes'], 'ApiKey', { type: 'apiKey', in: 'query', name: 'limit' }),
    set(schema('Error', 'properties', 'message'), 'maxLength', 500),
    set(schema('Error', 'properties', 'message'), 'pattern', '^[ -~]*$'),
    set(['components', 'schemas'], 'Pet', {
      allOf: [{ $ref: '#/components/schemas/NewPet' }, { properties: { id: { $ref: '#/components/schemas/PetId' } } }],
    }),
  ]
}

/** Removes the examples of a document. */
export function removeExamples(document: Values): void {
  for (const { object } of objectsOf(document)) {
    delete object.example
    delete object.examples
  }
}

interface Found {
  readonly object: Values
  readonly path: Path
}

/** Every object of the document once, with the path to it; nothing of examples. */
function objectsOf(value: unknown, path: Path = [], seen = new Set<unknown>()): Found[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  const inner = Object.entries(value).flatMap(([key, each]) =>
    key === 'example' || key === 'examples' ? [] : objectsOf(each, [...path, key], seen),
  )
  return Array.isArray(value) ? inner : [{ object: value as Values, path }, ...inner]
}

/** True for the headers of a response. */
function isHeaderMap(path: Path): boolean {
  return path.at(-1) === 'headers' && path.length > 2
}

const MAPS = ['paths', 'properties', 'schemas', 'parameters', 'responses', 'requestBodies', 'headers', 'content']

/** True for a map whose keys are names. */
function isMap(path: Path): boolean {
  return [...MAPS, 'securitySchemes', 'variables'].includes(path.at(-1) ?? '') || path.at(-2) === 'security'
}

function edit(path: Path, what: string, apply: (object: Values) => void): Edit {
  const names = path.filter((key) => !['components', 'content', 'application/json'].includes(key))
  return {
    place: names.join('.') || 'the document',
    what,
    apply: (document) => apply(path.reduce<unknown>((value, key) => (value as Values)[key], document) as Values),
  }
}

/** Keeps the place of the key. */
function rename(object: Values, from: string, to: string): void {
  const entries = Object.entries(object)
  for (const [key] of entries) delete object[key]
  for (const [key, value] of entries) object[key === from ? to : key] = value
}

function print(value: unknown): string {
  if (typeof value === 'string') return value
  const text = JSON.stringify(value).replaceAll('"', '')
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
