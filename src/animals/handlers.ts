/**
 * What the operations do, one function per operationId. What may come in and go out is for the contract to say.
 */
import type { operations } from '../../generated/server.d.ts'
import { errorAnswer } from '../errors.ts'
import type { Handlers } from '../openapi/types.ts'
import type { PetStore } from '../stores/store.ts'
import { readCursor, writeCursor } from './cursor.ts'

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

    async createPet({ body, urlOf }) {
      const pet = await pets.add(body)
      return { status: 201, body: pet, headers: { Location: urlOf('getPet', { path: { petId: pet.id } }) } }
    },

    async getPet({ path }) {
      const pet = await pets.find(path.petId)
      if (pet === undefined) return errorAnswer(404, 'animal_not_found', `there is no animal with the id ${path.petId}`)
      return { status: 200, body: pet }
    },
  } satisfies Handlers<operations, unknown>
}
