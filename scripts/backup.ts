/**
 * Copies the SQLite store that DATABASE_URL names to a new file, also while the service runs on it:
 *
 *     npm run backup -- FILE
 *
 * The copy is the store as it was at one moment, and a store itself: to restore it, stop the service, put the copy in the
 * place of the store (without the files that end in -wal and -shm, if there are any), and start the service.
 *
 * Exit status: 0 done, 1 not possible, 2 wrong usage.
 */
import { loadConfig, readEnvironment } from '../src/config.ts'
import { engineOf } from '../src/stores/engine.ts'
import { backUpSqlite } from '../src/stores/sqlite-backup.ts'
import { runCommand, UsageError } from './command.ts'
import { createProgress, type Progress } from './progress.ts'

await runCommand(async ([copy, ...others]) => {
  if (copy === undefined || copy === '' || others.length > 0) throw new UsageError('usage: npm run backup -- FILE')
  const { engine, file } = engineOf(loadConfig(readEnvironment()).databaseUrl)
  if (engine === 'postgres') {
    throw new Error('DATABASE_URL names a PostgreSQL store; use pg_dump to back it up (see the README)')
  }
  let progress: Progress | undefined
  await backUpSqlite(file, copy, (done, total) => {
    progress ??= createProgress('copying pages', total)
    progress.reach(done)
  })
  progress?.end()
  console.log(`${copy} holds all that the store held.`)
})
