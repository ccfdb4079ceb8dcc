/** The plans of an operation's responses: how their bodies and headers are sent. Each is compiled once. */
import type { OpenApiDocument } from '../check/document.ts'
import type { Operation } from '../document/operations.ts'
import { findResponse, type Response, type ResponseKey, type Responses } from '../document/responses.ts'
import { type BodyPlan, createBodyPlans } from '../response/body-plans.ts'
import { compileHeadersValidator, createReport, type ValidateHeaders } from '../response/complete-validation.ts'
import { getConstants, getHandlerHeaders, lowerCaseNames, NOT_MODIFIED_HEADERS } from '../response/headers.ts'
import type { ResponseHeaders } from '../shared/errors.ts'
import type { OperationOptions } from './implementation.ts'

/** The plan of a response's headers. Their names are in lower case, as Fastify keeps them. */
export interface HeadersPlan {
  /** The headers that the layer sends. `LIST_HEADERS` are added to what hooks and the handler send. */
  readonly sentHeaders: readonly (readonly [name: string, value: string])[]
  /** The declared headers, which a handler may return. Undeclared headers are not sent. */
  readonly declaredNames: ReadonlySet<string>
  /** The declared headers with one possible value. A handler may return this value, and no other one. */
  readonly fixedValues: ReadonlyMap<string, string>
}

export interface ResponsePlan extends HeadersPlan {
  /** By media type; [] if there is no body. */
  readonly bodies: readonly BodyPlan[]
  /** Validates the headers that the handler returns; undefined unless `validateResponses` is set. */
  readonly validateHeaders: ValidateHeaders | undefined
}

/** The plans of the responses of an operation. */
export interface ResponsePlans {
  /** By status. */
  readonly declared: Responses<ResponsePlan>
  /** For undeclared statuses, which only hooks and the error handler send. */
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
    const isLayer304 = key === 304 && operation.isConditional
    const headers = isLayer304 ? addStoredHeaders(operation, response) : response.headers
    const getRequired = () => getHandlerHeaders({ ...response, headers }, serverHeaders, operation, key)
    declared.set(key, {
      ...planHeaders(headers, deprecationHeaders),
      bodies: response.content.flatMap((content) => createBodyPlans(content, { ...options, compile, report })),
      validateHeaders: report && compileHeadersValidator(headers, getRequired(), compile, report),
    })
  }
  const errorPlan = planHeaders({}, errorHeaders, deprecationHeaders)
  const undeclared: Responses<HeadersPlan> = new Map([
    ['4XX', errorPlan],
    ['5XX', errorPlan],
    ['default', planHeaders({}, deprecationHeaders)],
  ])
  return { declared, undeclared }
}

/** Returns the headers of a 304, with the headers of the 200 that update a stored response. */
function addStoredHeaders({ responses }: Operation, { headers }: Response): Response['headers'] {
  const fullHeaders = Object.entries(findResponse(responses, 200)?.headers ?? {})
  return { ...Object.fromEntries(fullHeaders.filter(([name]) => NOT_MODIFIED_HEADERS.test(name))), ...headers }
}

/** Plans the headers of a response. Beside the constants, the layer sends `layerHeaders`. */
function planHeaders(headers: Response['headers'], ...layerHeaders: readonly ResponseHeaders[]): HeadersPlan {
  const declaredNames = new Set(Object.keys(lowerCaseNames(headers)))
  const constants = Object.entries(lowerCaseNames(getConstants(headers)))
  const layerEntries = layerHeaders.flatMap((otherHeaders) => Object.entries(lowerCaseNames(otherHeaders)))
  // A handler may add to a list that the layer sends, such as Link, but not to a constant.
  const fixedEntries = layerEntries.filter(([name]) => declaredNames.has(name) && !LIST_HEADERS.includes(name))
  return {
    sentHeaders: [...constants, ...layerEntries],
    declaredNames,
    fixedValues: new Map([...constants, ...fixedEntries]),
  }
}
