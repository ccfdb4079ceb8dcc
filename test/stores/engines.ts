/**
 * The engines that every suite about stores runs on.
 */
import { join } from 'node:path'
import type { Test } from 'tap'
import { freshSchema } from '../helpers/postgres.ts'

export interface Engine {
  readonly name: string
  /** The URL of an empty store that is this test's own, and is gone after it. */
  fresh(t: Test): Promise<string>
}

export const engines: readonly Engine[] = [
  { name: 'SQLite', fresh: async (t) => `sqlite:${join(t.testdir(), 'animals.db')}` },
  { name: 'PostgreSQL', fresh: freshSchema },
  { name: 'SQLite in memory', fresh: async () => 'sqlite::memory:' },
]

/** The engines whose stores outlive a process and are shared by several. */
export const sharedEngines = engines.filter(({ name }) => name !== 'SQLite in memory')
