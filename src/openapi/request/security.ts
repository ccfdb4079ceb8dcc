/**
 * Security (OpenAPI 3.1, Security Scheme Object and Security Requirement Object): credentials are read where the scheme has
 * them, and checked by the authenticator of the scheme.
 */
import { getSchemeKey, type SecurityAlternative, type SecurityRequirement } from '../document/operations.ts'
import { getFieldValues, parseQuery, type ReceivedRequest } from './text.ts'

/** The client of a request: `id` distinguishes clients, `name` is for people. */
export interface Caller {
  readonly id: string
  readonly name: string
}

/**
 * Identifies the client that has these credentials: a token, an API key, or `user:password`; an empty text if they are
 * malformed. Throws a 401 if they are not valid, and a 403 if they lack a scope of the requirement.
 */
export type Authenticator = (credentials: string, requirement: SecurityRequirement) => Caller | Promise<Caller>

export interface Security {
  /** By `getSchemeKey`. */
  readonly authenticators: Readonly<Partial<Record<SchemeKey, Authenticator>>>
  /** Makes the function that returns the 401 for a request that has no credentials for any of the alternatives. */
  readonly createRefusal: (alternatives: readonly SecurityAlternative[]) => () => Error
}

/** Returns the client of a request; undefined if it has no credentials. Throws a 401 or 403. */
type Authenticate = (request: ReceivedRequest) => Caller | undefined | Promise<Caller | undefined>

/**
 * Makes the function that authenticates the requests of an operation. The first alternative that succeeds counts; a
 * request without credentials is accepted if one of them needs none.
 */
export function createAuthenticate(
  alternatives: readonly SecurityAlternative[],
  { authenticators, createRefusal }: Security,
): Authenticate {
  const isOptional = alternatives.length === 0 || alternatives.some((requirements) => requirements.length === 0)
  const refuse = createRefusal(alternatives)
  const checks = alternatives.map((requirements) => requirements.map(createCheck))

  /** Makes the check of one scheme. */
  function createCheck(requirement: SecurityRequirement): Authenticate {
    const { scheme } = requirement
    const key = getSchemeKey(scheme) as SchemeKey
    const authenticate = authenticators[key] as Authenticator
    const read: Reader = READERS[key]
    const name = scheme.type === 'apiKey' ? scheme.name : ''
    return (request) => {
      const credentials = read(request, name)
      return credentials === undefined ? undefined : authenticate(credentials, requirement)
    }
  }

  function admit(caller: Caller | undefined): Caller | undefined {
    if (caller === undefined && !isOptional) throw refuse()
    return caller
  }

  async function tryAll(request: ReceivedRequest): Promise<Caller | undefined> {
    let failure: unknown
    for (const all of checks) {
      try {
        const callers = await Promise.all(all.map(async (check) => check(request)))
        if (callers.length > 0 && !callers.includes(undefined)) return callers[0]
      } catch (error) {
        failure ??= error
      }
    }
    // Credentials that are not valid are never ignored.
    if (failure !== undefined) throw failure
    return admit(undefined)
  }

  const [[check, ...more] = [], ...others] = checks
  if (check === undefined || more.length > 0 || others.length > 0) return tryAll
  // With a single scheme there is no promise if the client is known at once.
  return (request) => {
    const caller = check(request)
    return caller instanceof Promise ? caller.then(admit) : admit(caller)
  }
}

/** Reads the credentials of a request. `name` is that of the header, parameter or cookie. */
type Reader = (request: ReceivedRequest, name: string) => string | undefined
type SchemeKey = keyof typeof READERS

/** By `getSchemeKey`. */
const READERS = {
  // RFC 6750, section 2.1; the name of a scheme in any case (RFC 9110, section 11.1).
  'http bearer': (request) => readAuthorization(request, /^bearer\b(?: +([\w.~+/-]+=*)$)?/i),
  // RFC 7617, section 2
  'http basic': (request) => {
    const credentials = readAuthorization(request, /^basic\b(?: +([\w+/]+=*)$)?/i)
    return credentials && Buffer.from(credentials, 'base64').toString()
  },
  'apiKey header': ({ raw }, name) => takeOne(getFieldValues(raw, name.toLowerCase())),
  'apiKey query': ({ query }, name) => {
    const pairs = (parseQuery(query) ?? []).filter(([other]) => other === name)
    return takeOne(pairs.map(([, value]) => value))
  },
  // RFC 6265, section 4.2.1
  'apiKey cookie': ({ raw }, name) => {
    const cookies = (raw.headers.cookie ?? '').split(/; */)
    return takeOne(cookies.filter((each) => each.startsWith(`${name}=`)).map((each) => each.slice(name.length + 1)))
  },
} satisfies Readonly<Record<string, Reader>>

function readAuthorization({ raw }: ReceivedRequest, pattern: RegExp): string | undefined {
  const values = getFieldValues(raw, 'authorization')
  const match = pattern.exec(values[0] ?? '')
  return match === null ? undefined : takeOne(values.map(() => match[1] ?? ''))
}

/** Returns the only value. Credentials that are sent more than once are malformed: it is unknown which are meant. */
function takeOne(values: readonly string[]): string | undefined {
  return values.length > 1 ? '' : values[0]
}
