/**
 * Checks the responses of the service against its spec, as the `yaml` package reads it: with the check that apps have for their
 * tests (src/openapi/testing/), and for what only this service promises.
 */
import { AssertionError } from 'node:assert'
import { parse } from 'yaml'
import { createResponseCheck } from '../../src/openapi/testing/response-check.ts'
import { readJson } from './json.ts'
import { parseYaml } from './yaml.ts'

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

/** The header fields of CORS (Fetch Standard), which no operation declares. */
const OF_CORS = ['access-control-allow-origin', 'access-control-expose-headers']

export type Schema = Readonly<Record<string, unknown>>

interface Operation {
  readonly operationId: string
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

/** The documents that have been parsed, by their text: most tests use the same one. */
const documents = new Map<string, ReturnType<typeof parseDocument>>()

function parseDocument(source: string) {
  return { document: readOpenApi(source), root: parseYaml<Parameters<typeof createResponseCheck>[0]['root']>(source) }
}

/** The contract that an OpenAPI document in YAML states; `base` is the path of its servers where variables change it. */
export function createContract(source: string, base?: string) {
  const parsed = documents.get(source) ?? parseDocument(source)
  documents.set(source, parsed)
  const { document, root } = parsed
  const prefix = base ?? getPathOfServers(document)
  const operations = [...getOperations(document, prefix)]
  const checkOperation = createResponseCheck({ root }, { basePath: prefix, undeclaredHeaders: OF_CORS })
  const checkError = createResponseCheck({ root: describeErrors(root) }, { basePath: '', undeclaredHeaders: [/./] })
  const codes = document.components.schemas.ErrorCode?.['x-extensible-enum'] as readonly unknown[]

  function* findHeaderFaults(headers: ReadonlyMap<string, readonly string[]>): Iterable<string> {
    for (const [name, { length }] of headers) if (length > 1) yield `the header ${name} is sent ${length} times`
    const [type = ''] = headers.get('content-type') ?? []
    if (!/^(application\/json(; charset=utf-8)?)?$/.test(type)) yield `the media type is ${type}`
  }

  function* findErrorFaults({ method, status, text }: Exchange): Iterable<string> {
    if (status < 400 || method === 'HEAD') return
    const { code, status: repeated } = getMembers(text)
    if (!codes.includes(code)) yield `the code "${code}" is not listed`
    if (repeated !== status) yield `the body says that the status is ${repeated}`
  }

  /** Throws an AssertionError that names what is not as the spec says. */
  function check(exchange: Exchange): void {
    const { method, path, status, rawHeaders, text } = exchange
    const headers = groupHeaders(rawHeaders)
    const response = { statusCode: status, headers: Object.fromEntries(headers), body: text }
    // The response to HEAD is that to GET (RFC 9110, section 9.3.2).
    const isOperation = getMethods(path).includes(method === 'HEAD' ? 'GET' : method)
    const faults: string[] = []
    if (isOperation) checkOperation(response, { method, url: path })
    else if (status >= 400) checkError(response, { method: method === 'HEAD' ? method : 'GET', url: `/?${path}` })
    else if (prefix !== '' && path.startsWith(`${prefix}/`)) {
      faults.push(`there is no such operation, and yet the status is ${status}`)
    }
    if (isOperation || status >= 400) faults.push(...findHeaderFaults(headers), ...findErrorFaults(exchange))
    if (faults.length === 0) return
    const message = `${method} ${path}, ${status}, is not as the spec says:`
    throw new AssertionError({ message: [message, ...faults].join('\n- '), actual: text })
  }

  const findOperations = (path: string) => operations.filter(({ pattern }) => pattern.test(path.replace(/\?.*$/s, '')))
  const getMethods = (path: string) => findOperations(path).map(({ method }) => method)

  return {
    check,
    /** Each response that `check` has met: `listPets 200`. */
    seen: checkOperation.seen,
    /** The operations of the spec. */
    operations,
    /** Each response that the document declares: `listPets 200`. */
    declared: [...checkOperation.declared],
    /** Returns the methods of the operations at a path, as the Allow header has them; an empty text if there is none. */
    allow: (path: string) => {
      const methods = getMethods(path)
      return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort().join(', ')
    },
    /** Returns the methods that an operation could have, and none at a path has. */
    missing: (path: string) => METHODS.filter((method) => !getMethods(path).includes(method)),
  }
}

/** Reads an OpenAPI document in YAML, with what its references lead to in their places. */
export function readOpenApi(source: string): OpenApi {
  const document = parse(source)
  const targets = new Map<string, unknown>()
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...members } = value as { $ref?: string }
    const own = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, resolve(member)]))
    if ($ref === undefined) return own
    const [, ...names] = $ref.split('/')
    const target = targets.get($ref) ?? resolve(names.reduce((inner, name) => inner[name], document))
    targets.set($ref, target)
    return { ...Object(target), ...own }
  }
  return resolve(document) as OpenApi
}

/** A document of the errors that requests to no operation get. */
function describeErrors(root: Parameters<typeof createResponseCheck>[0]['root']) {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  const operation = { operationId: 'other', responses: { default: { content } } }
  return { ...root, paths: { '/': { get: operation } } }
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
      // The template is the path from the root of the server.
      yield { id: operation.operationId, method, template: prefix + path, pattern }
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
