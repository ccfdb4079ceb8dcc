/**
 * Changes as text for the terminal, and as Markdown for a changelog.
 */
import { styleText } from 'node:util'
import type { Change } from './compare.ts'
import type { Bump } from './version.ts'

const COLORS = { major: 'red', minor: 'green', patch: 'dim' } as const

/** Formats two lines for each change: the version and the place, and what it means for clients. */
export function formatChanges(changes: readonly Change[]): string {
  const width = Math.max(...changes.map(({ place }) => place.length))
  return changes
    .map((change) => {
      const { bump, place, what } = change
      return `${styleText(COLORS[bump], bump)}  ${place.padEnd(width)}  ${what}\n       ${formatMeaning(change)}\n`
    })
    .join('')
}

const SECTIONS: readonly (readonly [Bump, string])[] = [
  ['major', 'Breaking changes'],
  ['minor', 'Additions, and what is compatible'],
  ['patch', 'Corrections'],
]

/** Formats the changes as Markdown, under a heading that names the versions. */
export function formatChangelog(changes: readonly Change[], from: string, to: string): string {
  const title = `# ${to}\n\nWhat has changed in the interface since ${from}.\n`
  if (changes.length === 0) return `${title}\nNothing.\n`
  const sections = SECTIONS.flatMap(([bump, heading]) => {
    const items = changes
      .filter((change) => change.bump === bump)
      .map((change) => {
        return `- ${change.what} ${formatMeaning(change)} (\`${change.place}\`)\n`
      })
    return items.length === 0 ? [] : [`\n## ${heading}\n\n${items.join('')}`]
  })
  return title + sections.join('')
}

function formatMeaning({ operations, meaning }: Change): string {
  return operations.length === 0 ? meaning : `${meaning} [${operations.join(', ')}]`
}
