/**
 * The service as a test sees it: the real app on a real store and a real socket, every response of which is held against
 * the document.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { type AppOptions, buildApp } from '../../src/app.ts'
import { createKey, hashKey } from '../../src/auth/keys.ts'
import { type Config, loadConfig } from '../../src/config.ts'
import { createLogger } from '../../src/logger.ts'
import { loadDocument, type OpenApiDocument } from '../../src/openapi/index.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { openStore } from '../../src/stores/open.ts'
import type { Store } from '../../src/stores/store.ts'
import { type Contract, createContract } from './contract.ts'
import { type Call, type HttpResponse, send } from './http.ts'
import { temporaryFolder } from './temporary.ts'

/** The file that states the contract. */
export const contractFile = join(import.meta.dirname, '../../openapi.yaml')

/** The configuration, with defaults for tests, and what else differs. */
export interface ServiceOptions extends Partial<Config>, Pick<AppOptions, 'plugins'> {
  /** The URL of the store; by default a new SQLite file. */
  readonly databaseUrl?: string
  /** How long the store may keep a caller waiting, in milliseconds. */
  readonly timeout?: number
  /** The text of the document; by default that of openapi.yaml. */
  readonly source?: string
  /** The path of the servers, where `servers` has them lead elsewhere than the document does. */
  readonly base?: string
}

export interface ServiceCall extends Call {
  /** The API key; by default the service's own. With null, no key is sent. */
  readonly key?: string | null | undefined
}

export interface Service {
  /** Where it listens: `http://127.0.0.1:PORT`. */
  readonly origin: string
  /** An active key, whose name is `tests`. */
  readonly key: string
  readonly store: Store
  readonly contract: Contract
  readonly shutdown: Shutdown
  readonly getInFlight: () => number
  /** Sends a request with the key. Rejects when the response is not as the document says. */
  call(method: string, path: string, call?: ServiceCall): Promise<HttpResponse>
  /** Stops it before the end of the test. */
  stop(): Promise<void>
  /** The events in the log so far. */
  logged(): Record<string, unknown>[]
}

/** The specs that have been read, by their text: most tests use the same one. */
const documents = new Map<string, OpenApiDocument>()

/** Starts the service; it is stopped after the test. */
export async function startService(t: Test, options: ServiceOptions = {}): Promise<Service> {
  const folder = temporaryFolder(t)
  // The store is waited for longer than it takes on a busy machine.
  const {
    databaseUrl,
    timeout = 20_000,
    source = readFileSync(contractFile, 'utf8'),
    base,
    plugins = [],
    ...others
  } = options
  // Without limits of load: a busy machine is late.
  const limits = { maxEventLoopDelay: 0, maxInFlight: 0 }
  const config = { ...loadConfig({}), ...limits, validateResponses: true, ...others }
  const file = join(folder, 'openapi.yaml')
  writeFileSync(file, source)
  const lines: string[] = []
  const logger = createLogger({
    level: 'trace',
    destination: { write: (line) => void lines.push(line) },
  })

  const store = await openStore(databaseUrl ?? `sqlite:${join(folder, 'animals.db')}`, { timeoutMs: timeout })
  t.teardown(() => store.close())
  const key = createKey()
  await store.keys.add('tests', hashKey(key))
  const document = documents.get(source) ?? (await loadDocument(file))
  documents.set(source, document)
  const { app, shutdown, getInFlight } = await buildApp({ config, document, store, logger, plugins })
  t.teardown(() => app.close())
  const { length } = lines
  const origin = await app.listen({ host: config.host, port: 0 })
  // Fastify logs the address.
  lines.length = length
  const contract = createContract(source, base)

  return {
    origin,
    key,
    store,
    contract,
    shutdown,
    getInFlight,
    call: async (method, path, { key: given = key, headers, ...rest } = {}) => {
      const authorization = given === null ? {} : { authorization: `Bearer ${given}` }
      const response = await send(origin, method, path, { ...rest, headers: { ...authorization, ...headers } })
      contract.check({ method, path, ...response })
      return response
    },
    stop: async () => void (await app.close()),
    logged: () => lines.map((line) => JSON.parse(line)),
  }
}
