/** Makes requests to an operation with fast-check, and writes them for `app.inject`. */
import type * as FastCheck from 'fast-check'
import { getKind, isRange, type MediaType } from '../document/content.ts'
import type { Operation } from '../document/operations.ts'
import type { Parameter } from '../document/parameters.ts'
import { stringifyExactly } from '../shared/json.ts'
import type { SentRequest } from './credentials.ts'
import { writeTexts } from './parameters.ts'
import type { PartValues, RequestValues } from './request-values.ts'

/** The values of a request: `query.limit` for a parameter, `body` for the body. A part that is absent is not sent. */
export type RequestParts = Readonly<Record<string, unknown>>

/** The requests to an operation. */
export interface Requests {
  /** The keys of the parts that a request may have. */
  readonly keys: readonly string[]
  /** True if a part may have a value. */
  isValid(key: string, value: unknown): boolean
  /** Requests that the document allows. */
  readonly valid: FastCheck.Arbitrary<RequestParts>
  /** For each invalid kind of value that a part can have, requests that have it in this part alone. */
  readonly invalid: readonly FastCheck.Arbitrary<RequestParts>[]
  readonly write: (parts: RequestParts) => SentRequest
}

/** A parameter or the body, with its values. */
interface Part extends PartValues {
  /** `query.limit`, or `body`. */
  readonly key: string
  readonly required: boolean
}

/** Creates the requests to an operation below a base path. Returns a problem if a required part cannot be made. */
export function createRequests(
  fc: typeof FastCheck,
  operation: Operation,
  basePath: string,
  values: RequestValues,
): Requests | { readonly problem: string } {
  const { parameters, path, requestBody } = operation
  const content = requestBody?.content.find(({ type }) => getKind(type) === 'json' && !isRange(type))
  const parts: Part[] = parameters.map((parameter) => ({
    key: getKey(parameter),
    required: parameter.required === true,
    ...values.ofParameter(parameter, path),
  }))
  if (content !== undefined)
    parts.push({ key: 'body', required: requestBody?.isRequired === true, ...values.ofBody(content.schema) })
  const problem = findProblem(operation, content, parts)
  if (problem !== undefined) return { problem }
  const arbitraries = Object.fromEntries(parts.flatMap(({ key, valid }) => (valid === undefined ? [] : [[key, valid]])))
  const requiredKeys = parts.filter(({ required }) => required).map(({ key }) => key)
  const valid: FastCheck.Arbitrary<RequestParts> = fc.record(arbitraries, { requiredKeys })
  const invalidRequests = parts.flatMap(({ key, invalid }) =>
    invalid.map((invalidValues) =>
      fc.tuple(valid, invalidValues).map(([request, value]) => ({ ...request, [key]: value })),
    ),
  )
  // A path without its parameter is another path.
  const omissions = requiredKeys
    .filter((key) => !key.startsWith('path.'))
    .map((omittedKey) => valid.map((request) => ({ ...request, [omittedKey]: undefined })))
  return {
    keys: parts.map(({ key }) => key),
    isValid: (key, value) => parts.find((part) => part.key === key)?.isValid(value) === true,
    valid,
    invalid: [...omissions, ...invalidRequests],
    write: (request) => writeRequest(operation, basePath, content?.type, request),
  }
}

/** Returns why no request can be made; undefined if requests can be made. */
function findProblem(
  { requestBody }: Operation,
  content: MediaType | undefined,
  parts: readonly Part[],
): string | undefined {
  if (requestBody?.isRequired && content === undefined) {
    const types = requestBody.content.map(({ type }) => type).join(' or ')
    return `no body of ${types} can be made, only JSON`
  }
  const impossiblePart = parts.find(({ required, valid }) => required && valid === undefined)
  return impossiblePart && `no valid value is found for ${impossiblePart.key}`
}

function getKey({ in: location, name }: Parameter): string {
  return `${location}.${name}`
}

function writeRequest(
  { method, path, parameters }: Operation,
  basePath: string,
  bodyType: string | undefined,
  parts: RequestParts,
): SentRequest {
  const query: string[] = []
  const cookies: string[] = []
  const headers: Record<string, string> = {}
  let url = basePath + path
  for (const parameter of parameters) {
    const value = parts[getKey(parameter)]
    if (value === undefined) continue
    const { in: location, name } = parameter
    const texts = writeTexts(parameter, value)
    if (location === 'path') url = url.replace(`{${name}}`, () => texts.join())
    else if (location === 'header') headers[name] = texts.join()
    else if (location === 'cookie') cookies.push(`${name}=${texts}`)
    else query.push(...texts.map((text) => `${encodeURIComponent(name)}=${text}`))
  }
  if (query.length > 0) url += `?${query.join('&')}`
  if (cookies.length > 0) headers.cookie = cookies.join('; ')
  if (parts.body === undefined || bodyType === undefined) return { method: method.toUpperCase(), url, headers }
  headers['content-type'] = bodyType
  return { method: method.toUpperCase(), url, headers, payload: stringifyExactly(parts.body) }
}
