/**
 * The engines that a script may be given, with a function to have as many stores of each as a test needs.
 */
import { join } from 'node:path'
import type { Test } from 'tap'
import { freshSchema } from '../helpers/postgres.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

export interface Engine {
  readonly name: string
  /** The URL of a place for a store; it is gone after the test. */
  fresh(t: Test): Promise<string>
}

export const sqlite: Engine = { name: 'SQLite', fresh: async (t) => `sqlite:${join(temporaryFolder(t), 'animals.db')}` }
export const postgres: Engine = { name: 'PostgreSQL', fresh: freshSchema }
export const engines: readonly Engine[] = [sqlite, postgres]
