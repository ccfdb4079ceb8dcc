/**
 * Folders with two versions of a spec, for the tests of the commands that compare them.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { runScript } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const source = readFileSync(join(import.meta.dirname, '../../openapi.yaml'), 'utf8').replace(
  /^ {2}version: .*$/m,
  '  version: 1.4.2',
)

/** Replaces text of the spec. */
export type SpecEdit = readonly [pattern: RegExp, replacement: string]

/** A folder with a spec as its base.yaml and as its openapi.yaml, which an edit may change. */
export function newSpecFolder(t: Test) {
  const folder = temporaryFolder(t)
  const write = (name: string, ...edits: readonly SpecEdit[]) => {
    const text = edits.reduce((before, [pattern, replacement]) => before.replace(pattern, replacement), source)
    if (edits.length > 0) t.not(text, source, 'the spec has what is edited')
    writeFileSync(join(folder, name), text)
  }
  write('base.yaml')
  write('openapi.yaml')
  // The repository of a hook that runs the tests must not matter.
  const env = { GIT_DIR: undefined, GIT_INDEX_FILE: undefined, GIT_CEILING_DIRECTORIES: join(folder, '..') }
  return {
    folder,
    write,
    diff: (args: readonly string[], coverage = false) => runScript(t, 'spec-diff', args, { folder, env, coverage }),
    git: (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
        cwd: folder,
        env: { ...process.env, ...env },
        stdio: 'pipe',
      }),
  }
}

/** Makes the maximum of a page smaller, which breaks clients. */
export const smallerPages: SpecEdit = [/maximum: 100$/m, 'maximum: 50']
export const edited: SpecEdit = [/A catalogue of animals for sale\./, 'Animals for sale.']
export const toVersion = (version: string): SpecEdit => [/^ {2}version: .*$/m, `  version: ${version}`]
