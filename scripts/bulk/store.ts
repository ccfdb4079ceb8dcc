/**
 * Bulk access to a store, for scripts: everything in it is read in batches, and written to another store as it is. Each
 * database has a file beside this one.
 */
import type { IdempotentRequest, Pet, StoredKey } from '../../src/stores/store.ts'

/**
 * A store that one process reads or fills. Its functions reject as those of a Store do; after that, it can only be closed.
 */
export interface BulkStore {
  /** Reads the clock by which keys expire. */
  now(): Promise<Date>
  /** The last id that was assigned, even if no animal was stored under it; 0 if there is none. */
  lastId(): Promise<bigint>
  /** Makes the store assign only ids above this one. */
  skipIds(last: bigint): Promise<void>
  countPets(): Promise<number>
  /** The first `limit` animals with an id above `after`, in ascending order of id. */
  readPets(after: bigint, limit: number): Promise<Pet[]>
  /**
   * Adds animals under the ids that they have, all or none; when this resolves, they are on disk. The ids ascend, from
   * above every id in the store. Rejects with a StoreInUseError if something else adds animals meanwhile.
   */
  writePets(pets: readonly Pet[]): Promise<void>
  /** Reads every API key ever stored, the oldest first. */
  readKeys(): Promise<ApiKeyRecord[]>
  /** Adds API keys in this order, all or none; of those that exist, it updates the revocation. */
  writeKeys(keys: readonly ApiKeyRecord[]): Promise<void>
  /** Reads the first `limit` idempotency keys after another one, in the order of the database. */
  readIdempotencyKeys(page: IdempotencyKeyPage): Promise<IdempotencyKeyRecord[]>
  /** Adds idempotency keys, all or none; replaces those that exist. */
  writeIdempotencyKeys(records: readonly IdempotencyKeyRecord[]): Promise<void>
  /** Optimizes the database after many writes, so that it does not stay slower. */
  optimize(): Promise<void>
  /** Closes the store, if it is open. */
  close(): Promise<void>
}

/** A stored API key; dates are exact to the millisecond. */
export interface ApiKeyRecord extends StoredKey {
  /** The SHA-256 of the key. */
  readonly hash: Uint8Array
}

/** A stored idempotency key. */
export interface IdempotencyKeyRecord extends Omit<IdempotentRequest, 'ttlMs'> {
  /** The animal that was added under it. */
  readonly petId: bigint
  /** Exact to the millisecond. */
  readonly expiresAt: Date
}

export interface IdempotencyKeyPage {
  /** The key after which the page begins; without it, the first one. */
  readonly after?: IdempotencyKeyRecord | undefined
  readonly limit: number
  /** Keys that have expired by then are left out. */
  readonly activeAt: Date
}

/** The error if something else changes the store that is filled. */
export class StoreInUseError extends Error {
  override readonly name = 'StoreInUseError'

  constructor() {
    super('another program adds animals to the store that is filled; stop every instance of the service that uses it')
  }
}
