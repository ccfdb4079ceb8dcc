/** Checks security requirements (OpenAPI 3.1, Security Requirement Object). */
import { toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { findScheme } from '../document/security.ts'
import type { Context } from './context.ts'

/** Reports names without a security scheme. */
export function* checkSecurity(requirement: object, pointer: string, { root, tainted }: Context): Iterable<Problem> {
  for (const name of Object.keys(requirement)) {
    if (tainted.has(toPointer('components', 'securitySchemes', name)) || findScheme(root, name) !== undefined) continue
    const message = `the security scheme "${name}" does not exist; add it to components.securitySchemes or correct the name`
    yield { pointer: pointer + toPointer(name), message }
  }
}
