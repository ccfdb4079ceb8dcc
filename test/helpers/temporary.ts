/** Folders that are gone after the test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** The path of a new, empty folder; unlike `t.testdir`, each call makes another one. */
export function temporaryFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
