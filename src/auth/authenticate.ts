/**
 * Authentication with API keys: as bearer tokens (RFC 6750), as passwords (RFC 7617), or in a header, a query parameter or
 * a cookie, as the spec says.
 */
import type { ErrorCode } from '../../generated/server.d.ts'
import { HttpError } from '../errors.ts'
import type { Authenticator, Caller, Security, SecurityRequirement } from '../openapi/index.ts'
import type { KeyHash, StoredKey } from '../stores/store.ts'
import { hashKey } from './keys.ts'

/** An active key; without scopes, it has all rights. */
export type FoundKey = Pick<StoredKey, 'name' | 'scopes'> | undefined

/** Finds the active key with this hash. A lookup by hash takes the same time for every key that is not valid. */
export type FindKey = (hash: KeyHash) => FoundKey | Promise<FoundKey>

/** The number of valid keys whose hashes are remembered. */
const MAX_HASHES = 1000

/** Makes the security of the service. The realm is that of its challenges (RFC 9110, section 11.5). */
export function createSecurity(getRealm: () => string, findKey: FindKey): Security {
  // Contains valid keys only. The time of a lookup reveals nothing of them: V8 compares only texts with equal hashes.
  const hashes = new Map<string, KeyHash>()

  const authenticate: Authenticator = (key, requirement) => {
    const id = hashes.get(key) ?? hashKey(key)
    const found = findKey(id)
    return found instanceof Promise
      ? found.then((each) => toCaller(key, id, each, requirement))
      : toCaller(key, id, found, requirement)
  }

  function toCaller(key: string, id: KeyHash, found: FoundKey, { scheme, scopes }: SecurityRequirement): Caller {
    if (found === undefined) {
      const challenge = `${formatChallenge(scheme, getRealm())}, error="invalid_token"`
      throw refuse(401, 'invalid_key', 'the API key is not valid; use an active key', challenge)
    }
    if (!hashes.has(key)) {
      if (hashes.size >= MAX_HASHES) hashes.clear()
      hashes.set(key, id)
    }
    const missing = scopes.filter((scope) => found.scopes?.includes(scope) === false)
    // The key alone distinguishes clients; people have given it the name.
    if (missing.length === 0) return { id, name: found.name }
    // RFC 6750, section 3.1
    const challenge = `${formatChallenge(scheme, getRealm())}, error="insufficient_scope", scope="${scopes.join(' ')}"`
    throw refuse(403, 'insufficient_scope', `the API key lacks the scope ${missing.join(' ')}`, challenge)
  }

  return {
    authenticators: {
      'http bearer': authenticate,
      // The key is the password; the user does not matter.
      'http basic': (credentials, requirement) => authenticate(credentials.replace(/^[^:]*:?/, ''), requirement),
      'apiKey header': authenticate,
      'apiKey query': authenticate,
      'apiKey cookie': authenticate,
    },
    createRefusal: (alternatives) => {
      const schemes = alternatives.flat().map(({ scheme }) => scheme)
      const places = new Set(schemes.map(formatPlace))
      const message = `this operation needs an API key: send it as ${[...places].join(' or ')}`
      // Without a key there is no error code (RFC 6750, section 3.1).
      const challenges = new Set(schemes.map((scheme) => formatChallenge(scheme, getRealm())))
      return () => refuse(401, 'missing_key', message, [...challenges].join(', '))
    },
  }
}

type Scheme = SecurityRequirement['scheme']

function formatPlace(scheme: Scheme): string {
  if (scheme.type === 'apiKey') return `the ${scheme.in} ${scheme.in === 'query' ? 'parameter ' : ''}${scheme.name}`
  return /^basic$/i.test(scheme.scheme) ? 'the password of Basic credentials' : 'Authorization: Bearer <API_KEY>'
}

/** Formats a challenge for the scheme. A header contains only ASCII. */
function formatChallenge(scheme: Scheme, realm: string): string {
  const name = scheme.type === 'apiKey' ? 'ApiKey' : /^basic$/i.test(scheme.scheme) ? 'Basic' : 'Bearer'
  return `${name} realm="${realm.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&')}"`
}

function refuse(status: 401 | 403, code: ErrorCode, message: string, challenge: string): HttpError {
  return new HttpError(status, code, message, { headers: { 'WWW-Authenticate': challenge } })
}
