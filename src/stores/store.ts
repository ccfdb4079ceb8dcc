/**
 * What the service asks of a store. Each engine is a file beside this one; nothing of an engine shows through.
 */
import type { components } from '../../generated/server.d.ts'

export type Pet = components['schemas']['Pet']
export type NewPet = components['schemas']['NewPet']
export type PetStatus = components['schemas']['PetStatus']

/** A place where animals and API keys are kept. Every function rejects with a StoreUnavailableError while it is out of reach. */
export interface Store {
  readonly pets: PetStore
  readonly keys: KeyStore
  /** Resolves when the store answers. */
  check(): Promise<void>
  /** Ends what is under way and lets go of the store. */
  close(): Promise<void>
}

export interface PetStore {
  /** Keeps an animal under a new id, above every id given before. Once this resolves, the animal is on disk. */
  add(pet: NewPet): Promise<Pet>
  /** Like `add`, but a request that is sent again adds no second animal. */
  addOnce(pet: NewPet, retry: RetryKey): Promise<AddedOnce>
  /** The animal with this id (any int64). */
  find(id: bigint): Promise<Pet | undefined>
  /** The first `limit` animals (1 or more) with an id above `after`, in ascending order of id; of one status, if given. */
  list(page: PetPage): Promise<Pet[]>
}

export interface PetPage {
  readonly after: bigint
  readonly limit: number
  readonly status?: PetStatus | undefined
}

/** How a request is known again when it is sent again (draft-ietf-httpapi-idempotency-key-header-07). */
export interface RetryKey {
  /** Whose key it is: the same key of another is another key. */
  readonly scope: string
  /** The key that the client made up. */
  readonly key: string
  /** What the request asks for, as a digest. */
  readonly fingerprint: Uint8Array
  /** How long the key is kept once an animal has been added under it, in milliseconds. Then it is as good as new. */
  readonly keptFor: number
}

/**
 * What came of adding an animal under a key:
 * - `added`: it is kept, and so is the key, both or neither;
 * - `replayed`: this request has added it before;
 * - `conflict`: the key stands for a request with another fingerprint; nothing is added;
 * - `in-progress`: a request with this key is under way; nothing is added.
 */
export type AddedOnce =
  | { readonly outcome: 'added' | 'replayed'; readonly pet: Pet }
  | { readonly outcome: 'conflict' | 'in-progress' }

export interface KeyStore {
  /** Keeps the SHA-256 of a key; false when a key in force has that name already. */
  add(name: string, hash: Uint8Array): Promise<boolean>
  /** The key in force with this SHA-256. */
  find(hash: Uint8Array): Promise<Key | undefined>
  /** Every key there ever was, the oldest first. */
  list(): Promise<Key[]>
  /** Puts the key of this name out of force; false when there is none in force. */
  revoke(name: string): Promise<boolean>
}

export interface Key {
  readonly name: string
  readonly createdAt: Date
  readonly revokedAt?: Date
}

/** The store cannot be reached, or cannot write, for the moment. The cause is for the log, never for an answer. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'

  constructor(cause: unknown) {
    super('the store is not available', { cause })
  }
}

/** The store cannot be opened; the message says why and what to do, in one line. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError'
}
