/** Opens a store for bulk access. */
import { existsSync } from 'node:fs'
import { StartupError } from '../../src/errors.ts'
import { getSqliteFile, openStore } from '../../src/stores/open.ts'
import { inMemory } from '../../src/stores/store.ts'
import { openSqliteBulk } from './sqlite.ts'
import type { BulkStore } from './store.ts'

/**
 * Opens the store that a URL names (see `openStore`), and upgrades it if necessary. To `read` it, it must exist; to `write`
 * it, it is created if it does not. Until it is closed:
 *
 * - no other process can open a SQLite file, and none may have it open to begin with;
 * - others can read a PostgreSQL store that is read here, and wait when they write to it;
 * - others can use a PostgreSQL store that is written here.
 *
 * Rejects with a StartupError.
 */
export async function openBulkStore(url: string, use: 'read' | 'write'): Promise<BulkStore> {
  const file = getSqliteFile(url)
  if (file === inMemory) {
    throw new StartupError('a store in memory is gone when its process ends; name a file as sqlite:PATH')
  }
  if (use === 'read' && !(await exists(url))) {
    throw new StartupError('the store does not exist; name one that does')
  }
  // Creates, upgrades or refuses it as the service does at start.
  await (await openStore(url)).close()
  if (file !== undefined) return openSqliteBulk(file)
  const { openPostgresBulk } = await import('./postgres.ts')
  return openPostgresBulk(url, use)
}

/** True if the store exists, or if that cannot be found out: then opening it fails with the reason. */
async function exists(url: string): Promise<boolean> {
  const file = getSqliteFile(url)
  if (file !== undefined) return existsSync(file)
  const { inspect } = await import('../../src/stores/postgres/connection.ts')
  return inspect(url, 5000).then(
    ({ found }) => found > 0,
    () => true,
  )
}
