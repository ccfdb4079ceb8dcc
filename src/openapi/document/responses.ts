/** The responses of operations (OpenAPI 3.1, Responses Object). */
import { findAllowedValues } from './allowed-values.ts'
import { type MediaType, readContent } from './content.ts'
import type * as model from './model.ts'
import type { OpenApi } from './model.ts'
import { getReferences } from './references.ts'
import { toSchema } from './subschemas.ts'
import { getFields, memoize } from './values.ts'

/** The statuses whose responses have no body (RFC 9110, section 15), whatever a document says of them. */
export const STATUSES_WITHOUT_BODY: readonly number[] = [204, 205, 304]

/** Values by response key: a status, a class of statuses, or `default` for all others (OpenAPI 3.1, Responses Object). */
export type Responses<Value> = ReadonlyMap<ResponseKey, Value>
export type ResponseKey = number | `${number}XX` | 'default'

export interface Response {
  /** The media types that the body may have; [] if there is no body. */
  readonly content: readonly MediaType[]
  /** Headers by name, in the document's case. */
  readonly headers: Readonly<Record<string, Header>>
}

/** A header of a response (OpenAPI 3.1, Header Object). */
export interface Header extends model.HeaderObject {
  /** The only values that the schema allows, by `const` and `enum`; undefined without these keywords. */
  readonly allowedValues?: readonly unknown[] | undefined
  /** The only value that the schema allows, as a text; undefined if it allows several. */
  readonly constant?: string | undefined
}

/**
 * The declared headers that are dropped: the server derives them from the body and the connection (RFC 9110, section 8;
 * RFC 9112), and OpenAPI ignores Content-Type (OpenAPI 3.1, Response Object).
 */
export const FRAMING_HEADERS = /^(connection|content-(length|type)|keep-alive|trailer|transfer-encoding|upgrade)$/i

/** Matches the statuses of interim responses, which precede the final response (RFC 9110, section 15.2). */
export const INTERIM_STATUS = /^1/

/** The responses of an operation that declares none: one for all statuses, so that its handler may choose the status. */
const DEFAULT_RESPONSES: [key: string, response: model.ResponseObject][] = [['default', {}]]

/** Creates the reader of an operation's responses. Reads each Response Object once, because operations share error responses. */
export function createResponsesReader(root: OpenApi): (operation: model.OperationObject) => Responses<Response> {
  const { resolve } = getReferences(root)

  const readHeader = memoize((header: model.HeaderObject): Header => {
    const schema = toSchema(header.schema)
    const allowedValues = findAllowedValues(root, schema)
    return {
      ...header,
      schema,
      allowedValues,
      constant: allowedValues?.length === 1 ? String(allowedValues[0]) : undefined,
    }
  })

  const readResponse = memoize(({ content, headers = {} }: model.ResponseObject): Response => {
    const sentHeaders = Object.entries(headers).flatMap(([name, header]) => {
      return FRAMING_HEADERS.test(name) ? [] : [[name, readHeader(resolve<model.HeaderObject>(header))] as const]
    })
    return { content: readContent(root, content), headers: Object.fromEntries(sentHeaders) }
  })
  const readBodiless = memoize((response: Response): Response => ({ ...response, content: [] }))

  return ({ responses = {} }) => {
    const declaredResponses = getFields(responses).filter(([key]) => !INTERIM_STATUS.test(key))
    return new Map(
      (declaredResponses.length > 0 ? declaredResponses : DEFAULT_RESPONSES).map(([key, reference]) => {
        const response = readResponse(resolve<model.ResponseObject>(reference))
        return [toResponseKey(key), STATUSES_WITHOUT_BODY.includes(Number(key)) ? readBodiless(response) : response]
      }),
    )
  }
}

function toResponseKey(key: string): ResponseKey {
  if (key === 'default') return key
  return key.endsWith('XX') ? `${Number(key[0])}XX` : Number(key)
}

/** Finds the key of the response for a status: the status, or else its class, or else `default`. */
export function findResponseKey(responses: Responses<unknown>, status: number): ResponseKey | undefined {
  const keys: readonly ResponseKey[] = [status, `${Math.floor(status / 100)}XX`, 'default']
  return keys.find((key) => responses.has(key))
}

/** Finds the value for a status. */
export function findResponse<Value>(responses: Responses<Value>, status: number): Value | undefined {
  // Most responses have their status as the key, so they need no search.
  return responses.get(status) ?? responses.get(findResponseKey(responses, status) ?? 'default')
}
