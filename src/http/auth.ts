/**
 * Authentication with API keys as bearer tokens (RFC 6750).
 */
import type { FastifyRequest } from 'fastify'
import { HttpError } from '../errors.ts'
import { hashKey } from '../keys.ts'
import { fieldValues } from '../openapi/request/fields.ts'

/** Who sends a request: the key, which alone tells one caller from another, and what people call it. */
export interface Caller {
  /** The SHA-256 of the key, in base64url (RFC 4648, section 5). */
  readonly id: string
  readonly name: string
}

/** Finds the key in force with this SHA-256. Comparing hashes, a look-up tells nothing of any key by the time it takes. */
export type FindKey = (hash: Uint8Array) => Promise<Pick<Caller, 'name'> | undefined>

/** RFC 6750, section 2.1; the scheme's name in any case (RFC 9110, section 11.1). */
const CREDENTIALS = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i

/** An authenticator for `http bearer`. It refuses with 401 and a challenge (RFC 6750, section 3) that names the realm. */
export function createBearerAuthenticator(realm: () => string, findKey: FindKey) {
  return async ({ raw }: FastifyRequest): Promise<Caller> => {
    const given = fieldValues(raw, 'authorization')
    const [authorization] = given
    // No error code where no key was sent (RFC 6750, section 3.1).
    if (authorization === undefined || !/^bearer\b/i.test(authorization)) {
      const message = 'this operation needs an API key: send it as Authorization: Bearer <API_KEY>'
      throw new HttpError(401, 'missing_key', message, { 'WWW-Authenticate': challengeOf(realm()) })
    }
    const key = given.length === 1 ? CREDENTIALS.exec(authorization)?.[1] : undefined
    if (key !== undefined) {
      const hash = hashKey(key)
      const found = await findKey(hash)
      if (found !== undefined) return { id: idOf(hash), name: found.name }
    }
    throw new HttpError(401, 'invalid_key', 'the API key is not valid', {
      'WWW-Authenticate': `${challengeOf(realm())}, error="invalid_token"`,
    })
  }
}

/** What a caller is known by, from the SHA-256 of the key. */
export function idOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('base64url')
}

/** RFC 9110, section 11.5; a header field is not the place for letters beyond ASCII. */
function challengeOf(realm: string): string {
  return `Bearer realm="${realm.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&')}"`
}
