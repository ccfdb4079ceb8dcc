/**
 * Serves a spec as `npm start` does, with what development adds: operations without a handler respond with their examples,
 * the log is for people, and the documentation page shows problems.
 */
import { Server } from 'node:net'
import { buildApp } from '../../src/app.ts'
import { ensureApiKey } from '../../src/auth/first-key.ts'
import { loadConfig, readEnvironment } from '../../src/config.ts'
import { IN_TRANSIT_MS } from '../../src/http/shutdown.ts'
import { createLogDestination } from '../../src/log-destination.ts'
import { createLogger } from '../../src/logger.ts'
import { findBaseUrls, loadDocument } from '../../src/openapi/index.ts'
import { openStore } from '../../src/stores/open.ts'
import { createPageUpdates, PAGE_SCRIPT } from './docs.ts'
import { forwardRequests } from './forward.ts'
import { createPrettifier } from './log.ts'
import { createMocks } from './mocks.ts'

export interface Version {
  /** `http://HOST:PORT` */
  readonly address: string
  /** Shows problems on the documentation page. */
  show(problems: string): void
  /** Finishes the requests in progress and ends the process; another version accepts the connections from now on. */
  retire(): void
  /** The same without another version. */
  stop(): void
}

/** The time for which an idle connection stays open in a version that no longer listens, in milliseconds. */
const KEEP_ALIVE_MS = 5000

/** Serves the spec in a file. */
export async function serve(file: string): Promise<Version> {
  const document = await loadDocument(file)
  const config = loadConfig(readEnvironment(), findBaseUrls(document))
  const log = createLogDestination(process.stdout.fd, (dropped) => `${dropped} log lines were dropped\n`)
  process.on('exit', log.flushSync)
  const logger = createLogger({
    level: config.logLevel,
    destination: log,
    prettify: createPrettifier(process.stdout.isTTY),
    secrets: config.apiKeys.map(({ key }) => key),
  })
  for (const warning of config.warnings) logger.warn(warning)
  const store = await openStore(config.databaseUrl)
  const mocks = createMocks(document.root)
  const page = createPageUpdates()
  const { app, examplePath, shutdown } = await buildApp({
    // Without limits of load: a machine that compiles is often late.
    config: { ...config, maxEventLoopDelay: 0, maxInFlight: 0 },
    document,
    store,
    logger,
    handlers: mocks.handlers,
    docsScript: PAGE_SCRIPT,
    explain: (failure) => String(failure).replace(/^Error: /, ''),
  })
  app.addHook('onClose', () => store.close())
  mocks.addTo(app)
  page.addTo(app)
  const address = await app.listen({ host: config.host, port: config.port })
  await ensureApiKey(store, config, address + examplePath, logger)

  return {
    address,
    show: page.show,
    retire: () => {
      shutdown.begin()
      page.end()
      // The next version has the listening socket, too, and accepts what waits there. `app.close` would also close the open
      // connections at once.
      Server.prototype.close.call(app.server, end)
      forwardRequests(app.server, address)
      setTimeout(() => app.server.closeIdleConnections(), KEEP_ALIVE_MS)
    },
    stop: () => {
      shutdown.begin()
      page.end()
      setTimeout(end, IN_TRANSIT_MS)
    },
  }

  async function end(): Promise<void> {
    await app.close()
    process.disconnect?.()
  }
}

/** Builds the service once and discards it: the code is compiled then, and `serve` takes half the time. */
export async function warmUp(file: string): Promise<void> {
  const logger = createLogger({ level: 'silent', destination: { write: () => {} } })
  const document = await loadDocument(file)
  const store = await openStore('sqlite::memory:')
  const { handlers } = createMocks(document.root)
  const { app } = await buildApp({
    config: loadConfig({}),
    document,
    store,
    logger,
    handlers,
    docsScript: PAGE_SCRIPT,
  })
  await app.close()
  await store.close()
}
