/**
 * The scratch store of `npm run dev`: a SQLite file that holds animals and keys while a `tables.ts` differs from the last
 * commit. A store that edited tables have migrated could not be used without them, and would not get further edits.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { toError } from 'fastify-openapi-first/shared'
import { StartupError } from '../../src/errors.ts'
import type { Migrations } from '../../src/stores/migrations.ts'
import { openStore } from '../../src/stores/open.ts'
import { migrations } from '../../src/stores/sqlite/tables.ts'

/** True while a `tables.ts` differs from the last commit. False outside a git checkout. */
export function areTablesEdited(): boolean {
  const cwd = join(import.meta.dirname, '../../src/stores')
  const { stdout } = spawnSync('git', ['status', '--porcelain', '--', '*/tables.ts'], { cwd, encoding: 'utf8' })
  return Boolean(stdout)
}

/** The scratch store that the current version of the service uses. */
interface Scratch {
  readonly file: string
  /** The migrations that made its tables. */
  readonly migrations: Migrations
}

/**
 * Opens the scratch store in a folder. After an edit of the migrations, that is a new file with the rows of the last one;
 * the version before goes on with its own file, and `keep` must be called when the new version takes over.
 */
export async function openScratchStore(folder: string) {
  const record = join(folder, 'current.json')
  const current: Scratch | undefined = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : undefined
  const isCurrent = JSON.stringify(current?.migrations) === JSON.stringify(migrations)
  const file = current !== undefined && isCurrent ? current.file : join(folder, `${process.pid}.db`)
  const store = await openStore(`sqlite:${file}`)
  if (current !== undefined && !isCurrent) copyRows(current.file, file)
  return { store, keep: () => writeFileSync(record, JSON.stringify({ file, migrations })) }
}

/** Copies the rows of one file to another, as far as both have the same tables and columns. Throws a StartupError. */
function copyRows(from: string, to: string): void {
  using database = new DatabaseSync(to, { enableForeignKeyConstraints: false })
  database.prepare('ATTACH ? AS old').run(from)
  const columns = database
    .prepare(
      `SELECT tables.name AS "table", group_concat('"' || columns.name || '"') AS names
       FROM old.sqlite_schema AS tables, pragma_table_info(tables.name, 'old') AS columns
       JOIN pragma_table_info(tables.name, 'main') AS kept ON kept.name = columns.name
       WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' GROUP BY tables.name`,
    )
    .all()
  try {
    for (const { table, names } of columns) {
      database.exec(`INSERT INTO main."${table}" (${names}) SELECT ${names} FROM old."${table}"`)
    }
  } catch (error) {
    const reason = toError(error).message
    throw new StartupError(`the scratch store cannot be kept: ${reason}; correct tables.ts, or start npm run dev again`)
  }
}
