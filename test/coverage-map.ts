/**
 * The files whose coverage has to be complete: all of src and scripts, except the loop of development, which runs in
 * processes of its own, on copies of the code in which nothing is measured.
 */
import { globSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const files = globSync('{src,scripts}/**/*.ts', { cwd: root }).filter((file) => !file.startsWith('scripts/dev'))

/** Returns the files that a test may cover, for tap. */
export default function getCoveredFiles(): string[] {
  return files
}
