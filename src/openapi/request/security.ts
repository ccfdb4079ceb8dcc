/**
 * Security (OpenAPI 3.1, Security Scheme Object and Security Requirement Object): credentials are read where the scheme has
 * them, and checked by the function of the scheme.
 */
import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { FastifyRequest } from 'fastify'
import { allowsAnonymous, type SecurityAlternative, type SecurityRequirement } from '../document/security.ts'
import { withArticle } from '../schema/violations.ts'
import { HttpError, ServerError, toError } from '../shared/errors.ts'
import { getFieldValues } from '../shared/http.ts'
import { decodePercent, parseCookies, parseQuery } from './text.ts'

/** The client of a request: `id` distinguishes clients, `name` is for people. */
export interface Caller {
  readonly id: string
  readonly name: string
  /** What the client may do: `'all'` is every scope. Without a list, the client has no scope. */
  readonly scopes?: readonly string[] | 'all' | undefined
}

/**
 * Returns the client that has a credential; undefined if the credential is not valid. The credential is an empty text if it is
 * malformed, and otherwise, by the type of the scheme,
 *
 * - `apiKey`: the key
 * - `http` with `bearer`, `oauth2` and `openIdConnect`: the token
 * - `http` with `basic`: `user:password`
 * - `http` with another scheme: the text after the name of the scheme
 * - `mutualTLS`: the SHA-256 fingerprint of a certificate that Node has verified
 */
export type SecurityFunction<Client extends Caller = Caller> = (
  credential: string,
  context: { readonly scopes: readonly string[]; readonly request: FastifyRequest },
) => Client | undefined | Promise<Client | undefined>

/** By the names in `components.securitySchemes`. */
export type Security = Readonly<Record<string, SecurityFunction>>

/** The client of a request, and the 403 for a client that lacks a scope. */
export interface Identity {
  /** Undefined if the request has no credential, and needs none. */
  readonly caller: Caller | undefined
  readonly denial?: HttpError | undefined
}

/** Throws or rejects with a 401, or with what a security function throws. */
type Identify = (request: FastifyRequest) => Identity | Promise<Identity>

/**
 * Creates the function that finds the client of a request. With `security: [{ A: [], B: [] }, { C: [] }]`, a client needs the credentials A
 * and B, or C. The first alternative that succeeds counts, and its first scheme names the caller. The challenges of a 401 name
 * `realm` (RFC 9110, section 11.5). Of the alternatives together, the first row that holds decides:
 *
 * | an alternative                                      | result                                      |
 * |-----------------------------------------------------|---------------------------------------------|
 * | has all credentials, with their scopes              | its caller                                  |
 * | has all credentials, but lacks a scope              | its caller, with the 403                    |
 * | has a credential whose function throws              | that error: perhaps the credential is valid |
 * | has a credential that is not valid                  | 401: such a credential is never ignored     |
 * | needs no credentials                                | no caller                                   |
 * | (none of these: no alternative has all credentials) | 401                                         |
 */
export function createIdentify(
  alternatives: readonly SecurityAlternative[],
  functions: Security,
  realm: string,
): Identify {
  const isOptional = allowsAnonymous(alternatives)
  const describedAlternatives = alternatives.map((requirements) =>
    requirements.map((requirement) => ({ ...requirement, ...describeScheme(requirement.scheme, realm) })),
  )
  const checks = describedAlternatives.map((schemes) => schemes.map((scheme) => createCheck(scheme, functions)))
  /** Joins texts about the schemes: `a token and a certificate or an API key`. */
  const joinTexts = (describe: (scheme: DescribedScheme) => string) => {
    const texts = describedAlternatives.map((schemes) => [...new Set(schemes.map(describe))].join(' and '))
    return [...new Set(texts)].filter(Boolean).join(' or ')
  }
  const nouns = joinTexts(({ noun }) => withArticle(noun))
  const message = `this operation needs ${nouns}: send it as ${joinTexts(({ place }) => place)}`
  const challenges = [...new Set(describedAlternatives.flat().map(({ challenge }) => challenge))].join(', ')

  function requireCaller(identity: Identity): Identity {
    // Without a key there is no error code (RFC 6750, section 3.1).
    if (identity.caller === undefined && !isOptional) throw createError(401, 'missing_key', message, challenges)
    return identity
  }

  async function tryAll(request: FastifyRequest): Promise<Identity> {
    /** The 401 of a credential that is not valid, or the error of a function. */
    let failure: Error | undefined
    let deniedIdentity: Identity | undefined
    for (const alternative of checks) {
      try {
        const identities = await Promise.all(alternative.map(async (check) => check(request)))
        if (identities.length === 0 || identities.some(({ caller }) => caller === undefined)) continue
        const identityWithDenial = identities.find(({ denial }) => denial !== undefined)
        if (identityWithDenial === undefined) return identities[0] as Identity
        deniedIdentity ??= identityWithDenial
      } catch (error) {
        const isUnauthorized = error instanceof HttpError && error.statusCode === 401
        if (failure === undefined || !isUnauthorized) failure = toError(error)
      }
    }
    if (deniedIdentity !== undefined) return deniedIdentity
    if (failure !== undefined) throw failure
    return requireCaller({ caller: undefined })
  }

  const [onlyCheck] = checks.length === 1 && checks[0]?.length === 1 ? checks[0] : []
  if (onlyCheck === undefined) return tryAll
  // Most operations need one scheme. Then no promise is needed.
  return (request) => {
    const identity = onlyCheck(request)
    return identity instanceof Promise ? identity.then(requireCaller) : requireCaller(identity)
  }
}

/** Creates the function that identifies a client by one scheme. */
function createCheck({ name, scopes, noun, read, challenge }: DescribedScheme, functions: Security): Identify {
  const findCaller = functions[name] as SecurityFunction

  function identify(caller: Caller | undefined): Identity {
    // Also null and false, which functions without types return.
    if (!caller) {
      const message = `the ${noun} is not valid; use an active ${noun.replace(/.* /, '')}`
      throw createError(401, 'invalid_key', message, `${challenge}, error="invalid_token"`)
    }
    const missingScopes = findMissingScopes(name, caller, scopes)
    if (missingScopes.length === 0) return { caller }
    // RFC 6750, section 3.1
    const details = `${challenge}, error="insufficient_scope", scope="${scopes.join(' ')}"`
    const message = `the ${noun} lacks the scope ${missingScopes.join(' ')}`
    return { caller, denial: createError(403, 'insufficient_scope', message, details) }
  }

  return (request) => {
    const credential = read(request)
    if (credential === undefined) return { caller: undefined }
    const caller = findCaller(credential, { scopes, request })
    // Not `instanceof Promise`: a library may have promises of its own.
    const isPromise = caller && typeof caller === 'object' && 'then' in caller
    return isPromise ? Promise.resolve(caller).then(identify) : identify(caller)
  }
}

/**
 * Returns the required scopes that a caller lacks. Throws if the function of the scheme, which may have no types, returned
 * something else than a caller: an error of the app, which must not give rights to the client.
 */
function findMissingScopes(scheme: string, caller: Caller, requiredScopes: readonly string[]): readonly string[] {
  const fail = (what: string) => new ServerError(new Error(`the function of the security scheme "${scheme}" ${what}`))
  if (typeof caller !== 'object') throw fail(`returned a ${typeof caller}; return a caller: { id, name, scopes }`)
  if (requiredScopes.length === 0 || caller.scopes === 'all') return []
  const grantedScopes = caller.scopes ?? []
  if (Array.isArray(grantedScopes)) return requiredScopes.filter((scope) => !grantedScopes.includes(scope))
  throw fail(`returned scopes of the type ${typeof grantedScopes}; return a list of texts, or 'all' for every scope`)
}

type DescribedScheme = SecurityRequirement & ReturnType<typeof describeScheme>

/**
 * Returns for a scheme, such as `bearer`: the `noun` of a credential (`token`), the `place` where clients send it
 * (`Authorization: Bearer <TOKEN>`), `read`, which returns the credential of a request, and the `challenge` (`Bearer realm="…"`).
 */
function describeScheme(scheme: SecurityRequirement['scheme'], realm: string) {
  // A header contains only ASCII.
  const quotedRealm = realm.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&')
  const describe = (
    challengeType: string,
    noun: string,
    place: string,
    read: (request: FastifyRequest) => string | undefined,
  ) => {
    return { noun, place, read, challenge: `${challengeType} realm="${quotedRealm}"` }
  }
  if (scheme.type === 'mutualTLS') {
    return describe('Certificate', 'certificate', 'the certificate of the connection', ({ socket }) =>
      socket instanceof TLSSocket && socket.authorized ? socket.getPeerCertificate().fingerprint256 : undefined,
    )
  }
  if (scheme.type === 'apiKey') {
    const { name, in: location } = scheme
    const place = `the ${location === 'query' ? 'query parameter' : location} ${name}`
    return describe('ApiKey', 'API key', place, ({ raw }) => takeOne(findApiKeys(raw, location, name)))
  }
  const type = scheme.type === 'http' ? scheme.scheme.toLowerCase() : 'bearer'
  // RFC 7617, section 2, and RFC 6750, section 2.1; the name of a scheme in any case (RFC 9110, section 11.1).
  if (type === 'basic') {
    return describe('Basic', 'password', 'Basic credentials', (request) => {
      const credentials = readAuthorization(request, /^basic\b(?: +([\w+/]+=*)$)?/i)
      return credentials && Buffer.from(credentials, 'base64').toString()
    })
  }
  if (scheme.type === 'http' && type !== 'bearer') {
    const pattern = new RegExp(`^${type.replaceAll(/\W/g, '\\$&')}(?: +(.*))?$`, 'i')
    return describe(scheme.scheme, 'credential', `Authorization: ${scheme.scheme} <CREDENTIAL>`, (request) =>
      readAuthorization(request, pattern),
    )
  }
  // `bearerFormat` names it for clients (OpenAPI 3.1, Security Scheme Object).
  const { bearerFormat: noun = 'token' } = scheme.type === 'http' ? scheme : {}
  const example = noun.toUpperCase().replaceAll(/\W+/g, '_')
  return describe('Bearer', noun, `Authorization: Bearer <${example}>`, (request) =>
    readAuthorization(request, /^bearer\b(?: +([\w.~+/-]+=*)$)?/i),
  )
}

function findApiKeys(raw: IncomingMessage, location: string, name: string): string[] {
  if (location === 'header') return getFieldValues(raw, name.toLowerCase())
  const fields = location === 'cookie' ? parseCookies(raw) : (parseQuery(raw.url) ?? [])
  const texts = fields.flatMap(([fieldName, text]) => (fieldName === name ? [text] : []))
  return location === 'cookie' ? texts : texts.map(decodePercent)
}

function createError(statusCode: 401 | 403, code: string, message: string, challenge: string): HttpError {
  return new HttpError(statusCode, code, message, { headers: { 'WWW-Authenticate': challenge } })
}

function readAuthorization({ raw }: FastifyRequest, pattern: RegExp): string | undefined {
  const values = getFieldValues(raw, 'authorization')
  const match = pattern.exec(values[0] ?? '')
  return match === null ? undefined : takeOne(values.map(() => match[1] ?? ''))
}

/** Returns the only value. Credentials that are sent more than once are malformed: it is unknown which are meant. */
function takeOne(values: readonly string[]): string | undefined {
  return values.length > 1 ? '' : values[0]
}
