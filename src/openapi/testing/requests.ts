/** Makes requests to an operation with fast-check, and writes them for `app.inject`. */
import type * as FastCheck from 'fast-check'
import type { DeclaredOperation } from '../document/find-operations.ts'
import type { MediaTypeObject, OpenApi, RequestBodyObject } from '../document/model.ts'
import { type Parameter, readParameters } from '../document/parameters.ts'
import { getReferences } from '../document/references.ts'
import { toSchema } from '../document/subschemas.ts'
import { stringifyExactly } from '../shared/json.ts'
import type { SentRequest } from './credentials.ts'
import type { Arbitrary, Values } from './values.ts'

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

/** The separators of lists in the query, by style (OpenAPI 3.1, Style Values). */
const SEPARATORS = new Map([
  ['spaceDelimited', '%20'],
  ['pipeDelimited', '%7C'],
])
const JSON_TYPE = /^application\/([^;]*\+)?json\b/

/** Creates the requests to an operation below a base path. Throws an Error if a required part cannot be made. */
export function createRequests(
  fc: typeof FastCheck,
  root: OpenApi,
  operation: DeclaredOperation,
  basePath: string,
  values: Values,
): Requests {
  const parameters = readParameters(root, [
    ...(operation.item.parameters ?? []),
    ...(operation.operation.parameters ?? []),
  ])
  const body = getJsonBody(root, operation)
  const parts = parameters.map((parameter): Part => toParameterPart(parameter, values))
  if (body !== undefined) {
    const { schema, required } = body
    parts.push({ key: 'body', required, valid: values.valid(schema), invalid: values.invalid(schema) })
  }
  const impossiblePart = parts.find(({ required, valid }) => required && valid === undefined)
  if (impossiblePart !== undefined) throw new Error(`no valid value is found for ${impossiblePart.key}`)
  const model = Object.fromEntries(parts.flatMap(({ key, valid }) => (valid === undefined ? [] : [[key, valid]])))
  const requiredKeys = parts.filter(({ required }) => required).map(({ key }) => key)
  const valid: FastCheck.Arbitrary<RequestParts> = fc.record(model, { requiredKeys })
  const mistakes = parts.flatMap(({ key, invalid }) =>
    invalid.map((values) => fc.tuple(valid, values).map(([request, value]) => ({ ...request, [key]: value }))),
  )
  // A path without its parameter is another path.
  const omissions = requiredKeys
    .filter((key) => !key.startsWith('path.'))
    .map((omittedKey) => valid.map((request) => ({ ...request, [omittedKey]: undefined })))
  return {
    keys: parts.map(({ key }) => key),
    valid,
    invalid: [...omissions, ...mistakes],
    write: (request) => writeRequest(operation, basePath, parameters, body?.type, request),
  }
}

function getKey({ in: location, name }: Parameter): string {
  return `${location}.${name}`
}

/** Makes scalars and lists of scalars. Other values of parameters are not made: they are left out if that is allowed. */
function toParameterPart(parameter: Parameter, values: Values): Part {
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
  // The router of Fastify limits a parameter to 100 characters, and URLs have no segments "." and "..".
  if (location === 'path') return text !== '' && text.length <= 100 && !/^\.\.?$/.test(text)
  return true
}

/** Returns the schema of a JSON body; undefined if the operation has none. Throws for a required body of another type. */
function getJsonBody(root: OpenApi, { operation }: DeclaredOperation) {
  if (operation.requestBody === undefined) return undefined
  const { content, required = false } = getReferences(root).resolve<RequestBodyObject>(operation.requestBody)
  const type = Object.keys(content).find((key) => JSON_TYPE.test(key))
  if (type !== undefined) {
    const { schema = {} } = getReferences(root).resolve<MediaTypeObject>(content[type] ?? {})
    return { type, required, schema: toSchema(schema) }
  }
  if (required) throw new Error(`no body of ${Object.keys(content).join(' or ')} can be made, only JSON`)
  return undefined
}

function writeRequest(
  { method, path }: DeclaredOperation,
  basePath: string,
  parameters: readonly Parameter[],
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
    else query.push(`${encodeURIComponent(name)}=${texts.join(SEPARATORS.get(style) ?? ',')}`)
  }
  if (query.length > 0) url += `?${query.join('&')}`
  if (cookies.length > 0) headers.cookie = cookies.join('; ')
  if (parts.body === undefined || bodyType === undefined) return { method: method.toUpperCase(), url, headers }
  headers['content-type'] = bodyType
  return { method: method.toUpperCase(), url, headers, payload: stringifyExactly(parts.body) }
}
