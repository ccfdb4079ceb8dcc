/** The responses of an operation: a plan for each, compiled once. It says what is sent, by whom, and how. */
import type { OpenApiDocument } from '../check/document.ts'
import type { Operation } from '../document/operations.ts'
import { findResponse, type Response, type ResponseKey, type Responses } from '../document/responses.ts'
import { type BodyPlan, createBodyPlans } from '../response/body-plans.ts'
import { compileHeadersValidator, createReport, type ValidateHeaders } from '../response/complete-validation.ts'
import { getConstants, getHandlerHeaders, NOT_MODIFIED_HEADERS } from '../response/headers.ts'
import type { ResponseHeaders } from '../shared/errors.ts'
import type { OperationOptions } from './implementation.ts'

/** What is sent in a response, by whom, and how. Names of headers are in lower case, as Fastify keeps them. */
export interface ResponsePlan extends HeadersPlan {
  /** How a body of each media type is sent; [] if there is no body. */
  readonly bodies: readonly BodyPlan[]
  /** Validates the headers that the handler returns; undefined unless `validateResponses` is set. */
  readonly validateHeaders: ValidateHeaders | undefined
}

export interface HeadersPlan {
  /** The headers that the layer sends. Those of `LIST_HEADERS` are added to what hooks and the handler send. */
  readonly sentHeaders: readonly (readonly [name: string, value: string])[]
  /** The headers that a handler may return, with the only value that each can have; undefined if it can have several. */
  readonly declaredHeaders: ReadonlyMap<string, string | undefined>
}

/** The plans of the responses of an operation. */
export interface ResponsePlans {
  /** By status. */
  readonly declared: Responses<ResponsePlan>
  /** For statuses that are not declared: errors, and others. Only hooks and the error handler send them. */
  readonly undeclared: Responses<HeadersPlan>
}

/** The headers whose values are lists: `Vary` (RFC 9110, section 12.5.5) and `Link` (RFC 8288, section 3). */
export const LIST_HEADERS: readonly string[] = ['vary', 'link']

/** Compiles all responses of an operation; `deprecationHeaders` are the same in each. */
export function compileResponses(
  { compile }: OpenApiDocument,
  operation: Operation,
  deprecationHeaders: ResponseHeaders,
  options: OperationOptions,
): ResponsePlans {
  const { errorHeaders, serverHeaders = [], validateResponses } = options
  const report = validateResponses ? createReport(operation.id, validateResponses) : undefined
  const declared = new Map<ResponseKey, ResponsePlan>()
  for (const [key, response] of operation.responses) {
    const headers = key === 304 && operation.isConditional ? addStoredHeaders(operation, response) : response.headers
    const findRequired = () => getHandlerHeaders({ ...response, headers }, serverHeaders, operation, key)
    declared.set(key, {
      ...planHeaders(headers, deprecationHeaders),
      bodies: response.content.flatMap((content) => createBodyPlans(content, { ...options, compile, report })),
      validateHeaders: report && compileHeadersValidator(headers, findRequired(), compile, report),
    })
  }
  const error = planHeaders({}, errorHeaders, deprecationHeaders)
  const undeclared: Responses<HeadersPlan> = new Map([
    ['4XX', error],
    ['5XX', error],
    ['default', planHeaders({}, deprecationHeaders)],
  ])
  return { declared, undeclared }
}

/** Returns the headers of a 304, with those of the 200 that update a stored response. */
function addStoredHeaders({ responses }: Operation, { headers }: Response): Response['headers'] {
  const fullHeaders = Object.entries(findResponse(responses, 200)?.headers ?? {})
  return { ...Object.fromEntries(fullHeaders.filter(([name]) => NOT_MODIFIED_HEADERS.test(name))), ...headers }
}

/** Plans the headers of a response; `layerHeaders` are those that the layer sends beside the constants. */
function planHeaders(headers: Response['headers'], ...layerHeaders: readonly ResponseHeaders[]): HeadersPlan {
  const declaredHeaders = new Map<string, string | undefined>()
  for (const [name, { constant }] of Object.entries(headers)) declaredHeaders.set(name.toLowerCase(), constant)
  const sentHeaders: [name: string, value: string][] = []
  for (const [name, value] of [getConstants(headers), ...layerHeaders].flatMap(Object.entries<string>)) {
    const lowerCaseName = name.toLowerCase()
    sentHeaders.push([lowerCaseName, value])
    if (declaredHeaders.has(lowerCaseName) && !LIST_HEADERS.includes(lowerCaseName)) {
      declaredHeaders.set(lowerCaseName, value)
    }
  }
  return { sentHeaders, declaredHeaders }
}
