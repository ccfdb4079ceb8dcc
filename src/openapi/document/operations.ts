/** The operations of a document, resolved: parameters, bodies, responses and security of each. */
import { getKind, type MediaType, readContent } from './content.ts'
import { findOperations } from './find-operations.ts'
import type * as model from './model.ts'
import type { OpenApi } from './model.ts'
import { type Parameter, readParameters } from './parameters.ts'
import { getReferences } from './references.ts'
import { createResponsesReader, type Response, type Responses } from './responses.ts'
import { readSecurity, type SecurityAlternative } from './security.ts'

/** The maximum size of a request body, in bytes, without `x-max-bytes`. */
const DEFAULT_MAX_BYTES = 1024 * 1024
/** The most levels of arrays and objects in a request body without `x-max-depth`: more than any useful body has. */
export const DEFAULT_MAX_DEPTH = 64

/** An operation (OpenAPI 3.1, Operation Object), with its references resolved except within schemas. */
export interface Operation {
  readonly id: string
  /** The pointer to the operation in the document. */
  readonly pointer: string
  readonly method: string
  /** The path template of the document, without the base path: `/pets/{petId}`. */
  readonly path: string
  readonly tag: string | undefined
  readonly summary: string | undefined
  readonly parameters: readonly Parameter[]
  readonly requestBody: Body | undefined
  readonly responses: Responses<Response>
  /** True if responses have an ETag, and the server sends 304 (RFC 9110, section 13.1.2: for GET and HEAD only). */
  readonly isConditional: boolean
  /** The ways to authenticate, of which a caller chooses one; [] if the operation needs no authentication. */
  readonly security: readonly SecurityAlternative[]
  /** Undefined without `deprecated: true`, whatever the dates. */
  readonly deprecation: Deprecation | undefined
}

/** A body of a request. */
export interface Body {
  readonly isRequired: boolean
  readonly content: readonly MediaType[]
  readonly maxBytes: number
  /** True if the document has the limit: with `x-max-bytes`. */
  readonly isLimited: boolean
  /** The most levels of arrays and objects. */
  readonly maxDepth: number
}

/** A deprecation, with its dates (RFC 3339, full-date) and the id of the operation that replaces the deprecated one. */
export interface Deprecation {
  readonly since: string | undefined
  readonly sunset: string | undefined
  readonly replacedBy: string | undefined
}

/** Reads the operations of a checked document, in its order, or the declared operations given, such as its webhooks. */
export function readOperations(root: OpenApi, declaredOperations = findOperations(root)): Operation[] {
  const readResponses = createResponsesReader(root)
  return declaredOperations.map(({ id, path, item, method, operation, pointer }) => {
    const parameters = readParameters(root, [...(item.parameters ?? []), ...(operation.parameters ?? [])])
    const responses = readResponses(operation)
    return {
      id,
      pointer,
      method,
      path,
      tag: operation.tags?.[0],
      summary: operation.summary,
      parameters,
      requestBody: readBody(root, operation),
      responses,
      isConditional: /^(get|head)$/.test(method) && responses.has(304),
      security: readSecurity(root, operation),
      deprecation: operation.deprecated
        ? {
            since: operation['x-deprecated-since'],
            sunset: operation['x-sunset'],
            replacedBy: operation['x-replaced-by'],
          }
        : undefined,
    }
  })
}

/** Returns the schemas of the parameters and the body of an operation. */
export function getRequestSchemas({ parameters, requestBody }: Operation): model.Schema[] {
  return [...parameters, ...(requestBody?.content ?? [])].map(({ schema }) => schema)
}

/** Returns the schemas of the headers, bodies and items of an operation's responses. */
export function getResponseSchemas({ responses }: Operation): model.Schema[] {
  return [...responses.values()].flatMap(({ content, headers }) => [
    ...content.flatMap(({ schema, itemSchema }) => (itemSchema === undefined ? [schema] : [schema, itemSchema])),
    ...Object.values(headers).map(({ schema }) => schema),
  ])
}

/** Returns all parameters except `If-None-Match` of a conditional operation, which the server evaluates. */
export function getHandlerParameters({ isConditional, parameters }: Operation): Parameter[] {
  const isIfNoneMatch = (parameter: Parameter) => parameter.in === 'header' && /^if-none-match$/i.test(parameter.name)
  return parameters.filter((parameter) => !isConditional || !isIfNoneMatch(parameter))
}

function readBody(root: OpenApi, { requestBody }: model.OperationObject): Body | undefined {
  if (requestBody === undefined) return undefined
  const { required = false, content, ...limits } = getReferences(root).resolve<model.RequestBodyObject>(requestBody)
  return {
    isRequired: required,
    content: readContent(root, content),
    maxBytes: limits['x-max-bytes'] ?? DEFAULT_MAX_BYTES,
    isLimited: limits['x-max-bytes'] !== undefined,
    maxDepth: limits['x-max-depth'] ?? DEFAULT_MAX_DEPTH,
  }
}

/** Returns the media type in which the app sends a request: JSON if there is a choice; undefined without a body. */
export function getSentContent({ requestBody }: Operation): MediaType | undefined {
  const content = requestBody?.content ?? []
  return content.find(({ type }) => getKind(type) === 'json') ?? content[0]
}

/** True if an operation may respond with a stream of items. Its handler then receives a `signal`. */
export function sendsItems({ responses }: Operation): boolean {
  return [...responses.values()].some(({ content }) => content.some(({ itemSchema }) => itemSchema !== undefined))
}
