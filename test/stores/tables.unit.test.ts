/** The tables of a store: upgrades of earlier versions, and the query plans of the statements that read animals. */
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { planMigration } from '../../src/stores/migrations.ts'
import { checkStore, openStore } from '../../src/stores/open.ts'
import { openClient } from '../../src/stores/postgres/client.ts'
import * as postgresSql from '../../src/stores/postgres/statements.ts'
import * as postgresTables from '../../src/stores/postgres/tables.ts'
import * as sqliteSql from '../../src/stores/sqlite/statements.ts'
import * as sqliteTables from '../../src/stores/sqlite/tables.ts'
import { sharedDatabases, sqlite } from '../helpers/databases.ts'
import { execute } from '../helpers/sql.ts'
import { createVersion3, openAt, refuses, requestFor, rex, using } from '../helpers/stores.ts'

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

  t.test(`${database.name}: one of the instances that start at once upgrades a store`, async (t) => {
    const url = await database.fresh(t)
    await createVersion3(url)
    await execute(url, `INSERT INTO pets (name, category_id, status) VALUES ('Rex', 1, 'available')`)
    await refuses(t, url, `its schema has version 3; upgrade it to ${latest} by npm start or npm run dev`, {
      mayUpgrade: false,
    })
    const upgrades: number[][] = []
    const onUpgrade = (...versions: number[]) => void upgrades.push(versions)
    const stores = await Promise.all([1, 2, 3].map(() => openAt(t, url, { onUpgrade })))
    t.strictSame(upgrades, [[3, latest]])
    for (const { pets } of stores) t.same(await pets.find(1n), { id: 1n, ...rex })
  })

  for (const [version, advice] of [
    [2, 'no release made it; name a new store'],
    [latest + 1, 'use a newer program'],
  ] as const) {
    t.test(`${database.name}: a store of version ${version} is refused, and not changed`, async (t) => {
      const url = await database.fresh(t)
      await using(url, async () => {})
      const table = database === sqlite ? 'pragma_user_version' : 'animal_store'
      await execute(
        url,
        database === sqlite ? `PRAGMA user_version = ${version}` : `UPDATE animal_store SET version = ${version}`,
      )
      const message = `its schema has version ${version}, and this program supports versions 3 to ${latest}`
      await refuses(t, url, `${message}; ${advice}`)
      const [row = {}] = await execute(url, `SELECT * FROM ${table}`)
      t.same(Object.values(row), [version])
    })
  }

  t.test(`${database.name}: a store that lacks a column is refused, by a check too`, async (t) => {
    const url = await database.fresh(t)
    await using(url, async () => {})
    await execute(url, 'ALTER TABLE pets RENAME COLUMN name TO title')
    const message =
      /\bname\b.*; add or correct a migration in tables\.ts \(docs\/contributing-changes\.md, "Writing a migration"\), or restore a backup$/
    await t.rejects(openStore(url), { name: 'StartupError', message })
    await t.rejects(checkStore(url), { name: 'StartupError', message })
  })

  t.test(`${database.name}: animals are found by an index, and nothing is scanned, filtered or sorted`, async (t) => {
    const url = await database.fresh(t)
    await using(url, async () => {})
    for (const plan of database === sqlite ? explainSqlite(url) : await explainPostgres(t, url)) {
      t.match(plan, /SEARCH pets USING I|Index Scan using pets_.*\n *Index Cond: /)
      // The rows of pages that share a statement are sorted; incrementally from PostgreSQL 16 on, which knows that the requests
      // are in order.
      t.notMatch(plan, /SCAN |TEMP B-TREE|Seq Scan|(^|->) *Sort$(?!\n *Sort Key: request\.ordinal)|Filter/m)
    }
  })
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
  const client = await openClient(url)
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
