/**
 * Digests of the content of a store, to compare it with another store.
 */
import { hash } from 'node:crypto'
import { toValues } from '../../src/stores/rows.ts'
import type { Pet } from '../../src/stores/store.ts'
import type { ApiKeyRecord, IdempotencyKeyRecord } from '../bulk/store.ts'

export interface Content {
  readonly pets: Digest<Pet>
  readonly keys: Digest<ApiKeyRecord>
  readonly idempotencyKeys: Digest<IdempotencyKeyRecord>
}

/** The digest of any number of items. */
export interface Digest<Item> {
  add(items: readonly Item[]): void
  /** The number of items. */
  count(): number
  /** 64 hexadecimal digits that are equal for the same items in any order, and in practice only for those. */
  text(): string
}

export function createContent(): Content {
  return {
    pets: createDigest(formatPet),
    keys: createDigest(formatKey),
    idempotencyKeys: createDigest(formatIdempotencyKey),
  }
}

/** Formats an animal completely. */
export function formatPet(pet: Pet): string {
  return [pet.id, ...toValues(pet)].map((value) => JSON.stringify(String(value))).join()
}

function formatKey({ hash, ...key }: ApiKeyRecord): string {
  const { name, createdAt, revokedAt, expiresAt, lastUsedAt, scopes } = key
  return JSON.stringify([toHex(hash), name, createdAt, revokedAt, expiresAt, lastUsedAt, scopes])
}

function formatIdempotencyKey({ scope, key, fingerprint, petId, expiresAt }: IdempotencyKeyRecord): string {
  return JSON.stringify([scope, key, toHex(fingerprint), String(petId), expiresAt])
}

/** Combines the SHA-256 of every item by XOR, because databases sort texts differently. No item exists twice. */
function createDigest<Item>(format: (item: Item) => string): Digest<Item> {
  const sum = Buffer.alloc(32)
  let count = 0
  return {
    add: (items) => {
      for (const item of items) {
        const digest = hash('sha256', format(item), 'buffer')
        for (let at = 0; at < sum.length; at += 4) sum.writeInt32LE(sum.readInt32LE(at) ^ digest.readInt32LE(at), at)
      }
      count += items.length
    },
    count: () => count,
    text: () => sum.toString('hex'),
  }
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
