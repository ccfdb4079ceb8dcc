/** Follows Links of responses to the operations that they name (OpenAPI 3.1, Link Object and Runtime Expressions). */
import type * as FastCheck from 'fast-check'
import type { OpenApi, OperationObject, Reference, ResponseObject } from '../document/model.ts'
import type { Operation } from '../document/operations.ts'
import { getValueAt } from '../document/pointers.ts'
import { getReferences } from '../document/references.ts'
import { findResponseKey } from '../document/responses.ts'
import { parseJson } from '../shared/parse-json.ts'
import type { SentRequest } from './credentials.ts'
import type { RequestParts, Requests } from './requests.ts'
import type { CheckedResponse } from './response-check.ts'

/** The values of requests that Links have given, by the operationId that they lead to. */
export type LinkedParts = Map<string, RequestParts[]>

interface LinkObject {
  readonly operationId?: string
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** What runtime expressions refer to. */
interface LinkContext {
  readonly request: SentRequest
  readonly parts: RequestParts
  readonly response: CheckedResponse
}

/** The most Links that are remembered for an operation. */
const MAX_LINKS = 20

/** Adds the values of the Links that a response declares. Skips Links by `operationRef`, and the `requestBody` of Links. */
export function followLinks(
  root: OpenApi,
  { pointer, responses }: Operation,
  request: SentRequest,
  parts: RequestParts,
  response: CheckedResponse,
  linkedParts: LinkedParts,
): void {
  const { resolve } = getReferences(root)
  const { responses: responseObjects = {} } = getValueAt(root, pointer) as OperationObject
  const responseObject = responseObjects[String(findResponseKey(responses, response.statusCode))]
  const { links = {} } = responseObject === undefined ? {} : resolve<ResponseObject & LinkHolder>(responseObject)
  for (const reference of Object.values(links)) {
    const { operationId, parameters = {} } = resolve<LinkObject>(reference)
    if (operationId === undefined) continue
    const context = { request, parts, response }
    const entries = Object.entries(parameters).map(([name, value]) => [name, evaluate(value, context)] as const)
    // The response may lack what a Link refers to: the last page has no next one.
    if (entries.some(([, value]) => value === undefined || value === null)) continue
    const values = linkedParts.get(operationId) ?? []
    linkedParts.set(operationId, values)
    if (values.length < MAX_LINKS) values.push(Object.fromEntries(entries))
  }
}

interface LinkHolder {
  readonly links?: Readonly<Record<string, LinkObject | Reference>>
}

/**
 * Returns the valid requests to an operation, half of them with values of Links, which its parameters allow. Looks up the Links for each
 * request, because a response of the operation may have a Link to the operation itself: the next page.
 */
export function addLinkedRequests(
  fc: typeof FastCheck,
  operationId: string,
  { keys, isValid, valid }: Requests,
  linkedParts: LinkedParts,
): FastCheck.Arbitrary<RequestParts> {
  // A Link names a parameter with or without its location: `path.id`, or `id`.
  const toKey = (name: string) => keys.find((key) => key === name || key.slice(key.indexOf('.') + 1) === name) ?? name
  const linkedRequests = fc.tuple(valid, fc.nat(MAX_LINKS - 1)).map(([parts, index]) => {
    const links = linkedParts.get(operationId) ?? []
    const entries = Object.entries(links[index % links.length] ?? {}).map(
      ([name, value]) => [toKey(name), value] as const,
    )
    return entries.every(([key, value]) => isValid(key, value)) ? { ...parts, ...Object.fromEntries(entries) } : parts
  })
  return fc.oneof(linkedRequests, valid)
}

/** Returns the value of a parameter: a runtime expression, a text with expressions such as `item-{$response.body#/id}`, or a constant. */
function evaluate(value: unknown, context: LinkContext): unknown {
  if (typeof value !== 'string') return value
  if (value.startsWith('$')) return evaluateExpression(value, context)
  const pieces = value.split(/\{(\$[^{}]*)\}/)
  const texts = pieces.map((piece, index) => (index % 2 === 0 ? piece : evaluateExpression(piece, context)))
  return texts.includes(undefined) ? undefined : texts.join('')
}

/** Evaluates a runtime expression. Returns undefined if the message lacks what it refers to. */
function evaluateExpression(expression: string, { request, parts, response }: LinkContext): unknown {
  const [, source, location, name = ''] = /^\$(?:(request|response)\.)?(\w+)[.#]?(.*)$/.exec(expression) ?? []
  switch (location) {
    case 'url':
      return request.url
    case 'method':
      return request.method
    case 'statusCode':
      return response.statusCode
    case 'body':
      return getValueAt(source === 'request' ? parts.body : parseBody(response), name)
    case 'header':
      return source === 'request' ? getInAnyCase(parts, `header.${name}`) : getInAnyCase(response.headers, name)
    default:
      return source === 'request' ? parts[`${location}.${name}`] : undefined
  }
}

/** Returns the value with a key, whose case does not matter. */
function getInAnyCase(values: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.entries(values).find(([otherKey]) => otherKey.toLowerCase() === key.toLowerCase())?.[1]
}

/** Returns the body of a response; undefined if it is not JSON. */
function parseBody({ body }: CheckedResponse): unknown {
  try {
    return parseJson(Buffer.from(body))
  } catch {
    return undefined
  }
}
