/**
 * A floor: `node:http` with the named statements of the service on PostgreSQL, and a pool of as many connections. It
 * gathers neither reads nor additions in batches.
 */
import { Pool } from 'pg'
import * as sql from '../../../src/stores/postgres/statements.ts'
import { createStatementsServer, type Row } from './node-statements.ts'
import { run } from './responses.ts'

const pool = new Pool({ connectionString: String(process.env.DATABASE_URL) })

async function query(statement: sql.Statement, ...values: unknown[]): Promise<Row[]> {
  return (await pool.query<[...Row]>({ ...statement, values, rowMode: 'array' })).rows
}

await run(
  createStatementsServer({
    find: async (id) => (await query(sql.findPet, id))[0] as Row,
    list: (after, limit) => query(sql.listPets, after, limit),
    listByStatus: (status, after, limit) => query(sql.listPetsByStatus, after, limit, status),
    add: async (name, categoryId, status) =>
      (await query(sql.addPets, [name], [categoryId], [status], [null], [null], [null], [null], []))[0] as Row,
  }),
)
