/** Copies a SQLite store; see `help` below. */
import { closeSync, existsSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { backup } from 'node:sqlite'
import { readArguments, runCommand } from '../src/command.ts'
import { loadConfig, readEnvironment } from '../src/config.ts'
import { assertStoreExists, getBackupRecord, getSqliteFile } from '../src/stores/open.ts'
import { createPrivateFile, openConnection, prepare } from '../src/stores/sqlite/connection.ts'
import { TIMEOUT_MS } from '../src/stores/store.ts'

const help = `usage: npm run backup -- FILE

Copies the SQLite store that DATABASE_URL names to a new file, even while the service runs on it. The copy is the
store as it is at one moment. It is checked, and appears under its name only when it is complete. Then its name is
written to a file beside the store, STORE.last-backup, whose time is a metric of the service.

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
  const { databaseUrl } = loadConfig(readEnvironment())
  const file = getSqliteFile(databaseUrl)
  if (file === undefined) {
    throw new Error('DATABASE_URL names a PostgreSQL store; back it up with pg_dump (see docs/operations.md)')
  }
  await assertStoreExists(databaseUrl)
  // `lstat` also finds a link to nothing.
  if (lstatSync(copy, { throwIfNoEntry: false }) !== undefined) throw new Error(`${copy} exists; name a new file`)
  const folder = dirname(resolve(copy))
  if (!existsSync(folder)) throw new Error(`the folder ${folder} does not exist; make it, or name another file`)
  const part = `${copy}.part`
  remove(part)
  try {
    createPrivateFile(part)
    await copyAll(file, part)
    check(part)
    renameSync(part, copy)
    syncFolder(folder)
    recordBackup(databaseUrl, copy)
  } finally {
    remove(part)
  }
  console.log(`${copy} is a complete copy of the store.`)
})

/** Removes a database with the files that a connection may have left beside it (https://www.sqlite.org/tempfiles.html). */
function remove(file: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

/** Writes which copy is the last one, for a metric of the service. */
function recordBackup(databaseUrl: string, copy: string): void {
  const record = getBackupRecord(databaseUrl)
  if (record !== undefined) writeFileSync(record, `${resolve(copy)}\n`, { mode: 0o600 })
}

/** Waits until the names of the files in a folder are on disk. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  fsyncSync(fd)
  closeSync(fd)
}

async function copyAll(file: string, part: string): Promise<void> {
  using source = openConnection(file, TIMEOUT_MS)
  // A read transaction keeps the source as it is. Otherwise each write of another process restarts the copy.
  source.exec('BEGIN')
  prepare(source, 'SELECT count(*) FROM sqlite_schema')()
  await backup(source, part, { rate: 1000 })
}

function check(part: string): void {
  using database = openConnection(part, TIMEOUT_MS)
  const [[result = ''] = []] = prepare<[string]>(database, 'PRAGMA integrity_check(1)')()
  if (result === 'ok') return
  throw new Error(`the copy is damaged (${result.replaceAll('\n', ' ')}); the store itself may be, too`)
}
