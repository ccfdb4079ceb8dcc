/**
 * Mocks: responses with examples of the document, or else with values that are made from its schemas. `Prefer` (RFC 7240) chooses
 * another status with `code=404`.
 */
import { Readable } from 'node:stream'
import type { OpenApiDocument } from '../check/document.ts'
import type { Schema } from '../document/model.ts'
import { findResponse, getKind, isChoice, MEDIA_TYPE, type Operation } from '../document/operations.ts'
import { resolve } from '../document/resolve.ts'
import { toObject, type Values } from '../document/values.ts'
import { getHandlerHeaders, type HandlerHeaders, type ServerHeaders } from '../response/headers.ts'
import type { SchemaViews } from '../schema/view.ts'
import { HttpError } from '../shared/errors.ts'
import { chooseType, findImage, formatBody } from './media.ts'
import type { Sampled, Sampler } from './sample.ts'

/** A media type or a header. */
interface Exemplified {
  readonly type?: string
  readonly schema?: Schema
  readonly hasCodec?: boolean
  readonly example?: unknown
  readonly examples?: unknown
}
type GetExample = (media: Exemplified, part: string, what: string) => Promise<unknown>

/** What a request says of the response that it wants. */
export interface MockRequest {
  /** The value of the header `Prefer`. */
  readonly prefer: string | undefined
  /** The media type that the client prefers, if the operation has several. */
  readonly accept: string | undefined
}

/** A response as a handler returns it. */
export interface MockResponse {
  readonly status: number
  readonly headers: HandlerHeaders
  readonly body?: unknown
  readonly contentType?: string
}

/** Rejects with a 400 if the preferred status is not declared, and with a 500 if no valid value can be made of a schema. */
export type Mock = (request: MockRequest) => Promise<MockResponse>

/** Creates the function that creates the mock of an operation. Headers that the server sends are not mocked. */
export function createMocks(document: OpenApiDocument, serverHeaders: ServerHeaders): (operation: Operation) => Mock {
  const getExample = createExamples(document)
  return (operation) => createMock(operation, serverHeaders, document.compile.views, getExample)
}

function createMock(
  operation: Operation,
  serverHeaders: ServerHeaders,
  views: SchemaViews,
  getExample: GetExample,
): Mock {
  const { id, responses } = operation
  const keys = [...responses.keys()]
  // Made once, because values are remembered by these objects.
  const items = new Map(
    [...responses.values()].flatMap(({ content }) => content.map((media) => [media, { schema: media.itemSchema }])),
  )
  return async ({ accept, prefer }) => {
    // RFC 7240, section 2; the names of preferences ignore case.
    const [, code] = /(?<![\w-])code[ \t]*=[ \t]*"?([^\s,;"]+)/i.exec(prefer ?? '') ?? []
    const firstKey = keys.find((key) => /^2/.test(String(key))) ?? keys[0]
    const status = Number(code ?? (firstKey === 'default' ? 200 : String(firstKey).replace('XX', '00')))
    const response = findResponse(responses, status)
    const key = keys.find((key) => responses.get(key) === response)
    if (response === undefined || key === undefined || !/^[2-5]\d\d$/.test(String(status))) {
      const message = `Prefer: "${id}" declares no response ${code}; prefer one of: ${keys.join(', ')}`
      throw new HttpError(400, 'invalid_request', message)
    }
    const what = `"${id}" has no handler, and its response ${key}`
    const headerEntries = getHandlerHeaders(response, serverHeaders, operation, key).map(async (name) => {
      const example = await getExample(response.headers[name] ?? {}, name, `${what} has the header ${name}, which`)
      return [name, example]
    })
    const headers = Object.fromEntries(await Promise.all(headerEntries))
    const content = response.content.find(({ type }) => type === accept) ?? response.content[0]
    if (content === undefined) return { status, headers }
    const { itemSchema } = content
    if (itemSchema !== undefined) {
      const item = await getExample(items.get(content) as Exemplified, 'item', what)
      return { status, headers, body: Readable.from([item, item, item]), contentType: content.type }
    }
    const view = views.get(content.schema)
    const contentType = chooseType(content.type, view)
    const hasExample = content.example !== undefined || content.examples !== undefined
    const image = hasExample || content.hasCodec ? undefined : findImage(contentType)
    const value = image ?? (await getExample(content, 'body', what))
    const body = image === undefined && !content.hasCodec ? formatBody(contentType, value, view) : value
    return { status, headers, body, ...(isChoice(response.content) && { contentType }) }
  }
}

/**
 * Makes the function that returns the first valid example of a media type or header, or else a value that is made from the
 * schema. `part` and `what` name it in the error if none can be made. An example is looked for once.
 */
function createExamples(document: OpenApiDocument): GetExample {
  const { root, compile } = document
  const sampledValues = new Map<object, Promise<Sampled>>()
  let sampler: Promise<Sampler> | undefined
  const load = async () => (await import('./sample.ts')).createSampler(document)

  async function find(
    { example, examples, schema = {}, type = MEDIA_TYPE, hasCodec = false }: Exemplified,
    part: string,
  ): Promise<Sampled> {
    const validate = compile(schema)
    const isValue = hasCodec || getKind(type) === 'json'
    const exampleValues = Object.values(toObject(examples)).flatMap((reference) => {
      // In 3.2, `dataValue` is the value, and `serializedValue` is its text (Example Object).
      const { value, dataValue, serializedValue } = resolve<Values>(root, toObject(reference))
      return [value, dataValue, ...(isValue ? [] : [serializedValue])]
    })
    // The text of another media type, such as XML, is not what its schema describes.
    const isText = (value: unknown) => typeof value === 'string' && !isValue
    const isValid = (value: unknown) => isText(value) || 'value' in validate(structuredClone(value))
    const validExample = [example, ...exampleValues].find((value) => value !== undefined && isValid(value))
    if (validExample !== undefined) return { value: validExample }
    // Few documents need it, and it takes a while to load.
    sampler ??= load()
    return (await sampler)(schema, part)
  }

  return async (media, part, what) => {
    const sampled = sampledValues.get(media) ?? find(media, part)
    sampledValues.set(media, sampled)
    const result = await sampled
    if ('value' in result) return result.value
    const message = `${what} has no valid example, and none can be made from its schema: ${result.problem}; add one`
    throw new HttpError(500, 'internal_error', message)
  }
}
