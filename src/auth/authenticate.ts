/** Authentication with API keys: as bearer tokens (RFC 6750), or wherever else the spec has them. */
import type { Caller, SecurityFunction } from '../openapi/index.ts'
import type { KeyHash, StoredKey } from '../stores/store.ts'
import { hashKey } from './keys.ts'

/** An active key; without scopes, it has all rights. */
export type FoundKey = Pick<StoredKey, 'name' | 'scopes'> | undefined

/** Finds the active key with this hash. A lookup by hash takes the same time for every key that is not valid. */
export type FindKey = (hash: KeyHash) => FoundKey | Promise<FoundKey>

/** The number of valid keys whose hashes are remembered. */
const MAX_HASHES = 1000

/** Makes the function that returns the client with an API key. */
export function createAuthenticate(findKey: FindKey): SecurityFunction {
  // Contains valid keys only. The time of a lookup reveals nothing of them: V8 compares only texts with equal hashes.
  const hashes = new Map<string, KeyHash>()

  function toCaller(key: string, id: KeyHash, found: FoundKey): Caller | undefined {
    if (found === undefined) return undefined
    if (!hashes.has(key)) {
      if (hashes.size >= MAX_HASHES) hashes.clear()
      hashes.set(key, id)
    }
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
