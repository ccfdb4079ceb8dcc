/**
 * A floor: `node:http` with the statements of the service on SQLite. Additions commit one by one, as durably as those of the
 * service.
 */
import type { PetRow } from '../../../src/stores/rows.ts'
import { connect, prepare, prepareOne } from '../../../src/stores/sqlite/connection.ts'
import * as sql from '../../../src/stores/sqlite/statements.ts'
import { createStatementsServer } from './node-statements.ts'
import { run } from './responses.ts'

const database = await connect(String(process.env.DATABASE_URL).slice('sqlite:'.length), 5000)
const list = prepare<PetRow>(database, sql.listPets)
const listByStatus = prepare<PetRow>(database, sql.listPetsByStatus)
const addPet = database.prepare(sql.addPet)

await run(
  createStatementsServer({
    find: prepareOne(database, sql.findPet) as (id: number) => PetRow,
    list,
    listByStatus,
    add: (...values) => [BigInt(addPet.run(...values).lastInsertRowid), ...values],
  }),
)
