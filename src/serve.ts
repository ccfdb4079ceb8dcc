/** Runs the service: opens the store, listens, makes the first API key, and ends gracefully. Also checks if it could start. */
import { writeFileSync } from 'node:fs'
import { isatty } from 'node:tty'
import { setFlagsFromString } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import { loadDocument } from 'fastify-openapi-first'
import { findBaseUrls } from 'fastify-openapi-first/tools'
import digests from '../generated/digests.json' with { type: 'json' }
import { buildApp } from './app.ts'
import { createKey, hashKey } from './auth/keys.ts'
import { type Config, loadConfig, readEnvironment } from './config.ts'
import { createLogger, type Logger, loadPrettifier, openLog } from './logger.ts'
import { checkKeyTtl } from './pets/key-ttl.ts'
import { checkMembers } from './pets/members.ts'
import { IN_TRANSIT_MS } from './shutdown.ts'
import { checkStore, formatStoreName, getBackupRecord, getSqliteFile, openStore } from './stores/open.ts'
import { isActive, type Store } from './stores/store.ts'

/** The page about keys. Warnings do not name `npm run keys`: run by another user, the command may use another store. */
const KEYS_PAGE = 'docs/operations.md, "API keys"'

/** The descriptor of the standard output. `process.stdout` is not used: it makes writes to its descriptor block. */
const STDOUT = 1
/** The descriptor of the standard error. */
const STDERR = 2

/** Serves a spec. Returns the function that ends the process gracefully. */
export async function serve(file: string): Promise<(signal: NodeJS.Signals) => void> {
  const { config, document } = await loadSpecAndConfig(file)
  const { apiKeys, host, port } = config
  const logger = openLog(STDOUT, {
    level: config.logLevel,
    prettify: isatty(STDOUT) ? await loadPrettifier(true) : undefined,
    secrets: apiKeys.map(({ key }) => key),
  })
  if (config.warning !== undefined) logger.warn(config.warning)
  const store = await openStore(config.databaseUrl, { onUpgrade: logUpgrade(logger) })
  const { app, paths, getInFlight, shutdown } = await buildApp({ config, document, digests, store, logger })
  app.addHook('onClose', () => store.close())
  await startMetrics(config, store, getInFlight, logger)
  const address = await app.listen({ host, port })
  // Otherwise, V8 allocates the objects of requests among long-lived ones once many requests have waited, and they stay there.
  // Set after the code is loaded, because V8's caches of compiled code depend on its options.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // For somebody who has typed `npm start`.
  if (isatty(STDOUT)) {
    logger.info(`API: ${address}${paths.base}`)
    logger.info(`documentation: ${address}${paths.docs}`)
    logger.info(`store: ${formatStoreName(config.databaseUrl)}`)
    logger.info('keys: npm run keys -- create NAME')
  }
  // Not awaited: a signal that arrives meanwhile must end the service gracefully.
  void ensureApiKey(store, config, address + paths.example, logger)
  return (signal) => {
    logger.info({ signal }, 'stopping')
    shutdown.hasBegun = true
    setTimeout(() => void end(app, logger), Math.max(config.stopDelay, IN_TRANSIT_MS))
  }
}

/** Serves metrics if there is a port for them. */
async function startMetrics(config: Config, store: Store, getInFlight: () => number, logger: Logger): Promise<void> {
  if (config.metricsPort === undefined) return
  // Imported here because few services have metrics.
  const { serveMetrics } = await import('./metrics.ts')
  const url = await serveMetrics({
    host: config.metricsHost,
    port: config.metricsPort,
    getInFlight,
    getConnections: store.getConnections,
    backupRecord: getBackupRecord(config.databaseUrl),
  })
  logger.info(`Metrics at ${url}`)
}

/** Closes the app with its store, and ends the process. */
async function end(app: FastifyInstance, logger: Logger): Promise<void> {
  try {
    await app.close()
    logger.info('stopped')
  } catch (error) {
    logger.error({ err: error }, 'the store is not closed')
    process.exitCode = 1
  }
  process.exit()
}

/** Creates the function that logs an upgrade of the store. */
export function logUpgrade(logger: Logger) {
  return (from: number, to: number) =>
    logger.info(`the tables of the store were upgraded from version ${from} to ${to}`)
}

/**
 * Ensures that there is an active API key, because without an active key every request is rejected. In production, it only
 * warns. Elsewhere, it makes a key and prints it, once, with the URL of an operation to try it on. If the store cannot be
 * reached, there may be a key, so it only warns.
 */
export async function ensureApiKey(store: Store, config: Config, exampleUrl: string, logger: Logger): Promise<void> {
  if (config.apiKeys.length > 0) return
  const name = formatStoreName(config.databaseUrl)
  try {
    const now = await store.keys.now()
    if ((await store.keys.list()).some((key) => isActive(key, now))) return
    if (config.production) {
      logger.warn(`the store ${name} has no API key, so every request is rejected; create one (${KEYS_PAGE})`)
      return
    }
    const key = createKey()
    if (!(await store.keys.add('first-key', hashKey(key)))) return
    try {
      printFirstKey(key, exampleUrl)
    } catch (error) {
      await store.keys.revoke('first-key')
      throw error
    }
  } catch (err) {
    logger.warn({ err }, `the store ${name} may have no active API key; list the keys (${KEYS_PAGE})`)
  }
}

function printFirstKey(key: string, exampleUrl: string): void {
  const text = `
There was no API key, so here is one. It is not shown again.

    ${key}

    curl -H 'Authorization: Bearer ${key}' ${exampleUrl}

`
  // Not to the standard output, which is the log.
  writeFileSync(STDERR, text)
}

/** Checks the spec, the configuration, the generated types and the store as `serve` does, and changes nothing. */
export async function checkStart(file: string): Promise<void> {
  const { config, document } = await loadSpecAndConfig(file)
  if (config.warning !== undefined) console.error(config.warning)
  const logger = createLogger({ level: 'silent', destination: process.stdout })
  const store = await openStore('sqlite::memory:')
  // PostgreSQL has no snapshots, so its pages are not cached, and may depend on more than their URL.
  const { snapshot: _, ...storeWithoutSnapshots } = store
  const isPostgres = getSqliteFile(config.databaseUrl) === undefined
  await buildApp({ config, document, digests, logger, store: isPostgres ? storeWithoutSnapshots : store })
  const hasStore = await checkStore(config.databaseUrl)
  const name = formatStoreName(config.databaseUrl)
  console.log(
    hasStore
      ? `The configuration, the spec and the store ${name} are valid.`
      : `The configuration and the spec are valid. There is no store ${name} yet; a start makes it.`,
  )
}

/** Reads the spec and the configuration. Rejects with a ConfigError that names everything that is wrong with one of them. */
async function loadSpecAndConfig(file: string) {
  const document = await loadDocument(file)
  checkMembers(document)
  checkKeyTtl(document)
  return { document, config: loadConfig(readEnvironment(), findBaseUrls(document)) }
}
