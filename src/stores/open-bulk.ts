/**
 * From the URL of a store to the store as a whole.
 */
import { existsSync } from 'node:fs'
import type { BulkStore } from './bulk.ts'
import { engineOf, inMemory } from './engine.ts'
import { openStore } from './open.ts'
import { openSqliteBulk } from './sqlite-bulk.ts'
import { StoreOpenError } from './store.ts'

/**
 * Opens the store that a URL names (see `openStore`) and brings it up to date where that is needed; to `read` it, it must
 * be there, and to `write` it, it is made if it is not. Until it is closed:
 *
 * - nobody else can open a SQLite file, and nobody else may have it open to begin with;
 * - others can read a PostgreSQL store that is read here, and wait when they write to it;
 * - others can use a PostgreSQL store that is written here, which is noticed when they add animals.
 *
 * Rejects with a StoreOpenError.
 */
export async function openBulkStore(url: string, use: 'read' | 'write'): Promise<BulkStore> {
  const { engine, file } = engineOf(url)
  if (file === inMemory) {
    throw new StoreOpenError('a store in memory is gone when its process ends; name a file as sqlite:PATH')
  }
  if (use === 'read' && !(await isThere(url))) {
    throw new StoreOpenError('there is no store; name one that there is')
  }
  // It is made or brought up to date as at the start of the service, or refused with the same words.
  await (await openStore(url)).close()
  if (engine === 'sqlite') return openSqliteBulk(file)
  const { openPostgresBulk } = await import('./postgres-bulk.ts')
  return openPostgresBulk(url, use)
}

/** Whether there is a store to open; true also when that cannot be told, so that opening it says why. */
async function isThere(url: string): Promise<boolean> {
  const { engine, file } = engineOf(url)
  if (engine === 'sqlite') return existsSync(file)
  const { isPostgresStore } = await import('./postgres-bulk.ts')
  return isPostgresStore(url).catch(() => true)
}
