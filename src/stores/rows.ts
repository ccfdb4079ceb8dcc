/**
 * Rows of animals, as both databases return them: arrays, with int64 as bigint.
 */
import type { NewPet, Pet, PetStatus } from './store.ts'

/**
 * The column of each member of an animal. A member that is new in the spec does not compile until it has a column, even
 * if it is optional: without one, the service would accept it, acknowledge it and drop it.
 */
const columns = {
  id: 'id',
  name: 'name',
  categoryId: 'category_id',
  status: 'status',
} satisfies Record<keyof Pet | keyof NewPet, string>

/** The columns of a `PetRow`, as SQL. */
export const petColumns = Object.values(columns).join(', ')

export type PetRow = [id: bigint, name: string, categoryId: bigint, status: PetStatus]

/** Objects made by a literal are faster to serialize than those that the drivers make. */
export function toPet([id, name, categoryId, status]: PetRow): Pet {
  return { id, name, categoryId, status }
}
