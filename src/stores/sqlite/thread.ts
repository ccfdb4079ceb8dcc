/**
 * The entry of the thread that writes to a SQLite file. It waits for the disk and for the locks of other processes, while the
 * main thread goes on reading.
 */
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { openConnection } from './connection.ts'
import { isTransient } from './errors.ts'
import { assertInPlace, type FileIdentities } from './guard.ts'
import { type Commit, createCommit, type WriteCall } from './writes.ts'

export interface ThreadData {
  readonly openFiles: FileIdentities
  readonly timeoutMs: number
}

/** The results of a batch, or the error that prevented them. */
export type ThreadResponse =
  | { readonly results: unknown[] }
  | { readonly error: unknown; readonly isTransient: boolean }

function createResponder({ openFiles, timeoutMs }: ThreadData): (batch: readonly WriteCall[]) => ThreadResponse {
  const check = () => assertInPlace(openFiles)
  let database: DatabaseSync | undefined
  let commit: Commit | undefined

  function connect(): Commit {
    if (database?.isOpen) database.close()
    // Checks first, because opening another file in its place may change that file, or the WAL beside it.
    check()
    // SQLite must not create a missing file, which may come back (https://www.sqlite.org/uri.html).
    const url = pathToFileURL(openFiles.file)
    url.searchParams.set('mode', 'rw')
    database = openConnection(url, timeoutMs)
    return createCommit(database, check)
  }

  return (batch) => {
    try {
      commit ??= connect()
      return { results: commit(batch) }
    } catch (error) {
      // The next batch opens a connection anew. A connection that was opened while the file was read-only stays read-only.
      commit = undefined
      // Tells here whether the error is transient, because an error that is sent to another thread loses its code.
      return { error, isTransient: isTransient(error) }
    }
  }
}

const respond = createResponder(workerData)
parentPort?.on('message', (batch: WriteCall[]) => parentPort?.postMessage(respond(batch)))
parentPort?.postMessage('ready')
