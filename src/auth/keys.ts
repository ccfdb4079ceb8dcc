/** Makes, names and hashes API keys, and redacts them in texts. */
import { hash, randomBytes } from 'node:crypto'

/** The beginning of each key, by which people and scanners for leaked secrets recognize it. */
const prefix = 'animal_'

/**
 * Matches a key, also percent-encoded: clients encode what they put into a path (RFC 3986, section 2.1), some of them twice.
 * An error code or the name of a table has fewer characters after the prefix.
 */
const keyPattern = new RegExp(`${encodable(prefix)}(?:[\\w-]|%(?:25)*[2-7][0-9a-f]){20,}`, 'gi')

/** Makes a key: the prefix and 256 random bits in base64url (RFC 4648, section 5), together a b64token of RFC 6750. */
export function createKey(): string {
  return prefix + randomBytes(32).toString('base64url')
}

/**
 * The SHA-256 of a key in base64url, 43 characters: all of it that is stored. A key is too random to be guessed from an
 * unsalted hash.
 */
export function hashKey(key: string): string {
  return hash('sha256', key, 'base64url')
}

/** The rule for the names of keys, for people. */
export const keyNameRule = '1 to 64 letters, digits, ".", "_" and "-"'

/** True if a key may have this name: the rule holds, and the name is not itself a key, put there by mistake. */
export function isKeyName(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text) && redactKeys(text) === text
}

/** Replaces everything that looks like a key made by `createKey`, or like most of one, with `[redacted]`. */
export function redactKeys(text: string): string {
  return text.includes(prefix) || text.includes('%') ? text.replace(keyPattern, '[redacted]') : text
}

/** Replaces the keys in a text. */
export type Redact = (text: string) => string

/**
 * Makes a function that redacts what `redactKeys` does, and these keys, which have no common form: wherever 16 characters
 * or more of one appear, plain or percent-encoded.
 */
export function createRedactor(keys: readonly string[]): Redact {
  const patterns = keys.map((key) => new RegExp(`${encodable(key.slice(0, 16))}[\\w.~+/%-]*=*`, 'gi'))
  return (text) => patterns.reduce((redacted, pattern) => redacted.replace(pattern, '[redacted]'), redactKeys(text))
}

/** The source of a pattern for a text of which any character may be percent-encoded. */
function encodable(text: string): string {
  return [...text]
    .map((each) => `(?:${each.replace(/[.+]/, '\\$&')}|%(?:25)*${each.charCodeAt(0).toString(16)})`)
    .join('')
}
