/**
 * Databases for the tests on a PostgreSQL server that they share: the one at TEST_DATABASE_URL, whose user must be allowed
 * to create databases; or else that of `npm test` (see before.ts), or one that each file of tests starts for itself.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { isRunning, SHARED_SERVER, startPostgres } from './postgres-server.ts'

/**
 * Returns the URL of a place for a store that is this test's own; it is gone after the test. A schema, because that is
 * created much faster than a database, in a database of this test file: the stores in a database share its advisory locks.
 */
export async function freshSchema(t: Test): Promise<string> {
  database ??= createDatabase()
  const url = new URL(await database)
  const name = uniqueName()
  await query(url.href, `CREATE SCHEMA ${name}`)
  t.teardown(() => query(url.href, `DROP SCHEMA ${name} CASCADE`))
  url.searchParams.set('options', `-c search_path=${name}`)
  return url.href
}

/** Like `freshSchema`, but a database, for tests that end its connections or look at its locks. */
export function freshDatabase(t: Test, options = ''): Promise<string> {
  return createDatabase(t, options)
}

/** Runs a statement on a connection of its own; returns the rows. */
export async function query(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

let server: Promise<string> | undefined
let database: Promise<string> | undefined

/** Creates a database, which is gone after the test, or else at the end of this process. */
async function createDatabase(owner: Test = t, options = ''): Promise<string> {
  server ??= findServer()
  const url = new URL(await server)
  const name = uniqueName()
  await query(url.href, `CREATE DATABASE ${name} ${options}`)
  owner.teardown(() => query(url.href, `DROP DATABASE ${name} WITH (FORCE)`))
  const fresh = new URL(url)
  fresh.pathname = name
  return fresh.href
}

/** Returns the URL of the server that the tests of this process share. */
async function findServer(): Promise<string> {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL
  const [keeper, url = ''] = existsSync(SHARED_SERVER) ? readFileSync(SHARED_SERVER, 'utf8').split(' ') : []
  if (isRunning(Number(keeper))) return url
  const server = await startPostgres()
  t.teardown(() => server.remove())
  return server.url('postgres')
}

function uniqueName(): string {
  return `test_${randomBytes(8).toString('hex')}`
}
