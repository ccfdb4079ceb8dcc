/**
 * Authentication with API keys as bearer tokens (RFC 6750).
 */
import { HttpError } from '../errors.ts'
import { type Authenticator, getFieldValues } from '../openapi/index.ts'
import type { KeyHash } from '../stores/store.ts'
import { hashKey } from './keys.ts'

/** The client of a request: its API key, which alone distinguishes clients, and the name that people gave the key. */
export interface Caller {
  readonly id: KeyHash
  readonly name: string
}

/** A key that was found, or none; at once if it is known already. */
export type FoundKey = Pick<Caller, 'name'> | undefined

/** Finds the active key with this hash. A lookup by hash takes the same time for every key that is not valid. */
export type FindKey = (hash: KeyHash) => FoundKey | Promise<FoundKey>

/** RFC 6750, section 2.1; the name of the scheme in any case (RFC 9110, section 11.1). */
const CREDENTIALS = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i

/** Makes the authenticator for `http bearer`. It refuses with 401 and a challenge that names the realm (RFC 6750, section 3). */
export function createBearerAuthenticator(getRealm: () => string, findKey: FindKey): Authenticator<Caller> {
  function toCaller(id: KeyHash, found: FoundKey): Caller {
    if (found !== undefined) return { id, name: found.name }
    const challenge = `${formatChallenge(getRealm())}, error="invalid_token"`
    throw unauthorized('invalid_key', 'the API key is not valid', challenge)
  }

  return (request) => {
    const values = getFieldValues(request.raw, 'authorization')
    const [authorization] = values
    // Without a key there is no error code (RFC 6750, section 3.1).
    if (authorization === undefined || !/^bearer\b/i.test(authorization)) {
      const message = 'this operation needs an API key: send it as Authorization: Bearer <API_KEY>'
      throw unauthorized('missing_key', message, formatChallenge(getRealm()))
    }
    const key = values.length === 1 ? CREDENTIALS.exec(authorization)?.[1] : undefined
    if (key === undefined) return toCaller('', undefined)
    const id = hashKey(key)
    const found = findKey(id)
    return found instanceof Promise ? found.then((each) => toCaller(id, each)) : toCaller(id, found)
  }
}

/** RFC 9110, section 11.5. A header has no room for letters beyond ASCII. */
function formatChallenge(realm: string): string {
  return `Bearer realm="${realm.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&')}"`
}

function unauthorized(code: 'missing_key' | 'invalid_key', message: string, challenge: string): HttpError {
  return new HttpError(401, code, message, { headers: { 'WWW-Authenticate': challenge } })
}
