/**
 * The embedded store: a SQLite file, for one machine. Several processes may have it open at once.
 *
 * Reads are short and never wait for a write (https://www.sqlite.org/wal.html), so they run on the main thread. Writes run on
 * another thread; those that wait at the same time share a commit (group commit). The main thread waits for a lock only when it
 * copies the write-ahead log (WAL) into the file: at the end, or when the guard finds that a file is not in place.
 */
import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { toError } from 'fastify-openapi-first/shared'
import { createGroupCommit } from '../batch.ts'
import type { UpgradeOptions } from '../migrations.ts'
import { type KeyRow, type PetRow, toPet } from '../rows.ts'
import { type Store, type StoredKey, storeUnavailable, TIMEOUT_MS } from '../store.ts'
import { connect, prepare } from './connection.ts'
import { isTransient } from './errors.ts'
import { createFileGuard, DATA_AT_RISK, type FileGuard } from './guard.ts'
import * as sql from './statements.ts'
import type { ThreadData, ThreadResponse } from './thread.ts'
import { createCommit, type WriteCall, type WriteFunctions } from './writes.ts'

/**
 * Opens the SQLite file at `path` (or `:memory:`). A write takes at most `TIMEOUT_MS`, waits for locks and for the disk
 * included; the start of its thread does not count. A read has no timeout: it blocks the main thread while the disk hangs.
 * Rejects with a StartupError.
 */
export async function openSqlite(path: string, upgrade: UpgradeOptions): Promise<Store> {
  const database = await connect(path, upgrade)
  const file = database.location()
  /** Watches whether the file is still in its place; undefined for a store in memory. */
  const guard = file === null ? undefined : createFileGuard(file, database)
  const writer = guard === undefined ? createWriter(database) : startWriterThread(guard)
  const { submit, waitForBatches } = createGroupCommit(writer.commit)
  let closing: Promise<void> | undefined

  async function write<Name extends keyof WriteFunctions>(
    name: Name,
    ...parameters: Parameters<WriteFunctions[Name]>
  ): Promise<ReturnType<WriteFunctions[Name]>> {
    if (closing !== undefined) throw storeUnavailable('the store is closed')
    return (await submit({ name, parameters })) as ReturnType<WriteFunctions[Name]>
  }

  const prepareRead = <Row extends unknown[]>(text: string) => withUnavailable(prepare<Row>(database, text), database)
  const findPet = prepareRead<PetRow>(sql.findPet)
  const listPets = prepareRead<PetRow>(sql.listPets)
  const listPetsByStatus = prepareRead<PetRow>(sql.listPetsByStatus)
  const findKey = prepareRead<SqliteKeyRow>(sql.findKey)
  const listKeys = prepareRead<SqliteKeyRow>(sql.listKeys)
  const readDataVersion = prepareRead<[bigint]>(sql.dataVersion)
  const getDataVersion = () => Number(readDataVersion()[0]?.[0])
  const beginTransaction = prepare(database, 'BEGIN')
  const rollback = prepare(database, 'ROLLBACK')
  /** The snapshot that is open, if any. `version` is that of its data, read at the first call of `revision`. */
  let openSnapshot: { version?: number } | undefined

  return {
    // A transaction: all its reads see one version of the data, and share a lock, because taking a lock costs more than a read.
    snapshot: {
      begin: () => {
        // BEGIN takes no lock, so it does not fail. If the last `end` failed, its transaction is still open.
        if (database.isOpen && !database.isTransaction) beginTransaction()
        openSnapshot = {}
      },
      end: () => {
        openSnapshot = undefined
        try {
          if (database.isOpen && database.isTransaction) rollback()
        } catch {
          // The next `end` tries again. Until then, reads see the data of the open transaction.
        }
      },
    },
    pets: {
      add: (pet) => write('addPet', pet),
      addOnce: (pet, request) => write('addPetOnce', pet, request),
      find: async (id) => {
        const [row] = findPet(id)
        return row && toPet(row)
      },
      revision: () => {
        // `data_version` counts the commits of other connections, such as the writer's. A store in memory has only this connection.
        if (guard === undefined) return undefined
        if (openSnapshot === undefined) return getDataVersion()
        openSnapshot.version ??= getDataVersion()
        return openSnapshot.version
      },
      list: async ({ after, limit, status }) =>
        (status === undefined ? listPets(after, limit) : listPetsByStatus(status, after, limit)).map(toPet),
    },
    keys: {
      now: async () => new Date(),
      add: (name, hash, options = {}) => write('addKey', name, Buffer.from(hash, 'base64url'), options),
      find: async (hash) => {
        const [row] = findKey(Buffer.from(hash, 'base64url'), Date.now())
        return row && toStoredKey(row)
      },
      list: async () => listKeys().map(toStoredKey),
      revoke: (name, at = new Date()) => write('revokeKey', name, at.getTime()),
    },
    check: async () => {
      withUnavailable(() => guard?.check())()
      // Throws if animals cannot be read.
      listPets(0n, 1)
      await write('check')
    },
    close: () => {
      closing ??= waitForBatches()
        .then(writer.close)
        .then(() => {
          // The main thread has no requests to serve any more, so it may wait for a lock as long as a write may.
          database.exec(`PRAGMA busy_timeout = ${TIMEOUT_MS}`)
          guard?.check()
          database.close()
        })
        // Other errors are harmless, because the next start reads the WAL.
        .catch((error) => {
          if (toError(error).code === DATA_AT_RISK) throw error
        })
      return closing
    },
  }
}

/** Times are milliseconds since 1970, and scopes are separated by spaces. */
type SqliteKeyRow = KeyRow<bigint, string>

function toStoredKey([name, createdAt, revokedAt, expiresAt, scopes]: SqliteKeyRow): StoredKey {
  const toDate = (time: bigint) => new Date(Number(time))
  return {
    name,
    createdAt: toDate(createdAt),
    revokedAt: revokedAt === null ? undefined : toDate(revokedAt),
    expiresAt: expiresAt === null ? undefined : toDate(expiresAt),
    scopes: scopes?.split(' '),
  }
}

/** Wraps a function so that its transient errors become 503, as do all errors once the `database` that it uses is closed. */
function withUnavailable<Args extends unknown[], Result>(run: (...args: Args) => Result, database?: DatabaseSync) {
  return (...args: Args): Result => {
    try {
      return run(...args)
    } catch (error) {
      throw isTransient(error) || database?.isOpen === false ? storeUnavailable(error) : error
    }
  }
}

/** The writer of a store in memory, which has only one connection: it writes on the main thread. */
function createWriter(database: DatabaseSync) {
  const commit = withUnavailable(createCommit(database))
  return { commit: async (batch: readonly WriteCall[]) => commit(batch), close: async () => {} }
}

/** The timeout of a batch, in milliseconds. A write may have to wait for two batches. */
const BATCH_TIMEOUT_MS = TIMEOUT_MS / 2

/**
 * The part of a batch's timeout that SQLite gets as its timeout for a lock. SQLite may wait 1.5 times as long: .9 of the batch's
 * timeout, so that a tenth is left for the disk.
 */
const LOCK_FRACTION = 0.6

/**
 * The writer of a file: a thread with a second connection. An error that the thread throws ends the process, because nothing
 * listens for it. While the disk hangs, all writes get a 503, although the batch that hangs may be stored later.
 */
function startWriterThread({ openFiles, check, noteCommit }: FileGuard) {
  const workerData: ThreadData = { openFiles, timeoutMs: BATCH_TIMEOUT_MS * LOCK_FRACTION }
  // Without `execArgv: []`, the thread has the options of the process, such as the loader of a test.
  const thread = new Worker(new URL('./thread.ts', import.meta.url), { workerData, execArgv: [] })
  // The thread has one batch at a time, so the next message is the response to it.
  const receiveMessage = <Message>() => new Promise<Message>((resolve) => thread.once('message', resolve))
  const ready = receiveMessage()
  /** Resolves when the thread is free. The next batch waits for this, even after the call of the last one has timed out. */
  let lastResponse: Promise<unknown> = ready

  async function send(batch: readonly WriteCall[]): Promise<ThreadResponse> {
    thread.postMessage(batch)
    const response = await receiveMessage<ThreadResponse>()
    // The batch of a call that timed out may be stored later.
    if ('results' in response) noteCommit()
    return response
  }

  return {
    commit: async (batch: readonly WriteCall[]): Promise<unknown[]> => {
      // The start of the thread does not count towards the timeout.
      await ready
      const deadline = performance.now() + BATCH_TIMEOUT_MS
      await withDeadline(lastResponse, deadline)
      const nextResponse = send(batch)
      // It rejects if a handler has passed a value that cannot be sent to a thread, such as a function. Then the thread is free.
      lastResponse = nextResponse.catch(() => {})
      const response = await withDeadline(nextResponse, deadline)
      if ('results' in response) return response.results
      if (!response.isTransient) throw response.error
      // If the file is not in place, `check` throws an error that says so. It copies a WAL that was deleted into the file before:
      // the main connection still has it open.
      withUnavailable(check)()
      throw storeUnavailable(response.error)
    },
    close: async () => {
      // Node waits for its threads before it exits: for ever, if the disk hangs. So the process kills itself (status 137).
      const kill = () => process.kill(process.pid, 'SIGKILL')
      process.on('exit', kill)
      const terminated = thread.terminate().then(() => process.off('exit', kill))
      await withDeadline(terminated, performance.now() + BATCH_TIMEOUT_MS)
    },
  }
}

/** Settles as a promise does, or rejects with a 503 at the deadline, a time of `performance.now`. */
async function withDeadline<Value>(promise: Promise<Value>, deadline: number): Promise<Value> {
  const timeout = Promise.withResolvers<never>()
  const reject = () => timeout.reject(storeUnavailable(new Error('the disk does not respond')))
  const timer = setTimeout(reject, deadline - performance.now())
  return Promise.race([promise, timeout.promise]).finally(() => clearTimeout(timer))
}
