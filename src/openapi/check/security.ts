/** Checks security requirements (OpenAPI 3.1, Security Requirement Object). */
import { toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { findScheme, getSchemeName } from '../document/security.ts'
import type { Context } from './context.ts'

/** Reports names without a security scheme. */
export function* checkSecurity(requirement: object, pointer: string, { root, tainted }: Context): Iterable<Problem> {
  for (const key of Object.keys(requirement)) {
    const name = getSchemeName(root, key)
    if (tainted.has(toPointer('components', 'securitySchemes', name)) || findScheme(root, name) !== undefined) continue
    const message = `the security scheme "${key}" does not exist; add it to components.securitySchemes or correct the name`
    yield { pointer: pointer + toPointer(key), message }
  }
}
