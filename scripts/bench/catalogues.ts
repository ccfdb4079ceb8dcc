/**
 * The catalogues that the servers use: each server has a copy of the same one.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { openClient } from '../../src/stores/postgres/connection.ts'
import { type PostgresServer, startPostgres } from '../../test/helpers/postgres-server.ts'

export type DatabaseName = 'sqlite' | 'postgres'

export interface Catalogue {
  /** Makes a copy; returns its URL. */
  copy(): Promise<string>
  /** Removes all copies. */
  remove(): Promise<void>
}

/** Makes a catalogue of so many animals, in a folder or on the PostgreSQL server of the tests. */
export async function createCatalogue(database: DatabaseName, folder: string, animals: number): Promise<Catalogue> {
  return database === 'sqlite' ? createSqliteCatalogue(folder, animals) : createPostgresCatalogue(animals)
}

async function createSqliteCatalogue(folder: string, animals: number): Promise<Catalogue> {
  const original = join(folder, 'original.db')
  await seed(`sqlite:${original}`, animals)
  let copies = 0
  return {
    copy: async () => {
      const file = join(folder, `copy-${++copies}.db`)
      copyFileSync(original, file)
      return `sqlite:${file}`
    },
    // The folder is removed as a whole.
    remove: async () => {},
  }
}

async function createPostgresCatalogue(animals: number): Promise<Catalogue> {
  const server = await findServer()
  const url = server.url('postgres')
  const names: string[] = []

  async function create(template: string): Promise<string> {
    const name = `bench_${randomBytes(8).toString('hex')}`
    await execute(url, `CREATE DATABASE ${name} TEMPLATE ${template}`)
    names.push(name)
    return name
  }

  function toUrl(name: string): string {
    const copy = new URL(url)
    copy.pathname = name
    return copy.href
  }

  async function remove(): Promise<void> {
    for (const name of names) await execute(url, `DROP DATABASE ${name} WITH (FORCE)`)
    await server.remove()
  }

  try {
    const original = await create('template0')
    await seed(toUrl(original), animals)
    return { copy: async () => toUrl(await create(original)), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Uses the server at TEST_DATABASE_URL, whose user must be allowed to create databases, or else starts one. */
async function findServer(): Promise<Pick<PostgresServer, 'url' | 'remove'>> {
  const { TEST_DATABASE_URL } = process.env
  if (TEST_DATABASE_URL) return { url: () => TEST_DATABASE_URL, remove: async () => {} }
  return startPostgres({ isOnDisk: true })
}

async function execute(url: string, text: string): Promise<void> {
  const client = await openClient(url, { connectionTimeoutMillis: 10_000 })
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

async function seed(url: string, animals: number): Promise<void> {
  const script = join(import.meta.dirname, '../seed.ts')
  const child = spawn(process.execPath, [script, url, String(animals)], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [status] = await once(child, 'exit')
  if (status !== 0) throw new Error('the catalogue could not be seeded')
}
