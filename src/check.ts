/**
 * The check of what the service starts with, without serving anything.
 */
import digests from '../generated/digests.json' with { type: 'json' }
import { buildApp } from './app.ts'
import { loadConfig, readEnvironment } from './config.ts'
import { createLogger } from './logger.ts'
import { loadDocument } from './openapi/index.ts'
import { openStore } from './stores/open.ts'

/** What is wrong: errors that keep the service from starting, and warnings. */
export interface Findings {
  readonly errors: readonly unknown[]
  readonly warnings: readonly string[]
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
  const config = environment && (await attempt(() => loadConfig(environment)))
  const { DATABASE_URL } = environment ?? {}
  const store = await attempt(() => openStore((config ?? loadConfig({ DATABASE_URL })).databaseUrl))
  await attempt(async () => {
    const document = loadDocument(file)
    const servers = { base_url: config?.baseUrl, staging_base_url: config?.stagingBaseUrl }
    const logger = createLogger({ level: 'silent', destination: process.stdout })
    const anyStore = store ?? (await openStore('sqlite::memory:'))
    const { app } = await buildApp({ ...config, document, digests, logger, servers, store: anyStore })
    await app.close()
  })
  await store?.close()
  return { errors, warnings: config?.warnings ?? [] }
}
