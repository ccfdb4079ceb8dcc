/** The versions of the tables of a store; 0 is a store without any. */
import { StartupError } from '../errors.ts'

export interface Versions {
  readonly found: number
  /** That of this program, which `found` is not above. */
  readonly latest: number
}

/** Returns the versions. Throws a StartupError if the tables are newer than this program. */
export function compareVersions(found: number, latest: number): Versions {
  if (found <= latest) return { found, latest }
  const supported = `this program supports versions up to ${latest}`
  throw new StartupError(`its schema has version ${found}, and ${supported}; use a newer program`)
}
