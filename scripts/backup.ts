/**
 * Copies the SQLite store that DATABASE_URL names to a new file, even while the service runs on it:
 *
 *     npm run backup -- FILE
 *
 * The copy is the store as it is at one moment. To restore it, stop the service, replace the store with the copy, remove
 * the files beside it that end in -wal and -shm, and start the service.
 *
 * Exit status: 0 done, 1 not possible, 2 wrong usage.
 */
import { loadConfig, readEnvironment } from '../src/config.ts'
import { parseStoreUrl } from '../src/stores/open.ts'
import { runCommand, UsageError } from './lib/command.ts'
import { createProgress, type Progress } from './lib/progress.ts'
import { backUpSqlite } from './lib/sqlite-backup.ts'

await runCommand(async ([copy, ...others]) => {
  if (copy === undefined || copy === '' || others.length > 0) throw new UsageError('usage: npm run backup -- FILE')
  const { database, file } = parseStoreUrl(loadConfig(readEnvironment()).databaseUrl)
  if (database === 'postgres') {
    throw new Error('DATABASE_URL names a PostgreSQL store; back it up with pg_dump (see docs/operations.md)')
  }
  let progress: Progress | undefined
  await backUpSqlite(file, copy, (done, total) => {
    progress ??= createProgress('copying pages', total)
    progress.update(done)
  })
  progress?.end()
  console.log(`${copy} is a complete copy of the store.`)
})
