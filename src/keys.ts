/**
 * API keys as such: how one is made and named, what is kept of it, and how it is kept out of texts.
 */
import { hash, randomBytes } from 'node:crypto'

/** Tells people, and scanners of leaked secrets, what they have found. */
const prefix = 'animal_'

/** As many characters after the prefix as no error code, name of a table and the like has. */
const keyLike = new RegExp(`${prefix}[\\w-]{20,}`, 'g')

/** A new key: the prefix and 256 random bits in base64url (RFC 4648, section 5), together a b64token of RFC 6750. */
export function createKey(): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** The SHA-256 of a key, 32 bytes: all that is kept of it. A key is too random to be guessed from an unsalted hash. */
export function hashKey(key: string): Uint8Array {
  return hash('sha256', key, 'buffer')
}

/** What a key may be called, for people. */
export const keyNameRule = '1 to 64 letters, digits, ".", "_" and "-"'

/** Whether a key may be called so: as the rule says, and not by what is itself a key, put there by mistake. */
export function isKeyName(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text) && redactKeys(text) === text
}

/** The text with `[redacted]` in place of everything that looks like a key made by `createKey`, or like most of one. */
export function redactKeys(text: string): string {
  return text.replace(keyLike, '[redacted]')
}
