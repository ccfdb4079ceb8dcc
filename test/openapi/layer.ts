/**
 * The OpenAPI layer as a test uses it: with a document of the test's own, and nothing of the Animal Store.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { Test } from 'tap'
import {
  type Caller,
  type LoadOptions,
  loadDocument,
  type OpenApiDocument,
  type OpenApiOptions,
  openapi,
} from '../../src/openapi/index.ts'
import { DocumentError, HttpError, ServerError } from '../../src/openapi/shared/errors.ts'
import { type Call, type HttpResponse, send } from '../helpers/http.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

export interface LayerOptions extends Partial<OpenApiOptions> {
  /** The text of the document, or its bytes, unless `document` has it. */
  readonly source: string | Uint8Array
  readonly handlers: NonNullable<OpenApiOptions['handlers']>
  readonly routerOptions?: FastifyServerOptions['routerOptions']
}

/** Loads a document from its text. */
export async function load(t: Test, source: string | Uint8Array, options?: LoadOptions): Promise<OpenApiDocument> {
  const file = join(temporaryFolder(t), 'api.yaml')
  writeFileSync(file, source)
  return loadDocument(file, options)
}

/** Makes a Fastify instance whose error handler sends what errors say for people. */
export function createHost(t: Test, routerOptions?: LayerOptions['routerOptions']): FastifyInstance {
  const app = Fastify({ routerOptions: { maxParamLength: 1000, ...routerOptions } })
  t.teardown(() => app.close())
  app.setErrorHandler((error, _request, reply) => {
    const { headers = {}, statusCode = 500 } = error as Partial<HttpError>
    return reply
      .code(statusCode)
      .headers(headers)
      .send({ error: describe(error) })
  })
  return app
}

/** Returns the messages of the violations of a 400, and the details of an error of the server: apps have them as data alone. */
function describe(error: unknown): string {
  const { cause, message } = error as Error
  if (error instanceof ServerError) return (cause as Error).message
  const isOfRequest = error instanceof HttpError && ['invalid_request', 'malformed_json'].includes(error.code)
  if (!isOfRequest) return message
  const messages = error.violations.map((violation) => violation.message)
  return messages.slice(0, 10).join('; ') + (messages.length > 10 ? '; and more' : '')
}

/** Registers the operations of a document, with which the instance does not listen yet. Rejects as the layer does. */
export async function createLayer(t: Test, options: LayerOptions): Promise<FastifyInstance> {
  const { source, document = await load(t, source), routerOptions, ...others } = options
  const app = createHost(t, routerOptions)
  await app.register(openapi, { document, getDocumentationUrl: ({ id, tag }) => `/read-me#${tag}-${id}`, ...others })
  return app
}

export interface ListeningLayer {
  readonly app: FastifyInstance
  readonly origin: string
  /** Sends a request over a connection of its own. */
  call(method: string, path: string, call?: Call): Promise<HttpResponse>
}

/** Puts the operations of a document behind a real socket. */
export async function startLayer(t: Test, options: LayerOptions): Promise<ListeningLayer> {
  const app = await createLayer(t, options)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, origin, call: (method, path, call) => send(origin, method, path, call) }
}

/** A handler that is never called. */
export const idle = async (): Promise<never> => {
  throw new Error('this must not be called')
}

/** A security function that knows nobody. */
export const nobody = (): Caller | undefined => undefined

/**
 * Returns the lines with which the layer refuses to start, without the name of the file: `LINE:COL: what is wrong; what to
 * do`. None if it starts. Rejects with anything else that is thrown.
 */
export async function getRefusal(t: Test, options: LayerOptions): Promise<string[]> {
  try {
    await createLayer(t, options)
    return []
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    // The file is in a folder of its own.
    const name = /^[^:]*api\.yaml:/
    return error.message.split('\n').map((line) => {
      if (!name.test(line)) throw new Error(`a line without the name of the file: ${line}`)
      return line.replace(name, '').replace(/ \(see [^:]*:/, ' (see ')
    })
  }
}

/** Takes the marks « out of a document; returns the places `LINE:COLUMN` that they stand at, too. */
export function readMarked(text: string): { source: string; places: string[] } {
  const [first = '', ...rest] = text.split('«')
  const places: string[] = []
  let source = first
  for (const part of rest) {
    const lines = source.split('\n')
    places.push(`${lines.length}:${String(lines.at(-1)).length + 1}`)
    source += part
  }
  return { source, places }
}

/** The messages that a document of refusals/ has in its comments, in the order of its marks. */
export function readMistakes(text: string): string[] {
  return Array.from(text.matchAll(/^ *#! (.*)$/gm), ([, message = '']) => message)
}
