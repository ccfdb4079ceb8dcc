/**
 * Mocks: handlers that respond with examples, and functions of security schemes that accept everyone. `Prefer` (RFC 7240)
 * chooses another status with `code=404`.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { sample } from 'openapi-sampler'
import { HttpError } from '../../src/errors.ts'
import {
  formatViolation,
  getHandlerHeaders,
  getKind,
  getValueAt,
  type Handler,
  isChoice,
  mapSchema,
  mapValues,
  type OpenApiDocument,
  type OpenApiOptions,
  type Operation,
  parsePointer,
  type ResponseKey,
  readOperations,
  resolve,
  type Schema,
  type SecurityFunction,
  stringifyExactly,
  toObject,
  toPointer,
  type Values,
} from '../../src/openapi/index.ts'

type FastCheck = typeof import('fast-check')['default']
type Validator = ReturnType<OpenApiDocument['compile']>
type GetExample = (media: Values, part: string, what: string) => Promise<unknown>

const preferences = new AsyncLocalStorage<Readonly<Record<string, string>>>()

/** Lets the mocks see the preferences of requests, which are not declared. */
export const readPreferences = fastifyPlugin(async (app: FastifyInstance) => {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    // RFC 7240, section 2; the names of preferences ignore case.
    const pairs = String(headers.prefer ?? '').matchAll(/([\w-]+)[ \t]*=[ \t]*(?:"([^"]*)"|([^\s,;"]+))/g)
    const read = [...pairs].map(([, name = '', quoted, token]) => [name.toLowerCase(), quoted ?? token ?? ''])
    preferences.run(Object.fromEntries(read), done)
  })
})

/** Completes the options of the OpenAPI layer, so that every document matches them; `note` is told what has been changed. */
export function addMocks(options: OpenApiOptions, note: (text: string) => void): OpenApiOptions {
  const { document, handlers, security = {}, serverHeaders = [] } = options
  const operations = readOperations(document.root)
  const ids = operations.map(({ id }) => id)
  const unused = Object.keys(handlers).filter((id) => !ids.includes(id))
  const mocked = operations.filter(({ id }) => !Object.hasOwn(handlers, id))
  const schemes = new Set(operations.flatMap(({ security }) => security.flat().map(({ name }) => name)))
  const open = [...schemes].filter((name) => !Object.hasOwn(security, name))
  for (const [what, names] of [
    ['handlers without an operation, which are left out', unused],
    ['operations without a handler, which respond with examples', mocked.map(({ id }) => id)],
    ['security schemes without a function, which accept any credential', open],
  ] as const) {
    if (names.length > 0) note(`${what}: ${names.join(', ')}`)
  }
  const getExample = createSampler(document)
  return {
    ...options,
    handlers: {
      ...Object.fromEntries(Object.entries(handlers).filter(([id]) => ids.includes(id))),
      ...Object.fromEntries(
        mocked.map((operation) => [operation.id, createMock(document, operation, serverHeaders, getExample)]),
      ),
    },
    security: { ...security, ...Object.fromEntries(open.map((name) => [name, acceptAnyone])) },
    // A preference is not part of the URL.
    cacheable: {},
  }
}

/** Accepts every credential that is not malformed; without scopes, its client has all rights. */
const acceptAnyone: SecurityFunction = (credential) =>
  credential === '' ? undefined : { id: 'anyone', name: 'anyone' }

function createMock(
  { root }: OpenApiDocument,
  operation: Operation,
  serverHeaders: readonly string[],
  getExample: GetExample,
): Handler {
  const { id, pointer, responses } = operation
  return async ({ accept }: { readonly accept?: string }) => {
    const { code } = preferences.getStore() ?? {}
    const keys = [...responses.keys()]
    const key = code === undefined ? getUsualKey(keys) : findKey(keys, code)
    const declared = key === undefined ? undefined : responses.get(key)
    if (key === undefined || declared === undefined) {
      throw createError(400, `Prefer: "${id}" declares no response ${code}; prefer one of: ${keys.join(', ')}`)
    }
    const what = `"${id}" has no handler, and its response ${key}`
    const written = resolve(root, toObject(getValueAt(root, pointer + toPointer('responses', key))))
    const all = Object.entries(toObject(toObject(written).content))
    // Mocks write JSON best.
    const ranked = [accept, ...all.map(([type]) => type).filter((type) => getKind(type) === 'json')]
    const [type = '', media] =
      all.find(([type]) => type.toLowerCase() === ranked.find((known) => known !== undefined)) ?? all[0] ?? []
    const isJson = getKind(type) === 'json'
    const required = getHandlerHeaders(declared, serverHeaders, operation, key)
    const headers: Record<string, string | number | bigint | boolean> = {}
    for (const name of required) {
      const example = await getExample(toObject(declared.headers[name]), name, `${what} has the header ${name}, which`)
      headers[name] = example as string
    }
    return {
      status: Number(code ?? (key === 'default' ? 200 : String(key).replace('XX', '00'))),
      headers,
      ...(isChoice(declared.content) && { contentType: type.replaceAll('*', 'plain') }),
      ...(media !== undefined && { body: toBody(await getExample(toObject(media), 'body', what), isJson) }),
    }
  }
}

/** An example of another media type is written as it is, if it is a text. */
function toBody(example: unknown, isJson: boolean): unknown {
  return isJson || typeof example === 'string' ? example : stringifyExactly(example)
}

/** The first success, or else the first response with a status of its own, or else the first. */
function getUsualKey(keys: readonly ResponseKey[]): ResponseKey | undefined {
  return keys.find((key) => /^2/.test(String(key))) ?? keys.find((key) => typeof key === 'number') ?? keys[0]
}

/** The most specific key for a status (OpenAPI 3.1, Responses Object). */
function findKey(keys: readonly ResponseKey[], code: string): ResponseKey | undefined {
  const wanted = /^[2-5]\d\d$/.test(code) ? [code, `${code[0]}XX`, 'default'] : []
  return wanted.map((text) => keys.find((key) => String(key) === text)).find((key) => key !== undefined)
}

/**
 * Makes the function that returns the first valid example, or else a value that is made from the schema. `part` and `what`
 * name it in the error if none can be made.
 */
function createSampler({ root, compile }: OpenApiDocument): GetExample {
  return async ({ example, examples, schema: declared = {} }, part, what) => {
    const schema = declared as Schema
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
    return prune(value, validate, part, (problem) =>
      createError(500, `${what} has no valid example, and none can be made from its schema: ${problem}; add one`),
    )
  }
}

/** Removes what is not valid from a value, and what is not valid without it. Throws if nothing remains. */
function prune(value: unknown, validate: Validator, part: string, toError: (problem: string) => Error): unknown {
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
    if (name === undefined) throw toError(problem)
    problems.set(instancePath, problem)
    const parent = path.reduce((owner, step) => toObject(owner)[step], value)
    if (Array.isArray(parent)) parent.splice(Number(name), 1)
    else Reflect.deleteProperty(toObject(parent), name)
  }
}

/** Adds a default to a schema for which the library would make a value that is not valid. */
function addDefault(schema: Schema, compile: OpenApiDocument['compile'], fc: FastCheck): Schema {
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
    for (const size of ['small', 'large'] as const) {
      const texts = fc.sample(fc.stringMatching(new RegExp(pattern, 'u'), { size }), { numRuns: 100, seed: 1 })
      const found = texts.find((text) => 'value' in validate(text))
      if (found !== undefined) return found
    }
  } catch {}
}

function createError(status: 400 | 500, message: string): HttpError {
  return new HttpError(status, status === 400 ? 'invalid_request' : 'internal_error', message)
}
