/**
 * The OpenAPI layer as a test uses it: with a document of the test's own, and nothing of the Animal Store.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { DocumentError, HttpError } from '../../src/errors.ts'
import { createNotFound } from '../../src/http/routing.ts'
import { loadDocument } from '../../src/openapi/document/load.ts'
import {
  type Api,
  addOperations,
  compileApi,
  FASTIFY_OPTIONS,
  type OpenApiDocument,
  type Security,
  type Stages,
  sendResponse,
} from '../../src/openapi/index.ts'
import type { ApiOptions } from '../../src/openapi/plan.ts'
import { digestsOf } from '../helpers/digests.ts'
import { type Call, type HttpResponse, send } from '../helpers/http.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

/** The client of a request. */
export interface Caller {
  readonly id: string
  readonly name: string
}

export interface LayerOptions extends Partial<Omit<ApiOptions, 'handlers'>> {
  /** The text of the document, or its bytes, unless `document` has it. */
  readonly source: string | Uint8Array
  readonly handlers: ApiOptions['handlers']
  readonly authenticators?: Security['authenticators']
}

export interface Layer {
  readonly app: FastifyInstance
  readonly api: Api
}

/** The stages of a service that adds nothing, and sends the messages of errors as they are. */
export function createStages(app: FastifyInstance, { basePath, publicBasePath }: Api): Stages {
  const stages: Stages = {
    notFound: createNotFound(app, basePath, publicBasePath),
    admit: () => {},
    limit: () => {},
    toHttpError: (thrown) => {
      if (thrown instanceof HttpError) return thrown
      const { message, statusCode = 500 } = thrown as Error & { statusCode?: number }
      return new HttpError(statusCode, 'internal_error', message)
    },
    toErrorBody: ({ message }) => ({ error: message }),
    addHeaders: () => {},
    admitAndRefuse: (reply, getError) => stages.refuse(reply, getError(reply.request)),
    refuse: (reply, error) => {
      const { status, headers, message } = stages.toHttpError(error, reply.request)
      sendResponse(reply, status, Object.entries(headers).flat(), JSON.stringify({ error: message }))
    },
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) stages.refuse(reply, stages.notFound(request))
    else done()
  })
  return stages
}

function load(t: Test, source: string | Uint8Array): OpenApiDocument {
  const file = join(temporaryFolder(t), 'api.yaml')
  writeFileSync(file, source)
  return loadDocument(file)
}

/** Adds the operations of a document to a Fastify instance, which does not listen yet. Throws as the layer does. */
export function createLayer(t: Test, options: LayerOptions): Layer {
  const { source, document = load(t, source), authenticators = {}, ...others } = options
  const app = Fastify(FASTIFY_OPTIONS)
  t.teardown(() => app.close())
  const api = compileApi({
    document,
    security: {
      authenticators,
      createRefusal: () => () =>
        new HttpError(401, 'missing_key', 'no credentials', { headers: { 'WWW-Authenticate': 'Test' } }),
    },
    samples: { getErrorBodies: () => [{ error: 'the problem' }], getHeaders: () => ({}) },
    servers: {},
    digests: digestsOf(document),
    getDocumentationUrl: ({ id, tag }) => `/read-me#${tag}-${id}`,
    ...others,
  })
  addOperations(app, api, createStages(app, api))
  return { app, api }
}

export interface ListeningLayer extends Layer {
  readonly origin: string
  /** Sends a request over a connection of its own. */
  call(method: string, path: string, call?: Call): Promise<HttpResponse>
}

/** Puts the operations of a document behind a real socket. */
export async function startLayer(t: Test, options: LayerOptions): Promise<ListeningLayer> {
  const layer = createLayer(t, options)
  const origin = await layer.app.listen({ port: 0, host: '127.0.0.1' })
  return { ...layer, origin, call: (method, path, call) => send(origin, method, path, call) }
}

/** A handler, or an authenticator, that is never called. */
export const idle = async (): Promise<never> => {
  throw new Error('this must not be called')
}

/**
 * Returns the lines with which the layer refuses to start, without the name of the file: `LINE:COL: what is wrong; what to
 * do`. None if it starts. Rejects with anything else that is thrown.
 */
export function getRefusal(t: Test, options: LayerOptions): string[] {
  try {
    createLayer(t, options)
    return []
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    // The file is in a folder of its own.
    const name = /^[^:]*api\.yaml:/
    return error.message.split('\n').map((line) => {
      if (!name.test(line)) throw new Error(`a line without the name of the file: ${line}`)
      return line.replace(name, '')
    })
  }
}
