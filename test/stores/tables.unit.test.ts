/**
 * The tables of a store: upgrades of earlier versions, and the query plans of the statements that read animals.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { hashKey } from '../../src/auth/keys.ts'
import { openClient } from '../../src/stores/postgres/connection.ts'
import * as postgresSql from '../../src/stores/postgres/statements.ts'
import * as sqliteSql from '../../src/stores/sqlite/statements.ts'
import { sharedDatabases, sqlite } from '../helpers/databases.ts'
import { execute } from '../helpers/sql.ts'
import { listAll, openAt, requestFor, rex, using } from '../helpers/stores.ts'

/** What each fixture in version-1/ holds; those in version-2/ add an idempotency key. */
const pets = [
  { id: 1n, name: 'Rex', categoryId: 1n, status: 'available' },
  { id: 2n, name: '🐕 Łaika', categoryId: -(2n ** 63n), status: 'sold' },
  { id: 3n, name: "O'Malley", categoryId: 2n ** 63n - 1n, status: 'pending' },
]
const day = new Date('2026-11-20T22:05:20.524Z')
const keys = [
  { name: 'ops', createdAt: day, revokedAt: day },
  { name: 'shop', createdAt: day },
]

for (const database of sharedDatabases) {
  for (const version of [0, 1, 2]) {
    t.test(`${database.name}: instances that start at once upgrade a store of version ${version}`, async (t) => {
      const url = await database.fresh(t)
      for (let each = 1; each <= version; each++) {
        const file = `version-${each}/${database === sqlite ? 'sqlite' : 'postgres'}.sql`
        await execute(url, readFileSync(join(import.meta.dirname, file), 'utf8'))
      }
      const stores = await Promise.all([1, 2, 3].map(() => openAt(t, url)))
      for (const store of stores) {
        t.same(await listAll(store), version === 0 ? [] : pets)
        t.match(await store.keys.list(), version === 0 ? [] : keys)
      }
      const [store] = stores as [(typeof stores)[0]]
      if (version > 0) t.match(await store.keys.find(hashKey('shop')), keys[1])
      t.equal(await store.keys.find(hashKey('ops')), undefined)
      const id = version === 0 ? 1n : 4n
      const request = requestFor('new')
      t.same(await store.pets.addOnce(rex, request), { outcome: 'added', pet: { id, ...rex } })
      t.same(await store.pets.addOnce(rex, request), { outcome: 'replayed', pet: { id, ...rex } })
      if (version < 2) return
      t.same(await store.pets.addOnce(rex, requestFor('kept')), { outcome: 'replayed', pet: pets[1] })
      const other = requestFor('kept', { fingerprint: Buffer.from('mia') })
      t.same(await store.pets.addOnce(rex, other), { outcome: 'conflict' })
    })
  }

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

function explainSqlite(url: string): string[] {
  const { findPet, listPets, listPetsByStatus } = sqliteSql
  using connection = new DatabaseSync(url.slice('sqlite:'.length), { readOnly: true })
  return [findPet, listPets, listPetsByStatus].map((sql) => {
    const rows = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
    return rows.map(({ detail }) => detail).join('\n')
  })
}

async function explainPostgres(t: Test, url: string): Promise<string[]> {
  const { findPet, findPets, listPets, listPetsByStatus, listPages, listPagesByStatus } = postgresSql
  // Its session plans as those of the service do: once, for all parameters.
  const client = await openClient(url, { connectionTimeoutMillis: 10_000 })
  t.teardown(() => client.end())
  const plans: string[] = []
  for (const { name, text } of [findPet, findPets, listPets, listPetsByStatus, listPages, listPagesByStatus]) {
    const parameters = Array.from(new Set(text.match(/\$\d/g)), () => 'NULL')
    await client.query(`PREPARE "${name}" AS ${text}`)
    const { rows } = await client.query(`EXPLAIN (COSTS OFF) EXECUTE "${name}" (${parameters})`)
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
  }
  return plans
}
