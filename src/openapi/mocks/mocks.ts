/**
 * The entry `fastify-openapi-first/mocks`, for the option `missingHandlers`: operations without a handler respond with examples of
 * the document. `Prefer` (RFC 7240) chooses a status by `code=404`, and an example by `example=NAME`.
 */
import '../shared/node-version.ts'

import type { OpenApiDocument } from '../check/document.ts'
import { isChoice, isRange, JSON_TYPE, type MediaType, toPattern } from '../document/content.ts'
import type { OpenApi } from '../document/model.ts'
import type { Operation } from '../document/operations.ts'
import { getValueAt, toPointer } from '../document/pointers.ts'
import { getReferences } from '../document/references.ts'
import { findResponse, findResponseKey, type Header, type Response, type ResponseKey } from '../document/responses.ts'
import { toObject } from '../document/values.ts'
import type { Mock } from '../operation/implementation.ts'
import { getHandlerHeaders, type HandlerHeaders, type ServerHeaders } from '../response/headers.ts'
import { HttpError } from '../shared/errors.ts'
import { createExamples, type Examples } from './examples.ts'
import { parsePreferences } from './preferences.ts'

/** Creates the mocks of a document's operations. A mock rejects with a 501 where the document lacks an example. */
export function mocks(document: OpenApiDocument, serverHeaders: ServerHeaders): (operation: Operation) => Mock {
  const examples = createExamples(document)
  return (operation) => createMock({ document, examples, operation, serverHeaders })
}

/** What the mock of an operation is made from. */
interface MockContext {
  readonly document: OpenApiDocument
  readonly examples: Examples
  readonly operation: Operation
  /** The headers that the app sends. They are not mocked. */
  readonly serverHeaders: ServerHeaders
}

/** A declared response, with one of the statuses of its key. */
interface DeclaredResponse {
  readonly status: number
  readonly key: ResponseKey
  readonly response: Response
}

function createMock(context: MockContext): Mock {
  return async (request, reply, accept) => {
    // A cached response depends on the preferences of its request (RFC 7240, section 2).
    reply.header('vary', [reply.getHeader('vary') ?? [], 'Prefer'].flat().join(', '))
    const preferences = parsePreferences(request.headers.prefer?.toString())
    const [code, name] = [preferences.get('code'), preferences.get('example')]
    const declared = chooseResponse(context.operation, code?.value)
    checkEncoding(context, declared)
    const headers = mockHeaders(context, declared)
    const { isNamed, ...body } = mockBody(context, declared, accept, name?.value)
    const applied = [code?.value === String(declared.status) && code.text, isNamed && name?.text].filter(Boolean)
    if (applied.length > 0) reply.header('preference-applied', applied.join(', '))
    return { status: declared.status, headers, ...body }
  }
}

/** Chooses the response with the preferred status; without a declared one, the first success, or else the first response. */
function chooseResponse({ responses }: Operation, preferredStatus = ''): DeclaredResponse {
  const keys = [...responses.keys()]
  const firstKey = keys.find((key) => /^2/.test(String(key))) ?? keys[0] ?? 'default'
  const firstStatus = firstKey === 'default' ? 200 : Number(String(firstKey).replace('XX', '00'))
  const statuses = /^[2-5]\d\d$/.test(preferredStatus) ? [Number(preferredStatus), firstStatus] : [firstStatus]
  const [declared] = statuses.flatMap((status): DeclaredResponse[] => {
    const response = findResponse(responses, status)
    const key = findResponseKey(responses, status)
    return response === undefined || key === undefined ? [] : [{ status, key, response }]
  })
  if (declared === undefined) throw new Error('an operation has no responses')
  return declared
}

/** Throws the 501 for a response that always has a Content-Encoding: the body of a mock is not encoded. */
function checkEncoding(context: MockContext, { key, response }: DeclaredResponse): void {
  for (const [name, header] of Object.entries(response.headers)) {
    const isAlwaysSent = header.required === true || header.constant !== undefined
    if (!isAlwaysSent || name.toLowerCase() !== 'content-encoding') continue
    throw createNotImplemented(context, 'a mock cannot have the encoding', [key, 'headers', name], 'write a handler')
  }
}

/** Makes the headers that a handler must set. */
function mockHeaders(context: MockContext, { key, response }: DeclaredResponse): HandlerHeaders {
  const { examples, operation, serverHeaders } = context
  const headers: Record<string, HandlerHeaders[string]> = {}
  for (const name of getHandlerHeaders(response, serverHeaders, operation, key)) {
    headers[name] = examples.findHeaderValue(response.headers[name] as Header)
    if (headers[name] === undefined) throw createNoExample(context, [key, 'headers', name, 'schema'])
  }
  return headers
}

/** Makes the body of a response. `isNamed` is true if the body is the example with the name. */
function mockBody(
  context: MockContext,
  { key, response }: DeclaredResponse,
  accept: string | undefined,
  name: string | undefined,
) {
  const content = response.content.find(({ type }) => type === accept) ?? response.content[0]
  if (content === undefined) return { isNamed: false }
  const contentType = chooseType(content, context)
  if (contentType === undefined) {
    throw createNotImplemented(
      context,
      'no media type is known of the range',
      [key, 'content', content.type],
      'name a media type',
    )
  }
  const { findBody } = context.examples
  const namedValue = name === undefined ? undefined : findBody(content, contentType, name)
  const value = namedValue === undefined ? findBody(content, contentType) : namedValue
  const schemaField = content.itemSchema === undefined ? 'schema' : 'itemSchema'
  if (value === undefined) throw createNoExample(context, [key, 'content', content.type, schemaField])
  const body = content.itemSchema === undefined ? value : toAsyncItems(value as unknown[])
  return { isNamed: namedValue !== undefined, body, ...(isChoice(response.content) && { contentType }) }
}

/** Returns the items of a stream one by one. `Readable.from` fails at an item that is null. */
async function* toAsyncItems(items: readonly unknown[]): AsyncGenerator<unknown> {
  yield* items
}

/** Chooses a media type of a range, which is JSON if it can be; undefined if the range is of other types, such as images. */
function chooseType({ type, schema }: MediaType, { document }: MockContext): string | undefined {
  if (!isRange(type)) return type
  const { mayBeBytes } = document.compile.views.get(schema)
  const types = mayBeBytes ? ['application/octet-stream'] : [JSON_TYPE, 'text/plain']
  return types.find((candidate) => toPattern(type).test(candidate))
}

function createNoExample(context: MockContext, path: readonly (string | number)[]): HttpError {
  return createNotImplemented(context, 'no valid value is known of the schema', path, 'add an example')
}

/** Creates the 501 of a response that cannot be mocked because of a value in the document; `path` leads there from `responses`. */
function createNotImplemented(
  { document, operation }: MockContext,
  problem: string,
  path: readonly (string | number)[],
  advice: string,
): HttpError {
  const place = document.locate(findPart(document.root, operation.pointer, ['responses', ...path.map(String)]))
  const message = `"${operation.id}" has no handler, and ${problem} at ${place}; ${advice}`
  return new HttpError(501, 'not_implemented', message)
}

/** Returns the pointer to a part of the value at a pointer, through the references on the way. */
function findPart(root: OpenApi, pointer: string, path: readonly string[]): string {
  return path.reduce((ownerPointer, name) => {
    const pointer = getReferences(root).resolvePointer(ownerPointer)
    // Media types are in lower case.
    const names = Object.keys(toObject(getValueAt(root, pointer)))
    return pointer + toPointer(names.find((key) => key.toLowerCase() === name.toLowerCase()) ?? name)
  }, pointer)
}
