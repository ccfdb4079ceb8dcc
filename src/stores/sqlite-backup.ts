/**
 * A copy of a SQLite file, also while the service writes to it.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { backup } from 'node:sqlite'
import { reconnect } from './sqlite-connection.ts'
import { storeErrorOf } from './sqlite-errors.ts'
import { StoreOpenError } from './store.ts'

/** How long to wait for another process's lock, in milliseconds. */
const patience = 5000

/** How many pages are copied at a time, between two reports. */
const rate = 1000

/**
 * Copies the store in a file to another file, which must not be there, as the store was at one moment; `report` is told
 * how many of how many pages are done. The copy appears under its name when it is whole, on disk and found sound.
 */
export async function backUpSqlite(
  file: string,
  copy: string,
  report: (done: number, total: number) => void,
): Promise<void> {
  if (!existsSync(file)) throw new StoreOpenError(`there is no store sqlite:${file}; name one that there is`)
  if (existsSync(copy)) throw new StoreOpenError(`${copy} is there already; name a new file`)
  if (!existsSync(dirname(resolve(copy)))) throw new StoreOpenError(`there is no folder for ${copy}; make it first`)
  const part = `${copy}.part`
  remove(part)
  try {
    await copyAll(file, part, report)
    check(part)
    renameSync(part, copy)
  } catch (error) {
    throw storeErrorOf(error)
  } finally {
    remove(part)
  }
}

/** Removes a database with what a connection to it may have left beside it (https://www.sqlite.org/tempfiles.html). */
function remove(file: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

async function copyAll(file: string, part: string, report: (done: number, total: number) => void): Promise<void> {
  using source = reconnect(file, patience)
  // What has been read from stays as it is: without it, each change of others would begin the copy anew.
  source.exec('BEGIN')
  source.prepare('SELECT count(*) FROM sqlite_schema').all()
  const pages = await backup(source, part, {
    rate,
    progress: ({ totalPages, remainingPages }) => report(totalPages - remainingPages, totalPages),
  })
  report(pages, pages)
}

function check(part: string): void {
  using database = reconnect(part, patience)
  const [found] = (database.prepare('PRAGMA integrity_check(1)').all() as unknown[]).flat()
  if (found === 'ok') return
  const what = String(found).replaceAll('\n', ' ')
  throw new Error(`the copy is not sound (${what}); the store itself may be damaged`)
}
