/**
 * The thread that changes a SQLite file: what waits for the disk, or for another process's lock, waits here, while the
 * service's own thread goes on reading. It takes one batch of changes at a time, and answers with their outcomes.
 */
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { reconnect } from './sqlite-connection.ts'
import { createCommit, type Write } from './sqlite-writes.ts'

const { file, timeout } = workerData as { file: string; timeout: number }
const url = pathToFileURL(file)
// A file that is not where it was may come back, and must not be in the way of a new, empty one (https://www.sqlite.org/uri.html).
url.searchParams.set('mode', 'rw')
let database: DatabaseSync | undefined

const commit = createCommit(() => {
  if (database?.isOpen) database.close()
  database = reconnect(url, timeout)
  return database
})

parentPort?.on('message', (batch: Write[]) => parentPort?.postMessage(commit(batch)))
