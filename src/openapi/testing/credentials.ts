/** The credentials of requests, by the security requirements of a document (OpenAPI 3.1, Security Requirement Object). */
import type { FoundOperation } from '../document/find-operations.ts'
import type { OpenApi, SecurityScheme } from '../document/model.ts'
import { getReferences } from '../document/references.ts'

/** A request, as `app.inject` takes it. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string | undefined
}

/** By the name of the security scheme: a key, a token, or `user:password`. */
export type Credentials = Readonly<Record<string, string>>

/** A credential with its scheme, and the scopes that the operation needs. */
interface SchemeCredential {
  readonly scheme: SecurityScheme
  readonly credential: string
  readonly scopes: readonly string[]
}

/**
 * Returns the credentials of the first alternative that has all of them; [] for an operation that needs none. Throws a TypeError if
 * no alternative has them.
 */
export function findCredentials(
  root: OpenApi,
  { id, operation }: FoundOperation,
  credentials: Credentials,
): SchemeCredential[] {
  const alternatives = operation.security ?? root.security ?? []
  if (alternatives.length === 0 || alternatives.some((alternative) => Object.keys(alternative).length === 0)) return []
  const alternative = alternatives.find((candidate) => Object.keys(candidate).every((name) => name in credentials))
  if (alternative === undefined) {
    const names = alternatives.map((candidate) => Object.keys(candidate).join(' and ')).join(', or ')
    throw new TypeError(`${id} needs a credential of ${names}; add it to the option credentials`)
  }
  return Object.entries(alternative).map(([name, scopes]) => {
    const scheme = getReferences(root).resolve<SecurityScheme>({ $ref: `#/components/securitySchemes/${name}` })
    return { scheme, credential: String(credentials[name]), scopes }
  })
}

/** Adds credentials to a request. */
export function addCredentials(request: SentRequest, credentials: readonly SchemeCredential[]): SentRequest {
  return credentials.reduce(addCredential, request)
}

function addCredential(request: SentRequest, { scheme, credential }: SchemeCredential): SentRequest {
  const { headers, url } = request
  if (scheme.type === 'apiKey') {
    const { in: location, name } = scheme
    if (location === 'query') {
      const pair = `${encodeURIComponent(name)}=${encodeURIComponent(credential)}`
      return { ...request, url: `${url}${url.includes('?') ? '&' : '?'}${pair}` }
    }
    if (location === 'header') return { ...request, headers: { ...headers, [name]: credential } }
    const cookies = [headers.cookie ?? [], `${name}=${credential}`].flat()
    return { ...request, headers: { ...headers, cookie: cookies.join('; ') } }
  }
  const isBasic = scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic'
  const authorization = isBasic ? `Basic ${Buffer.from(credential).toString('base64')}` : `Bearer ${credential}`
  return { ...request, headers: { ...headers, authorization } }
}
