/**
 * Security (OpenAPI 3.1, Security Scheme Object and Security Requirement Object): the scheme says where a credential is, and its
 * function checks the credential.
 */
import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { FastifyRequest } from 'fastify'
import { allowsAnonymous, type SecurityAlternative, type SecurityRequirement } from '../document/security.ts'
import { withArticle } from '../schema/messages.ts'
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
  // A header contains only ASCII.
  const quotedRealm = realm.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&')
  const describedAlternatives = alternatives.map((requirements) =>
    requirements.map((requirement) => {
      const description = describeScheme(requirement.scheme)
      return { ...requirement, ...description, challenge: `${description.type} realm="${quotedRealm}"` }
    }),
  )
  /** Joins texts about the schemes: `a token and a certificate or an API key`. */
  const joinTexts = (describe: (scheme: DescribedScheme) => string) => {
    const texts = describedAlternatives.map((schemes) => [...new Set(schemes.map(describe))].join(' and '))
    return [...new Set(texts)].filter(Boolean).join(' or ')
  }
  const nouns = joinTexts(({ noun }) => withArticle(noun))
  const message = `this operation needs ${nouns}: send it as ${joinTexts(({ place }) => place)}`
  const challenges = [...new Set(describedAlternatives.flat().map(({ challenge }) => challenge))].join(', ')

  /** Returns the identity of a request without credentials. Throws a 401 if the operation needs them. */
  function identifyAnonymous(): Identity {
    // Without a key there is no error code (RFC 6750, section 3.1).
    if (!isOptional) throw createError(401, 'missing_key', message, challenges)
    return ANONYMOUS
  }

  // Most operations need one scheme or none. Then no promise is needed.
  const [onlyScheme, ...furtherSchemes] = describedAlternatives.flat()
  if (onlyScheme === undefined) return identifyAnonymous
  if (furtherSchemes.length === 0 && alternatives.length === 1)
    return createCheck(onlyScheme, functions, identifyAnonymous)
  const checks = createChecks(describedAlternatives, functions)
  return (request) => checkAlternatives(request, checks, identifyAnonymous)
}

const ANONYMOUS: Identity = { caller: undefined }

/** Creates the checks of each alternative. A scheme that several alternatives need with the same scopes has one check. */
function createChecks(alternatives: readonly (readonly DescribedScheme[])[], functions: Security): Identify[][] {
  const checks = new Map<string, Identify>()
  return alternatives.map((schemes) =>
    schemes.map((scheme) => {
      const key = JSON.stringify([scheme.name, scheme.scopes])
      const check = checks.get(key) ?? createCheck(scheme, functions, () => ANONYMOUS)
      checks.set(key, check)
      return check
    }),
  )
}

/** Checks the credentials of a request by the table above. */
async function checkAlternatives(
  request: FastifyRequest,
  alternatives: readonly (readonly Identify[])[],
  identifyAnonymous: () => Identity,
): Promise<Identity> {
  /** The 401 of a credential that is not valid, or the error of a function. */
  let failure: Error | undefined
  let deniedIdentity: Identity | undefined
  const results = new Map<Identify, Promise<Identity>>()
  const runOnce = (check: Identify) => {
    const result = results.get(check) ?? (async () => check(request))()
    results.set(check, result)
    return result
  }
  for (const checks of alternatives) {
    try {
      const identities = await Promise.all(checks.map(runOnce))
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
  return identifyAnonymous()
}

/** Creates the function that identifies a client by one scheme; without a credential, by `identifyAnonymous`. */
function createCheck(scheme: DescribedScheme, functions: Security, identifyAnonymous: () => Identity): Identify {
  const { name, scopes, noun, findCredential, challenge } = scheme
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
    const credential = findCredential(request)
    if (credential === undefined) return identifyAnonymous()
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

type DescribedScheme = SecurityRequirement & ReturnType<typeof describeScheme> & { readonly challenge: string }

/**
 * Describes a scheme, such as `bearer`: the type of its challenge (`Bearer`), the noun of a credential (`token`), the place where
 * clients send it (`Authorization: Bearer <TOKEN>`), and the function that finds it: "" for a malformed one, undefined without one.
 */
function describeScheme(scheme: SecurityRequirement['scheme']) {
  if (scheme.type === 'mutualTLS') {
    const findCredential = ({ socket }: FastifyRequest) =>
      socket instanceof TLSSocket && socket.authorized ? socket.getPeerCertificate().fingerprint256 : undefined
    return { type: 'Certificate', noun: 'certificate', place: 'the certificate of the connection', findCredential }
  }
  if (scheme.type === 'apiKey') {
    const { name, in: location } = scheme
    const place = `the ${location === 'query' ? 'query parameter' : location} ${name}`
    const findCredential = ({ raw }: FastifyRequest) => takeOne(findApiKeys(raw, location, name))
    return { type: 'ApiKey', noun: 'API key', place, findCredential }
  }
  return describeAuthorization(scheme)
}

/** Describes a scheme whose credential is in the header `Authorization`. */
function describeAuthorization(scheme: Exclude<SecurityRequirement['scheme'], { type: 'apiKey' | 'mutualTLS' }>) {
  const type = scheme.type === 'http' ? scheme.scheme : 'Bearer'
  // RFC 7617, section 2, and RFC 6750, section 2.1; the name of a scheme in any case (RFC 9110, section 11.1).
  if (/^basic$/i.test(type)) {
    const findCredential = (request: FastifyRequest) => {
      const credentials = findAuthorization(request, /^basic\b(?: +([\w+/]+=*)$)?/i)
      return credentials && Buffer.from(credentials, 'base64').toString()
    }
    return { type: 'Basic', noun: 'password', place: 'Basic credentials', findCredential }
  }
  const isBearer = /^bearer$/i.test(type)
  const pattern = isBearer
    ? /^bearer\b(?: +([\w.~+/-]+=*)$)?/i
    : new RegExp(`^${type.replaceAll(/\W/g, '\\$&')}(?: +(.*))?$`, 'i')
  const findCredential = (request: FastifyRequest) => findAuthorization(request, pattern)
  if (!isBearer) {
    return { type, noun: 'credential', place: `Authorization: ${type} <CREDENTIAL>`, findCredential }
  }
  // `bearerFormat` names it for clients (OpenAPI 3.1, Security Scheme Object).
  const { bearerFormat: noun = 'token' } = scheme.type === 'http' ? scheme : {}
  const place = `Authorization: Bearer <${noun.toUpperCase().replaceAll(/\W+/g, '_')}>`
  return { type: 'Bearer', noun, place, findCredential }
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

function findAuthorization({ raw }: FastifyRequest, pattern: RegExp): string | undefined {
  const values = getFieldValues(raw, 'authorization')
  const match = values.map((value) => pattern.exec(value)).find(Boolean)
  if (!match) return undefined
  return values.length > 1 ? '' : (match[1] ?? '')
}

/** Returns the only value. Credentials that are sent more than once are malformed: it is unknown which are meant. */
function takeOne(values: readonly string[]): string | undefined {
  return values.length > 1 ? '' : values[0]
}
