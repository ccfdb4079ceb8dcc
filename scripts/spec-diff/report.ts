/**
 * Changes as text for the terminal, and as Markdown for a changelog.
 */
import { styleText } from 'node:util'
import type { Change } from './compare.ts'
import type { Bump } from './version.ts'

const COLORS = { major: 'red', minor: 'green', patch: 'dim' } as const

/** Formats the changes: the version and the place, what has changed, and what it means for clients. */
export function formatChanges(changes: readonly Change[]): string {
  const width = Math.max(...changes.map(({ place }) => place.length))
  return changes
    .map((change) => {
      const { bump, place, what } = change
      const line = `${styleText(COLORS[bump], bump)}  ${place.padEnd(width)}  ${what}`
      return bump === 'patch' ? `${line} ${change.meaning}\n` : `${line}\n       ${formatMeaning(change)}\n`
    })
    .join('')
}

const SECTIONS: readonly (readonly [Bump, string])[] = [
  ['major', 'Breaking changes'],
  ['minor', 'Compatible changes'],
  ['patch', 'Other changes, after which clients need not change'],
]

/** Formats the changes as Markdown, under a heading that names the versions. */
export function formatChangelog(changes: readonly Change[], from: string, to: string): string {
  const title = `# ${to}\n\nWhat has changed in the interface since ${from}.\n`
  if (changes.length === 0) return `${title}\nNothing.\n`
  const sections = SECTIONS.flatMap(([bump, heading]) => {
    const items = changes
      .filter((change) => change.bump === bump)
      .map((change) => {
        const meaning = bump === 'patch' ? '' : ` ${formatMeaning(change)}`
        return `- ${change.what}${meaning} (\`${change.place}\`)\n`
      })
    return items.length === 0 ? [] : [`\n## ${heading}\n\n${items.join('')}`]
  })
  return title + sections.join('')
}

/** Formats what a change means, and for which operations, unless the description names the only one. */
function formatMeaning({ what, meaning, operations }: Change): string {
  const isNamed = operations.every((name) => what.includes(name))
  return isNamed ? meaning : `${meaning} [${operations.join(', ')}]`
}
