/** Runs the reads of one event-loop iteration in one snapshot of the data: they share a read transaction. */
import { AsyncResource } from 'node:async_hooks'
import type { preHandlerHookHandler } from 'fastify'
import type { Snapshot } from '../stores/store.ts'

/** Runs a function that reads, now or at the end of the iteration. */
export type ScheduleRead = (read: () => void) => void

/** The largest batch: bounds memory and latency. */
const MAX_BATCH = 32

/**
 * Creates the function that schedules a read for the end of the iteration. All scheduled reads run in one snapshot, each in its own
 * asynchronous context. What a read does after its first `await` is outside the snapshot. The snapshot begins after the last of
 * these requests has arrived: otherwise, a request could read data that is older than itself. A read must not throw.
 */
export function createSnapshotScheduler(snapshot: Snapshot): ScheduleRead {
  let scheduledReads: { readonly read: () => void; readonly context: AsyncResource }[] = []

  function readAll(): void {
    const batch = scheduledReads
    scheduledReads = []
    if (batch.length === 0) return
    snapshot.begin()
    for (const { read, context } of batch) context.runInAsyncScope(read)
    snapshot.end()
  }

  return (read) => {
    scheduledReads.push({ read, context: new AsyncResource('animal-store:read') })
    if (scheduledReads.length === 1) setImmediate(readAll)
    else if (scheduledReads.length === MAX_BATCH) readAll()
  }
}

/** Creates the last `preHandler` hook of an operation that reads: its handler runs in a snapshot, up to its first `await`. */
export function awaitSnapshot(scheduleRead: ScheduleRead): preHandlerHookHandler {
  return (_request, _reply, done) => scheduleRead(done)
}
