/**
 * Rows of animals, as both engines give them: arrays, with int64 as bigint. Literals are made of the rows, because those
 * are faster to serialise than the objects that SQLite makes.
 */
import type { NewPet, Pet, PetStatus } from './store.ts'

/**
 * The column in which each member of an animal is kept. A member that is new in the contract does not compile until it
 * has one, even where it is optional: without one it would be taken, acknowledged and dropped.
 */
const columns = {
  id: 'id',
  name: 'name',
  categoryId: 'category_id',
  status: 'status',
} satisfies Record<keyof Pet | keyof NewPet, string>

/** The columns of a row, as SQL. */
export const petColumns = Object.values(columns).join(', ')

export type PetRow = [id: bigint, name: string, categoryId: bigint, status: PetStatus]

export function petOf([id, name, categoryId, status]: PetRow): Pet {
  return { id, name, categoryId, status }
}
