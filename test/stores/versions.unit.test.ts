/**
 * Instances of earlier versions and of this version on one store. Version 3 makes a repeated response from the animal. A program
 * of version 4 stored the response with the key, and makes it from the animal where there is none.
 */
import t from 'tap'
import { sharedDatabases } from '../helpers/databases.ts'
import { execute } from '../helpers/sql.ts'
import { createVersion3, openAt, requestFor, rex } from '../helpers/stores.ts'

const request = requestFor('key')
const fingerprint = Buffer.from(request.fingerprint).toString('hex')
const replayed = (id: bigint) => ({ outcome: 'replayed', pet: { id, ...rex } })

for (const database of sharedDatabases) {
  t.test(
    `${database.name}: a key that version 3 stored is read until it expires, also without its animal`,
    async (t) => {
      const url = await database.fresh(t)
      await createVersion3(url)
      await addAsVersion3(url, 1)
      const { pets } = await openAt(t, url)
      t.same(await pets.addOnce(rex, request), replayed(1n))
      await execute(url, 'DELETE FROM pets')
      t.same(await pets.addOnce(rex, request), replayed(1n))
      t.same(await pets.addOnce(rex, { ...request, fingerprint: Buffer.from('mia') }), { outcome: 'conflict' })
      await execute(url, `UPDATE idempotency_keys SET expires_at = ${expired(url)}`)
      t.match(await pets.addOnce(rex, request), { outcome: 'added', pet: { id: 2n } })
      t.same(await pets.addOnce(rex, request), replayed(2n))
    },
  )

  t.test(
    `${database.name}: an instance of version 3 and one of this version read the keys of each other`,
    async (t) => {
      const url = await database.fresh(t)
      const { pets } = await openAt(t, url)
      await addAsVersion3(url, 1)
      t.same(await pets.addOnce(rex, request), replayed(1n))
      await pets.addOnce(rex, requestFor('other'))
      t.match(await execute(url, `${findAsVersion3} WHERE key = 'other'`), [{ id: 2, name: 'Rex' }])
    },
  )

  t.test(
    `${database.name}: an instance that stores responses and one of this version read the keys of each other`,
    async (t) => {
      const url = await database.fresh(t)
      const { pets } = await openAt(t, url)
      const findResponses = (key: string) =>
        execute(
          url,
          `SELECT CASE WHEN response_pet_id = pet_id THEN response END AS response, pet_id FROM idempotency_keys WHERE key = '${key}'`,
        )
      await addAsVersion3(url, 1)
      await execute(url, `UPDATE idempotency_keys SET response_pet_id = 1, response = 'added as 1'`)
      t.match(await findResponses('key'), [{ response: 'added as 1' }])
      t.same(await pets.addOnce(rex, request), replayed(1n))
      await execute(url, `UPDATE idempotency_keys SET expires_at = ${expired(url)}`)
      t.match(await pets.addOnce(rex, request), { outcome: 'added', pet: { id: 2n } })
      t.match(await findResponses('key'), [{ response: null, pet_id: 2 }])
    },
  )
}

const isSqlite = (url: string) => url.startsWith('sqlite:')

/** Adds Rex with the key as a program of version 3 does; Rex gets this id if as many animals were added. */
async function addAsVersion3(url: string, id: number): Promise<void> {
  await execute(url, `INSERT INTO pets (name, category_id, status) VALUES ('Rex', 1, 'available')`)
  const columns = 'idempotency_keys (scope, key, fingerprint, pet_id, expires_at)'
  await execute(
    url,
    isSqlite(url)
      ? `INSERT OR REPLACE INTO ${columns} VALUES ('shop', 'key', x'${fingerprint}', ${id}, ${Date.now() + 3_600_000})`
      : `INSERT INTO ${columns} VALUES ('shop', 'key', '\\x${fingerprint}', ${id}, now() + interval '1 hour')
         ON CONFLICT (scope, key) DO UPDATE SET
           fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, expires_at = excluded.expires_at
           WHERE idempotency_keys.expires_at <= now()`,
  )
}

/** How a program of version 3 finds a key. */
const findAsVersion3 = 'SELECT fingerprint, id, name FROM idempotency_keys JOIN pets ON id = pet_id'

const expired = (url: string) => (isSqlite(url) ? '0' : 'now()')
