/** The responses of an operation: a plan for each, compiled once. It says what is sent, by whom, and how. */
import type { OpenApiDocument } from '../check/document.ts'
import type { Schema } from '../document/model.ts'
import type { Operation } from '../document/operations.ts'
import { findResponse, type Response, type ResponseKey, type Responses } from '../document/responses.ts'
import { type BodyPlan, createBodyPlan } from '../response/content.ts'
import { getConstants, getHandlerHeaders, OF_NOT_MODIFIED } from '../response/headers.ts'
import {
  createResponseValidator,
  type ResponseValidator,
  reportViolations,
  throwViolations,
} from '../response/validator.ts'
import type { ResponseHeaders } from '../shared/errors.ts'
import type { OperationOptions } from './implementation.ts'

/** What is sent in a response, by whom, and how. Names of headers are in lower case, as Fastify keeps them. */
export interface ResponsePlan {
  /** The headers that the layer sends, each with one value. */
  readonly constants: ResponseHeaders
  /** The same of headers that are lists: their values are added to those of hooks and of the handler. */
  readonly listItems: readonly (readonly [name: string, value: string])[]
  /** The declared headers. Of those that the handler returns, others are not sent. */
  readonly declaredHeaders: ReadonlyMap<string, DeclaredHeader>
  /** How a body of each media type is sent; [] if there is no body. */
  readonly bodies: readonly BodyPlan[]
  /** Undefined unless `validateResponses` is set. */
  readonly validator: ResponseValidator | undefined
}

interface DeclaredHeader {
  /** In the document's case. */
  readonly name: string
  readonly schema: Schema
  /** The only value that the header can have. */
  readonly constant: string | undefined
}

/** The plans of the responses of an operation. */
export interface ResponsePlans {
  /** By status. */
  readonly declared: Responses<ResponsePlan>
  /** For statuses that are not declared: errors, and others. Only hooks and the error handler send them. */
  readonly undeclared: Responses<ResponsePlan>
}

/** `Vary` (RFC 9110, section 12.5.5) and `Link` (RFC 8288, section 3). */
export const LIST_HEADERS: readonly string[] = ['vary', 'link']

/** Compiles all responses of an operation; `deprecationHeaders` are the same in each. */
export function compileResponses(
  document: OpenApiDocument,
  operation: Operation,
  deprecationHeaders: ResponseHeaders,
  options: OperationOptions,
): ResponsePlans {
  const declared = new Map<ResponseKey, ResponsePlan>()
  for (const [key, response] of operation.responses) {
    const headers = key === 304 && operation.isConditional ? addStoredHeaders(operation, response) : response.headers
    const sent = { ...response, headers }
    const validator = compileValidator(document, operation, key, sent, options)
    declared.set(key, {
      ...planHeaders(headers, [getConstants(headers), deprecationHeaders]),
      bodies: response.content.map((content) => createBodyPlan(content, document.compile.views, options, validator)),
      validator,
    })
  }
  const planUndeclared = (...sentHeaders: readonly ResponseHeaders[]): ResponsePlan => ({
    ...planHeaders({}, sentHeaders),
    bodies: [],
    validator: undefined,
  })
  const error = planUndeclared(options.errorHeaders, deprecationHeaders)
  const undeclared: Responses<ResponsePlan> = new Map([
    ['4XX', error],
    ['5XX', error],
    ['default', planUndeclared(deprecationHeaders)],
  ])
  return { declared, undeclared }
}

/** Returns the headers of a 304, with those of the 200 that update a stored response. */
function addStoredHeaders({ responses }: Operation, { headers }: Response): Response['headers'] {
  const fullHeaders = Object.entries(findResponse(responses, 200)?.headers ?? {})
  return { ...Object.fromEntries(fullHeaders.filter(([name]) => OF_NOT_MODIFIED.test(name))), ...headers }
}

function compileValidator(
  { compile }: OpenApiDocument,
  operation: Operation,
  key: ResponseKey,
  response: Response,
  { serverHeaders = [], validateResponses = false }: OperationOptions,
): ResponseValidator | undefined {
  if (!validateResponses) return undefined
  const requiredHeaders = getHandlerHeaders(response, serverHeaders, operation, key)
  const onViolations = validateResponses === 'report' ? reportViolations(operation.id) : throwViolations
  return createResponseValidator(response, compile, requiredHeaders, onViolations)
}

/** Plans the headers of a response: the declared ones, and those that the layer sends. */
function planHeaders(headers: Response['headers'], sentHeaders: readonly ResponseHeaders[]) {
  const constants: Record<string, string> = {}
  const listItems: [name: string, value: string][] = []
  for (const [name, value] of sentHeaders.flatMap((group) => Object.entries(group))) {
    const lowerCaseName = name.toLowerCase()
    if (LIST_HEADERS.includes(lowerCaseName)) listItems.push([lowerCaseName, value])
    else constants[lowerCaseName] = value
  }
  const declaredHeaders = new Map<string, DeclaredHeader>()
  for (const [name, { constant, schema }] of Object.entries(headers)) {
    const lowerCaseName = name.toLowerCase()
    declaredHeaders.set(lowerCaseName, { name, schema, constant: constants[lowerCaseName] ?? constant })
  }
  return { constants, listItems, declaredHeaders }
}
