/**
 * Serves a document as `npm start` does, with what development adds: operations without a handler and security schemes
 * without a function are mocked, every response is validated, and the log is for people.
 */
import { Server } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { loadDocument, type OpenApiDocument, type OpenApiOptions, type SecurityFunction } from 'fastify-openapi-first'
import { mocks } from 'fastify-openapi-first/mocks'
import { computeDigests, findBaseUrls, getBasePath, type ReadOptions } from 'fastify-openapi-first/tools'
import digests from '../../generated/digests.json' with { type: 'json' }
import { buildApp } from '../../src/app.ts'
import { loadConfig, readEnvironment } from '../../src/config.ts'
import { createLogger, loadPrettifier } from '../../src/logger.ts'
import { checkKeyTtl } from '../../src/pets/key-ttl.ts'
import { checkMembers } from '../../src/pets/members.ts'
import { ensureApiKey, logUpgrade } from '../../src/serve.ts'
import { openStore } from '../../src/stores/open.ts'
import { areTablesEdited, openScratchStore } from './scratch.ts'

/**
 * Serves the document in a file, whose other files are in `documentFolder`; a scratch store is in `folder`. Tells the parent
 * process the path of each file before it is read. Returns the routes, as `GET /v1/pets (listPets)`, and the function that
 * finishes the requests in progress and ends the process.
 */
export async function serve(file: string, documentFolder: string, folder: string) {
  const { app, config, isOurs, logger, paths, keep, store } = await build(
    file,
    folder,
    readEnvironment(),
    process.stdout,
    { root: documentFolder, onRead: (path) => process.send?.(path) },
  )
  const address = await app.listen({
    host: config.host,
    port: config.port,
    listenTextResolver: (address) => `API: ${address}${paths.base}, documentation: ${address}${paths.docs}`,
  })
  keep()
  // Not waited for: to finish must be possible meanwhile.
  if (isOurs) void ensureApiKey(store, config, address + paths.example, logger)
  const { basePath, operations } = app.openapi
  const routes = operations.map(({ id, method, path }) => `${method.toUpperCase()} ${basePath}${path} (${id})`)
  const finish = () => {
    // From now on, the next version accepts the connections. `app.close` would accept those that wait.
    Server.prototype.close.call(app.server, () => void app.close().then(() => process.exit()))
    setTimeout(() => app.server.closeAllConnections(), config.requestTimeout)
  }
  return { routes, finish }
}

/** Builds the service for the document in a file. Rejects with a DocumentError or StartupError. */
export async function build(
  file: string,
  folder: string,
  environment: NodeJS.ProcessEnv,
  destination: { write(line: string): void },
  readOptions?: ReadOptions,
) {
  const isOwn = resolve(file) === fileURLToPath(new URL('../../openapi.yaml', import.meta.url))
  const document = await loadServable(file, isOwn, readOptions)
  const isOurs = isOwn || isVariant(document)
  const config = loadConfig(environment, findBaseUrls(document))
  if (isOurs) {
    checkMembers(document)
    checkKeyTtl(document)
  }
  const secrets = config.apiKeys.map(({ key }) => key)
  const prettify = await loadPrettifier(process.stdout.isTTY)
  const logger = createLogger({ level: config.logLevel, destination, prettify, secrets })
  if (config.warning !== undefined) logger.warn(config.warning)
  if (!isOurs) logger.info('this document has no operation of this service, whose handlers and store are left out')
  const { store, keep } = await open()
  try {
    const { app, paths } = await buildApp({
      config: { ...config, maxInFlight: 0, validateResponses: true },
      document,
      store,
      logger,
      extend: (app, options) => {
        closeConnections(app)
        // Other servers of another document may have other paths.
        const basePath = getBasePath(document.root, config.servers)
        const ownOptions = isOurs ? options : { ...options, basePath, handlers: {}, routes: {}, security: {} }
        return { ...completeOptions(ownOptions, (note) => logger.info(note)), missingHandlers: mocks }
      },
    })
    app.addHook('onClose', () => store.close())
    return { app, config, isOurs, logger, paths, keep, store }
  } catch (error) {
    await store.close()
    throw error
  }

  /** Opens the store of the document; `keep` must be called when the service listens. */
  async function open() {
    const keep = () => {}
    if (!isOurs) return { store: await openStore('sqlite::memory:'), keep }
    if (areTablesEdited()) {
      logger.info('tables.ts has changes that are not committed, so animals and keys are in a scratch store')
      return openScratchStore(folder)
    }
    return { store: await openStore(config.databaseUrl, { mayUpgrade: isOwn, onUpgrade: logUpgrade(logger) }), keep }
  }
}

/**
 * Loads a document, without the operations that have mistakes. Rejects if it is the spec or a variant of that: while one edits
 * them, a mistake must not take an operation away, and the last good version goes on.
 */
async function loadServable(file: string, isOwn: boolean, readOptions?: ReadOptions): Promise<OpenApiDocument> {
  try {
    return await loadDocument(file, readOptions)
  } catch (error) {
    if (isOwn) throw error
    const document = await loadDocument(file, { ...readOptions, problems: 'skip' })
    if (isVariant(document)) throw error
    return document
  }
}

/** Completes the options of the layer, so that they match every document; `note` is told what has been changed. */
function completeOptions(options: OpenApiOptions, note: (text: string) => void): OpenApiOptions {
  const { document, handlers = {}, routes = {}, security = {} } = options
  const ids = document.operations.map(({ id }) => id)
  const spareIds = Object.keys(handlers).filter((id) => !ids.includes(id))
  if (spareIds.length > 0) note(`handlers without an operation, which are left out: ${spareIds.join(', ')}`)
  const schemes = new Set(document.operations.flatMap(({ security }) => security.flat().map(({ name }) => name)))
  const openSchemes = [...schemes].filter((name) => !Object.hasOwn(security, name))
  if (openSchemes.length > 0) {
    note(`security schemes without a function, which accept any credential: ${openSchemes.join(', ')}`)
  }
  return {
    ...options,
    handlers: Object.fromEntries(Object.entries(handlers).filter(([id]) => ids.includes(id))),
    routes: Object.fromEntries(Object.entries(routes).filter(([id]) => ids.includes(id))),
    security: { ...security, ...Object.fromEntries(openSchemes.map((name) => [name, acceptAnyone])) },
  }
}

/** Accepts every credential that is not malformed, as a client with every scope. */
const acceptAnyone: SecurityFunction = (credential) =>
  credential === '' ? undefined : { id: 'anyone', name: 'anyone', scopes: 'all' }

/**
 * True for variants of the document of this service, which have an operation that the types of the handlers were generated from.
 * Others may have an operation that has the same name, and nothing else in common.
 */
function isVariant(document: OpenApiDocument): boolean {
  const { operations } = computeDigests(document)
  const ourDigests = new Set<string>(Object.values(digests.operations))
  return Object.values(operations).some((digest) => ourDigests.has(digest))
}

/** Closes the connection after each response: a kept one would keep the version that it was opened with. */
function closeConnections(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    raw.headers.connection = 'close'
    reply.raw.shouldKeepAlive = false
    done()
  })
}
