/**
 * The store that several instances of the service share: a PostgreSQL database.
 *
 * An id is given out under a lock that is held until the animal can be seen. With a sequence alone, 7 may be seen before
 * 6, and who walks the pages would pass over 6. Additions that wait for it go in one statement, and so in one commit.
 */
import { createGroupCommit } from './group-commit.ts'
import { createKeyCache } from './key-cache.ts'
import { answerAgain, createGate } from './once.ts'
import { type PetRow, petColumns, petOf } from './pet-rows.ts'
import { connect, runOn, type Statement } from './postgres-connection.ts'
import { type KeyRow, keyOf, listPets } from './postgres-rows.ts'
import { lockSpace } from './postgres-schema.ts'
import { type AddedOnce, type NewPet, type Pet, type RetryKey, type Store, StoreUnavailableError } from './store.ts'

/** A retry key in force; without its animal when someone has removed that by hand. */
type RetryRow =
  | [petId: bigint, fingerprint: Buffer, ...PetRow]
  | [petId: bigint, fingerprint: Buffer, id: null, name: null, categoryId: null, status: null]

/** An animal to add, and the key to keep with it, if there is one. */
interface Addition {
  readonly pet: NewPet
  readonly retry?: RetryKey
  /** The animal that the key stands for, when that is gone: the key is as good as new. */
  readonly gone?: bigint | undefined
}
type Outcome = { readonly pet: Pet } | { readonly error: unknown }

/** What has been added; nothing, when the key is in force already. */
type AddedRow = PetRow | [id: null, name: null, categoryId: null, status: null]

/**
 * Opens the database that a URL names; `timeout` is how long a caller may wait for the server, in milliseconds.
 * Rejects with a StoreOpenError.
 */
export async function openPostgres(url: string, timeout: number): Promise<Store> {
  const pool = await connect(url, timeout)
  const oncePerKey = createGate()
  const { submit, settled } = createGroupCommit(commit)
  let closing: Promise<void> | undefined

  function run<Row extends unknown[]>(statement: Statement, ...values: unknown[]): Promise<Row[]> {
    return runOn(pool, statement, values)
  }

  async function commit(batch: Addition[]): Promise<Outcome[]> {
    const pets = batch.map(({ pet }) => pet)
    const retries = batch.map(({ retry }) => retry)
    try {
      const rows = await run<AddedRow>(
        addPets,
        pets.map(({ name }) => name),
        pets.map(({ categoryId }) => categoryId),
        pets.map(({ status }) => status),
        retries.map((retry) => retry?.scope),
        retries.map((retry) => retry?.key),
        retries.map((retry) => retry?.fingerprint),
        retries.map((retry) => retry?.keptFor),
        batch.map(({ gone }) => gone),
      )
      return rows.map((row) => (row[0] === null ? { error: keyTaken } : { pet: petOf(row) }))
    } catch (error) {
      if (batch.length === 1 || error instanceof StoreUnavailableError) return batch.map(() => ({ error }))
      return commitEach(batch)
    }
  }

  /** One addition may have spoilt it for the others: made one by one, only that one fails. */
  async function commitEach(batch: Addition[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    let latest: Outcome[] = []
    for (const addition of batch) {
      // Once the store is out of reach, nobody waits for another time-out to be told the same.
      if (!latest.some(isUnavailable)) latest = await commit([addition])
      outcomes.push(...latest)
    }
    return outcomes
  }

  async function add(addition: Addition): Promise<Pet> {
    const outcome = await submit(addition)
    if ('pet' in outcome) return outcome.pet
    throw outcome.error
  }

  async function addOnce(pet: NewPet, retry: RetryKey, again = false): Promise<AddedOnce> {
    const [kept] = await run<RetryRow>(findRetry, retry.scope, retry.key)
    if (kept !== undefined && kept[2] !== null) {
      const [, fingerprint, ...row] = kept
      return answerAgain(retry, fingerprint, petOf(row))
    }
    try {
      return { outcome: 'added', pet: await add({ pet, retry, gone: kept?.[0] }) }
    } catch (error) {
      if (error !== keyTaken) throw error
      if (again) throw new StoreUnavailableError(error)
    }
    // Another instance was quicker, so the key is found now.
    return addOnce(pet, retry, true)
  }

  return {
    pets: {
      add: (pet) => add({ pet }),
      addOnce: (pet, retry) => oncePerKey(retry, () => addOnce(pet, retry)),
      find: async (id) => (await run<PetRow>(findPet, id)).map(petOf)[0],
      list: async ({ after, limit, status }) =>
        (status === undefined
          ? await run<PetRow>(listPets, after, limit)
          : await run<PetRow>(listPetsOf, after, limit, status)
        ).map(petOf),
    },
    keys: createKeyCache({
      add: async (name, hash) => (await run(addKey, name, hash)).length > 0,
      find: async (hash) => (await run<KeyRow>(findKey, hash)).map(keyOf)[0],
      list: async () => (await run<KeyRow>(listKeys)).map(keyOf),
      revoke: async (name) => (await run(revokeKey, name)).length > 0,
    }),
    check: async () => {
      await run(touch)
    },
    close: () => {
      closing ??= settled().then(() => pool.end())
      return closing
    },
  }
}

const additionLock = 2

const addPets: Statement = {
  name: 'add-pets',
  // A retry key that is in force already is not kept again, and then its animal is not added: its row here is null. No
  // key comes twice in a batch, which the statement would refuse: the gate lets one request through per key.
  // Whether the animal of a key is gone is not asked for here: one that another instance has added while this waited for
  // the lock is not seen yet, and its key is. An id that was found gone before ($8) never comes back.
  // More keys are dropped than are added, so that all that have expired go in the end; never so many that anyone waits.
  // Their expiry is asked for twice, because another instance may have renewed one meanwhile.
  text: `
    WITH locked AS MATERIALIZED (
      SELECT pg_advisory_xact_lock(${lockSpace}, ${additionLock})
    ), numbered AS MATERIALIZED (
      SELECT nextval('pet_ids') AS id, input.*
      FROM locked, unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bytea[], $7::float8[])
        WITH ORDINALITY AS input (name, category_id, status, scope, key, fingerprint, kept_for, place)
    ), kept AS (
      INSERT INTO retries (scope, key, fingerprint, pet_id, expires_at)
      SELECT scope, key, fingerprint, id, now() + kept_for * interval '1 millisecond'
      FROM numbered WHERE scope IS NOT NULL
      ON CONFLICT (scope, key) DO UPDATE SET
        fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, expires_at = excluded.expires_at
        WHERE retries.expires_at <= now() OR retries.pet_id = ANY ($8::bigint[])
      RETURNING pet_id
    ), added AS (
      INSERT INTO pets (${petColumns})
      SELECT ${petColumns} FROM numbered
      WHERE scope IS NULL OR id IN (SELECT pet_id FROM kept)
      RETURNING ${petColumns}
    ), dropped AS (
      DELETE FROM retries WHERE expires_at <= now() AND ctid = ANY (ARRAY (
        SELECT ctid FROM retries
        WHERE expires_at <= now() AND (scope, key) NOT IN (SELECT scope, key FROM numbered WHERE scope IS NOT NULL)
        ORDER BY expires_at LIMIT (SELECT 2 * count(*) FROM numbered)
      ))
    )
    SELECT added.* FROM numbered LEFT JOIN added ON added.id = numbered.id ORDER BY place`,
}

const findRetry: Statement = {
  name: 'find-retry',
  text: `SELECT pet_id, fingerprint, ${petColumns} FROM retries LEFT JOIN pets ON id = pet_id
         WHERE scope = $1 AND key = $2 AND expires_at > now()`,
}
const findPet: Statement = {
  name: 'find-pet',
  text: `SELECT ${petColumns} FROM pets WHERE id = $1`,
}
const listPetsOf: Statement = {
  name: 'list-pets-of',
  // Written so that only the index by status will do: `status = $3 ORDER BY id` may be taken as a walk over all animals
  // until enough of them have the status, and there may be none ahead.
  text: `SELECT ${petColumns} FROM pets
         WHERE (status, id) > ($3, $1) AND status <= $3 ORDER BY status, id LIMIT $2`,
}
const addKey: Statement = {
  name: 'add-key',
  text: `INSERT INTO keys (name, hash) VALUES ($1, $2)
         ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING RETURNING name`,
}
const findKey: Statement = {
  name: 'find-key',
  text: 'SELECT name, created_at, revoked_at FROM keys WHERE hash = $1 AND revoked_at IS NULL',
}
const listKeys: Statement = {
  name: 'list-keys',
  text: 'SELECT name, created_at, revoked_at FROM keys ORDER BY id',
}
const revokeKey: Statement = {
  name: 'revoke-key',
  text: 'UPDATE keys SET revoked_at = now() WHERE name = $1 AND revoked_at IS NULL RETURNING name',
}
const touch: Statement = { name: 'touch', text: 'SELECT id FROM pets LIMIT 1' }

/** Why an addition failed: its retry key is in force. */
const keyTaken = new Error('another instance has kept the key meanwhile')

function isUnavailable(outcome: Outcome): boolean {
  return 'error' in outcome && outcome.error instanceof StoreUnavailableError
}
