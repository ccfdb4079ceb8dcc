/**
 * What a store holds, boiled down, so that it can be compared with what another store holds.
 */
import { hash } from 'node:crypto'
import type { KeptKey, KeptRetry } from '../src/stores/bulk.ts'
import type { Pet } from '../src/stores/store.ts'

export interface Content {
  readonly pets: Digest<Pet>
  readonly keys: Digest<KeptKey>
  readonly retries: Digest<KeptRetry>
}

/** Any number of items, boiled down. */
export interface Digest<Item> {
  add(items: readonly Item[]): void
  /** How many items there are. */
  count(): number
  /** 64 hexadecimal digits that are the same for the same items, and in practice only for those, in whatever order. */
  text(): string
}

export function createContent(): Content {
  return { pets: createDigest(petText), keys: createDigest(keyText), retries: createDigest(retryText) }
}

/** All of an animal, as a text. */
export function petText({ id, name, categoryId, status }: Pet): string {
  return JSON.stringify([String(id), name, String(categoryId), status])
}

function keyText({ hash, name, createdAt, revokedAt }: KeptKey): string {
  return JSON.stringify([hexOf(hash), name, createdAt, revokedAt])
}

function retryText({ scope, key, fingerprint, petId, expiresAt }: KeptRetry): string {
  return JSON.stringify([scope, key, hexOf(fingerprint), String(petId), expiresAt])
}

/** The SHA-256 of each item, added up bit by bit: engines sort texts differently. No item is there twice. */
function createDigest<Item>(textOf: (item: Item) => string): Digest<Item> {
  const sum = Buffer.alloc(32)
  let count = 0
  return {
    add: (items) => {
      for (const item of items) {
        const digest = hash('sha256', textOf(item), 'buffer')
        for (let at = 0; at < sum.length; at += 4) sum.writeInt32LE(sum.readInt32LE(at) ^ digest.readInt32LE(at), at)
      }
      count += items.length
    },
    count: () => count,
    text: () => sum.toString('hex'),
  }
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
