/**
 * Checks responses against the document from outside: with plain Ajv, on the document as the `yaml` package reads it.
 * Nothing here comes from the OpenAPI layer, so that its mistakes are not repeated.
 */
import { AssertionError } from 'node:assert'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'
import { readJson } from './json.ts'

/** A request as far as it matters, and its response; the header fields as they were sent, as alternating names and values. */
export interface Exchange {
  readonly method: string
  /** The path, and the query if there is one. */
  readonly path: string
  readonly status: number
  readonly rawHeaders: readonly string[]
  readonly text: string
}

/** The methods that the service supports in a spec, in the order of the fields of the Path Item Object. */
const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH']

/** A method that no operation can have, because OpenAPI 3.1 has no field for it (RFC 10008). */
export const undeclaredMethod = 'QUERY'

/**
 * Header fields that are never declared: those of the message rather than of what it says (RFC 9110, section 6.4; RFC 9112),
 * the one that a proxy names itself in (RFC 9110, section 10.2.4), and those of CORS (Fetch Standard).
 */
const UNDECLARED = [
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding', 'server'],
  ...['access-control-allow-origin', 'access-control-expose-headers', 'vary'],
]

export type Schema = Readonly<Record<string, unknown>>

interface Response {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: Schema }>>
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly responses: Readonly<Record<string, Response>>
}

/** An OpenAPI document, as far as it matters, with what its references lead to in their places. */
export interface OpenApi {
  readonly servers: readonly {
    readonly url: string
    readonly variables?: Record<string, { readonly default: string }>
  }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, { readonly schema: Schema }>>
  }
}

const compiledContracts = new Map<string, ReturnType<typeof compileContract>>()

/** The contract that an OpenAPI document in YAML states; `base` is the path of its servers where variables change it. */
export function createContract(source: string, base?: string) {
  const key = JSON.stringify([base, source])
  const contract = compiledContracts.get(key) ?? compileContract(source, base)
  compiledContracts.set(key, contract)
  const { findFaults, ...others } = contract
  /** Each response that `check` has met: `listPets 200`. */
  const seen = new Set<string>()
  /** Throws an AssertionError that names everything in a response that is not as the document says. */
  const check = (exchange: Exchange) => {
    const faults = [...findFaults(exchange, seen)]
    if (faults.length === 0) return
    const { method, path, status, text } = exchange
    const message = `${method} ${path}, ${status}, is not as the spec says: ${faults.join('; ')}`
    throw new AssertionError({ message, actual: text })
  }
  return { ...others, check, seen }
}

function compileContract(source: string, base?: string) {
  const document = readOpenApi(source)
  // The spec as a whole is no schema; test/openapi/standard.test.ts validates the schemas in it.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  addFormats.default(ajv)
  const prefix = base ?? getPathOfServers(document)
  const operations = [...getOperations(document, prefix)]
  const { Error: errorSchema = {}, ErrorCode } = document.components.schemas
  const codes = ErrorCode?.['x-extensible-enum'] as readonly unknown[]

  /** What is wrong with a value by its schema. */
  function validate(value: unknown, schema: Schema, place: string): string[] {
    // Ajv keeps what it has compiled.
    const isValid = ajv.compile(schema)
    if (isValid(approximate(value))) return []
    return (isValid.errors ?? []).map(({ instancePath, message }) => `${place}${instancePath} ${message}`)
  }

  function* findHeaderFaults({ rawHeaders }: Exchange, { headers = {} }: Response): Iterable<string> {
    const given = groupHeaders(rawHeaders)
    const declared = Object.keys(headers).map((name) => name.toLowerCase())
    for (const [name, values] of given) {
      if (values.length > 1) yield `the header ${name} is sent ${values.length} times`
      if (![...UNDECLARED, ...declared].includes(name)) yield `the header ${name} is not declared`
    }
    for (const [name, { required, schema }] of Object.entries(headers)) {
      const [text] = given.get(name.toLowerCase()) ?? []
      if (text !== undefined) yield* validate(readText(text, schema.type), schema, `the header ${name}`)
      else if (required) yield `the header ${name} is required and missing`
    }
  }

  function* findBodyFaults({ method, rawHeaders, text }: Exchange, schema: Schema): Iterable<string> {
    const [type] = groupHeaders(rawHeaders).get('content-type') ?? []
    if (!/^application\/json(; charset=utf-8)?$/.test(type ?? '')) yield `the media type is ${type}`
    if (method === 'HEAD') {
      if (text !== '') yield 'there is a body in the response to HEAD'
      return
    }
    try {
      yield* validate(readJson(text), schema, 'body')
    } catch {
      yield 'the body is not JSON'
    }
  }

  function* findErrorFaults({ method, status, text }: Exchange): Iterable<string> {
    if (status < 400 || method === 'HEAD') return
    const { code, status: repeated } = getMembers(text)
    if (!codes.includes(code)) yield `the code "${code}" is not listed`
    if (repeated !== status) yield `the body says that the status is ${repeated}`
  }

  function* findFaults(exchange: Exchange, seen: Set<string>): Iterable<string> {
    const { method, path, status, text } = exchange
    // The response to HEAD is that to GET (RFC 9110, section 9.3.2).
    const declaredMethod = method === 'HEAD' ? 'GET' : method
    const operation = findOperations(path).find(({ method }) => method === declaredMethod)
    if (operation !== undefined) {
      const { id, responses } = operation
      const response = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default
      if (response === undefined) {
        yield `the status ${status} is not declared for ${id}`
        return
      }
      seen.add(`${id} ${status}`)
      const schema = response.content?.['application/json']?.schema
      yield* findHeaderFaults(exchange, response)
      if (schema !== undefined) yield* findBodyFaults(exchange, schema)
      else if (text !== '') yield 'there is a body, and none is declared'
      yield* findErrorFaults(exchange)
    } else if (status >= 400) {
      yield* findBodyFaults(exchange, errorSchema)
      yield* findErrorFaults(exchange)
    } else if (prefix !== '' && path.startsWith(`${prefix}/`)) {
      yield `there is no such operation, and yet the status is ${status}`
    }
  }

  const findOperations = (path: string) => operations.filter(({ pattern }) => pattern.test(path.replace(/\?.*$/s, '')))
  const getMethods = (path: string) => findOperations(path).map(({ method }) => method)

  return {
    findFaults,
    /** The operations of the spec. */
    operations,
    /** Each response that the document declares: `listPets 200`. */
    declared: operations.flatMap(({ id, responses }) => Object.keys(responses).map((status) => `${id} ${status}`)),
    /** Returns the methods of the operations at a path, as the Allow header has them; an empty text if there is none. */
    allow: (path: string) => {
      const methods = getMethods(path)
      return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort().join(', ')
    },
    /** Returns the methods that an operation could have, and none at a path has. */
    missing: (path: string) => METHODS.filter((method) => !getMethods(path).includes(method)),
  }
}

/**
 * Reads an OpenAPI document in YAML, with what its references lead to in their places. Each schema with properties is closed:
 * clients ignore what is not declared, but it must not be sent.
 */
export function readOpenApi(source: string): OpenApi {
  const document = parse(source)
  const targets = new Map<string, unknown>()
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...members } = value as { $ref?: string }
    const own = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, resolve(member)]))
    if ($ref === undefined) return 'properties' in own ? { additionalProperties: false, ...own } : own
    const [, ...names] = $ref.split('/')
    const target = targets.get($ref) ?? resolve(names.reduce((inner, name) => inner[name], document))
    targets.set($ref, target)
    // One object for all references to it, which Ajv compiles once.
    return Object.keys(own).length === 0 ? target : { ...Object(target), ...own }
  }
  return resolve(document) as OpenApi
}

/** The members of an object in JSON; none where it is something else. */
function getMembers(text: string): Readonly<Record<string, unknown>> {
  try {
    return { ...(readJson(text) as object) }
  } catch {
    return {}
  }
}

/** The path that the addresses of the servers end in: of the first, with the defaults of its variables. */
function getPathOfServers({ servers: [server] }: OpenApi): string {
  const { url = '', variables = {} } = server ?? {}
  const filled = url.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(variables[name]?.default))
  return new URL(filled, 'http://localhost').pathname.replace(/\/$/, '')
}

function* getOperations({ paths }: OpenApi, prefix: string) {
  for (const [path, item] of Object.entries(paths)) {
    const pattern = new RegExp(`^${prefix}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    for (const method of METHODS) {
      const operation = item[method.toLowerCase()]
      if (operation === undefined) continue
      const { operationId: id, parameters = [], responses } = operation
      const headers = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
      // The template is the path from the root of the server; the headers are the header parameters.
      yield { id, method, template: prefix + path, headers, pattern, responses }
    }
  }
}

/** The values of each header field by its name in small letters. */
function groupHeaders(rawHeaders: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = String(rawHeaders[index]).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), String(rawHeaders[index + 1])])
  }
  return headers
}

/** A header's text as the value that the type in its schema makes of it. */
function readText(text: string, type: unknown): unknown {
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  return type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text
}

/** Ajv knows no bigint. What is an int64 becomes the number next to it; what is not stays, and no schema takes it. */
function approximate(value: unknown): unknown {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? Number(value) : value
  if (Array.isArray(value)) return value.map(approximate)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, approximate(inner)]))
}
