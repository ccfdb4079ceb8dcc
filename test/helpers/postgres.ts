/**
 * Databases for the tests on a PostgreSQL server that they share: the one at TEST_DATABASE_URL, whose user must be allowed
 * to create databases; or else that of `npm test` (see before.ts), or one that each file of tests starts for itself.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { isRunning, SHARED_SERVER, startPostgres } from './postgres-server.ts'
import { TIMEOUT_MS } from './wait.ts'

/**
 * Returns the URL of a place for a store that is this test's own; it is gone after the test. A schema, because that is
 * created much faster than a database, in a database of this test file: the stores in a database share its advisory locks.
 */
export async function freshSchema(owner: Test): Promise<string> {
  database ??= freshDatabase(t)
  const url = new URL(await database)
  const name = uniqueName()
  await query(url.href, `CREATE SCHEMA ${name}`)
  owner.teardown(() => query(url.href, `DROP SCHEMA ${name} CASCADE`))
  url.searchParams.set('options', `-c search_path=${name}`)
  return url.href
}

/**
 * Like `freshSchema`, but a database, for tests that end its connections or look at its locks. The owner is a test, or this
 * process.
 */
export async function freshDatabase(owner: Test, options = ''): Promise<string> {
  server ??= findServer()
  const url = new URL(await server)
  const name = uniqueName()
  await query(url.href, `CREATE DATABASE ${name} ${options}`)
  owner.teardown(() => query(url.href, `DROP DATABASE ${name} WITH (FORCE)`))
  const fresh = new URL(url)
  fresh.pathname = name
  return fresh.href
}

/** Opens a connection of the test's own. */
export async function connect(t: Test, url: string): Promise<Client> {
  const client = await connectClient(url)
  t.teardown(() => client.end())
  return client
}

/** Runs a statement on a connection of its own; returns the rows. */
export async function query(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = await connectClient(url)
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Opens a connection whose statements fail after a minute. */
export async function connectClient(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS })
  await client.connect()
  return client
}

/** Sets a setting of a whole server. */
export async function configure(url: string, setting: string, value: string): Promise<void> {
  await query(url, `ALTER SYSTEM SET ${setting} = '${value}'`)
  await query(url, 'SELECT pg_reload_conf()')
}

let server: Promise<string> | undefined
let database: Promise<string> | undefined

/** Returns the URL of the server that the tests of this process share. */
async function findServer(): Promise<string> {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL
  const [keeper, url = ''] = existsSync(SHARED_SERVER) ? readFileSync(SHARED_SERVER, 'utf8').split(' ') : []
  if (isRunning(Number(keeper))) return url
  const server = await startPostgres()
  t.teardown(() => server.remove())
  return server.url
}

function uniqueName(): string {
  return `test_${randomBytes(8).toString('hex')}`
}
