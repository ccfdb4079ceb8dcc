/** The interface of a store. Each database implements it in its own folder, with the same file names. */

import type { HttpError } from 'fastify-openapi-first/shared'
import type { NewPet, Pet, PetStatus } from '../../generated/server.d.ts'
import { unavailable } from '../errors.ts'

export type { NewPet, Pet, PetStatus }

/** Stores animals and API keys. While the database is out of reach, every function rejects with `storeUnavailable`. */
export interface Store {
  readonly pets: PetStore
  readonly keys: KeyStore
  /** Resolves if the store can be read and written: a commit that changes nothing is on disk. */
  check(): Promise<void>
  /** Missing on PostgreSQL. */
  readonly snapshot?: Snapshot
  /** Counts the connections that are in use and idle, and the calls that wait for one. Missing if there is no server. */
  getConnections?(): Readonly<Record<'used' | 'idle' | 'awaited', number>>
  /** Finishes pending writes and closes the store. Rejects if the next start loses acknowledged changes. */
  close(): Promise<void>
}

/** Reads between `begin` and `end`, with no await between them, see the same state of the data. Neither throws. */
export interface Snapshot {
  begin(): void
  end(): void
}

export interface PetStore {
  /** Adds an animal under a new id, above every id assigned before. When this resolves, the animal is on disk. */
  add(pet: NewPet): Promise<Pet>
  /** Like `add`, but a repeated request adds no second animal. */
  addOnce(pet: NewPet, request: IdempotentRequest): Promise<AddResult>
  /** Finds the animal with this id (any int64). */
  find(id: bigint): Promise<Pet | undefined>
  /**
   * Returns a number that changes whenever the animals change, whoever changes them; undefined if that cannot be known
   * without asking a server.
   */
  revision(): number | undefined
  /** Lists the first `limit` animals (1 or more) with an id above `after`, in ascending order of id. */
  list(page: PetPage): Promise<Pet[]>
}

export interface PetPage {
  readonly after: bigint
  readonly limit: number
  /** Only animals of this status. */
  readonly status?: PetStatus | undefined
}

/** Identifies a request that may be repeated (draft-ietf-httpapi-idempotency-key-header-07). */
export interface IdempotentRequest {
  /** Identifies the client: clients may use equal idempotency keys without a conflict. */
  readonly scope: string
  /** The idempotency key, made up by the client. */
  readonly key: string
  /** A digest of the animal. */
  readonly fingerprint: Uint8Array
  /** The time for which the key is stored once an animal is added under it, in milliseconds. Then it can be used again. */
  readonly ttlMs: number
}

/**
 * The result of adding an animal under an idempotency key:
 * - `added`: the animal and the key are stored, both or neither;
 * - `replayed`: the same request added this animal before, whatever has become of it since;
 * - `conflict`: the key belongs to a request with another fingerprint; nothing is added;
 * - `in-progress`: a request with this key is being processed; nothing is added.
 */
export type AddResult =
  | { readonly outcome: 'added'; readonly pet: Pet }
  | { readonly outcome: 'replayed'; readonly pet: Pet }
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'in-progress' }

/** The times of a key are read from the clock of the store: on PostgreSQL, the clock of the server. */
export interface KeyStore {
  now(): Promise<Date>
  /** Stores the hash of an API key; false if an active key has this name. */
  add(name: string, hash: KeyHash, options?: KeyOptions): Promise<boolean>
  /** Finds the active key with this hash. Not always a promise: each request asks, and most keys are in the cache of `openStore`. */
  find(hash: KeyHash): Promise<StoredKey | undefined> | StoredKey | undefined
  /** Lists every key ever stored, the oldest first. */
  list(): Promise<StoredKey[]>
  /**
   * Revokes the active keys of this name, from `at` on (by default now); false without an active key. A new key may have the name
   * immediately, even before `at`.
   */
  revoke(name: string, at?: Date): Promise<boolean>
}

export interface KeyOptions {
  /** The scopes of the key; by default it has all rights. */
  readonly scopes?: readonly string[] | undefined
  readonly expiresAt?: Date | undefined
}

/** The SHA-256 of an API key, in base64url. */
export type KeyHash = string

/** An API key as it is stored. It is active until it expires or is revoked. */
export interface StoredKey extends KeyOptions {
  readonly name: string
  readonly createdAt: Date
  /** May be in the future. */
  readonly revokedAt?: Date | undefined
}

/** The time after which a call that waits for the database rejects with a 503, in milliseconds. */
export const TIMEOUT_MS = 5000

/** The file of a SQLite store that lives in memory and is gone when it is closed. */
export const inMemory = ':memory:'

/** True if a key can be used at a time. */
export function isActive({ revokedAt, expiresAt }: StoredKey, now: Date): boolean {
  return (revokedAt === undefined || revokedAt > now) && (expiresAt === undefined || expiresAt > now)
}

/** The 503 for a store that cannot be used at the moment. */
export function storeUnavailable(cause: unknown): HttpError {
  return unavailable('the catalogue is unavailable at the moment; try again shortly', cause)
}
