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

/** Takes what is a key out of a text. */
export type Redact = (text: string) => string

/**
 * Redacts the keys that `redactKeys` knows, and these, which cannot be told by their looks: wherever 16 characters or
 * more of one are, as they are or percent-encoded (RFC 3986, section 2.1), as clients do with what they put into a path.
 */
export function createRedactor(keys: readonly string[]): Redact {
  const patterns = keys.map((key) => {
    const beginning = [...key.slice(0, 16)].map((character) => {
      const code = character.charCodeAt(0).toString(16)
      return `(?:${character.replace(/[.+]/, '\\$&')}|%${code})`
    })
    return new RegExp(`${beginning.join('')}[\\w.~+/%-]*=*`, 'gi')
  })
  return (text) => patterns.reduce((shorter, pattern) => shorter.replace(pattern, '[redacted]'), redactKeys(text))
}
