/**
 * Copies a SQLite file, even while the service writes to it.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { backup } from 'node:sqlite'
import { StartupError } from '../../src/errors.ts'
import { createPrivateFile, reconnect } from '../../src/stores/sqlite/connection.ts'
import { toStoreError } from '../../src/stores/sqlite/errors.ts'

/** The time to wait for the lock of another process, in milliseconds. */
const timeoutMs = 5000

/** The number of pages that are copied between two progress reports. */
const rate = 1000

/**
 * Copies the store in a file, as it is at one moment, to another file, which must not exist. `report` receives the numbers
 * of copied and of all pages. The copy appears under its name when it is complete, on disk and checked.
 */
export async function backUpSqlite(
  file: string,
  copy: string,
  report: (done: number, total: number) => void,
): Promise<void> {
  if (!existsSync(file)) throw new StartupError(`the store sqlite:${file} does not exist; name one that does`)
  if (existsSync(copy)) throw new StartupError(`${copy} exists; name a new file`)
  if (!existsSync(dirname(resolve(copy))))
    throw new StartupError(`the folder of ${copy} does not exist; create it first`)
  const part = `${copy}.part`
  remove(part)
  try {
    createPrivateFile(part)
    await copyAll(file, part, report)
    check(part)
    renameSync(part, copy)
  } catch (error) {
    throw toStoreError(error)
  } finally {
    remove(part)
  }
}

/** Removes a database with the files that a connection may have left beside it (https://www.sqlite.org/tempfiles.html). */
function remove(file: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

async function copyAll(file: string, part: string, report: (done: number, total: number) => void): Promise<void> {
  using source = reconnect(file, timeoutMs)
  // A read transaction keeps the source as it is; without one, each write of others would restart the copy.
  source.exec('BEGIN')
  source.prepare('SELECT count(*) FROM sqlite_schema').all()
  const pages = await backup(source, part, {
    rate,
    progress: ({ totalPages, remainingPages }) => report(totalPages - remainingPages, totalPages),
  })
  report(pages, pages)
}

function check(part: string): void {
  using database = reconnect(part, timeoutMs)
  const [found] = (database.prepare('PRAGMA integrity_check(1)').all() as unknown[]).flat()
  if (found === 'ok') return
  const what = String(found).replaceAll('\n', ' ')
  throw new Error(`the copy is damaged (${what}); the store itself may be, too`)
}
