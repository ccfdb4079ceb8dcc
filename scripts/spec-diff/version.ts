/**
 * Versions, and what changes require of them (https://semver.org/spec/v2.0.0.html).
 */

/** From the smallest to the largest. */
export const BUMPS = ['patch', 'minor', 'major'] as const
/** The part of the version that a change increments at least. */
export type Bump = (typeof BUMPS)[number]

/** Returns the numbers of a version, as `1.2.3`; undefined if it is none. A pre-release counts as its release. */
export function parseVersion(text: unknown): string | undefined {
  return /^(\d+\.\d+\.\d+)(?:[-+][\w.+-]+)?$/.exec(String(text))?.[1]
}

/** Returns the first version that may have changes of this size: for a patch, the same one. */
export function nextVersion(version: string, bump: Bump): string {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (bump === 'patch') return version
  // Before 1.0.0 anything may change with a minor version (Semantic Versioning, section 4).
  return bump === 'minor' || major === 0 ? `${major}.${minor + 1}.0` : `${major + 1}.0.0`
}

/** True if the version is the other one or a later one. */
export function isAtLeast(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) >= 0
}
