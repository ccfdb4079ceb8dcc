/** API keys: makes, names, hashes and redacts them, and authenticates clients with them. */
import { hash, randomBytes } from 'node:crypto'
import type { Caller, SecurityFunction } from 'fastify-openapi-first'
import type { KeyHash, StoredKey } from '../stores/store.ts'

/** The beginning of each key, by which people and scanners for leaked secrets recognize it. */
const KEY_PREFIX = 'animal_'

/** Matches a percent-encoded character (RFC 3986, section 2.1). */
const ENCODED = '%[\\da-f]{2}'

/** Matches a key, or most of one. An error code or the name of a table has fewer characters after the prefix. */
const KEY_PATTERN = `${toPattern(KEY_PREFIX)}(?:[\\w-]|${ENCODED}){20,}`

/** Creates a key: the prefix and 256 random bits in base64url (RFC 4648, section 5), together a b64token of RFC 6750. */
export function createKey(): string {
  return KEY_PREFIX + randomBytes(32).toString('base64url')
}

/**
 * The SHA-256 of a key in base64url, 43 characters: all of it that is stored. A key is too random to be guessed from an
 * unsalted hash.
 */
export function hashKey(key: string): KeyHash {
  return hash('sha256', key, 'base64url')
}

/** An active key, which without scopes has all rights. */
export type ActiveKey = Pick<StoredKey, 'name' | 'scopes'>

/**
 * Finds the active key with this hash; returns undefined without one. A lookup by hash takes the same time for every invalid
 * key.
 */
export type FindKey = (hash: KeyHash) => ActiveKey | undefined | Promise<ActiveKey | undefined>

/** Creates the security function of API keys. The spec says in which part of a request a key is sent. */
export function createAuthenticate(findKey: FindKey): SecurityFunction {
  /** Identifies a client by the hash, because two keys may have the same name. */
  function toCaller(id: KeyHash, key: ActiveKey | undefined): Caller | undefined {
    return key && { id, name: key.name, scopes: key.scopes ?? 'all' }
  }

  return (credential) => {
    // Of Basic credentials, the key is the password; the user does not matter. No key has a colon.
    const id = hashKey(credential.slice(credential.lastIndexOf(':') + 1))
    const result = findKey(id)
    return result instanceof Promise ? result.then((key) => toCaller(id, key)) : toCaller(id, result)
  }
}

/** The rule for the names of keys, for people. */
export const keyNameRule = '1 to 64 letters, digits, ".", "_" and "-"'

/** True if a key may have this name: the rule holds, and the name is not itself a key, put there by mistake. */
export function isKeyName(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text) && redactKeys(text) === text
}

/** Replaces secrets in a text. */
export type Redact = (text: string) => string

/** Replaces everything that looks like a key made by `createKey`, or like most of one, with `[redacted]`. */
export const redactKeys: Redact = createRedactor([])

/**
 * Creates a function that redacts
 *
 * - everything that looks like a key made by `createKey`,
 * - the given keys, wherever their first 16 characters appear, and
 * - what matches the given patterns. The named group `kept` of a match stays.
 *
 * Characters of keys may be percent-encoded, as in URLs.
 */
export function createRedactor(keys: readonly string[], secretPatterns: readonly RegExp[] = []): Redact {
  const patterns = [
    KEY_PATTERN,
    ...keys.map((key) => `${toPattern(key.slice(0, 16))}(?:[\\w.~+/-]|${ENCODED})*=*`),
    ...secretPatterns.map(({ source }) => source),
  ]
  // One pattern, because several searches take most of the time of a log line.
  const pattern = new RegExp(patterns.join('|'), 'gi')
  // The last argument has the named groups. Without such groups, it is the text, which has no `kept`.
  return (text) => text.replace(pattern, (...match) => `${match.at(-1).kept ?? ''}[redacted]`)
}

/** Makes a pattern of a text whose characters may be percent-encoded. */
function toPattern(text: string): string {
  const toHex = (character: string) => character.charCodeAt(0).toString(16)
  return text.replaceAll(/./g, (character) => `(?:\\x${toHex(character)}|%${toHex(character)})`)
}
