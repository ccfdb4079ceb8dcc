/** Opens a store for bulk access. */
import { StartupError } from '../../src/errors.ts'
import { assertStoreExists, getSqliteFile, openStore } from '../../src/stores/open.ts'
import { inMemory } from '../../src/stores/store.ts'
import { openSqliteBulk } from './sqlite.ts'
import type { BulkStore } from './store.ts'

/**
 * Opens the store that a URL names (see `openStore`), and creates or upgrades it if necessary. Until it is closed, no other
 * process can open a SQLite file, and none may have it open to begin with; others can read a PostgreSQL store, and wait when
 * they write to it. With `mustExist`, no store is created. Rejects with a StartupError.
 */
export async function openBulkStore(url: string, { mustExist = false } = {}): Promise<BulkStore> {
  const file = getSqliteFile(url)
  if (file === inMemory) {
    throw new StartupError('a store in memory is gone when its process ends; name a file as sqlite:PATH')
  }
  if (mustExist) await assertStoreExists(url)
  // Creates or upgrades the store, or rejects, as the service does at start.
  await (await openStore(url)).close()
  if (file !== undefined) return openSqliteBulk(file)
  const { openPostgresBulk } = await import('./postgres.ts')
  return openPostgresBulk(url)
}
