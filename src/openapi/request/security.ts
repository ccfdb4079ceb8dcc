/** Security (OpenAPI 3.1, Security Requirement Object): finds the client of a request by its credentials, which functions of the app check. */
import type { FastifyRequest } from 'fastify'
import { allowsAnonymous, type SecurityAlternative, type SecurityRequirement } from '../document/security.ts'
import { memoize } from '../document/values.ts'
import { withArticle } from '../schema/messages.ts'
import { HttpError, ServerError, toError } from '../shared/errors.ts'
import { describeScheme, type SchemeDescription } from './security-schemes.ts'

/** The client of a request: `id` distinguishes clients, `name` is for people. */
export interface Caller {
  readonly id: string
  readonly name: string
  /** What the client may do: `'all'` is every scope. Without a list, the client has no scope. */
  readonly scopes?: readonly string[] | 'all' | undefined
}

/**
 * Returns the client that has a credential; undefined if the credential is not valid. By the type of the scheme, the credential is
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
 * `realm` (RFC 9110, section 11.5). Of the alternatives together, the first row that holds for one decides:
 *
 * | an alternative                                      | result                                      |
 * |-----------------------------------------------------|---------------------------------------------|
 * | has all credentials, with their scopes              | its caller                                  |
 * | has all credentials, but lacks a scope              | its caller, with the 403                    |
 * | has a credential whose function throws              | that error: perhaps the credential is valid |
 * | has a credential that is not valid                  | 401: such a credential is never ignored     |
 * | lacks a credential, or needs none                   | no caller if one needs none, otherwise 401  |
 */
export function createIdentify(
  alternatives: readonly SecurityAlternative[],
  functions: Security,
  realm: string,
): Identify {
  const isOptional = allowsAnonymous(alternatives)
  // A header contains only ASCII, and a quoted text escapes quotes and backslashes (RFC 9110, section 5.6.4).
  const quotedRealm = realm.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&')
  const describedAlternatives = alternatives.map((requirements) =>
    requirements.map((requirement) => {
      const description = describeScheme(requirement.scheme)
      return { ...requirement, ...description, challenge: `${description.type} realm="${quotedRealm}"` }
    }),
  )
  const { message, challenges } = describeMissing(describedAlternatives)

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

/** Returns the message and the challenges of the 401 for a request without credentials. */
function describeMissing(alternatives: readonly (readonly DescribedScheme[])[]) {
  /** Joins texts about the schemes: `a token and a certificate or an API key`. */
  const joinTexts = (describe: (scheme: DescribedScheme) => string) => {
    const texts = alternatives.map((schemes) => [...new Set(schemes.map(describe))].join(' and '))
    return [...new Set(texts)].filter(Boolean).join(' or ')
  }
  const nouns = joinTexts(({ noun }) => withArticle(noun))
  const message = `this operation needs ${nouns}: send it as ${joinTexts(({ place }) => place)}`
  const challenges = new Set(alternatives.flat().map(({ challenge }) => challenge))
  return { message, challenges: [...challenges].join(', ') }
}

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

/** What an alternative may be for a request: the rows of the table of `createIdentify`, in their order. */
const OUTCOMES = ['granted', 'denied', 'failed', 'invalid', 'missing'] as const

/** A row, with the identity or the error that it leads to. */
type Outcome =
  | { readonly kind: 'granted' | 'denied'; readonly identity: Identity }
  | { readonly kind: 'failed' | 'invalid'; readonly error: Error }
  | { readonly kind: 'missing' }

/** Checks the credentials of a request for the alternatives in turn. The first outcome of the first row counts. */
async function checkAlternatives(
  request: FastifyRequest,
  alternatives: readonly (readonly Identify[])[],
  identifyAnonymous: () => Identity,
): Promise<Identity> {
  const identifyOnce = memoize(async (identify: Identify) => identify(request))
  let bestOutcome: Outcome = { kind: 'missing' }
  for (const checks of alternatives) {
    const outcome = await checkAlternative(checks.map(identifyOnce))
    if (OUTCOMES.indexOf(outcome.kind) < OUTCOMES.indexOf(bestOutcome.kind)) bestOutcome = outcome
    if (outcome.kind === 'granted') break
  }
  if ('error' in bestOutcome) throw bestOutcome.error
  return 'identity' in bestOutcome ? bestOutcome.identity : identifyAnonymous()
}

/** Waits for all checks of an alternative, so that the outcome does not depend on which of them fails first. */
async function checkAlternative(checks: readonly Promise<Identity>[]): Promise<Outcome> {
  const results = await Promise.allSettled(checks)
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [toError(result.reason)] : []))
  // With a credential that is not valid, the alternative cannot succeed, whatever another function throws.
  const unauthorized = errors.find((error) => error instanceof HttpError && error.statusCode === 401)
  if (unauthorized !== undefined) return { kind: 'invalid', error: unauthorized }
  if (errors[0] !== undefined) return { kind: 'failed', error: errors[0] }
  const identities = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const [firstIdentity] = identities
  if (firstIdentity === undefined || identities.some(({ caller }) => caller === undefined)) return { kind: 'missing' }
  const { caller } = firstIdentity
  const denial = identities.map((identity) => identity.denial).find(Boolean)
  return { kind: denial === undefined ? 'granted' : 'denied', identity: { caller, denial } }
}

/** Creates the function that identifies a client by one scheme; without a credential, by `identifyAnonymous`. */
function createCheck(scheme: DescribedScheme, functions: Security, identifyAnonymous: () => Identity): Identify {
  const { name, scopes, noun, findCredential, challenge } = scheme
  // "key" for "API key".
  const shortNoun = noun.split(' ').at(-1)
  // `checkOptions` rejects a start without this function.
  const findCaller = functions[name] as SecurityFunction

  function identify(caller: Caller | undefined): Identity {
    // Also null and false, which functions without types return.
    if (!caller) {
      const message = `the ${noun} is not valid; use an active ${shortNoun}`
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
    const caller = credential === '' ? undefined : findCaller(credential, { scopes, request })
    // Not `instanceof Promise`: a library may have its own promises.
    const isPromise = caller && typeof caller === 'object' && 'then' in caller
    return isPromise ? Promise.resolve(caller).then(identify) : identify(caller)
  }
}

/**
 * Returns the required scopes that a caller lacks. Throws if the function of the scheme, which may have no types, returned
 * something else than a caller: an error of the app, which must not give rights to the client.
 */
function findMissingScopes(scheme: string, caller: Caller, requiredScopes: readonly string[]): readonly string[] {
  const wrongReturn = (what: string) =>
    new ServerError(new Error(`the function of the security scheme "${scheme}" returned ${what}`))
  if (typeof caller !== 'object') throw wrongReturn(`a ${typeof caller}; return a caller: { id, name, scopes }`)
  if (requiredScopes.length === 0 || caller.scopes === 'all') return []
  const grantedScopes = caller.scopes ?? []
  if (Array.isArray(grantedScopes)) return requiredScopes.filter((scope) => !grantedScopes.includes(scope))
  throw wrongReturn(`scopes of the type ${typeof grantedScopes}; return a list of texts, or 'all' for every scope`)
}

type DescribedScheme = SecurityRequirement & SchemeDescription & { readonly challenge: string }

function createError(statusCode: 401 | 403, code: string, message: string, challenge: string): HttpError {
  return new HttpError(statusCode, code, message, { headers: { 'WWW-Authenticate': challenge } })
}
