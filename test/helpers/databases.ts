/**
 * The databases that every suite about stores runs on: all that the service supports, or SQLite
 * alone if TEST_DATABASES is `sqlite`.
 */
import { join } from 'node:path'
import type { Test } from 'tap'
import { freshSchema } from './postgres.ts'
import { temporaryFolder } from './temporary.ts'

export interface Database {
  readonly name: string
  /** Returns the URL of an empty store that is this test's own; it is gone after the test. */
  fresh(t: Test): Promise<string>
}

export const sqlite: Database = {
  name: 'SQLite',
  fresh: async (t) => `sqlite:${join(temporaryFolder(t), 'animals.db')}`,
}
export const postgres: Database = { name: 'PostgreSQL', fresh: freshSchema }
const memory: Database = { name: 'SQLite in memory', fresh: async () => 'sqlite::memory:' }

const all = [sqlite, postgres, memory]
const { TEST_DATABASES = '' } = process.env
if (!['', 'sqlite'].includes(TEST_DATABASES)) throw new Error('TEST_DATABASES is neither "sqlite" nor empty')

export const databases: readonly Database[] = all.filter((database) => TEST_DATABASES === '' || database !== postgres)

/** The databases whose stores outlive a process and are shared by several. */
export const sharedDatabases = databases.filter((database) => database !== memory)
