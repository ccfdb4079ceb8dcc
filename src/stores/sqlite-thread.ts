/**
 * The thread that changes a SQLite file: what waits for the disk, or for another process's lock, waits here, while the
 * service's own thread goes on reading. It takes one batch of changes at a time, and answers with their outcomes.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { reconnect } from './sqlite-connection.ts'
import { createCommit, type Write } from './sqlite-writes.ts'

const { file, timeout } = workerData as { file: string; timeout: number }
const commit = createCommit(() => reconnect(file, timeout))

parentPort?.on('message', (batch: Write[]) => parentPort?.postMessage(commit(batch)))
