/**
 * The check of what the service starts with, without serving or changing anything.
 */
import digests from '../generated/digests.json' with { type: 'json' }
import { buildApp, findBaseUrls } from './app.ts'
import { loadConfig, readEnvironment } from './config.ts'
import { createLogger } from './logger.ts'
import { loadDocument } from './openapi/index.ts'
import { inspectStore, openStore } from './stores/open.ts'

export interface Findings {
  /** What keeps the service from starting. */
  readonly errors: readonly unknown[]
  readonly warnings: readonly string[]
  /** What a start would do. */
  readonly notes: readonly string[]
}

/** Checks the configuration, the spec and the store. Each is checked even if the others are wrong. */
export async function checkStart(file: string): Promise<Findings> {
  const errors: unknown[] = []
  async function attempt<Value>(work: () => Value | Promise<Value>): Promise<Value | undefined> {
    try {
      return await work()
    } catch (error) {
      errors.push(error)
      return undefined
    }
  }

  const environment = await attempt(() => readEnvironment())
  const document = await attempt(() => loadDocument(file))
  const config = environment && (await attempt(() => loadConfig(environment, document && findBaseUrls(document))))
  const { DATABASE_URL } = environment ?? {}
  const note = await attempt(() => inspectStore((config ?? loadConfig({ DATABASE_URL })).databaseUrl))
  if (document !== undefined) {
    const logger = createLogger({ level: 'silent', destination: process.stdout })
    const store = await openStore('sqlite::memory:')
    await attempt(async () => (await buildApp({ ...config, document, digests, logger, store })).app.close())
    await store.close()
  }
  return { errors, warnings: config?.warnings ?? [], notes: note === undefined ? [] : [note] }
}
