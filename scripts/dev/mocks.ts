/**
 * Mocks: handlers that respond with examples, and functions of security schemes that accept everyone. `Prefer` (RFC 7240)
 * chooses another status with `code=404`.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { sample } from 'openapi-sampler'
import type { Handler, OpenApiDocument, OpenApiOptions, Operation, SecurityFunction } from '../../src/openapi/index.ts'
import { HttpError } from '../../src/openapi/shared/errors.ts'
import { stringifyExactly } from '../../src/openapi/shared/json.ts'
import {
  createPattern,
  findResponse,
  formatViolation,
  getHandlerHeaders,
  getKind,
  isChoice,
  mapSchema,
  mapValues,
  parsePointer,
  resolve,
  type Schema,
  toObject,
  toPointer,
  type Values,
} from '../../src/openapi/tools.ts'

type FastCheck = typeof import('fast-check')['default']
type Validator = ReturnType<OpenApiDocument['compile']>
type GetExample = (
  media: { readonly example?: unknown; readonly examples?: unknown; readonly schema?: Schema },
  part: string,
  what: string,
) => Promise<unknown>

/** The status that the client of the request prefers. */
const preferredCode = new AsyncLocalStorage<string | undefined>()

/** Lets the mocks see the preferences of requests, which are not declared. */
export function readPreferences(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    // RFC 7240, section 2; the names of preferences ignore case.
    const [, code] = /(?<![\w-])code[ \t]*=[ \t]*"?([^\s,;"]+)/i.exec(String(headers.prefer)) ?? []
    preferredCode.run(code, done)
  })
}

/** Completes the options of the OpenAPI layer, so that every document matches them; `note` is told what has been changed. */
export function addMocks(options: OpenApiOptions, note: (text: string) => void): OpenApiOptions {
  const { document, handlers, security = {}, serverHeaders = [] } = options
  const { operations } = document
  const ids = operations.map(({ id }) => id)
  const mocked = operations.filter(({ id }) => !Object.hasOwn(handlers, id))
  const schemes = new Set(operations.flatMap(({ security }) => security.flat().map(({ name }) => name)))
  const open = [...schemes].filter((name) => !Object.hasOwn(security, name))
  for (const [what, names] of [
    ['handlers without an operation, which are left out', Object.keys(handlers).filter((id) => !ids.includes(id))],
    ['operations without a handler, which respond with examples', mocked.map(({ id }) => id)],
    ['security schemes without a function, which accept any credential', open],
  ] as const) {
    if (names.length > 0) note(`${what}: ${names.join(', ')}`)
  }
  const getExample = createSampler(document)
  const mocks = mocked.map((operation) => [operation.id, createMock(operation, serverHeaders, getExample)])
  const others = Object.entries(handlers).filter(([id]) => ids.includes(id))
  return {
    ...options,
    handlers: Object.fromEntries([...others, ...mocks]),
    security: { ...security, ...Object.fromEntries(open.map((name) => [name, acceptAnyone])) },
    // A preference is not part of the URL.
    cacheable: {},
  }
}

/** Accepts every credential that is not malformed, as a client with every scope. */
const acceptAnyone: SecurityFunction = (credential) =>
  credential === '' ? undefined : { id: 'anyone', name: 'anyone', scopes: 'all' }

function createMock(operation: Operation, serverHeaders: readonly string[], getExample: GetExample): Handler {
  const { id, responses } = operation
  const keys = [...responses.keys()]
  return async ({ accept }: { readonly accept?: string }) => {
    const code = preferredCode.getStore()
    const usual = keys.find((key) => /^2/.test(String(key))) ?? keys[0]
    const status = Number(code ?? (usual === 'default' ? 200 : String(usual).replace('XX', '00')))
    const response = findResponse(responses, status)
    const key = keys.find((key) => responses.get(key) === response)
    if (response === undefined || key === undefined || !/^[2-5]\d\d$/.test(String(status))) {
      const message = `Prefer: "${id}" declares no response ${code}; prefer one of: ${keys.join(', ')}`
      throw new HttpError(400, 'invalid_request', message)
    }
    const what = `"${id}" has no handler, and its response ${key}`
    const required = getHandlerHeaders(response, serverHeaders, operation, key).map(async (name) => {
      const example = await getExample(toObject(response.headers[name]), name, `${what} has the header ${name}, which`)
      return [name, example]
    })
    const headers = Object.fromEntries(await Promise.all(required))
    const content = response.content.find(({ type }) => type === accept) ?? response.content[0]
    if (content === undefined) return { status, headers }
    const { type, itemSchema } = content
    if (itemSchema !== undefined) {
      const item = await getExample({ schema: itemSchema }, 'item', what)
      return { status, headers, body: Readable.from([item, item, item]), contentType: type }
    }
    const example = await getExample(content, 'body', what)
    // An example of another media type is written as it is, if it is a text.
    const body = getKind(type) === 'json' || typeof example === 'string' ? example : stringifyExactly(example)
    return { status, headers, body, ...(isChoice(response.content) && { contentType: type.replaceAll('*', 'plain') }) }
  }
}

/**
 * Makes the function that returns the first valid example, or else a value that is made from the schema. `part` and `what`
 * name it in the error if none can be made.
 */
function createSampler({ root, compile }: OpenApiDocument): GetExample {
  return async ({ example, examples, schema = {} }, part, what) => {
    const validate = (value: unknown) => compile(schema)(structuredClone(value))
    const isValid = (value: unknown) => value !== undefined && 'value' in validate(value)
    const others = Object.values(toObject(examples)).map((example) => resolve<Values>(root, toObject(example)).value)
    const given = [example, ...others].find(isValid)
    if (given !== undefined) return given
    // Few documents need it, and it takes a while to load.
    const { default: fc } = await import('fast-check')
    const complete = (part: Schema) => addDefault(part, compile, fc)
    const schemas = mapValues(root.components?.schemas ?? {}, (part) => mapSchema(part, complete))
    const spec = { ...root, components: { ...root.components, schemas } }
    const value = sample(mapSchema(schema, complete) as object, { quiet: true }, spec)
    // Where one of several schemas is null, the library makes an object.
    if (!isValid(value) && isValid(null)) return null
    return prune(value, validate, part, `${what} has no valid example, and none can be made from its schema`)
  }
}

/** Removes what is not valid from a value, and what is not valid without it. Throws if nothing remains. */
function prune(value: unknown, validate: Validator, part: string, what: string): unknown {
  const problems = new Map<string, string>()
  for (;;) {
    const checked = validate(value)
    if ('value' in checked) return value
    const [error] = checked.errors.toSorted((one, other) => other.instancePath.length - one.instancePath.length)
    const { instancePath, params } = error as (typeof checked.errors)[number]
    const missing = instancePath + toPointer(String(params.missingProperty))
    const problem = problems.get(missing) ?? formatViolation(part, error as (typeof checked.errors)[number])
    const path = parsePointer(instancePath)
    const name = path.pop()
    if (name === undefined) throw new HttpError(500, 'internal_error', `${what}: ${problem}; add one`)
    problems.set(instancePath, problem)
    const parent = path.reduce((owner, step) => toObject(owner)[step], value)
    if (Array.isArray(parent)) parent.splice(Number(name), 1)
    else Reflect.deleteProperty(toObject(parent), name)
  }
}

/** Removes examples and a default unless all are valid; adds a default where the library would make an invalid value. */
function addDefault(given: Schema, compile: OpenApiDocument['compile'], fc: FastCheck): Schema {
  const {
    example,
    examples = [],
    default: preset,
    ...others
  }: Schema & { example?: unknown; examples?: unknown[] } = given
  const shown = [example, examples[0], preset].filter((value) => value !== undefined)
  const schema = shown.every((value) => 'value' in compile(others)(structuredClone(value))) ? given : others
  const { type, format, minimum, exclusiveMinimum: above, maximum, exclusiveMaximum: below, pattern } = schema
  const bounds = [minimum, typeof above === 'bigint' && above + 1n, maximum, typeof below === 'bigint' && below - 1n]
  const value =
    schema['x-extensible-enum']?.[0] ??
    bounds.find((bound) => typeof bound === 'bigint') ??
    (type === 'string' ? { byte: 'c2FtcGxl', duration: 'P1D' }[String(format)] : undefined) ??
    (pattern === undefined ? undefined : makeText(pattern, compile(schema), fc))
  return value === undefined || 'default' in schema ? schema : { ...schema, default: value }
}

/** Makes a text that matches a pattern, always the same; undefined if the pattern has syntax that is too special. */
function makeText(pattern: string, validate: Validator, fc: FastCheck): string | undefined {
  try {
    const texts = (['small', 'large'] as const).flatMap((size) =>
      fc.sample(fc.stringMatching(createPattern(pattern), { size }), { numRuns: 100, seed: 1 }),
    )
    return texts.find((text) => 'value' in validate(text))
  } catch {
    return undefined
  }
}
