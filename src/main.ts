/**
 * The process: configuration, store, document, listen; and a stop that loses nothing.
 */
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { buildApp } from './app.ts'
import { ConfigError, loadConfig, readEnvironment } from './config.ts'
import { announceKeys } from './first-key.ts'
import { createLogger } from './logger.ts'
import { DocumentError, loadDocument } from './openapi/document.ts'
import { openStore } from './stores/open.ts'
import { StoreOpenError } from './stores/store.ts'

/** The contract; another one may be named on the command line, to try it out. */
const file = process.argv[2] ?? fileURLToPath(new URL('../openapi.yaml', import.meta.url))

/**
 * How long the next request on a connection may be on its way when a stop begins, in milliseconds. Its client has not been
 * told that the connection ends, and would lose it.
 */
const IN_TRANSIT = 250

try {
  await start()
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}

async function start(): Promise<void> {
  const config = loadConfig(readEnvironment())
  const document = loadDocument(file)
  const { apiKeys, host, port } = config
  const logger = createLogger({
    level: config.logLevel,
    pretty: process.stdout.isTTY,
    secrets: apiKeys.map(({ key }) => key),
  })
  const store = await openStore(config.databaseUrl)
  const servers = { base_url: config.baseUrl, staging_base_url: config.stagingBaseUrl }
  const { app, urlOf, drain } = await buildApp({ ...config, document, store, logger, servers, load: config })
  app.addHook('onClose', () => store.close())

  const address = await app.listen({ host, port })
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // Whoever asks twice does not want to wait for the requests in flight.
      if (stopping) process.exit(1)
      stopping = true
      logger.info({ signal }, 'stopping')
      drain.begin()
      setTimeout(() => void app.close(), Math.max(config.stopDelay, IN_TRANSIT))
    })
  }
  await announceKeys({ store, config, example: address + urlOf('listPets', {}), logger })
}

/** What an operator can act on in a line or a few; anything else with its stack, for it is a defect. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DocumentError || error instanceof StoreOpenError) {
    return error.message
  }
  const { syscall, code, message } = error as NodeJS.ErrnoException
  if (syscall === 'listen' && code === 'EADDRINUSE') return `${message}; stop what listens there or choose another PORT`
  if (syscall !== undefined) return `${message}; choose another HOST or PORT`
  return inspect(error)
}
