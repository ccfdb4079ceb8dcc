/**
 * The identity of the file that a connection has open: its name may lead to another file, or to none, meanwhile.
 */
import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

/** A store that is open: its file and write-ahead log, each as it was when it was opened. */
export type OpenFile = Readonly<ReturnType<typeof identify>>

export function identify(file: string) {
  return { file, main: read(file), log: read(`${file}-wal`) }
}

/**
 * Throws if the file or its log has been replaced, moved or deleted since it was opened: writes to it would be lost.
 * `database` is a connection to it.
 */
export function assertInPlace(opened: OpenFile, database: DatabaseSync | undefined): void {
  const { main, log } = identify(opened.file)
  if (main === opened.main && log === opened.log) return
  // The log is copied into the file that it belongs to. SQLite would apply it to the other file at the next start.
  if (log === opened.log) database?.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const what = `${opened.file} or its -wal file was replaced, moved or deleted while it was open`
  // SQLITE_READONLY_DBMOVED, with which SQLite itself reports this for other journals than a write-ahead log.
  throw Object.assign(new Error(`${what}; put it back, or restart the service`), { errcode: 1032 })
}

/** The device and inode of a file; undefined if there is none that can be seen. */
function read(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}
