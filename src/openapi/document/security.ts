/** The security schemes that operations require (OpenAPI 3.1, Security Requirement Object). */
import type * as model from './model.ts'
import type { OpenApi } from './model.ts'
import { getReferences } from './references.ts'
import { getOwn } from './values.ts'

/** Security schemes, all of which a request needs; with [], a request without credentials is accepted. */
export type SecurityAlternative = readonly SecurityRequirement[]

/** One security scheme that a request needs, with the scopes that its caller needs. */
export interface SecurityRequirement {
  readonly name: string
  readonly scheme: model.SecurityScheme
  readonly scopes: readonly string[]
}

/** True if security alternatives accept a request without credentials, so that the caller may be undefined. */
export function allowsAnonymous(alternatives: readonly (readonly unknown[])[]): boolean {
  return alternatives.length === 0 || alternatives.some((requirements) => requirements.length === 0)
}

/** Reads the security requirements of an operation, or else the requirements of the document. */
export function readSecurity(root: OpenApi, operation: model.OperationObject): SecurityAlternative[] {
  return (operation.security ?? root.security ?? []).map((alternative) =>
    Object.entries(alternative).map(([name, scopes]) => {
      // `checkSecurity` reports a name without a scheme.
      return { name, scheme: findScheme(root, name) as model.SecurityScheme, scopes }
    }),
  )
}

/** Returns a security scheme of the components; undefined if there is none. */
export function findScheme(root: OpenApi, name: string): model.SecurityScheme | undefined {
  const scheme = getOwn(root.components?.securitySchemes ?? {}, name)
  return scheme && getReferences(root).resolve(scheme)
}
