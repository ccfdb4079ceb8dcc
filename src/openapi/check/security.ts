/** Checks security requirements (OpenAPI 3.1, Security Requirement Object). */

import { toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { findScheme, getSchemeName } from '../document/security.ts'
import type { Context } from './context.ts'

/** Reports names without a security scheme, and schemes whose credentials do not fit into one `Authorization` header. */
export function* checkSecurity(requirement: object, pointer: string, { root, tainted }: Context): Iterable<Problem> {
  const authorizationTypes = new Set<string>()
  for (const key of Object.keys(requirement)) {
    const name = getSchemeName(root, key)
    if (tainted.has(toPointer('components', 'securitySchemes', name))) continue
    const scheme = findScheme(root, name)
    if (scheme === undefined) {
      const what = `the security scheme "${key}" does not exist`
      const message = `${what}; add it to components.securitySchemes or correct the name`
      yield { pointer: pointer + toPointer(key), message }
    } else if (scheme.type === 'http') authorizationTypes.add(scheme.scheme.toLowerCase())
    else if (/^(oauth2|openIdConnect)$/.test(scheme.type)) authorizationTypes.add('bearer')
  }
  if (authorizationTypes.size < 2) return
  const what = `a request has one Authorization header, not both ${[...authorizationTypes].join(' and ')}`
  yield { pointer, message: `${what}; write them as alternatives` }
}
