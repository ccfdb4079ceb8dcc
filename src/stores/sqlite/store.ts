/**
 * The embedded store: a SQLite file, for one machine. Several processes may have it open at once.
 *
 * Reads are short and never wait for a write (https://www.sqlite.org/wal.html), so they run on the caller's thread. Writes
 * run on a thread of their own; those that wait together share a commit.
 */
import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { toError } from '../../errors.ts'
import { createGroupCommit } from '../batch.ts'
import { type KeyRow, type PetRow, toKey, toPet } from '../rows.ts'
import { type Store, storeUnavailable } from '../store.ts'
import { connect, createFileGuard, type FileGuard, prepare, toStoreError, WAL_LOST } from './connection.ts'
import * as sql from './statements.ts'
import { createCommit, type ThreadData, type ThreadResponse, type Write, type Writes } from './writes.ts'

/**
 * Opens the SQLite file at `path` (or `:memory:`). `timeoutMs` is the longest time that a call may take, waits for
 * locks and the disk included. Rejects with a StartupError.
 */
export async function openSqlite(path: string, timeoutMs: number): Promise<Store> {
  const database = await connect(path, timeoutMs)
  const file = database.location()
  const guard = file === null ? undefined : createFileGuard(file, database)
  const checkFile = mapErrors(() => guard?.check())
  const writer = guard === undefined ? createWriter(database) : startWriterThread(guard, timeoutMs)
  const { submit, settled } = createGroupCommit(writer.commit)
  let closing: Promise<void> | undefined

  async function write<Name extends keyof Writes>(
    name: Name,
    ...parameters: Parameters<Writes[Name]>
  ): Promise<ReturnType<Writes[Name]>> {
    if (closing !== undefined) throw storeUnavailable('the store is closed')
    return (await submit({ name, parameters })) as ReturnType<Writes[Name]>
  }

  const findPet = mapErrors(prepare<PetRow>(database, sql.findPet))
  const listPets = mapErrors(prepare<PetRow>(database, sql.listPets))
  const listPetsByStatus = mapErrors(prepare<PetRow>(database, sql.listPetsByStatus))
  const findKey = mapErrors(prepare<KeyRow>(database, sql.findKey))
  const listKeys = mapErrors(prepare<KeyRow>(database, sql.listKeys))
  const anyPet = mapErrors(prepare(database, sql.anyPet))
  const dataVersion = mapErrors(prepare<[bigint]>(database, sql.dataVersion))
  const readVersion = () => Number(dataVersion()[0]?.[0])
  const begin = prepare(database, 'BEGIN')
  const end = prepare(database, 'ROLLBACK')
  /** The snapshot that is open, whose reads see one version. */
  let snapshot: { version?: number } | undefined

  return {
    ...(guard !== undefined && {
      // A read by itself takes and releases a lock, which costs more than to find an animal.
      snapshot: {
        begin: () => {
          if (database.isOpen && !database.isTransaction) begin()
          snapshot = {}
        },
        end: () => {
          snapshot = undefined
          try {
            if (database.isOpen && database.isTransaction) end()
          } catch {
            // The next end tries again.
          }
        },
      },
    }),
    pets: {
      add: (pet) => write('addPet', pet),
      addOnce: (pet, request) => write('addPetOnce', pet, request),
      find: async (id) => {
        const [row] = findPet(id)
        return row && toPet(row)
      },
      revision: () => {
        // A store in memory has only one connection, whose own commits do not count.
        if (guard === undefined) return undefined
        if (snapshot === undefined) return readVersion()
        snapshot.version ??= readVersion()
        return snapshot.version
      },
      list: async ({ after, limit, status }) =>
        (status === undefined ? listPets(after, limit) : listPetsByStatus(status, after, limit)).map(toPet),
    },
    keys: {
      now: async () => new Date(),
      add: (name, hash, options = {}) => write('addKey', name, Buffer.from(hash, 'base64url'), options),
      find: async (hash) => {
        const now = Date.now()
        const [row] = findKey(Buffer.from(hash, 'base64url'), now, now)
        return row && toKey(row)
      },
      list: async () => listKeys().map(toKey),
      revoke: (name, at = new Date()) => write('revokeKey', name, at.getTime()),
      touch: (hash) => write('touchKey', Buffer.from(hash, 'base64url')),
    },
    check: async () => {
      checkFile()
      anyPet()
      await write('check')
    },
    close: () => {
      closing ??= settled()
        .then(writer.close)
        .then(() => {
          // Nobody else waits for this thread now.
          database.exec(`PRAGMA busy_timeout = ${timeoutMs}`)
          guard?.check()
          database.close()
        })
        // The file was replaced, or the disk hangs: not to close it loses nothing, except for WAL_LOST.
        .catch((error) => {
          if (toError(error).code === WAL_LOST) throw error
        })
      return closing
    },
  }
}

/** Makes a function throw the errors that a `Store` throws. */
function mapErrors<Given extends unknown[], Result>(run: (...given: Given) => Result): (...given: Given) => Result {
  return (...given) => {
    try {
      return run(...given)
    } catch (error) {
      throw toStoreError(error)
    }
  }
}

/** Writes on the connection itself: a store in memory has only one, and its writes wait for nothing. */
function createWriter(database: DatabaseSync) {
  const commit = mapErrors(createCommit(() => database))
  return { commit: async (batch: readonly Write[]) => commit(batch), close: async () => {} }
}

/**
 * Writes on a thread and a connection of its own. If the thread itself fails, so does the process. While the disk hangs,
 * all writes get a 503, although the batch that hangs may be stored later.
 */
function startWriterThread({ opened, check, noteCommit }: FileGuard, timeoutMs: number) {
  // A batch may have to wait for the one before it.
  const batchTimeoutMs = timeoutMs / 2
  // SQLite waits somewhat longer for a lock than its timeout says.
  const workerData: ThreadData = { opened, timeoutMs: Math.floor(batchTimeoutMs * 0.6) }
  // The flags of the process, such as those of a test loader, are not for the thread.
  const thread = new Worker(new URL('./writes.ts', import.meta.url), { workerData, execArgv: [] })
  const receive = <Message>() => new Promise<Message>((resolve) => thread.once('message', resolve))
  const ready = receive()
  /** The response to the last batch. */
  let responding: Promise<unknown> = ready

  async function ask(batch: readonly Write[]): Promise<ThreadResponse> {
    thread.postMessage(batch)
    const response = await receive<ThreadResponse>()
    if ('results' in response) noteCommit()
    return response
  }

  return {
    commit: async (batch: readonly Write[]): Promise<unknown[]> => {
      await ready
      const deadline = performance.now() + batchTimeoutMs
      await inTime(responding, deadline)
      const asked = ask(batch)
      responding = asked
      const response = await inTime(asked, deadline)
      if ('results' in response) return response.results
      if (!response.isTransient) throw response.error
      // The thread may not have opened the WAL before it was deleted; the main connection has.
      mapErrors(check)()
      throw storeUnavailable(response.error)
    },
    close: async () => {
      // Node waits for its threads when it exits, even for one that waits for the disk.
      const kill = () => process.kill(process.pid, 'SIGKILL')
      process.on('exit', kill)
      const terminated = thread.terminate().then(() => process.off('exit', kill))
      await inTime(terminated, performance.now() + batchTimeoutMs)
    },
  }
}

/** Rejects with a 503 if a promise is not settled at a time of `performance.now`. */
async function inTime<Value>(promise: Promise<Value>, deadline: number): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const error = storeUnavailable(new Error('the disk does not respond'))
  const timer = setTimeout(() => late.reject(error), deadline - performance.now())
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer))
}
