/** The credentials of requests, by the security requirements of a document (OpenAPI 3.1, Security Requirement Object). */
import type { SecurityScheme } from '../document/model.ts'
import type { Operation } from '../document/operations.ts'
import { allowsAnonymous } from '../document/security.ts'

/** A request, as `app.inject` takes it. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string | undefined
}

/** By the name of the security scheme: a key, a token, or `user:password`. */
export type Credentials = Readonly<Record<string, string>>

/** A credential with its scheme. */
export interface SchemeCredential {
  readonly scheme: SecurityScheme
  readonly credential: string
}

/** Returns the credentials of an operation's first alternative that an option has; [] if requests may be anonymous. */
export function findCredentials({ id, security }: Operation, credentials: Credentials = {}): SchemeCredential[] {
  return allowsAnonymous(security) ? [] : chooseCredentials(id, security, credentials, 'credentials')
}

/**
 * Returns the credentials without scopes of the first alternative that needs a scope. Returns undefined if no alternative needs one,
 * requests may be anonymous, or scopes are not checked.
 */
export function findUnscopedCredentials(
  { id, security }: Operation,
  credentials: Credentials | undefined,
): SchemeCredential[] | undefined {
  const alternatives = security.filter((requirements) => requirements.some(({ scopes }) => scopes.length > 0))
  if (credentials === undefined || alternatives.length === 0 || allowsAnonymous(security)) return undefined
  return chooseCredentials(id, alternatives, credentials, 'credentialsWithoutScopes')
}

/** Throws a TypeError that names the option if it has the credentials of no alternative. */
function chooseCredentials(
  id: string,
  security: Operation['security'],
  credentials: Credentials,
  option: string,
): SchemeCredential[] {
  const alternative = security.find((requirements) =>
    requirements.every(({ name }) => Object.hasOwn(credentials, name)),
  )
  if (alternative === undefined) {
    const names = security.map((requirements) => requirements.map(({ name }) => name).join(' and ')).join(', or ')
    throw new TypeError(`${id} needs a credential of ${names}; add it to the option ${option}`)
  }
  return alternative.map(({ name, scheme }) => ({ scheme, credential: String(credentials[name]) }))
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
  return { ...request, headers: { ...headers, authorization: formatAuthorization(scheme, credential) } }
}

/** Formats a credential for the header Authorization. The name of a scheme may have any case (RFC 9110, section 11.1). */
function formatAuthorization(scheme: SecurityScheme, credential: string): string {
  const schemeName = scheme.type === 'http' ? scheme.scheme : 'Bearer'
  if (/^basic$/i.test(schemeName)) return `Basic ${Buffer.from(credential).toString('base64')}`
  return `${/^bearer$/i.test(schemeName) ? 'Bearer' : schemeName} ${credential}`
}
