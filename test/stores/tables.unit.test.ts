/** The tables of a store: upgrades of earlier versions, and the query plans of the statements that read animals. */
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { checkStore, openStore } from '../../src/stores/open.ts'
import { openClient } from '../../src/stores/postgres/connection.ts'
import * as postgresSql from '../../src/stores/postgres/statements.ts'
import * as postgresTables from '../../src/stores/postgres/tables.ts'
import { openConnection } from '../../src/stores/sqlite/connection.ts'
import * as sqliteSql from '../../src/stores/sqlite/statements.ts'
import * as sqliteTables from '../../src/stores/sqlite/tables.ts'
import { planMigration, type UpgradeOptions } from '../../src/stores/store.ts'
import { sharedDatabases, sqlite } from '../helpers/databases.ts'
import { execute } from '../helpers/sql.ts'
import { openAt, refuses, requestFor, rex, using } from '../helpers/stores.ts'

for (const database of sharedDatabases) {
  const { migrations } = database === sqlite ? sqliteTables : postgresTables
  const { latest } = planMigration(0, migrations)

  t.test(`${database.name}: instances that start at once create one store`, async (t) => {
    const url = await database.fresh(t)
    const stores = await Promise.all([1, 2, 3].map(() => openAt(t, url)))
    for (const [index, { pets }] of stores.entries()) {
      const outcome = index === 0 ? 'added' : 'replayed'
      t.match(await pets.addOnce(rex, requestFor('new')), { outcome, pet: { id: 1n, ...rex } })
    }
  })

  t.test(`${database.name}: instances upgrade a store at once, which an older program then refuses`, async (t) => {
    const url = await database.fresh(t)
    await using(url, ({ pets }) => pets.add(rex))
    const entry = 'CREATE TABLE colours (name TEXT)'
    const upgrades: number[][] = []
    await t.rejects(upgrade(url, entry, { mayUpgrade: false }), {
      message: `its schema has version ${latest}; upgrade it to ${latest + 1} by npm start or npm run dev`,
    })
    const onUpgrade = (...versions: number[]) => void upgrades.push(versions)
    await Promise.all([1, 2, 3].map(() => upgrade(url, entry, { onUpgrade })))
    t.strictSame(upgrades, [[latest, latest + 1]], 'one of them upgrades it')
    t.same(await execute(url, 'SELECT * FROM colours'), [])
    t.match(await execute(url, 'SELECT name FROM pets'), [{ name: 'Rex' }])
    const message = `its schema has version ${latest + 1}, and this program supports versions 3 to ${latest}`
    await refuses(t, url, `${message}; use a newer program`)
  })

  t.test(`${database.name}: a store of a version that was never released is refused, and not changed`, async (t) => {
    const url = await database.fresh(t)
    await using(url, async () => {})
    await execute(url, database === sqlite ? 'PRAGMA user_version = 2' : 'UPDATE animal_store SET version = 2')
    const message = `its schema has version 2, and this program supports versions 3 to ${latest}`
    await refuses(t, url, `${message}; no release made it; name a new store`)
  })

  t.test(`${database.name}: a store that lacks a column is refused, by a check too`, async (t) => {
    const url = await database.fresh(t)
    await using(url, async () => {})
    await execute(url, 'ALTER TABLE pets RENAME COLUMN name TO title')
    const message = /\bname\b.*; add or correct a migration \(docs\/contributing.md\), or restore a backup$/
    await t.rejects(openStore(url), { name: 'StartupError', message })
    await t.rejects(checkStore(url), { name: 'StartupError', message })
  })

  t.test(`${database.name}: animals are found by an index, and nothing is scanned, filtered or sorted`, async (t) => {
    const url = await database.fresh(t)
    await using(url, async () => {})
    for (const plan of database === sqlite ? explainSqlite(url) : await explainPostgres(t, url)) {
      t.match(plan, /SEARCH pets USING I|Index Scan using pets_.*\n *Index Cond: /)
      // The rows of pages that share a statement are sorted, incrementally: by page they are already.
      t.notMatch(plan, /SCAN |TEMP B-TREE|Seq Scan|(^|->) *Sort$|Filter/m)
    }
  })
}

/** Opens a store as a program does that has one more entry. */
async function upgrade(url: string, entry: string, options: UpgradeOptions): Promise<void> {
  if (url.startsWith('sqlite:')) {
    using database = openConnection(url.slice('sqlite:'.length), 10_000)
    return sqliteTables.migrate(database, [...sqliteTables.migrations, entry], options)
  }
  const client = await openClient(url, 10_000)
  const entries = [...postgresTables.migrations, entry]
  await postgresTables.migrate(client, entries, options).finally(() => client.end())
}

function explainSqlite(url: string): string[] {
  const { findPet, listPets, listPetsByStatus } = sqliteSql
  using connection = new DatabaseSync(url.slice('sqlite:'.length), { readOnly: true })
  return [findPet, listPets, listPetsByStatus].map((sql) => {
    const rows = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
    return rows.map(({ detail }) => detail).join('\n')
  })
}

async function explainPostgres(t: Test, url: string): Promise<string[]> {
  const { findPets, listPets, listPetsByStatus, listPages, listPagesByStatus } = postgresSql
  // Its session plans as the sessions of the service do: once, for all parameters.
  const client = await openClient(url, 10_000)
  t.teardown(() => client.end())
  const plans: string[] = []
  for (const { name, text } of [findPets, listPets, listPetsByStatus, listPages, listPagesByStatus]) {
    const parameters = Array.from(new Set(text.match(/\$\d/g)), () => 'NULL')
    await client.query(`PREPARE "${name}" AS ${text}`)
    const { rows } = await client.query(`EXPLAIN (COSTS OFF) EXECUTE "${name}" (${parameters})`)
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
  }
  return plans
}
