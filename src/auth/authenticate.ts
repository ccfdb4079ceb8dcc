/**
 * Authentication with API keys: as bearer tokens (RFC 6750), as passwords (RFC 7617), or in a header, a query parameter or
 * a cookie, as the spec says. And the first of these keys.
 */
import type { ErrorCode } from '../../generated/server.d.ts'
import type { Config } from '../config.ts'
import { HttpError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { Authenticator, Caller, Security, SecurityRequirement } from '../openapi/index.ts'
import { isActive, type KeyHash, type Store, type StoredKey } from '../stores/store.ts'
import { createKey, hashKey } from './keys.ts'

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

/**
 * Provides the first key, because without an active one the service refuses every request. If there is none, it warns in
 * production, and elsewhere makes one and prints it, once, with the URL of an operation to try it on. If the store cannot be
 * reached, there may be a key, so it only warns.
 */
export async function ensureApiKey(store: Store, config: Config, exampleUrl: string, logger: Logger): Promise<void> {
  const now = new Date()
  try {
    if (config.apiKeys.length > 0 || (await store.keys.list()).some((key) => isActive(key, now))) return
    if (config.production) {
      logger.warn('there is no API key, so every request is refused; make one with: npm run keys -- create NAME')
      return
    }
    const key = createKey()
    if (!(await store.keys.add('first-key', hashKey(key)))) return
    // The standard output is the log.
    console.error(`
There was no API key, so here is one. It is not shown again.

    ${key}

    curl -H 'Authorization: Bearer ${key}' ${exampleUrl}
`)
  } catch (err) {
    logger.warn({ err }, 'cannot find out if there is an API key; list the keys with: npm run keys -- list')
  }
}
