/** Follows Links of responses to the operations that they name (OpenAPI 3.1, Link Object and Runtime Expressions). */
import type { DeclaredOperation } from '../document/find-operations.ts'
import type { OpenApi, ResponseObject } from '../document/model.ts'
import { getValueAt } from '../document/pointers.ts'
import { getReferences } from '../document/references.ts'
import { readJson } from './content.ts'
import type { SentRequest } from './credentials.ts'
import type { RequestParts } from './requests.ts'
import type { CheckedResponse } from './response-check.ts'

/** The values of parameters that Links have given, by the id of the operation that they lead to. */
export type LinkedValues = Map<string, RequestParts[]>

interface LinkObject {
  readonly operationId?: string
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** The most values that are remembered for an operation. */
const MAX_VALUES = 20

/** Adds the values of the Links that a response declares. */
export function followLinks(
  root: OpenApi,
  { operation: { responses = {} } }: DeclaredOperation,
  { url }: SentRequest,
  parts: RequestParts,
  { statusCode, headers, body }: CheckedResponse,
  linkedValues: LinkedValues,
): void {
  const declared = responses[statusCode] ?? responses['2XX'] ?? responses.default
  const { links = {} } =
    declared === undefined ? {} : (getReferences(root).resolve<ResponseObject>(declared) as ResponseObject & LinkHolder)
  for (const reference of Object.values(links)) {
    const { operationId, parameters = {} } = getReferences(root).resolve<LinkObject>(reference)
    if (operationId === undefined) continue
    const entries = Object.entries(parameters).map(([name, expression]) => [name, evaluate(expression)] as const)
    // The response may lack what a Link refers to.
    if (entries.some(([, value]) => value === undefined)) continue
    const values = linkedValues.get(operationId) ?? []
    linkedValues.set(operationId, values)
    if (values.length < MAX_VALUES) values.push(Object.fromEntries(entries))
  }

  /** Returns the value of a runtime expression; any other value as it is. */
  function evaluate(expression: unknown): unknown {
    const [, source, location, name = ''] =
      /^\$(request|response)\.(body|header|path|query)[.#]?(.*)$/.exec(String(expression)) ?? []
    if (source === undefined) return expression === '$url' ? url : expression
    if (location === 'body') return getValueAt(source === 'request' ? parts.body : readJson(body), name)
    return source === 'request' ? parts[`${location}.${name}`] : headers[name.toLowerCase()]
  }
}

interface LinkHolder {
  readonly links?: Readonly<Record<string, LinkObject | { readonly $ref: string }>>
}
