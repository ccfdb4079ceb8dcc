/**
 * Versions, and what changes require of them (https://semver.org/spec/v2.0.0.html).
 */

/** From the smallest to the largest. */
export const BUMPS = ['patch', 'minor', 'major'] as const
/** The part of the version that a change increments at least. */
export type Bump = (typeof BUMPS)[number]

type Version = readonly [major: number, minor: number, patch: number]

/** Reads `1.2.3`; undefined if it is anything else. A pre-release such as `2.0.0-rc.1` counts as its release. */
export function parseVersion(text: unknown): Version | undefined {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)(?:[-+][\w.+-]+)?$/.exec(String(text)) ?? []
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)]
}

/** Returns the first version that may have changes of this size; without changes, the same version. */
export function nextVersion([major, minor, patch]: Version, bump: Bump | undefined): Version {
  if (bump === undefined) return [major, minor, patch]
  if (bump === 'patch') return [major, minor, patch + 1]
  // Before 1.0.0 anything may change with a minor version (Semantic Versioning, section 4).
  return bump === 'minor' || major === 0 ? [major, minor + 1, 0] : [major + 1, 0, 0]
}

/** True if the version is the other one or a later one. */
export function isAtLeast([major, minor, patch]: Version, [otherMajor, otherMinor, otherPatch]: Version): boolean {
  if (major !== otherMajor) return major > otherMajor
  return minor === otherMinor ? patch >= otherPatch : minor > otherMinor
}

/** Returns the largest; undefined if there are none. */
export function getLargest(bumps: readonly Bump[]): Bump | undefined {
  return BUMPS.findLast((bump) => bumps.includes(bump))
}
