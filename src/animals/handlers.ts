/**
 * What the operations do, one function per operationId. What may come in and go out is for the contract to say.
 */
import { hash } from 'node:crypto'
import type { operations } from '../../generated/server.d.ts'
import { errorAnswer } from '../errors.ts'
import type { Handlers } from '../openapi/types.ts'
import type { AddedOnce, NewPet, PetStore, RetryKey } from '../stores/store.ts'
import { readCursor, writeCursor } from './cursor.ts'

/** Who adds animals: what tells one API key from another. */
interface Caller {
  readonly id: string
}

/** The handlers of all operations over a store. */
export function createHandlers(pets: PetStore) {
  return {
    async listPets({ query, urlOf }) {
      const { limit, status, cursor } = query
      const after = cursor === undefined ? 0n : readCursor(cursor)
      if (after === undefined) {
        return errorAnswer(
          400,
          'invalid_cursor',
          'query.cursor was not given by a next link; start from the first page',
        )
      }
      // One more than asked for tells whether there is a next page.
      const found = await pets.list({ after, limit: limit + 1, status })
      const page = found.slice(0, limit)
      const last = page.at(-1)
      if (found.length <= limit || last === undefined) return { status: 200, body: page }
      const next = urlOf('listPets', { query: { limit, status, cursor: writeCursor(last.id) } })
      return { status: 200, body: page, headers: { Link: `<${next}>; rel="next"` } }
    },

    async createPet({ body, header, caller, retryWindow, urlOf }) {
      const key = header['Idempotency-Key']
      // Where the contract asks for no caller, all are one.
      const scope = caller?.id ?? ''
      const retry =
        key === undefined ? undefined : { scope, key, fingerprint: fingerprintOf(body), keptFor: retryWindow * 1000 }
      const added = await add(pets, body, retry)
      switch (added.outcome) {
        case 'in-progress':
          return errorAnswer(
            409,
            'request_in_progress',
            'a request with this Idempotency-Key is still under way; try again shortly',
          )
        case 'conflict':
          return errorAnswer(
            422,
            'idempotency_key_reused',
            'this Idempotency-Key was used for another animal; take a new key for a new animal',
          )
        default: {
          const { pet } = added
          return { status: 201, body: pet, headers: { Location: urlOf('getPet', { path: { petId: pet.id } }) } }
        }
      }
    },

    async getPet({ path }) {
      const pet = await pets.find(path.petId)
      if (pet === undefined) return errorAnswer(404, 'animal_not_found', `there is no animal with the id ${path.petId}`)
      return { status: 200, body: pet }
    },
  } satisfies Handlers<operations, Caller>
}

/** Adds an animal; once, where the request may be sent again. */
async function add(pets: PetStore, pet: NewPet, retry: RetryKey | undefined): Promise<AddedOnce> {
  return retry === undefined ? { outcome: 'added', pet: await pets.add(pet) } : pets.addOnce(pet, retry)
}

/** The same for every way to write the same animal: the SHA-256 of its fields in the order of their names. */
function fingerprintOf(pet: NewPet): Uint8Array {
  const fields = Object.entries(pet).sort(([one], [other]) => (one < other ? -1 : 1))
  const text = JSON.stringify(fields, (_name, value) =>
    typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value,
  )
  return hash('sha256', text, 'buffer')
}
