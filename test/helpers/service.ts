/**
 * The service as a test sees it: the real app on a real store and a real socket, every response of which is held against
 * the document.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { type AppOptions, buildApp } from '../../src/app.ts'
import { createKey, hashKey } from '../../src/auth/keys.ts'
import { type Config, loadConfig } from '../../src/config.ts'
import { createLogger } from '../../src/logger.ts'
import { readDocument } from '../../src/openapi/document/read.ts'
import { loadDocument, type OpenApiDocument } from '../../src/openapi/index.ts'
import { createContract } from './contract.ts'
import { type Call, send } from './http.ts'
import { openAt } from './stores.ts'
import { temporaryFolder } from './temporary.ts'

/** The file that states the contract, or the first of its files. */
export const contractFile = join(import.meta.dirname, '../../openapi.yaml')

/** The text of the contract; one of several files is a text without references to files. */
export const spec = String(readDocument(contractFile).source)

/** Returns the spec with `GET /births`, the operation `watchBirths`, whose 200 has this content: a stream of items. */
export function addStream(content: string): string {
  const operation = `  /births:
    get:
      operationId: watchBirths
      security: []
      responses: { "200": { description: Animals that are born., content: ${content} } }
`
  return spec.replace('openapi: 3.1.0', 'openapi: 3.2.0').replace('\ncomponents:', `${operation}\ncomponents:`)
}

/** The configuration, with defaults for tests and a new SQLite file, and what else differs. */
export interface ServiceOptions extends Partial<Config>, Pick<AppOptions, 'extend'> {
  /** The text of the document; by default that of the spec. */
  readonly source?: string
  /** The other files of the spec, by name. */
  readonly parts?: Readonly<Record<string, string>>
  /** The path of the servers, where `servers` has them lead elsewhere than the document does. */
  readonly base?: string
}

export interface ServiceCall extends Call {
  /** The API key; by default the service's own. With null, no key is sent. */
  readonly key?: string | null | undefined
}

export type Service = Awaited<ReturnType<typeof startService>>

/** The specs that have been read, by their text: most tests use the same one. */
const documents = new Map<string, OpenApiDocument>()

/** Starts the service; it is stopped after the test. */
export async function startService(t: Test, options: ServiceOptions = {}) {
  const folder = temporaryFolder(t)
  const { source = spec, parts, base, extend, ...others } = options
  const databaseUrl = `sqlite:${join(folder, 'animals.db')}`
  const config = { ...loadConfig({}), databaseUrl, maxInFlight: 0, validateResponses: true, ...others }
  const file = join(folder, 'openapi.yaml')
  for (const [name, text] of Object.entries({ ...parts, 'openapi.yaml': source }))
    writeFileSync(join(folder, name), text)
  const lines: string[] = []
  const logger = createLogger({ level: 'trace', destination: { write: (line) => void lines.push(line) } })
  const store = await openAt(t, config.databaseUrl)
  const key = createKey()
  await store.keys.add('tests', hashKey(key))
  const document = documents.get(source) ?? (await loadDocument(file))
  if (parts === undefined) documents.set(source, document)
  const { app, shutdown, getInFlight } = await buildApp({ config, document, store, logger, ...(extend && { extend }) })
  t.teardown(() => app.close())
  const { length } = lines
  const origin = await app.listen({ host: config.host, port: 0 })
  // Fastify logs the address.
  lines.length = length
  const contract = createContract(String(document.source), base)

  /** Sends a request with the key. Rejects when the response is not as the document says. */
  async function call(method: string, path: string, { key: given = key, headers, ...rest }: ServiceCall = {}) {
    const authorization = given === null ? {} : { authorization: `Bearer ${given}` }
    const response = await send(origin, method, path, { ...rest, headers: { ...authorization, ...headers } })
    contract.check({ method, path, ...response })
    return response
  }

  return {
    /** Where it listens: `http://127.0.0.1:PORT`. */
    origin,
    /** An active key, whose name is `tests`. */
    key,
    store,
    contract,
    shutdown,
    getInFlight,
    call,
    /** Stops it before the end of the test. */
    stop: () => app.close(),
    /** The events in the log so far. */
    logged: (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line)),
  }
}
