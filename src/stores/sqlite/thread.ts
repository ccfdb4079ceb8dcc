/**
 * The thread that writes to a SQLite file. It waits for the disk and for the locks of other processes, while the main
 * thread goes on reading. It receives one batch at a time and returns its results, or the error that prevented them.
 */
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { assertInPlace, type OpenFile, reconnect } from './connection.ts'
import { isTransient } from './errors.ts'
import { createCommit, type Write } from './writes.ts'

export interface ThreadData {
  readonly opened: OpenFile
  readonly timeoutMs: number
}

export type ThreadResponse =
  | { readonly results: unknown[] }
  | { readonly error: unknown; readonly isTransient: boolean }

const { opened, timeoutMs }: ThreadData = workerData
const url = pathToFileURL(opened.file)
// A file that is gone may come back; a new, empty one must not take its place (https://www.sqlite.org/uri.html).
url.searchParams.set('mode', 'rw')
let database: DatabaseSync | undefined

const commit = createCommit(() => {
  if (database?.isOpen) database.close()
  database = reconnect(url, timeoutMs)
  return database
})
const checkFile = () => assertInPlace(opened)

parentPort?.on('message', (batch: Write[]) => parentPort?.postMessage(respond(batch)))

function respond(batch: Write[]): ThreadResponse {
  try {
    checkFile()
    const results = commit(batch)
    // Nothing is acknowledged that is in a file that was replaced meanwhile.
    checkFile()
    return { results }
  } catch (error) {
    // An error that is sent to another thread loses its code.
    return { error, isTransient: isTransient(error) }
  }
}
