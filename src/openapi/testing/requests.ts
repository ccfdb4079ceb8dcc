/** Makes requests to an operation with fast-check, and writes them for `app.inject`. */
import type * as FastCheck from 'fast-check'
import { getKind, type MediaType } from '../document/content.ts'
import type { Operation } from '../document/operations.ts'
import type { Parameter } from '../document/parameters.ts'
import { SEPARATORS } from '../request/styles.ts'
import { stringifyExactly } from '../shared/json.ts'
import type { SentRequest } from './credentials.ts'
import type { RequestValues } from './request-values.ts'
import type { Arbitrary } from './scalars.ts'

/** What a request says: values of parameters by `query.limit`, and the body. A part that is absent is not sent. */
export type RequestParts = Readonly<Record<string, unknown>>

/** The requests to an operation. */
export interface Requests {
  /** The keys of the parts that a request may have. */
  readonly keys: readonly string[]
  /** Requests that the document allows. */
  readonly valid: FastCheck.Arbitrary<RequestParts>
  /** Requests of which one part is not as the document says, for each mistake that the part can have. */
  readonly invalid: readonly FastCheck.Arbitrary<RequestParts>[]
  readonly write: (parts: RequestParts) => SentRequest
}

/** A parameter or the body, with its values. */
interface Part {
  /** `query.limit`, or `body`. */
  readonly key: string
  readonly required: boolean
  readonly valid: Arbitrary | undefined
  readonly invalid: readonly Arbitrary[]
}

/** The longest parameter of a path, in characters, that Fastify accepts without the option `maxParamLength`. */
const MAX_PARAM_LENGTH = 100

/** Creates the requests to an operation below a base path. Throws an Error if a required part cannot be made. */
export function createRequests(
  fc: typeof FastCheck,
  operation: Operation,
  basePath: string,
  values: RequestValues,
): Requests {
  const { parameters, requestBody } = operation
  const content = getJsonContent(operation)
  const parts = parameters.map((parameter) => toParameterPart(parameter, values))
  if (content !== undefined) {
    const { schema } = content
    const required = requestBody?.isRequired === true
    parts.push({ key: 'body', required, valid: values.valid(schema), invalid: values.invalid(schema) })
  }
  const impossiblePart = parts.find(({ required, valid }) => required && valid === undefined)
  if (impossiblePart !== undefined)
    throw new Error(`${operation.id}: no valid value is found for ${impossiblePart.key}; ${LEAVE_OUT}`)
  const model = Object.fromEntries(parts.flatMap(({ key, valid }) => (valid === undefined ? [] : [[key, valid]])))
  const requiredKeys = parts.filter(({ required }) => required).map(({ key }) => key)
  const valid: FastCheck.Arbitrary<RequestParts> = fc.record(model, { requiredKeys })
  const mistakes = parts.flatMap(({ key, invalid }) =>
    invalid.map((wrongValues) =>
      fc.tuple(valid, wrongValues).map(([request, value]) => ({ ...request, [key]: value })),
    ),
  )
  // A path without its parameter is another path.
  const omissions = requiredKeys
    .filter((key) => !key.startsWith('path.'))
    .map((omittedKey) => valid.map((request) => ({ ...request, [omittedKey]: undefined })))
  return {
    keys: parts.map(({ key }) => key),
    valid,
    invalid: [...omissions, ...mistakes],
    write: (request) => writeRequest(operation, basePath, content?.type, request),
  }
}

const LEAVE_OUT = 'leave the operation out by the option except'

function getKey({ in: location, name }: Parameter): string {
  return `${location}.${name}`
}

/** Makes scalars and lists of scalars. Other values of parameters are not made: they are left out if that is allowed. */
function toParameterPart(parameter: Parameter, values: RequestValues): Part {
  const { schema, isJson, style } = parameter
  const canSend = (value: unknown) => canSendText(parameter.in, value)
  const isSimple = !isJson && style !== 'deepObject'
  return {
    key: getKey(parameter),
    required: parameter.required === true,
    valid: isSimple ? values.valid(schema, canSend) : undefined,
    invalid: isSimple ? values.invalidText(schema, canSend) : [],
  }
}

/** True for a value that can stand in the place of a parameter. */
function canSendText(location: Parameter['in'], value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => canSendText(location, item))
  if (typeof value === 'object') return false
  const text = String(value)
  if (location === 'header') return /^[!-~]([ -~]*[!-~])?$/.test(text)
  if (location === 'cookie') return /^[\w.~-]+$/.test(text)
  // URLs have no segments "." and "..".
  if (location === 'path') return text !== '' && text.length <= MAX_PARAM_LENGTH && !/^\.\.?$/.test(text)
  return true
}

/** Returns the content of a JSON body; undefined if the operation has none. Throws for a required body of another type. */
function getJsonContent({ id, requestBody }: Operation): MediaType | undefined {
  const { content = [], isRequired = false } = requestBody ?? {}
  const jsonContent = content.find(({ type }) => getKind(type) === 'json' && !type.includes('*'))
  if (jsonContent !== undefined || !isRequired) return jsonContent
  const types = content.map(({ type }) => type).join(' or ')
  throw new Error(`${id}: no body of ${types} can be made, only JSON; ${LEAVE_OUT}`)
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
    const { in: location, name, style, explode } = parameter
    const texts = [value].flat().map((item) => encodeURIComponent(String(item)))
    if (location === 'path') url = url.replace(`{${name}}`, () => texts.join(','))
    else if (location === 'header') headers[name] = [value].flat().join(',')
    else if (location === 'cookie') cookies.push(`${name}=${texts}`)
    else if (explode) query.push(...texts.map((text) => `${encodeURIComponent(name)}=${text}`))
    else query.push(`${encodeURIComponent(name)}=${texts.join(SEPARATORS[style] ?? ',')}`)
  }
  if (query.length > 0) url += `?${query.join('&')}`
  if (cookies.length > 0) headers.cookie = cookies.join('; ')
  if (parts.body === undefined || bodyType === undefined) return { method: method.toUpperCase(), url, headers }
  headers['content-type'] = bodyType
  return { method: method.toUpperCase(), url, headers, payload: stringifyExactly(parts.body) }
}
