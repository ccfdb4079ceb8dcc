/**
 * The query plans of the statements that read animals: the time that they take must not grow with the catalogue.
 */
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { openStore } from '../../src/stores/open.ts'
import { openClient } from '../../src/stores/postgres/connection.ts'
import * as postgresSql from '../../src/stores/postgres/statements.ts'
import * as sqliteSql from '../../src/stores/sqlite/statements.ts'
import { sharedDatabases, sqlite } from '../helpers/databases.ts'

for (const database of sharedDatabases) {
  t.test(`${database.name}: animals are found by an index, and nothing is scanned, filtered or sorted`, async (t) => {
    const url = await database.fresh(t)
    await (await openStore(url)).close()
    for (const plan of database === sqlite ? explainSqlite(url) : await explainPostgres(url)) {
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

async function explainPostgres(url: string): Promise<string[]> {
  const { findPet, findPets, listPets, listPetsByStatus, listPages, listPagesByStatus } = postgresSql
  // Its session plans as those of the service do: once, for all parameters.
  const client = await openClient(url, { connectionTimeoutMillis: 10_000 })
  try {
    const plans: string[] = []
    for (const { name, text } of [findPet, findPets, listPets, listPetsByStatus, listPages, listPagesByStatus]) {
      const parameters = Array.from(new Set(text.match(/\$\d/g)), () => 'NULL')
      await client.query(`PREPARE "${name}" AS ${text}`)
      const { rows } = await client.query(`EXPLAIN (COSTS OFF) EXECUTE "${name}" (${parameters})`)
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    }
    return plans
  } finally {
    await client.end()
  }
}
