/** Measures what one process does with stores of several sizes. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { type Amount, sendLoad, type Workload } from './load.ts'
import { createFolder, readUsage, root, seed, startService } from './server.ts'
import { getMedian, printMachine } from './table.ts'
import { measureInTurns } from './turns.ts'

/** A new, empty store, and what its operator does with it. */
interface ScaledStore {
  readonly name: string
  readonly url: string
  getBytes(): Promise<number>
  /** Makes a backup as docs/operations.md says. */
  backUp(): void
  /** Restores the backup to another store. */
  restore(): void
  remove(): Promise<void>
}

/** Measures and prints a row of a Markdown table for each size and database; PostgreSQL needs the URL of a server. */
export async function measureScale(
  sizes: readonly number[],
  postgresUrl: string | undefined,
  amount: Omit<Amount, 'animals'>,
): Promise<void> {
  const folder = createFolder()
  // Fails here if it cannot be reached, or is newer than pg_dump, and not after the store has been filled.
  if (postgresUrl !== undefined) runProgram('pg_dump', ['--schema-only', '--file=/dev/null', postgresUrl])
  printMachine()
  console.log(`medians of ${amount.rounds} rounds of ${amount.seconds} s\n`)
  console.log('| animals | store | additions/s | fetches/s | pages/s | memory | size | start | backup | restore |')
  console.log('|---|---|---|---|---|---|---|---|---|---|')
  for (const animals of sizes) {
    console.log(await measureStore(createSqlite(folder, animals), folder, { ...amount, animals }))
    if (postgresUrl === undefined) continue
    console.log(await measureStore(await createPostgres(postgresUrl, folder), folder, { ...amount, animals }))
  }
}

/** Fills a store, measures it and removes it; returns the row. The additions come last, because they make it larger. */
async function measureStore(store: ScaledStore, folder: string, amount: Amount): Promise<string> {
  try {
    seed(root, store.url, amount.animals)
    const bytes = await store.getBytes()
    const [backupMs, restoreMs] = [measureTime(store.backUp), measureTime(store.restore)]
    const service = await startService(root, store.url, folder)
    const measure = async (workload: Workload) => {
      const loads = await measureInTurns([service], amount.rounds, () => sendLoad(service, workload, amount))
      return getMedian(loads.flat().map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0)
    }
    const pages = await measure('list')
    const fetches = await measure('fetch')
    const additions = await measure('add')
    const { memoryMiB } = readUsage(service.pid)
    await service.stop()
    const cells = [
      amount.animals,
      store.name,
      additions,
      fetches,
      pages,
      `${memoryMiB.toFixed(0)} MiB`,
      `${(bytes / 1e6).toFixed(0)} MB`,
      ...[service.startMs, backupMs, restoreMs].map((ms) => `${(ms / 1000).toFixed(1)} s`),
    ]
    return `| ${cells.join(' | ')} |`
  } finally {
    await store.remove()
  }
}

function createSqlite(folder: string, animals: number): ScaledStore {
  const file = join(folder, `${animals}.db`)
  const copy = `${file}.copy`
  const url = `sqlite:${file}`
  return {
    name: 'SQLite',
    url,
    getBytes: async () => statSync(file).size,
    backUp: () => {
      const args = [join(root, 'scripts/backup.ts'), copy]
      execFileSync(process.execPath, args, { cwd: folder, env: { ...process.env, DATABASE_URL: url }, stdio: 'pipe' })
    },
    restore: () => copyFileSync(copy, `${copy}.restored`),
    // The folder is removed at the end.
    remove: async () => {},
  }
}

/** Makes two databases on a server: for a store, and for what is restored. Those of an earlier bench are removed. */
async function createPostgres(serverUrl: string, folder: string): Promise<ScaledStore> {
  const name = 'animal_store_bench'
  const restoredName = `${name}_restored`
  const toUrl = (database: string) => Object.assign(new URL(serverUrl), { pathname: database }).href
  const url = toUrl(name)
  const execute = async (databaseUrl: string, ...statements: readonly string[]) => {
    const client = new Client(databaseUrl)
    await client.connect()
    try {
      let rows: Record<string, unknown>[] = []
      for (const sql of statements) rows = (await client.query(sql)).rows
      return rows
    } finally {
      await client.end()
    }
  }
  const drop = [name, restoredName].map((database) => `DROP DATABASE IF EXISTS ${database}`)
  const create = [name, restoredName].map((database) => `CREATE DATABASE ${database}`)
  await execute(serverUrl, ...drop, ...create)
  const dump = join(folder, 'animals.dump')
  return {
    name: 'PostgreSQL',
    url,
    getBytes: async () => Number((await execute(url, 'SELECT pg_database_size(current_database()) AS size'))[0]?.size),
    backUp: () => runProgram('pg_dump', ['--format=custom', `--file=${dump}`, url]),
    restore: () => runProgram('pg_restore', ['--exit-on-error', '--no-owner', `--dbname=${toUrl(restoredName)}`, dump]),
    remove: async () => void (await execute(serverUrl, ...drop)),
  }
}

/** Runs a program of PostgreSQL. Its messages may name the user of the URL, so they are shown, and the URL is not. */
function runProgram(program: string, args: readonly string[]): void {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  } catch {
    throw new Error(`${program} failed; it must be installed, and not be older than the server`)
  }
}

/** Returns the time that a function takes, in milliseconds. */
function measureTime(run: () => void): number {
  const start = performance.now()
  run()
  return performance.now() - start
}
