/** The check of what the service starts with, without serving or changing anything. */
import digests from '../generated/digests.json' with { type: 'json' }
import { buildApp } from './app.ts'
import { loadConfig, readEnvironment } from './config.ts'
import { createLogger } from './logger.ts'
import { findBaseUrls, openDocument } from './openapi/index.ts'
import { inspectStore, openStore } from './stores/open.ts'

/**
 * Checks the configuration, the spec and the store, each even if the others are wrong. Prints what keeps the service from
 * starting, and what may be a mistake; returns false if it cannot start.
 */
export async function checkStart(file: string, formatError: (error: unknown) => string): Promise<boolean> {
  const errors: unknown[] = []
  async function attempt<Value>(work: () => Value | Promise<Value>): Promise<Value | undefined> {
    try {
      return await work()
    } catch (error) {
      errors.push(error)
      return undefined
    }
  }

  const environment = (await attempt(() => readEnvironment())) ?? process.env
  const document = await attempt(() => openDocument(file))
  const config = await attempt(() => loadConfig(environment, document && findBaseUrls(document)))
  const { DATABASE_URL } = environment
  const note = await attempt(() => inspectStore((config ?? loadConfig({ DATABASE_URL })).databaseUrl))
  if (document !== undefined) {
    const logger = createLogger({ level: 'silent', destination: process.stdout })
    const store = await openStore('sqlite::memory:')
    await attempt(async () =>
      (await buildApp({ config: config ?? loadConfig({}), document, digests, logger, store })).app.close(),
    )
    await store.close()
  }
  const { warnings = [] } = config ?? {}
  for (const line of new Set([...warnings, ...errors.flatMap((error) => formatError(error).split('\n'))])) {
    console.error(line)
  }
  if (errors.length > 0) return false
  console.log('The configuration, the spec and the store are valid.')
  if (note !== undefined) console.log(note)
  return true
}
