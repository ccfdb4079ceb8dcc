/** API keys: makes, names, hashes and redacts them, and authenticates clients with them. */
import { hash, randomBytes } from 'node:crypto'
import type { Caller, SecurityFunction } from '../openapi/index.ts'
import type { KeyHash, StoredKey } from '../stores/store.ts'

/** The beginning of each key, by which people and scanners for leaked secrets recognize it. */
const prefix = 'animal_'

/**
 * Matches a key, also percent-encoded: clients encode what they put into a path (RFC 3986, section 2.1), some of them twice.
 * An error code or the name of a table has fewer characters after the prefix.
 */
const keyPattern = `${encodable(prefix)}(?:[\\w-]|%(?:25)*[2-7][0-9a-f]){20,}`

/** Makes a key: the prefix and 256 random bits in base64url (RFC 4648, section 5), together a b64token of RFC 6750. */
export function createKey(): string {
  return prefix + randomBytes(32).toString('base64url')
}

/**
 * The SHA-256 of a key in base64url, 43 characters: all of it that is stored. A key is too random to be guessed from an
 * unsalted hash.
 */
export function hashKey(key: string): KeyHash {
  return hash('sha256', key, 'base64url')
}

/** An active key; without scopes, it has all rights. */
export type FoundKey = Pick<StoredKey, 'name' | 'scopes'> | undefined

/** Finds the active key with this hash. A lookup by hash takes the same time for every key that is not valid. */
export type FindKey = (hash: KeyHash) => FoundKey | Promise<FoundKey>

/** The number of valid keys whose hashes are remembered. */
const MAX_HASHES = 1000

/** Makes the function that returns the client with an API key: a bearer token (RFC 6750), or wherever else the spec has it. */
export function createAuthenticate(findKey: FindKey): SecurityFunction {
  // Contains only keys that were valid. The time of a lookup reveals nothing of them: V8 compares only texts with equal hashes.
  const hashes = new Map<string, KeyHash>()

  function toCaller(key: string, id: KeyHash, found: FoundKey): Caller | undefined {
    if (found === undefined) return undefined
    hashes.set(key, id)
    if (hashes.size > MAX_HASHES) hashes.clear()
    // The key alone distinguishes clients; people have given it the name.
    return { id, name: found.name, scopes: found.scopes }
  }

  return (credential) => {
    // Of Basic credentials, the key is the password; the user does not matter. No key has a colon.
    const key = credential.slice(credential.lastIndexOf(':') + 1)
    const id = hashes.get(key) ?? hashKey(key)
    const found = findKey(id)
    return found instanceof Promise ? found.then((each) => toCaller(key, id, each)) : toCaller(key, id, found)
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
 * Makes a function that redacts what `redactKeys` does, and these keys, which have no common form: wherever 16 characters
 * or more of one appear, plain or percent-encoded. Other secrets are found by patterns, whose group `kept` stays.
 */
export function createRedactor(keys: readonly string[], others: readonly RegExp[] = []): Redact {
  const patterns = [
    keyPattern,
    ...keys.map((key) => `${encodable(key.slice(0, 16))}[\\w.~+/%-]*=*`),
    ...others.map(({ source }) => source),
  ]
  // One pattern: a search for each would take most of the time of a line in the log.
  const pattern = new RegExp(patterns.join('|'), 'gi')
  // The last argument has the named groups, if there are any.
  return (text) => text.replace(pattern, (...found) => `${found.at(-1).kept ?? ''}[redacted]`)
}

/** The source of a pattern for a text of which any character may be percent-encoded. */
function encodable(text: string): string {
  return [...text]
    .map((each) => `(?:${each.replace(/[.+]/, '\\$&')}|%(?:25)*${each.charCodeAt(0).toString(16)})`)
    .join('')
}
