/** Compiles the responses that an operation declares: what of each is constant, and what is for the handler to return. */

import type { OpenApiDocument } from '../check/document.ts'
import type { Operation } from '../document/operations.ts'
import { findResponse, type Response, type Responses } from '../document/responses.ts'
import { createContentPlan } from '../response/content.ts'
import { createIntegerCheck, getConstantHeaders, getHandlerHeaders, OF_NOT_MODIFIED } from '../response/headers.ts'
import { createResponseValidator, reportViolations, throwViolations } from '../response/validator.ts'
import type { ResponseHeaders } from '../shared/errors.ts'
import type { OperationOptions } from './implementation.ts'

/** How a response is sent and checked. */
export interface CompiledResponse extends ReturnType<typeof compileResponse> {
  /** The `Link` of a deprecated operation, to which the links of the handler and of hooks are added. */
  readonly deprecationLink: string | undefined
}

/** How the responses of an operation are sent. */
export interface CompiledResponses {
  /** By status. */
  readonly declared: Responses<CompiledResponse>
  /** For statuses that are not declared. Only hooks and the error handler send them. */
  readonly undeclared: CompiledResponse
}

/** Compiles all responses of an operation; `deprecationHeaders` are the same in each. */
export function compileResponses(
  document: OpenApiDocument,
  operation: Operation,
  deprecationHeaders: ResponseHeaders,
  options: OperationOptions,
): CompiledResponses {
  const { errorHeaders, serverHeaders = [] } = options
  const { Link: deprecationLink, ...lifecycleHeaders } = deprecationHeaders
  const compile = (response: Response, constants: ResponseHeaders, requiredHeaders: readonly string[]) => ({
    ...compileResponse(document, operation, response, { ...lifecycleHeaders, ...constants }, requiredHeaders, options),
    deprecationLink,
  })
  const declared = new Map(
    Array.from(operation.responses, ([key, response]) => {
      const requiredHeaders = getHandlerHeaders(response, serverHeaders, operation, key)
      // A 304 also has those headers of the 200 that update a stored response.
      const fullResponse = key === 304 && operation.isConditional ? findResponse(operation.responses, 200) : undefined
      const stored = Object.entries(fullResponse?.headers ?? {}).filter(([name]) => OF_NOT_MODIFIED.test(name))
      const complete = { ...response, headers: { ...Object.fromEntries(stored), ...response.headers } }
      return [key, compile(complete, getConstantHeaders(complete), requiredHeaders)]
    }),
  )
  return { declared, undeclared: compile({ content: [], headers: {} }, errorHeaders, []) }
}

/** Compiles one response. `constants` are the headers that the layer sends, `requiredHeaders` those that the handler must set. */
function compileResponse(
  { compile }: OpenApiDocument,
  { id }: Operation,
  response: Response,
  constants: ResponseHeaders,
  requiredHeaders: readonly string[],
  { compileEncoder, compileSerializer, validateResponses = false }: OperationOptions,
) {
  const constantHeaders = new Map(Object.entries(constants).map(([name, value]) => [name.toLowerCase(), value]))
  const names = Object.keys(response.headers)
  const onViolations = validateResponses === 'report' ? reportViolations(id) : throwViolations
  return {
    /** The headers with constant values; their names in lower case, as Fastify keeps them. */
    constantHeaders: Object.fromEntries(constantHeaders),
    /** How a body of each media type is written; empty if there is no body. */
    content: response.content.map((content) =>
      createContentPlan(compile.views, content, compileSerializer, compileEncoder),
    ),
    /** The declared headers whose values are for the handler, by names in lower case. Others that it returns are not sent. */
    handlerHeaders: new Set(names.map((name) => name.toLowerCase()).filter((name) => !constantHeaders.has(name))),
    /** The declared headers with constant values. A handler must not return other values. */
    fixedHeaders: names.flatMap((name) => {
      const lowerCaseName = name.toLowerCase()
      const value = constantHeaders.get(lowerCaseName)
      return value === undefined ? [] : [{ name, lowerCaseName, value }]
    }),
    checkIntegers: createIntegerCheck(response, compile.views),
    /** Throws or logs what is not valid in the response. Undefined unless `validateResponses` is set. */
    check: validateResponses ? createResponseValidator(response, compile, requiredHeaders, onViolations) : undefined,
  }
}
