/**
 * A store as a whole, for scripts: all that it holds is read in batches, and put into another store as it is. Each
 * engine is a file beside this one; nothing of an engine shows through.
 */
import type { Key, Pet, RetryKey } from './store.ts'

/**
 * A store that one process reads or fills. Its functions reject as those of a Store do; when one has, what is left is to
 * close it.
 */
export interface BulkStore {
  /** The last id that was given out, whether or not an animal came of it; 0 when there was none. */
  lastId(): Promise<bigint>
  /** Sees to it that from now on ids are given out only above this one. */
  skipIds(last: bigint): Promise<void>
  countPets(): Promise<number>
  /** The first `limit` animals with an id above `after`, in ascending order of id. */
  readPets(after: bigint, limit: number): Promise<Pet[]>
  /**
   * Adds animals under the ids that they have, all or none; when this resolves, they are on disk. The ids ascend, from
   * above every id in the store. Rejects with a StoreInUseError when something else adds animals meanwhile.
   */
  writePets(pets: readonly Pet[]): Promise<void>
  /** Every API key there ever was, the oldest first. */
  readKeys(): Promise<KeptKey[]>
  /** Adds API keys in this order, all or none; those that are there already are put out of force as these are. */
  writeKeys(keys: readonly KeptKey[]): Promise<void>
  /** The first `limit` retry keys behind a place, in an order that is the engine's own. */
  readRetries(page: RetryPage): Promise<KeptRetry[]>
  /** Adds retry keys, all or none, in place of those that are there already. */
  writeRetries(retries: readonly KeptRetry[]): Promise<void>
  /** Lets the engine put in order what much writing has left, so that what follows is not slowed down by it. */
  settle(): Promise<void>
  /** Lets go of the store, if that has not been done. */
  close(): Promise<void>
}

/** An API key as it is kept; dates are exact to the millisecond. */
export interface KeptKey extends Key {
  /** The SHA-256 of the key. */
  readonly hash: Uint8Array
}

/** A retry key as it is kept. */
export interface KeptRetry extends Omit<RetryKey, 'keptFor'> {
  /** The animal that was added under it. */
  readonly petId: bigint
  /** Exact to the millisecond. */
  readonly expiresAt: Date
}

export interface RetryPage {
  /** The retry key to go on behind; from the first, without it. */
  readonly after?: KeptRetry | undefined
  readonly limit: number
  /** Those that have expired by then are left out. */
  readonly inForceAt: Date
}

/** Something else changes a store that is being filled. */
export class StoreInUseError extends Error {
  override readonly name = 'StoreInUseError'

  constructor() {
    super('something else adds animals to the store that is filled; stop every instance of the service that uses it')
  }
}
