/** Where requests have credentials (OpenAPI 3.1, Security Scheme Object), and the words of messages about them. */
import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { FastifyRequest } from 'fastify'
import type { SecurityRequirement } from '../document/security.ts'
import { getFieldValues } from '../shared/http.ts'
import { decodePercent, parseCookies, parseQuery } from './sent-fields.ts'

/** What a scheme says of its credentials; in brackets, for `bearer`. */
export interface SchemeDescription {
  /** The type of the challenge (`Bearer`). */
  readonly type: string
  /** The noun of a credential (`token`), perhaps with an adjective before it. */
  readonly noun: string
  /** Where clients send it (`Authorization: Bearer <TOKEN>`). */
  readonly place: string
  /** Returns the credential of a request: an empty text, which is never valid, for a malformed one; undefined without one. */
  findCredential(request: FastifyRequest): string | undefined
}

type Scheme = SecurityRequirement['scheme']

export function describeScheme(scheme: Scheme): SchemeDescription {
  if (scheme.type === 'mutualTLS') {
    const findCredential = ({ socket }: FastifyRequest) =>
      socket instanceof TLSSocket && socket.authorized ? socket.getPeerCertificate().fingerprint256 : undefined
    return { type: 'Certificate', noun: 'certificate', place: 'the certificate of the connection', findCredential }
  }
  if (scheme.type === 'apiKey') {
    const { name, in: location } = scheme
    const place = `the ${location === 'query' ? 'query parameter' : location} ${name}`
    const findCredential = ({ raw }: FastifyRequest) => {
      const [key, ...furtherKeys] = findApiKeys(raw, location, name)
      // Keys that are sent more than once are malformed: it is unknown which is meant.
      return furtherKeys.length > 0 ? '' : key
    }
    return { type: 'ApiKey', noun: 'API key', place, findCredential }
  }
  return describeAuthorization(scheme)
}

/**
 * Describes a scheme whose credential is in the header `Authorization`. The pattern of a scheme matches a header with its name, and the
 * group matches a credential: a header with the name alone, or with something else behind it, is malformed. A further character of a token
 * makes the name of another scheme (RFC 9110, section 5.6.2).
 */
function describeAuthorization(scheme: Exclude<Scheme, { type: 'apiKey' | 'mutualTLS' }>): SchemeDescription {
  const type = scheme.type === 'http' ? scheme.scheme : 'Bearer'
  // The name of a scheme may have any case (RFC 9110, section 11.1).
  if (/^basic$/i.test(type)) return describeBasic()
  if (/^bearer$/i.test(type)) return describeBearer(scheme.type === 'http' ? scheme.bearerFormat : undefined)
  const findCredential = createFindAuthorization(new RegExp(`^${type.replaceAll(/\W/g, '\\$&')}(?: +(.*))?$`, 'i'))
  return { type, noun: 'credential', place: `Authorization: ${type} <CREDENTIAL>`, findCredential }
}

/** Describes the scheme of user names with passwords (RFC 7617, section 2). A credential without a colon is malformed. */
function describeBasic(): SchemeDescription {
  const findAuthorization = createFindAuthorization(/^basic(?![!#-'*+.^`|~\w-])(?: +([\w+/]+=*)$)?/i)
  const findCredential = (request: FastifyRequest) => {
    const encodedCredential = findAuthorization(request)
    const credential = encodedCredential && Buffer.from(encodedCredential, 'base64').toString()
    return credential?.includes(':') === false ? '' : credential
  }
  return { type: 'Basic', noun: 'password', place: 'Basic credentials', findCredential }
}

/**
 * Describes the scheme of tokens (RFC 6750, section 2.1). The `bearerFormat` names a token for clients (OpenAPI 3.1, Security Scheme
 * Object).
 */
function describeBearer(bearerFormat = 'token'): SchemeDescription {
  const findCredential = createFindAuthorization(/^bearer(?![!#-'*+.^`|~\w-])(?: +([\w.~+/-]+=*)$)?/i)
  const place = `Authorization: Bearer <${bearerFormat.toUpperCase().replaceAll(/\W+/g, '_')}>`
  return { type: 'Bearer', noun: bearerFormat, place, findCredential }
}

function findApiKeys(raw: IncomingMessage, location: string, name: string): string[] {
  if (location === 'header') return getFieldValues(raw, name.toLowerCase())
  const fields = location === 'cookie' ? parseCookies(raw) : (parseQuery(raw) ?? [])
  const texts = fields.flatMap(([fieldName, text]) => (fieldName === name ? [text] : []))
  // Cookies have no percent-encoding, unless a server gives them one (RFC 6265, section 4.1.1).
  return location === 'cookie' ? texts : texts.map(decodePercent)
}

/** Creates the function that finds the group of the pattern in `Authorization`; an empty text if the header is malformed. */
function createFindAuthorization(pattern: RegExp): SchemeDescription['findCredential'] {
  return ({ raw }) => {
    const values = getFieldValues(raw, 'authorization')
    if (values.length > 1) return values.some((value) => pattern.test(value)) ? '' : undefined
    const match = pattern.exec(values[0] ?? '')
    return match === null ? undefined : (match[1] ?? '')
  }
}
