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
  /** The headers that are declared. A handler may return them; others are not sent. */
  readonly declaredNames: ReadonlySet<string>
  /** The values of declared headers that can have only one, which a handler may return, too. */
  readonly fixedValues: ReadonlyMap<string, string>
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
    const isOfLayer = key === 304 && operation.isConditional
    const headers = isOfLayer ? addStoredHeaders(operation, response) : response.headers
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
  const declaredNames = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const constants = listHeaders(getConstants(headers))
  const sentHeaders = [...constants, ...layerHeaders.flatMap(listHeaders)]
  // A handler may add to a list that the layer sends, but not to a constant one.
  const fixedHeaders = sentHeaders.filter(([name]) => declaredNames.has(name) && !LIST_HEADERS.includes(name))
  return { sentHeaders, declaredNames, fixedValues: new Map([...constants, ...fixedHeaders]) }
}

/** Lists headers by their names in lower case. */
function listHeaders(headers: ResponseHeaders): (readonly [name: string, value: string])[] {
  return Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
}
