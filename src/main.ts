/**
 * The process: configuration, store, spec, listen; and a graceful shutdown.
 */
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'
import { inspect, parseArgs } from 'node:util'
import digests from '../generated/digests.json' with { type: 'json' }
import { buildApp } from './app.ts'
import { ensureApiKey } from './auth/bootstrap.ts'
import { loadConfig, readEnvironment } from './config.ts'
import { StartupError } from './errors.ts'
import { DOCS_PATH } from './http/docs.ts'
import { createLogDestination } from './log-destination.ts'
import { createLogger, formatDropped } from './logger.ts'
import { loadDocument } from './openapi/index.ts'
import { openStore } from './stores/open.ts'

const help = `usage: npm start -- [--check] [FILE]

Serves the catalogue until SIGTERM or Ctrl-C. The environment or a .env file configures it; see .env.example.

Arguments:
  FILE         the spec (default: openapi.yaml of this folder)

Options:
  --check      names everything that is wrong with the configuration, the spec and the store, and serves nothing; the
               store is opened as at every start, which creates or upgrades it
  -h, --help   prints this

Example:
  PORT=8080 npm start

Exit status: 0 stopped or nothing wrong, 1 not possible, 2 wrong usage.`

const options = { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
const { values, positionals } = parseArgs({ options, allowPositionals: true, strict: false })
const { check, help: isHelp, ...unknown } = values

/** The spec. The command line may name another file, to try a change. */
const [file = fileURLToPath(new URL('../openapi.yaml', import.meta.url)), ...others] = positionals

/** Its descriptor; `process.stdout` would make it block. */
const STDOUT = 1

/**
 * How long the next request on an open connection may be on its way when a shutdown begins, in milliseconds. Its client has
 * not been told that the connection closes, and would lose the request.
 */
const IN_TRANSIT_MS = 250

/** Ends the process, gracefully as soon as it has started. */
let stop = (_signal: NodeJS.Signals): void => process.exit(0)

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop(signal))

try {
  if (isHelp) console.log(help)
  else if (others.length > 0 || Object.keys(unknown).length > 0) refuseUsage()
  else await (check ? checkOnly() : start())
} catch (error) {
  console.error(formatStartupError(error))
  process.exit(1)
}

function refuseUsage(): void {
  const [option] = Object.keys(unknown)
  const what = option === undefined ? 'there are too many arguments' : `unknown option ${JSON.stringify(option)}`
  console.error(`${what}; see npm start -- --help`)
  process.exitCode = 2
}

async function checkOnly(): Promise<void> {
  const { checkStart } = await import('./check.ts')
  const { errors, warnings } = await checkStart(file)
  for (const line of new Set([...warnings, ...errors.flatMap((error) => formatStartupError(error).split('\n'))])) {
    console.error(line)
  }
  if (errors.length > 0) process.exitCode = 1
  else console.log('The configuration, the spec and the store are valid.')
}

async function start(): Promise<void> {
  const config = loadConfig(readEnvironment())
  const document = loadDocument(file)
  const { apiKeys, host, port } = config
  const isTerminal = isatty(STDOUT)
  const log = createLogDestination(STDOUT, formatDropped)
  process.on('exit', log.flushSync)
  const logger = createLogger({
    level: config.logLevel,
    destination: log,
    prettify: isTerminal ? await loadPrettifier() : undefined,
    secrets: apiKeys.map(({ key }) => key),
  })
  for (const warning of config.warnings) logger.warn(warning)
  // Loaded only if it is needed.
  const metrics = config.metricsPort === undefined ? undefined : (await import('./metrics.ts')).createMetrics()
  const opened = await openStore(config.databaseUrl)
  const store = metrics?.measureStore(opened) ?? opened
  const servers = { base_url: config.baseUrl, staging_base_url: config.stagingBaseUrl }
  const { app, basePath, examplePath, getInFlight, shutdown } = await buildApp({
    ...config,
    document,
    digests,
    store,
    logger,
    servers,
    load: config,
  })
  app.addHook('onClose', () => store.close())
  if (metrics !== undefined && config.metricsPort !== undefined) {
    metrics.addNumber('gauge', 'requests_in_flight', 'Requests to operations in flight.', getInFlight)
    metrics.addNumber('counter', 'log_lines_dropped_total', 'Log lines that could not be written.', log.getDropped)
    app.addHook('onClose', async () => metrics.close())
    logger.info(`Metrics at ${await metrics.listen(config.metricsHost, config.metricsPort)}`)
  }
  const address = await app.listen({ host, port })
  logger.info(`Server listening at ${address}`)
  if (isTerminal) {
    logger.info(`API: ${address}${basePath}`)
    logger.info(`documentation: ${address}${DOCS_PATH}`)
    logger.info(`store: ${config.databaseUrl}`)
    logger.info('keys: npm run keys -- create NAME')
  }
  stop = (signal) => {
    // A second signal exits immediately.
    if (shutdown.hasBegun) process.exit(1)
    logger.info({ signal }, 'stopping')
    shutdown.begin()
    setTimeout(() => void app.close().then(() => process.exit()), Math.max(config.stopDelay, IN_TRANSIT_MS))
  }
  await ensureApiKey({ store, config, exampleUrl: address + examplePath, logger })
}

/** Makes lines readable for people. Loaded only for a terminal, because it takes a while. */
async function loadPrettifier(): Promise<(line: string) => string> {
  const { prettyFactory } = await import('pino-pretty')
  return prettyFactory({ singleLine: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' })
}

/** Formats an error that an operator can mend in a few lines; any other with its stack, because it is a defect. */
function formatStartupError(error: unknown): string {
  if (error instanceof StartupError) return error.message
  const { syscall, code, message } = error as NodeJS.ErrnoException
  if (syscall === 'listen' && code === 'EADDRINUSE') return `${message}; stop the other program or choose another PORT`
  if (syscall !== undefined) return `${message}; choose another HOST or PORT`
  return inspect(error)
}
