/**
 * Checks responses against the document from outside: with plain Ajv, on the document as the `yaml` package reads it.
 * Nothing here comes from the OpenAPI layer, so that its mistakes are not repeated.
 */
import { AssertionError } from 'node:assert'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
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

export interface Contract {
  /** Throws an AssertionError that names everything in a response that is not as the document says. */
  check(exchange: Exchange): void
  /** Each response that `check` has met: `listPets 200`. */
  readonly seen: ReadonlySet<string>
  /** Each response that the document declares: `listPets 200`. */
  readonly declared: readonly string[]
  /** Each example of the document that is not valid against the schema beside it, with the reason. */
  wrongExamples(): string[]
  /** The number of examples. */
  readonly exampleCount: number
  /** The operations of the spec. */
  readonly operations: readonly OperationSummary[]
  /** Returns the methods of the operations at a path, as the Allow header has them; an empty text if there is none. */
  allow(path: string): string
  /** Returns the methods that an operation could have, and none at a path has. */
  missing(path: string): string[]
  /** The request bodies that the document gives as examples. */
  readonly requestExamples: readonly { readonly operationId: string; readonly body: unknown }[]
}

export interface OperationSummary {
  readonly id: string
  readonly method: string
  /** The path, from the root of the server: `/v1/pets/{petId}`. */
  readonly template: string
  /** The header parameters. */
  readonly headers: readonly string[]
}

/** The methods that the service supports in a spec, in the order of the fields of the Path Item Object. */
const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH']

/** A method that no operation can have, because OpenAPI 3.1 has no field for it (RFC 10008). */
export const undeclaredMethod = 'QUERY'

/** Header fields of the message rather than of what it says (RFC 9110, section 6.4; RFC 9112), never declared. */
const FRAMING = ['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding']
/** The header field that a proxy names itself in (RFC 9110, section 10.2.4). */
const SERVER = 'server'
/** Header fields between the server and the browser that a page is in (Fetch Standard, CORS protocol). */
const CORS = ['access-control-allow-origin', 'access-control-expose-headers', 'vary']

type Values = Readonly<Record<string, unknown>>

/** A value of the document, and the JSON pointer to where it stands once references are followed. */
interface Node {
  readonly value: Values
  readonly pointer: string
}

interface Declared extends OperationSummary {
  readonly pattern: RegExp
  readonly node: Node
}

type CompiledContract = Omit<Contract, 'check' | 'seen'> & { check(exchange: Exchange, seen: Set<string>): void }

const compiledContracts = new Map<string, CompiledContract>()

/** The contract that an OpenAPI document in YAML states; `base` is the path of its servers where variables change it. */
export function createContract(source: string, base?: string): Contract {
  const key = JSON.stringify([base, source])
  const compiled = compiledContracts.get(key) ?? compileContract(parse(source), base)
  compiledContracts.set(key, compiled)
  const { check, ...others } = compiled
  const seen = new Set<string>()
  return { ...others, check: (exchange) => check(exchange, seen), seen }
}

function compileContract(open: Values, base?: string): CompiledContract {
  const document = closeObjects(open)
  // The spec as a whole is no schema; test/openapi/standard.test.ts validates the schemas in it.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  const validators = new Map<string, ValidateFunction>()
  const prefix = base ?? pathOfServers(document)
  const operations = [...operationsOf(document, prefix)]
  const codes = at(document, '/components/schemas/ErrorCode/x-extensible-enum').value as unknown as readonly string[]

  /** What is wrong with a value by the schema at a pointer. */
  function faultsOf(value: unknown, schema: string, place: string): string[] {
    const validate = validators.get(schema) ?? ajv.compile({ $ref: `document#${encodeURI(schema)}` })
    validators.set(schema, validate)
    if (validate(approximate(value))) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `${place}${instancePath} ${message}`)
  }

  function* headerFaults({ rawHeaders }: Exchange, declared: Node): Iterable<string> {
    const given = headersOf(rawHeaders)
    const headers = Object.keys(declared.value).map((name) => [name, at(document, declared.pointer, name)] as const)
    for (const [name, values] of given) {
      if (values.length > 1) yield `the header ${name} is sent ${values.length} times`
      if ([...FRAMING, ...CORS, SERVER].includes(name)) continue
      if (!headers.some(([other]) => other.toLowerCase() === name)) yield `the header ${name} is not declared`
    }
    for (const [name, { value, pointer }] of headers) {
      const [text] = given.get(name.toLowerCase()) ?? []
      if (text === undefined && value.required === true) yield `the header ${name} is required and missing`
      if (text !== undefined) {
        const schema = at(document, pointer, 'schema')
        yield* faultsOf(readText(text, schema.value.type), schema.pointer, `the header ${name}`)
      }
    }
  }

  function* bodyFaults(exchange: Exchange, response: Node): Iterable<string> {
    if (response.value.content !== undefined) {
      const schema = at(document, response.pointer, 'content', 'application/json', 'schema')
      yield* jsonFaults(exchange, schema.pointer)
    } else if (exchange.text !== '') yield 'there is a body, and none is declared'
  }

  function* jsonFaults({ method, rawHeaders, text }: Exchange, schema: string): Iterable<string> {
    const [type] = headersOf(rawHeaders).get('content-type') ?? []
    if (!/^application\/json(; charset=utf-8)?$/.test(type ?? '')) yield `the media type is ${type}`
    if (method === 'HEAD') {
      if (text !== '') yield 'there is a body in the response to HEAD'
      return
    }
    try {
      yield* faultsOf(readJson(text), schema, 'body')
    } catch {
      yield 'the body is not JSON'
    }
  }

  function* errorFaults({ method, status, text }: Exchange): Iterable<string> {
    if (status < 400 || method === 'HEAD') return
    const { code, status: repeated } = membersOf(text)
    if (!codes.includes(code as string)) yield `the code "${code}" is not listed`
    if (repeated !== status) yield `the body says that the status is ${repeated}`
  }

  function* faultsIn(exchange: Exchange, seen: Set<string>): Iterable<string> {
    const { method, path, status } = exchange
    const plain = path.replace(/\?.*$/s, '')
    // The response to HEAD is that to GET (RFC 9110, section 9.3.2).
    const declaredMethod = method === 'HEAD' ? 'GET' : method
    const operation = operations.find(({ method, pattern }) => method === declaredMethod && pattern.test(plain))
    if (operation !== undefined) {
      const responses = at(document, operation.node.pointer, 'responses')
      const group = `${Math.floor(status / 100)}XX`
      const key = [String(status), group, 'default'].find((name) => responses.value[name] !== undefined)
      if (key === undefined) {
        yield `the status ${status} is not declared for ${operation.id}`
        return
      }
      seen.add(`${operation.id} ${status}`)
      const response = at(document, responses.pointer, key)
      yield* headerFaults(exchange, at(document, response.pointer, 'headers'))
      yield* bodyFaults(exchange, response)
      yield* errorFaults(exchange)
    } else if (status >= 400) {
      yield* jsonFaults(exchange, '/components/schemas/Error')
      yield* errorFaults(exchange)
    } else if (prefix !== '' && plain.startsWith(`${prefix}/`)) {
      yield `there is no such operation, and yet the status is ${status}`
    }
  }

  const methodsAt = (path: string) => {
    const plain = path.replace(/\?.*$/s, '')
    return operations.filter(({ pattern }) => pattern.test(plain)).map(({ method }) => method)
  }

  const examples = [...examplesOf(document)]
  return {
    operations,
    allow: (path) =>
      methodsAt(path)
        .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
        .sort()
        .join(', '),
    missing: (path) => METHODS.filter((method) => !methodsAt(path).includes(method)),
    check: (exchange, seen) => {
      const faults = [...faultsIn(exchange, seen)]
      if (faults.length === 0) return
      const { method, path, status, text } = exchange
      const message = `${method} ${path}, ${status}, is not as the spec says: ${faults.join('; ')}`
      throw new AssertionError({ message, actual: text })
    },
    declared: operations.flatMap(({ id, node }) =>
      Object.keys(at(document, node.pointer, 'responses').value).map((status) => `${id} ${status}`),
    ),
    wrongExamples: () => examples.flatMap(({ value, schema, pointer }) => faultsOf(value, schema, pointer)),
    exampleCount: examples.length,
    requestExamples: operations.flatMap(({ id, node }) => {
      if (node.value.requestBody === undefined) return []
      const { pointer } = at(document, node.pointer, 'requestBody')
      return [...examplesOf(document, pointer)].map(({ value }) => ({ operationId: id, body: value }))
    }),
  }
}

/** A copy in which each schema with properties is closed: clients ignore what is not declared, but it must not be sent. */
function closeObjects(document: Values): Values {
  const close = (_name: string, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value
      ? { additionalProperties: false, ...value }
      : value
  return JSON.parse(JSON.stringify(document), close)
}

/** The members of an object in JSON; none where it is something else. */
function membersOf(text: string): Values {
  try {
    return { ...(readJson(text) as Values) }
  } catch {
    return {}
  }
}

/** The path that the addresses of the servers end in: of the first, with the defaults of its variables. */
function pathOfServers(document: Values): string {
  const [{ url, variables = {} }] = document.servers as [{ url: string; variables?: Record<string, Values> }]
  const filled = url.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(variables[name]?.default))
  return new URL(filled, 'http://localhost').pathname.replace(/\/$/, '')
}

function* operationsOf(document: Values, prefix: string): Iterable<Declared> {
  for (const [path, item] of Object.entries(document.paths as Record<string, Values>)) {
    const pattern = new RegExp(`^${prefix}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    for (const method of METHODS.filter((name) => name.toLowerCase() in item)) {
      const node = at(document, '/paths', path, method.toLowerCase())
      const parameters = Object.keys(at(document, node.pointer, 'parameters').value)
      const values = parameters.map((index) => at(document, node.pointer, 'parameters', index).value)
      const headers = values.filter((parameter) => parameter.in === 'header').map(({ name }) => String(name))
      yield { id: String(node.value.operationId), method, template: prefix + path, headers, pattern, node }
    }
  }
}

/** The nodes that were looked up in a document. Every response asks for the same ones. */
const nodes = new WeakMap<Values, Map<string, Node>>()

/** What stands at a pointer, and at the tokens behind it, with references followed; an empty object where nothing does. */
function at(document: Values, pointer: string, ...tokens: readonly string[]): Node {
  const known = nodes.get(document) ?? new Map<string, Node>()
  nodes.set(document, known)
  const key = [pointer, ...tokens.map(encodeToken)].join('/')
  const node = known.get(key) ?? find(document, pointer, tokens)
  known.set(key, node)
  return node
}

function find(document: Values, pointer: string, tokens: readonly string[]): Node {
  const path = [...pointer.split('/').slice(1).map(decodeToken), ...tokens]
  let node: Node = { value: document, pointer: '' }
  for (const token of path) {
    const value = node.value[token] ?? {}
    node = follow(document, { value: value as Values, pointer: `${node.pointer}/${encodeToken(token)}` })
  }
  return node
}

function follow(document: Values, { value, pointer }: Node): Node {
  const { $ref } = value
  return typeof $ref === 'string' ? at(document, $ref.slice(1)) : { value, pointer }
}

/** RFC 6901, section 3. */
function encodeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1')
}

function decodeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The values of each header field by its name in small letters. */
function headersOf(rawHeaders: readonly string[]): Map<string, string[]> {
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

interface Example {
  readonly value: unknown
  /** The pointer to the schema that it is an example of. */
  readonly schema: string
  readonly pointer: string
}

/** The examples beside a schema (OpenAPI 3.1, Media Type, Parameter and Header Object), and those within schemas. */
function* examplesOf(document: Values, pointer = ''): Iterable<Example> {
  const { value } = at(document, pointer)
  const schema = 'schema' in value ? `${pointer}/schema` : pointer
  if ('example' in value) yield { value: value.example, schema, pointer: `${pointer}/example` }
  for (const [name, example] of Object.entries((value.examples ?? {}) as Record<string, unknown>)) {
    const given = 'schema' in value ? (example as Values).value : example
    yield { value: given, schema, pointer: `${pointer}/examples/${name}` }
  }
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'example' || name === 'examples' || name === 'default') continue
    if (typeof inner !== 'object' || inner === null || '$ref' in inner) continue
    yield* examplesOf(document, `${pointer}/${encodeToken(name)}`)
  }
}
