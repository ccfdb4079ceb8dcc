/** Checks the responses of an app by its OpenAPI document, in tests of the app: what was sent, as a client receives it. */
import { AssertionError } from 'node:assert'
import { getEssence, getKind, type MediaType, toPattern } from '../document/content.ts'
import { createParametersMatcher, hasOtherCharset } from '../document/media-type.ts'
import type { OpenApi } from '../document/model.ts'
import { type Operation, readOperations } from '../document/operations.ts'
import type { ParsedDocument } from '../document/parse.ts'
import { comparePaths, PATH_PARAMETER } from '../document/path-templates.ts'
import { FRAMING_HEADERS, findResponseKey, type Response, STATUSES_WITHOUT_BODY } from '../document/responses.ts'
import { getBasePath, parseBasePath } from '../document/servers.ts'
import { NOT_MODIFIED_HEADERS } from '../response/headers.ts'
import { MAX_LISTED } from '../schema/messages.ts'
import { TextError } from '../shared/errors.ts'
import { parseJson } from '../shared/parse-json.ts'
import { readItems } from '../shared/stream-items.ts'
import { createValueCheck, type ValueCheck, type ValueCheckOptions } from './value-check.ts'

export interface ResponseCheckOptions extends ValueCheckOptions {
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
  readonly raw?: { readonly req: CheckedRequest; readonly res?: { destroy(): unknown } }
}

interface ResponseCheck {
  /**
   * Returns the response. Throws an AssertionError that lists what is not as the document says. A response of `app.inject` has its
   * request; for others, `request` is needed.
   */
  <Checked extends CheckedResponse>(response: Checked, request?: CheckedRequest): Checked
  /** The responses that the document declares, by operationId and key: `listPets 200`, `listPets 4XX`, `listPets default`. */
  readonly declared: ReadonlySet<string>
  /** The declared responses that have been checked. */
  readonly seen: ReadonlySet<string>
}

/** The headers that do not depend on the operation (RFC 9110, sections 6.6.1, 10.2.4 and 12.5.5). */
const GENERAL_HEADERS = /^(date|server|vary)$/
/** The headers of a 200 that a 304 repeats (RFC 9110, section 15.4.5), although the document declares them for the 200. */
const isRepeated = (name: string) => name === 'etag' || NOT_MODIFIED_HEADERS.test(name)

/** The values of headers, by names in lower case. */
type Headers = ReadonlyMap<string, readonly string[]>

/** What responses are checked by. */
interface Rules extends ValueCheck, Required<Pick<ResponseCheckOptions, 'undeclaredHeaders' | 'undeclaredStatuses'>> {
  readonly basePath: string
  readonly operations: readonly CheckedOperation[]
  readonly seen: Set<string>
}

interface CheckedOperation extends Operation {
  /** Matches the paths of requests. */
  readonly pattern: RegExp
}

/** Creates the check of responses by a document. Throws a TypeError if the option `basePath` is not a path. */
export function createResponseCheck(
  { root }: Pick<ParsedDocument, 'root'>,
  { basePath: chosenPath, undeclaredHeaders = [], undeclaredStatuses = [], ...valueOptions }: ResponseCheckOptions = {},
): ResponseCheck {
  const basePath = readBasePath(root, chosenPath)
  const operations = readOperations(root).map((operation): CheckedOperation => {
    return { ...operation, pattern: toPathPattern(basePath + operation.path) }
  })
  const seen = new Set<string>()
  const valueCheck = createValueCheck(root, valueOptions)
  const rules: Rules = { ...valueCheck, basePath, operations, seen, undeclaredHeaders, undeclaredStatuses }

  function check<Checked extends CheckedResponse>(response: Checked, request = response.raw?.req): Checked {
    const { method = 'GET', url } = request ?? {}
    if (url === undefined) throw new TypeError('this is no response of app.inject; pass { method, url } of its request')
    if (typeof response.body !== 'string') {
      throw new TypeError('the body must be a text; inject without payloadAsStream')
    }
    const violations = [...findResponseViolations(rules, method.toUpperCase(), url, response)]
    if (violations.length === 0) return response
    const listedViolations = violations.slice(0, MAX_LISTED)
    if (violations.length > MAX_LISTED) listedViolations.push('and more')
    const title = `${method} ${url}, ${response.statusCode}, is not as the document says:`
    throw new AssertionError({
      message: [title, ...listedViolations].join('\n- '),
      actual: response.body,
      stackStartFn: check,
    })
  }

  const declared = operations.flatMap(({ id, responses }) => [...responses.keys()].map((key) => `${id} ${key}`))
  return Object.assign(check, { declared: new Set(declared), seen })
}

/** Returns the option `basePath`, or else the path of the first server. Throws a TypeError if the option is not a path. */
export function readBasePath(root: OpenApi, chosenPath: string | undefined): string {
  const basePath = chosenPath === undefined ? getBasePath(root, {}) : parseBasePath(chosenPath)
  if (basePath !== undefined) return basePath
  throw new TypeError(`the option basePath is "${chosenPath}", which is not a path; write a path such as /v1`)
}

/** Finds the most specific declared content of a Content-Type (OpenAPI 3.1, Response Object). */
export function findContent(content: readonly MediaType[], contentType = ''): MediaType | undefined {
  const candidates = content.filter(
    ({ type }) => toPattern(type).test(contentType) && createParametersMatcher(type)(contentType),
  )
  const [mostSpecific] = candidates
  if (mostSpecific === undefined) return undefined
  // Of the same media type, the declaration with the longest parameters.
  const ofSameType = candidates.filter(({ type }) => getEssence(type) === getEssence(mostSpecific.type))
  return ofSameType.sort((left, right) => right.type.length - left.type.length)[0]
}

function* findResponseViolations(
  rules: Rules,
  method: string,
  url: string,
  { statusCode: status, headers: receivedHeaders, body }: CheckedResponse,
): Iterable<string> {
  const isListed = rules.undeclaredStatuses.includes(status)
  const operation = findOperation(rules.operations, method, url)
  if (operation === undefined) {
    // A listed 405 passes: its method has no operation.
    if (!isListed) yield `the document has no such operation below ${rules.basePath}/`
    return
  }
  const { id, responses } = operation
  const key = findResponseKey(responses, status)
  const response = key === undefined ? undefined : responses.get(key)
  if (response === undefined) {
    if (!isListed) yield `the status ${status} is not declared for ${id}`
    return
  }
  rules.seen.add(`${id} ${key}`)
  const headers = groupHeaders(receivedHeaders)
  const repeatedNames = status === 304 ? getNames(responses.get(200)).filter(isRepeated) : []
  yield* findUndeclaredHeaders(rules, headers, [...getNames(response), ...repeatedNames])
  yield* findHeaderViolations(rules, headers, response)
  const content = STATUSES_WITHOUT_BODY.includes(status) ? [] : response.content
  yield* findContentViolations(rules, content, method, headers.get('content-type')?.[0], body)
}

function* findUndeclaredHeaders(
  { undeclaredHeaders }: Rules,
  headers: Headers,
  declaredNames: readonly string[],
): Iterable<string> {
  for (const name of headers.keys()) {
    const isGeneral = FRAMING_HEADERS.test(name) || GENERAL_HEADERS.test(name)
    const isListed = undeclaredHeaders.some((allowed) =>
      typeof allowed === 'string' ? allowed.toLowerCase() === name : name.search(allowed) >= 0,
    )
    if (!isGeneral && !isListed && !declaredNames.includes(name)) yield `the header ${name} is not declared`
  }
}

function* findHeaderViolations(rules: Rules, headers: Headers, response: Response): Iterable<string> {
  for (const [name, { required, schema }] of Object.entries(response.headers)) {
    const values = headers.get(name.toLowerCase()) ?? []
    if (required && values.length === 0) yield `the header ${name} is required and missing`
    // Several fields of one name have one value, a list (RFC 9110, section 5.3), except those of cookies.
    const texts = values.length < 2 || /^set-cookie$/i.test(name) ? values : [values.join(', ')]
    for (const text of texts) yield* rules.findTextViolations(schema, text, `the header ${name}`)
  }
}

function* findContentViolations(
  rules: Rules,
  declaredContent: readonly MediaType[],
  method: string,
  contentType: string | undefined,
  body: string,
): Iterable<string> {
  if (declaredContent.length === 0) {
    if (body !== '') yield 'there is a body, and none is declared'
    return
  }
  const content = findContent(declaredContent, contentType)
  if (content === undefined) {
    const mistake = contentType === undefined ? 'there is no Content-Type' : `the media type is ${contentType}`
    yield `${mistake}; declared: ${declaredContent.map(({ type }) => type).join(', ')}`
  }
  if (method === 'HEAD') {
    if (body !== '') yield 'there is a body in the response to HEAD'
  } else if (content !== undefined) yield* findBodyViolations(rules, content, String(contentType), body)
}

/** Finds the violations of JSON, plain text, and the items of a stream. Of other bodies, only the media type is checked. */
function* findBodyViolations(
  rules: Rules,
  { schema, itemSchema }: MediaType,
  contentType: string,
  body: string,
): Iterable<string> {
  const mediaType = getEssence(contentType).toLowerCase()
  const isText = mediaType === 'text/plain' && itemSchema === undefined
  const isRead = isText || itemSchema !== undefined || getKind(mediaType) === 'json'
  if (!isRead || rules.isBytes(itemSchema ?? schema)) return
  if (hasOtherCharset(contentType)) yield 'the charset is not utf-8'
  if (isText) {
    yield* rules.findTextViolations(schema, body, 'body')
    return
  }
  try {
    if (itemSchema === undefined) yield* rules.findViolations(schema, parseJson(Buffer.from(body)), 'body')
    else
      for (const [index, item] of readItems(mediaType, body).entries())
        yield* rules.findViolations(itemSchema, item, `item ${index}`)
  } catch (error) {
    if (!(error instanceof TextError)) throw error
    yield `the body ${error.message}`
  }
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
  const withMethod = (name: string) => candidates.find((operation) => operation.method.toUpperCase() === name)
  return withMethod(method) ?? (method === 'HEAD' ? withMethod('GET') : undefined)
}

/** Returns the names of the headers that a response declares, in lower case. */
function getNames(response: Response | undefined): string[] {
  return Object.keys(response?.headers ?? {}).map((name) => name.toLowerCase())
}

function groupHeaders(headers: CheckedResponse['headers']): Headers {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined)
  return new Map(entries.map(([name, value]) => [name.toLowerCase(), [value].flat().map(String)]))
}
