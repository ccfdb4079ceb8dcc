/**
 * Checks the responses of an app by its OpenAPI document, in tests of the app: what was sent, as a client receives it.
 */
import { AssertionError } from 'node:assert'
import type { MIMEType } from 'node:util'
import { findOperations } from '../document/find-operations.ts'
import type {
  ContentObject,
  HeaderObject,
  MediaTypeObject,
  OpenApi,
  ResponseObject,
  Schema,
} from '../document/model.ts'
import type { ParsedDocument } from '../document/parse.ts'
import { comparePaths, PATH_PARAMETER } from '../document/path-templates.ts'
import { getReferences } from '../document/references.ts'
import { FRAMING_HEADERS, STATUSES_WITHOUT_BODY } from '../document/responses.ts'
import { getBasePath, parseBasePath } from '../document/servers.ts'
import { toSchema } from '../document/subschemas.ts'
import { getFields } from '../document/values.ts'
import { NOT_MODIFIED_HEADERS } from '../response/headers.ts'
import { findRange, isJson, parseMediaType, readItems, readJson, readScalar } from './content.ts'
import { createSchemaValidation, type ValidationOptions } from './schemas.ts'

export interface ResponseCheckOptions extends ValidationOptions {
  /** The path before that of each operation; by default, that of the servers. */
  readonly basePath?: string
  /** The headers that responses may have beside the declared ones: names in any case, or patterns of names in lower case. */
  readonly undeclaredHeaders?: readonly (string | RegExp)[]
  /** The statuses that responses may have where the document declares none. Nothing else of such a response is checked. */
  readonly undeclaredStatuses?: readonly number[]
}

/** The request of a response. */
interface CheckedRequest {
  /** By default, GET. */
  readonly method?: string | undefined
  /** A path with its query, or a URL. */
  readonly url?: string | undefined
}

/** A response, as `app.inject` returns it. */
export interface CheckedResponse {
  readonly statusCode: number
  /** By name, in any case. A header that is sent several times has a list. */
  readonly headers: Readonly<Record<string, number | string | readonly string[] | undefined>>
  readonly body: string
  readonly raw?: { readonly req: CheckedRequest }
}

interface ResponseCheck {
  /**
   * Returns the response. Throws an AssertionError that lists everything in it that is not as the document says. A response of
   * `app.inject` has its request; for others, `request` is needed.
   */
  <Response extends CheckedResponse>(response: Response, request?: CheckedRequest): Response
  /** The responses that the document declares, by operationId and key: `listPets 200`, `listPets 4XX`, `listPets default`. */
  readonly declared: ReadonlySet<string>
  /** The declared responses that have been checked. */
  readonly seen: ReadonlySet<string>
}

/** The headers that do not depend on the operation (RFC 9110, sections 6.6.1, 10.2.4 and 12.5.5). */
const GENERAL_HEADERS = /^(date|server|vary)$/
/** The headers of a 200 that a 304 repeats (RFC 9110, section 15.4.5). */
const isRepeated = (name: string) => name === 'etag' || NOT_MODIFIED_HEADERS.test(name)
/** The most faults that a message lists. */
const MAX_LISTED = 20

/** The values of headers, by names in lower case. */
type Headers = ReadonlyMap<string, readonly string[]>
type DeclaredHeaders = NonNullable<ResponseObject['headers']>

/** Creates the check of responses by a document. Throws a TypeError if the option `basePath` is not a path. */
export function createResponseCheck(
  { root }: Pick<ParsedDocument, 'root'>,
  {
    basePath: chosenBasePath,
    undeclaredHeaders = [],
    undeclaredStatuses = [],
    ...validationOptions
  }: ResponseCheckOptions = {},
): ResponseCheck {
  const basePath = chosenBasePath === undefined ? getBasePath(root, {}) : parseBasePath(chosenBasePath)
  if (basePath === undefined) {
    throw new TypeError(`the option basePath is "${chosenBasePath}", which is not a path; write a path such as /v1`)
  }
  const operations = readOperations(root, basePath)
  const { findErrors, findTypes, isBinary } = createSchemaValidation(root, validationOptions)
  const seen = new Set<string>()

  function* findFaults(method: string, url: string, response: CheckedResponse): Iterable<string> {
    const operation = findOperation(operations, method, url)
    const { statusCode: status, body } = response
    const isListed = undeclaredStatuses.includes(status)
    if (operation === undefined) {
      // A listed 405 passes: its method has no operation.
      if (!isListed) yield `the document has no such operation below ${basePath}/`
      return
    }
    const { id, responses } = operation
    const keys = [String(status), `${Math.floor(status / 100)}XX`, 'default']
    const key = keys.find((possibleKey) => responses.has(possibleKey)) ?? ''
    const declaredResponse = responses.get(key)
    if (declaredResponse === undefined) {
      if (!isListed) yield `the status ${status} is not declared for ${id}`
      return
    }
    seen.add(`${id} ${key}`)
    const headers = groupHeaders(response.headers)
    const repeatedNames = status === 304 ? getNames(responses.get('200')).filter(isRepeated) : []
    yield* findUndeclaredHeaders(headers, [...getNames(declaredResponse), ...repeatedNames])
    yield* findHeaderErrors(headers, declaredResponse.headers ?? {})
    const content = STATUSES_WITHOUT_BODY.includes(status) ? {} : (declaredResponse.content ?? {})
    yield* findContentFaults(content, method, headers.get('content-type')?.[0], body)
  }

  function* findUndeclaredHeaders(headers: Headers, declaredNames: readonly string[]): Iterable<string> {
    for (const name of headers.keys()) {
      const isGeneral = FRAMING_HEADERS.test(name) || GENERAL_HEADERS.test(name)
      const isListed = undeclaredHeaders.some((allowed) =>
        typeof allowed === 'string' ? allowed.toLowerCase() === name : allowed.test(name),
      )
      if (!isGeneral && !isListed && !declaredNames.includes(name)) yield `the header ${name} is not declared`
    }
  }

  function* findHeaderErrors(headers: Headers, declaredHeaders: DeclaredHeaders): Iterable<string> {
    for (const [name, reference] of Object.entries(declaredHeaders)) {
      if (FRAMING_HEADERS.test(name)) continue
      const { required, schema } = getReferences(root).resolve<HeaderObject>(reference)
      const values = headers.get(name.toLowerCase()) ?? []
      if (required && values.length === 0) yield `the header ${name} is required and missing`
      // Several fields of one name have one value, a list (RFC 9110, section 5.3), except those of cookies.
      const texts = values.length < 2 || /^set-cookie$/i.test(name) ? values : [values.join(', ')]
      for (const text of texts) yield* findTextErrors(toSchema(schema), text, `the header ${name}`)
    }
  }

  function* findContentFaults(
    content: ContentObject,
    method: string,
    contentType: string | undefined,
    body: string,
  ): Iterable<string> {
    const ranges = Object.keys(content)
    if (ranges.length === 0) {
      if (body !== '') yield 'there is a body, and none is declared'
      return
    }
    const type = parseMediaType(contentType)
    const range = type && findRange(ranges, type)
    if (type === undefined || range === undefined) {
      yield `the media type is ${contentType}; declared: ${ranges.join(', ')}`
    }
    if (method === 'HEAD') {
      if (body !== '') yield 'there is a body in the response to HEAD'
    } else if (type !== undefined && range !== undefined) {
      yield* findBodyFaults(getReferences(root).resolve<MediaTypeObject>(content[range] ?? {}), type, body)
    }
  }

  /** Validates JSON, plain text, and the items of a stream. Of other bodies, only the media type is checked. */
  function* findBodyFaults(
    { schema = {}, itemSchema }: MediaTypeObject,
    type: MIMEType,
    body: string,
  ): Iterable<string> {
    const valueSchema = toSchema(itemSchema ?? schema)
    const isItems = itemSchema !== undefined
    const isText = type.essence === 'text/plain' && !isItems
    if (isBinary(valueSchema) || !(isItems || isText || isJson(type))) return
    const charset = type.params.get('charset') ?? 'utf-8'
    if (charset.toLowerCase() !== 'utf-8') yield `the charset is ${charset}, and not utf-8`
    if (isText) {
      yield* findTextErrors(valueSchema, body, 'body')
      return
    }
    let values: unknown[]
    try {
      values = isItems ? readItems(type, body) : [readJson(body)]
    } catch (error) {
      yield `the body is not JSON: ${(error as SyntaxError).message}`
      return
    }
    for (const [index, value] of values.entries()) {
      yield* findErrors(valueSchema, value, isItems ? `item ${index}` : 'body')
    }
  }

  function findTextErrors(schema: Schema, text: string, place: string): string[] {
    return findErrors(schema, readScalar(text, findTypes(schema)), place)
  }

  function check<Response extends CheckedResponse>(response: Response, request = response.raw?.req): Response {
    const { method = 'GET', url } = request ?? {}
    if (url === undefined) throw new TypeError('this is no response of app.inject; pass { method, url } of its request')
    if (typeof response.body !== 'string') {
      throw new TypeError('the body must be a text; inject without payloadAsStream')
    }
    const faults = [...findFaults(method.toUpperCase(), url, response)]
    if (faults.length === 0) return response
    const listed = faults.slice(0, MAX_LISTED)
    if (faults.length > MAX_LISTED) listed.push(`and ${faults.length - MAX_LISTED} more`)
    throw new AssertionError({
      message: [`${method} ${url}, ${response.statusCode}, is not as the document says:`, ...listed].join('\n- '),
      actual: response.body,
      stackStartFn: check,
    })
  }

  const declared = operations.flatMap(({ id, responses }) => [...responses.keys()].map((key) => `${id} ${key}`))
  return Object.assign(check, { declared: new Set(declared), seen })
}

interface CheckedOperation {
  readonly id: string
  readonly method: string
  /** The path template. */
  readonly path: string
  /** Matches the paths of requests. */
  readonly pattern: RegExp
  /** By status, class of statuses, or `default`. */
  readonly responses: ReadonlyMap<string, ResponseObject>
}

function readOperations(root: OpenApi, basePath: string): CheckedOperation[] {
  return findOperations(root).map(({ id, method, path, operation: { responses = {} } }) => ({
    id,
    method: method.toUpperCase(),
    path,
    pattern: toPathPattern(basePath + path),
    responses: new Map(
      getFields(responses).map(([key, response]) => [key, getReferences(root).resolve<ResponseObject>(response)]),
    ),
  }))
}

function toPathPattern(template: string): RegExp {
  const literals = template.split(PATH_PARAMETER).map((literal) => encodeURI(literal).replaceAll(/[^\w/]/g, '\\$&'))
  return new RegExp(`^${literals.join('[^/]+')}$`)
}

/** Finds the operation of a request. HEAD is that of GET, unless the path has one (RFC 9110, section 9.3.2). */
function findOperation(
  operations: readonly CheckedOperation[],
  method: string,
  url: string,
): CheckedOperation | undefined {
  const path = url.replace(/^https?:\/\/[^/?#]*/, '').replace(/[?#].*$/s, '')
  const templates = operations.filter(({ pattern }) => pattern.test(path)).map((operation) => operation.path)
  const [template] = templates.sort(comparePaths)
  const candidates = operations.filter((operation) => operation.path === template)
  const withMethod = (name: string) => candidates.find((operation) => operation.method === name)
  return withMethod(method) ?? (method === 'HEAD' ? withMethod('GET') : undefined)
}

/** Returns the names of the headers that a response declares, in lower case. */
function getNames({ headers = {} }: ResponseObject = {}): string[] {
  return Object.keys(headers).map((name) => name.toLowerCase())
}

function groupHeaders(headers: CheckedResponse['headers']): Headers {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined)
  return new Map(entries.map(([name, value]) => [name.toLowerCase(), [value].flat().map(String)]))
}
