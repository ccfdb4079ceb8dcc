/**
 * The guard of an open SQLite file. If the file, its WAL (write-ahead log) or the index of the WAL is replaced, moved or deleted,
 * writes would be lost, or destroy the file. The guard then rejects calls, and saves what only the open WAL has. If a restart
 * loses data nevertheless, because no folder has the open file any more, its error says how to copy the open files.
 */
import { type BigIntStats, fstatSync, readdirSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { prepare } from './connection.ts'

export interface FileGuard {
  /** The identities of the files when they were opened. */
  readonly openFiles: FileIdentities
  /** Copies the WAL into the file if one of the files is not in place, and then throws as `assertInPlace` does. */
  check(): void
  /** Must be called after each commit: the WAL then has changes that are not copied. */
  noteCommit(): void
}

/** The device and inode of a file, its WAL and the index of the WAL; undefined for one that cannot be seen. */
export interface FileIdentities {
  readonly file: string
  readonly main: string | undefined
  readonly wal: string | undefined
  readonly index: string | undefined
}

/** Creates the guard of a file that the connection `database` has open. */
export function createFileGuard(path: string, database: DatabaseSync): FileGuard {
  const openFiles = identifyFiles(path)
  const checkpoint = prepare<[busy: bigint]>(database, 'PRAGMA wal_checkpoint(TRUNCATE)')
  /** True if the open WAL has no change that the open file lacks. */
  let isWalCopied = false

  /**
   * Copies the open WAL into the open file, wherever that is now, and returns true if every change survives a restart:
   *
   * | index at the path | WAL at the path        | copies | changes survive                                             |
   * |-------------------|------------------------|--------|-------------------------------------------------------------|
   * | the open one      | the open one, or empty | yes    | if the copy succeeds                                        |
   * | the open one      | another                | no     | if copied before                                            |
   * | another           | the open one           | no     | if copied before, or if the open file is also at the path:  |
   * |                   |                        |        | then the next start reads the WAL                           |
   * | another           | another                | no     | if copied before                                            |
   *
   * With another WAL at the path, a copy has no use: the next start applies that WAL, and overwrites it. With another index, a
   * copy could destroy the file: processes that use that index do not see the locks of this one.
   */
  function checkpointWal({ file, main, wal, index }: FileIdentities): boolean {
    if (index !== openFiles.index) {
      const willReadWal = main === openFiles.main && wal === openFiles.wal
      return isWalCopied || willReadWal
    }
    try {
      const walSize = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
      if (wal === openFiles.wal || walSize === 0) isWalCopied = checkpoint()[0]?.[0] === 0n
    } catch {
      // The disk may be full. The next check tries again.
      isWalCopied = false
    }
    return isWalCopied
  }

  /** True if a folder has the open file: a file that was deleted, or over which another was moved, is gone when it is closed. */
  function hasLink({ main }: FileIdentities): boolean {
    return main === openFiles.main || (findDescriptor(openFiles.main)?.linkCount ?? 0n) > 0n
  }

  return {
    openFiles,
    check() {
      const currentFiles = identifyFiles(path)
      if (isDeepStrictEqual(currentFiles, openFiles)) return
      const isSaved = checkpointWal(currentFiles) && hasLink(currentFiles)
      throw toMovedError(currentFiles, openFiles, isSaved)
    },
    noteCommit() {
      isWalCopied = false
    },
  }
}

/** Throws if the file, its WAL or the index of the WAL is not the open one. */
export function assertInPlace(openFiles: FileIdentities): void {
  const currentFiles = identifyFiles(openFiles.file)
  if (!isDeepStrictEqual(currentFiles, openFiles)) throw toMovedError(currentFiles, openFiles, true)
}

/** The code of an error after which a restart loses acknowledged changes: only the open files have them. */
export const DATA_AT_RISK = 'DATA_AT_RISK'

/** Creates the error about files that are not in place. `isSaved` is true if every change survives a restart. */
function toMovedError(currentFiles: FileIdentities, openFiles: FileIdentities, isSaved: boolean): Error {
  const isFileInPlace = currentFiles.main === openFiles.main
  const restartAdvice = isFileInPlace ? 'restart the service' : 'put it back, or restart the service'
  const lossAdvice = 'a restart loses what only the open files have: put them back, or copy them before it'
  const problem = `${openFiles.file}, its -wal or its -shm file was replaced, moved or deleted while it was open`
  // SQLITE_READONLY_DBMOVED, with which SQLite itself reports this in other modes than WAL.
  const sqliteCode = { errcode: 1032 }
  return Object.assign(
    new Error(`${problem}; ${isSaved ? restartAdvice : lossAdvice + formatCopies(openFiles)}`),
    isSaved ? sqliteCode : { ...sqliteCode, code: DATA_AT_RISK },
  )
}

/**
 * Formats the commands that copy the open files of this process. The WAL is first: what is copied from it into the file later is
 * in both copies.
 */
function formatCopies({ main, wal }: FileIdentities): string {
  const commands = [
    [findDescriptor(wal), 'COPY-wal'],
    [findDescriptor(main), 'COPY'],
  ] as const
  const copies = commands.flatMap(([file, copy]) =>
    file ? [`cp /proc/${process.pid}/fd/${file.descriptor} ${copy}`] : [],
  )
  return copies.length === 0 ? '' : `, on Linux by: ${copies.join(' && ')}`
}

/** Finds a descriptor of this process for a file, and the number of links to the file; undefined if the system shows none. */
function findDescriptor(identity: string | undefined) {
  for (const descriptor of listDescriptors()) {
    try {
      const stats = fstatSync(descriptor, { bigint: true })
      if (toIdentity(stats) === identity) return { descriptor, linkCount: stats.nlink }
    } catch {
      // The descriptor by which the others were listed is closed.
    }
  }
  return undefined
}

function listDescriptors(): number[] {
  try {
    return readdirSync('/dev/fd').map(Number)
  } catch {
    // The system has no such folder, or all descriptors of this process are in use.
    return []
  }
}

function identifyFiles(file: string): FileIdentities {
  return { file, main: getIdentity(file), wal: getIdentity(`${file}-wal`), index: getIdentity(`${file}-shm`) }
}

function getIdentity(file: string): string | undefined {
  try {
    return toIdentity(statSync(file, { bigint: true }))
  } catch {
    return undefined
  }
}

function toIdentity({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`
}
