/**
 * The engine as a test sees it: over a document of the test's own, without anything of the Animal Store.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { type ApiOptions, createApi } from '../../src/openapi/api.ts'
import { DocumentError, loadDocument } from '../../src/openapi/document.ts'
import { MethodNotAllowedError, UnsupportedMediaTypeError } from '../../src/openapi/errors.ts'
import { JsonError } from '../../src/openapi/request/json.ts'
import { InvalidRequestError } from '../../src/openapi/request/violations.ts'
import { addOperations, ROUTER_OPTIONS } from '../../src/openapi/routes.ts'
import type { UrlOf } from '../../src/openapi/types.ts'
import { type Answer, type Call, send } from '../helpers/http.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

/** Who sends a request. */
export interface Caller {
  readonly id: string
  readonly name: string
}

export interface EngineOptions<Operations>
  extends Partial<Omit<ApiOptions<Operations, Caller>, 'document' | 'handlers'>> {
  /** The document: its text, or its bytes. */
  readonly source: string | Uint8Array
  readonly handlers: ApiOptions<Operations, Caller>['handlers']
}

export interface Engine<Operations> {
  readonly app: FastifyInstance
  readonly urlOf: UrlOf<Operations>
  /** What the log has from the level of warnings on, and what it says of deprecated operations. */
  readonly logged: readonly Record<string, unknown>[]
}

/** The statuses of what the engine throws; what they say is sent as it is. */
const STATUSES = new Map<unknown, number>([
  [InvalidRequestError, 400],
  [JsonError, 400],
  [MethodNotAllowedError, 405],
  [UnsupportedMediaTypeError, 415],
])

/** Puts the operations of a document into a Fastify instance, which does not listen yet. Throws as the engine does. */
export function createEngine<Operations>(t: Test, options: EngineOptions<Operations>): Engine<Operations> {
  const { source, ...api } = options
  const file = join(temporaryFolder(t), 'api.yaml')
  writeFileSync(file, source)
  const logged: Record<string, unknown>[] = []
  const app = Fastify({
    routerOptions: ROUTER_OPTIONS,
    logger: { level: 'info', stream: { write: (line: string) => void logged.push(JSON.parse(line)) } },
  })
  t.teardown(() => app.close())
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const status = STATUSES.get(error.constructor) ?? error.statusCode ?? 500
    if (error instanceof MethodNotAllowedError) reply.header('Allow', error.allow)
    reply.code(status).send({ error: error.message })
  })
  const checked = createApi<Operations, Caller>({
    document: loadDocument(file),
    authenticators: {},
    servers: {},
    documentationOf: ({ id, tag }) => `/read-me#${tag}-${id}`,
    ...api,
  })
  return { app, urlOf: addOperations(app, checked), logged }
}

export interface ListeningEngine<Operations> extends Engine<Operations> {
  readonly origin: string
  /** Sends a request over a connection of its own. */
  call(method: string, path: string, call?: Call): Promise<Answer>
}

/** Puts the operations of a document behind a real socket. */
export async function startEngine<Operations>(
  t: Test,
  options: EngineOptions<Operations>,
): Promise<ListeningEngine<Operations>> {
  const engine = createEngine(t, options)
  const origin = await engine.app.listen({ port: 0, host: '127.0.0.1' })
  return { ...engine, origin, call: (method, path, call) => send(origin, method, path, call) }
}

/** A handler, or an authenticator, that nobody calls. */
export const idle = async (): Promise<never> => {
  throw new Error('nobody is to call this')
}

/**
 * The lines with which the engine refuses to start, without the name of the file: `LINE:COL: what is wrong; what to do`.
 * None where it starts. Rejects with anything else that is thrown.
 */
export function refusal(t: Test, options: EngineOptions<object>): string[] {
  try {
    createEngine(t, options)
    return []
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    // The file stands in a folder of its own.
    const name = /^[^:]*api\.yaml:/
    return error.message.split('\n').map((line) => {
      if (!name.test(line)) throw new Error(`a line without the name of the file: ${line}`)
      return line.replace(name, '')
    })
  }
}
