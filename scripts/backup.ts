/**
 * Copies a SQLite store; see `help` below.
 */
import { loadConfig, readEnvironment } from '../src/config.ts'
import { getSqliteFile } from '../src/stores/open.ts'
import { readArguments, runCommand } from './lib/command.ts'
import { createProgress, type Progress } from './lib/progress.ts'
import { backUpSqlite } from './lib/sqlite-backup.ts'

const help = `usage: npm run backup -- FILE

Copies the SQLite store that DATABASE_URL names to a new file, even while the service runs on it. The copy is the
store as it is at one moment. It is checked, and appears under its name only when it is complete.

To restore it, stop the service, replace the store with the copy, remove the files beside it that end in -wal and
-shm, and start the service.

Arguments:
  FILE         the copy; a file of this name must not exist

Options:
  -h, --help   prints this

Example:
  npm run backup -- backup.db

Exit status: 0 done, 1 not possible, 2 wrong usage.`

await runCommand(async (args) => {
  const [copy] = readArguments(args, { command: 'npm run backup', help, names: ['FILE'] }).texts
  const file = getSqliteFile(loadConfig(readEnvironment()).databaseUrl)
  if (file === undefined) {
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
