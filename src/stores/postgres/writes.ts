/**
 * Everything that changes a PostgreSQL store.
 *
 * An id is assigned under a lock that is held until the animal is visible. With a sequence alone, 7 could become visible
 * before 6, and a client that walks the pages would miss 6. Additions that wait for the lock share a statement, and so a
 * commit.
 */
import { isUnavailable } from '../../errors.ts'
import { newPetColumns, replay, toPet, toValues } from '../rows.ts'
import { type AddResult, type IdempotentRequest, type NewPet, type Pet, storeUnavailable } from '../store.ts'
import type { Query } from './connection.ts'
import * as sql from './statements.ts'

/** The longest time in which a broken connection is noticed, in milliseconds. */
const NOTICE_MS = 500

/** An animal to add, and the idempotency key to store with it. */
interface Addition {
  readonly pet: NewPet
  readonly request?: IdempotentRequest
}

/** Creates the commit of a batch. It returns the added animals; undefined if an idempotency key is taken. */
export function createCommit(query: Query): (batch: readonly Addition[]) => Promise<(Pet | undefined)[]> {
  return async (batch) => {
    const pets = batch.map(({ pet }) => toValues(pet))
    const requests = batch.map(({ request }) => request)
    const rows = await query<sql.AddedRow>(
      sql.addPets,
      requests.map((request) => request?.scope),
      requests.map((request) => request?.key),
      requests.map((request) => request?.fingerprint),
      requests.map((request) => request?.ttlMs),
      ...newPetColumns.map((_, index) => pets.map((values) => values[index])),
    )
    return rows.map((row) => (row[0] === null ? undefined : toPet(row)))
  }
}

/** Creates the function that adds an animal under an idempotency key; `submit` commits an addition. */
export function createAddOnce(query: Query, submit: (addition: Addition) => Promise<Pet | undefined>) {
  /** Returns undefined if another instance stored the key after it was looked up. */
  async function attempt(pet: NewPet, request: IdempotentRequest): Promise<AddResult | undefined> {
    const [storedKey] = await query<sql.FoundIdempotencyKeyRow>(sql.findIdempotencyKey, request.scope, request.key)
    if (storedKey !== undefined) {
      const [fingerprint, petId] = storedKey
      return replay(pet, request, [fingerprint, petId])
    }
    const addedPet = await submit({ pet, request })
    return addedPet && { outcome: 'added', pet: addedPet }
  }

  return async (pet: NewPet, request: IdempotentRequest): Promise<AddResult> => {
    const startedAt = performance.now()
    const firstResult = await attempt(pet, request).catch((error) => {
      // The connection broke, perhaps after the key was stored. A server that hangs, which takes longer, gets no second attempt.
      const isBroken = isUnavailable(error) && performance.now() - startedAt <= NOTICE_MS
      if (!isBroken) throw error
      return undefined
    })
    // The second attempt finds a key that was stored meanwhile, by the first attempt or by another instance.
    const result = firstResult ?? (await attempt(pet, request))
    if (result === undefined) throw storeUnavailable('the idempotency key was taken and expired twice')
    return result
  }
}
