/**
 * The types for handlers: for each operation, the request that its handler receives and the responses that it may return.
 * They are flat, so that an editor shows all of one at a glance.
 */
import { STATUS_CODES } from 'node:http'
import { getKind, isChoice, isRange, JSON_TYPE, type MediaType, toPattern } from '../document/content.ts'
import { getHandlerParameters, getSentContent, type Operation, sendsItems } from '../document/operations.ts'
import type { Parameter } from '../document/parameters.ts'
import { findResponseKey, type Response, type ResponseKey, STATUSES_WITHOUT_BODY } from '../document/responses.ts'
import { allowsAnonymous } from '../document/security.ts'
import { findSenders } from '../response/headers.ts'
import { findNegotiated } from '../response/negotiation.ts'
import type { SchemaViews } from '../schema/selection.ts'
import { formatComment, formatKey } from './expressions.ts'
import { generateSchemaTypes, nameOperations } from './schemas.ts'
import type { TypedDocument } from './typed-document.ts'
import type { ToType } from './types.ts'

/** The part of Fastify's logger that any logger has. */
const LOG = `/** Writes log lines: a message, or fields with one. */
export type Log = Record<'debug' | 'info' | 'warn' | 'error', (fields: object | string, message?: string) => void>
`

/** Generates the types of the schemas, the operations, their handlers and their URLs, without the headers of the app. */
export function generateServerTypes(document: TypedDocument, serverHeaders: readonly string[]): string {
  const typeNames = nameOperations(document.operations)
  const operations = document.operations.map((operation) => {
    return { ...withoutConditionalRequests(operation), typeName: String(typeNames.get(operation.id)) }
  })
  const { declarations, toType } = generateSchemaTypes(document)
  const requestsAndResponses = operations.flatMap((operation) => [
    formatRequest(document.compile.views, operation, toType),
    formatResponse(operation, toType, serverHeaders),
  ])
  const hasRawBody = requestsAndResponses.some((text) => /readonly body: RawBody\b/.test(text))
  return [
    ...(hasRawBody ? ["import type { Readable } from 'node:stream'\n"] : []),
    declarations,
    ...requestsAndResponses,
    formatHandlers(operations),
    formatApi(operations),
    formatUrls(operations, toType),
    ...formatWebhooks(document.sentRequests, toType),
    LOG,
    ...(hasRawBody ? [RAW_BODY] : []),
  ].join('\n')
}

/** An operation with the start of its types' names. */
type NamedOperation = Operation & { readonly typeName: string }

/** An operation without conditional requests, which the server does for its handler. */
function withoutConditionalRequests(operation: Operation): Operation {
  const parameters = getHandlerParameters(operation)
  const responses = new Map([...operation.responses].filter(([status]) => status !== 304 || !operation.isConditional))
  return { ...operation, parameters, responses }
}

function formatRequest(views: SchemaViews, operation: NamedOperation, toType: ToType): string {
  const { id, requestBody, typeName } = operation
  const hasChoice = isChoice(requestBody?.content ?? [])
  const comment = formatComment(`The request that the handler of ${id} receives: validated, with defaults filled in.`)
  const members = [
    formatParameters(views, operation, toType),
    hasChoice ? '' : formatOnlyBody(views, operation, toType),
    formatAccept(operation),
    formatCaller(operation),
    sendsItems(operation) ? SIGNAL : '',
  ]
  return `${comment}export type ${typeName}Request<Caller> = {
${members.join('')}  /** Writes log lines that have the id of the request. */
  readonly log: Log
  /** The id of the request in its log lines. */
  readonly requestId: string
  /** Builds the URLs of operations. */
  readonly urls: Urls
}${hasChoice ? formatBodyChoice(views, operation, toType) : ''}
`
}

function formatParameters(views: SchemaViews, operation: Operation, toType: ToType): string {
  const formatParameter = ({ name, description, required, schema }: Parameter) => {
    const isOptional = required !== true && views.getDefault(views.get(schema)) === undefined
    return `${formatComment(description, '    ')}    ${formatMember(name, toType(schema, 'request'), isOptional)}\n`
  }
  return ['path', 'query', 'header', 'cookie']
    .map((location) => ({ location, parameters: getParameters(operation, location) }))
    .filter(({ parameters }) => parameters.length > 0)
    .map(({ location, parameters }) => {
      return `  readonly ${location}: {
${parameters.map(formatParameter).join('')}  }
`
    })
    .join('')
}

/** Formats the body of one media type; nothing without a body. */
function formatOnlyBody(views: SchemaViews, { requestBody }: Operation, toType: ToType): string {
  const [content] = requestBody?.content ?? []
  if (content === undefined) return ''
  return `  readonly body: ${formatReceived(views, content, toType)}${requestBody?.isRequired ? '' : ' | undefined'}
`
}

/** Formats the bodies of several media types, as an intersection with the other members. */
function formatBodyChoice(views: SchemaViews, { requestBody }: Operation, toType: ToType): string {
  const bodies = requestBody?.content.map((content) => {
    const { type } = content
    return `  | { readonly contentType: ${formatMediaType(type)}; readonly body: ${formatReceived(views, content, toType)} }\n`
  })
  const noBody = requestBody?.isRequired ? '' : '  | { readonly contentType?: undefined; readonly body?: undefined }\n'
  return ` & (
${bodies?.join('')}${noBody})`
}

function formatAccept(operation: Operation): string {
  const types = findNegotiated(operation).map((type) => JSON.stringify(type))
  if (types.length === 0) return ''
  return `  /** The media type that the client prefers. */
  readonly accept: ${types.join(' | ')}
`
}

function formatCaller({ security }: Operation): string {
  if (!allowsAnonymous(security)) {
    return `  /** The authenticated client. */
  readonly caller: Caller
`
  }
  return `  /** The authenticated client; undefined if there is none. */
  readonly caller: Caller | undefined
`
}

const SIGNAL = `  /** Aborts when the client has left, or the app stops: nobody waits for more items. */
  readonly signal: AbortSignal
`

function getParameters({ parameters }: Operation, location: string): Parameter[] {
  return parameters.filter((parameter) => parameter.in === location)
}

/** Formats the type of a Content-Type: for a range, a template literal type. */
function formatMediaType(type: string): string {
  const [range = ''] = type.split(';')
  return isRange(type) ? `\`${range.replaceAll('*', '$' + '{string}')}\`` : JSON.stringify(type)
}

/** The type of a body as a handler receives it. */
function formatReceived(views: SchemaViews, content: MediaType, toType: ToType): string {
  const { type, schema, hasCodec, isStreamed } = content
  if (hasCodec) return toType(schema, 'request')
  const kind = getKind(type)
  if (isStreamed && kind !== 'form') return 'ReadableStream<Uint8Array>'
  // The kind of each body in a range follows from its own type.
  if (isRange(type)) return 'unknown'
  if (kind === 'bytes') return 'Uint8Array'
  return kind === 'text' && !views.get(schema).isScalar ? 'string' : toType(schema, 'request', kind === 'form')
}

const RAW_BODY = `/** What a handler returns as a body that is not JSON. */
export type RawBody = string | Uint8Array | ReadableStream | Readable
`

function formatResponse(operation: NamedOperation, toType: ToType, serverHeaders: readonly string[]): string {
  const alternatives = [...operation.responses].flatMap(([key, response]) => {
    const { content } = response
    const bodies = content.map(({ type, schema, itemSchema, hasCodec }) => {
      const isValue = hasCodec || getKind(type) === 'json'
      const itemsType = itemSchema && `AsyncIterable<${toType(itemSchema, 'response')}>`
      const bodyType = isValue ? toType(schema, 'response') : isRange(type) ? 'unknown' : 'RawBody'
      const body = `; readonly body: ${itemsType ?? bodyType}`
      return isChoice(content) ? `; readonly contentType: ${formatMediaType(type)}${body}` : body
    })
    const status = formatStatus(operation, response, key)
    // Other responses may have all its statuses.
    if (status === '') return []
    const headers = formatHeaders(operation, key, response, toType, serverHeaders)
    return (bodies.length > 0 ? bodies : ['']).map((body) => `  | { readonly status: ${status}${body}${headers} }`)
  })
  return `${formatComment(`The responses that the handler of ${operation.id} may return.`)}export type ${operation.typeName}Response =
${alternatives.join('\n') || '  never'}
`
}

/** For a class of statuses or `default`, the statuses of HTTP that have no response of their own and may have this one. */
function formatStatus({ responses }: Operation, response: Response, key: ResponseKey): string {
  if (typeof key === 'number') return String(key)
  const excluded = response.content.length === 0 ? [304] : STATUSES_WITHOUT_BODY
  const statuses = Object.keys(STATUS_CODES).map(Number)
  const isPossible = (status: number) => status >= 200 && !excluded.includes(status)
  return statuses.filter((status) => isPossible(status) && findResponseKey(responses, status) === key).join(' | ')
}

function formatHeaders(
  operation: Operation,
  key: ResponseKey,
  response: Response,
  toType: ToType,
  serverHeaders: readonly string[],
): string {
  const members = Object.entries(response.headers).flatMap(([name, header]) => {
    const { isSentByServer, mayBeReturned } = findSenders(name, header, operation, key, serverHeaders)
    if (!mayBeReturned) return []
    const isOptional = !header.required || isSentByServer
    return [{ isOptional, text: formatMember(name, toType(header.schema, 'response'), isOptional) }]
  })
  if (members.length === 0) return ''
  const areOptional = members.every(({ isOptional }) => isOptional)
  return `; readonly headers${areOptional ? '?' : ''}: { ${members.map(({ text }) => text).join('; ')} }`
}

function formatHandlers(operations: readonly NamedOperation[]): string {
  const members = operations.map((operation) => {
    const { id, deprecation, summary, typeName: name } = operation
    const words = [summary ?? [], deprecation === undefined ? [] : '(deprecated)'].flat()
    const comment = formatComment(words.length === 0 ? undefined : words.join(' '), '  ')
    return `${comment}  ${formatKey(id)}(request: ${name}Request<Caller>): Promise<${name}Response>`
  })
  return `/** The handler of each operation; \`Caller\` is the type of an authenticated client. */
export type Handlers<Caller> = {
${members.join('\n')}
}
`
}

function formatApi(operations: readonly Operation[]): string {
  const names = operations.flatMap(({ security }) => security.flat().map(({ name }) => JSON.stringify(name)))
  const schemes = names.length === 0 ? 'never' : [...new Set(names)].join(' | ')
  return `/** The types of this document for \`openapi\` of fastify-openapi-first; \`Caller\` is the type of an authenticated client. */
export type Api<Caller> = {
  readonly handlers: Handlers<Caller>
  readonly caller: Caller
  /** The security schemes that operations need. */
  readonly schemes: ${schemes}
}
`
}

function formatUrls(operations: readonly Operation[], toType: ToType): string {
  const members = operations.map((operation) => {
    const path = getParameters(operation, 'path').map(({ name, schema }) =>
      formatMember(name, toType(schema, 'request'), false),
    )
    const query = getParameters(operation, 'query').map(({ name, schema }) =>
      formatMember(name, `${toType(schema, 'request')} | undefined`, true),
    )
    const locations = [
      ...(path.length > 0 ? [`path: { ${path.join('; ')} }`] : []),
      ...(query.length > 0 ? [`query?: { ${query.join('; ')} }`] : []),
    ]
    const parameters = `parameters${path.length > 0 ? '' : '?'}: { ${locations.join('; ')} }`
    return `  ${formatKey(operation.id)}(${locations.length > 0 ? parameters : ''}): string`
  })
  return `/** Returns the path and query of each operation, from the root of the server. */
export type Urls = {
${members.join('\n')}
}
`
}

const SENT_REQUEST = `/** A request for \`fetch\`, without its URL. */
export type SentRequest = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}
`

/** Formats the functions that write the requests of webhooks and callbacks; nothing without them. */
function formatWebhooks(requests: readonly Operation[], toType: ToType): string[] {
  if (requests.length === 0) return []
  const formatBody = (request: Operation) => {
    const content = getSentContent(request)
    if (content === undefined) return ''
    const isJson = toPattern(content.type).test(JSON_TYPE) || getKind(content.type) === 'json'
    const type = isJson ? toType(content.schema, 'response') : "NonNullable<SentRequest['body']>"
    return `body${request.requestBody?.isRequired ? '' : '?'}: ${type}`
  }
  const members = Map.groupBy(requests, ({ path }) => path)
    .entries()
    .map(([path, pathRequests]) => {
      const methods = pathRequests.map((request) => `${formatKey(request.method)}(${formatBody(request)}): SentRequest`)
      const [onlyRequest] = pathRequests.length === 1 ? pathRequests : []
      return onlyRequest === undefined
        ? `  ${formatKey(path)}: { ${methods.join('; ')} }`
        : `${formatComment(onlyRequest.summary, '  ')}  ${formatKey(path)}(${formatBody(onlyRequest)}): SentRequest`
    })
  return [
    `/** The type of \`app.openapi.webhooks\`: writes the requests of webhooks, and of callbacks. */
export type Webhooks = {
${[...members].join('\n')}
}
`,
    SENT_REQUEST,
  ]
}

function formatMember(name: string, type: string, isOptional: boolean): string {
  return `readonly ${formatKey(name)}${isOptional ? '?' : ''}: ${type}`
}
