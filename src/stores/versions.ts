/** The versions of the tables of a store. */
import { StartupError } from '../errors.ts'

export type Versions = ReturnType<typeof compareVersions>

/**
 * Returns the version that was found, 0 for a store without any tables, and that of this program. Throws a StartupError if
 * the tables are newer than this program.
 */
export function compareVersions(found: number, latest: number) {
  if (found <= latest) return { found, latest }
  const supported = `this program supports versions up to ${latest}`
  throw new StartupError(`its schema has version ${found}, and ${supported}; use a newer program`)
}
