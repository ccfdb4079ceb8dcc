/**
 * Serves a spec as `npm start` does, with what development adds: operations without a handler respond with their examples,
 * the log is for people, and the documentation page knows what is going on.
 */
import { Server } from 'node:net'
import { buildApp } from '../../src/app.ts'
import { ensureApiKey } from '../../src/auth/bootstrap.ts'
import { loadConfig, readEnvironment } from '../../src/config.ts'
import { createLogDestination } from '../../src/log-destination.ts'
import { createLogger } from '../../src/logger.ts'
import { loadDocument } from '../../src/openapi/index.ts'
import { openStore } from '../../src/stores/open.ts'
import { createPageUpdates, PAGE_SCRIPT } from './docs.ts'
import { createPrettifier } from './log.ts'
import { createMocks } from './mocks.ts'

export interface Version {
  /** `http://HOST:PORT` */
  readonly address: string
  /** Shows problems on the documentation page. */
  show(problems: string): void
  /** Finishes the requests in progress and ends the process; another version accepts the connections from now on. */
  retire(): void
}

/** How long a request on an open connection may be on its way when the connection is to be closed, in milliseconds. */
const IN_TRANSIT_MS = 100

/** Serves the spec in a file. */
export async function serve(file: string): Promise<Version> {
  const config = loadConfig(readEnvironment())
  const log = createLogDestination(process.stdout.fd, (dropped) => `${dropped} log lines were dropped\n`)
  process.on('exit', log.flushSync)
  const logger = createLogger({
    level: config.logLevel,
    destination: log,
    prettify: createPrettifier(process.stdout.isTTY),
    secrets: config.apiKeys.map(({ key }) => key),
  })
  const document = loadDocument(file)
  const store = await openStore(config.databaseUrl)
  const mocks = createMocks(document.root)
  const page = createPageUpdates()
  const servers = { base_url: config.baseUrl, staging_base_url: config.stagingBaseUrl }
  const { app, examplePath, shutdown } = await buildApp({
    ...config,
    document,
    store,
    logger,
    servers,
    load: config,
    handlers: mocks.handlers,
    docsScript: PAGE_SCRIPT,
  })
  app.addHook('onClose', () => store.close())
  mocks.addTo(app)
  page.addTo(app)
  const address = await app.listen({ host: config.host, port: config.port })
  await ensureApiKey({ store, config, exampleUrl: address + examplePath, logger })

  return {
    address,
    show: page.show,
    retire: () => {
      // The next version has the listening socket, too, and accepts what waits there. `app.close` would also close the open
      // connections at once.
      Server.prototype.close.call(app.server, async () => {
        await app.close()
        process.disconnect?.()
      })
      shutdown.begin()
      page.end()
      setTimeout(() => app.server.closeIdleConnections(), IN_TRANSIT_MS)
    },
  }
}

/** Builds the service once and discards it: the code is compiled then, and `serve` takes half the time. */
export async function warmUp(file: string): Promise<void> {
  const logger = createLogger({ level: 'silent', destination: { write: () => {} } })
  const document = loadDocument(file)
  const store = await openStore('sqlite::memory:')
  const { handlers } = createMocks(document.root)
  const { app } = await buildApp({ document, store, logger, handlers, docsScript: PAGE_SCRIPT })
  await app.close()
  await store.close()
}
