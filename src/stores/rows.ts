/** Rows of animals, idempotency keys and API keys, as both databases have them: arrays, with int64 as bigint. */
import type { AddResult, IdempotentRequest, NewPet, Pet } from './store.ts'

/** The names of the members. If the spec allows `additionalProperties`, a type that does not compile says what is missing. */
type Members<Animal> = string extends keyof Animal ? 'a column for each additional member' : keyof Animal

/**
 * The column of each member of an animal except its id, and the type in PostgreSQL. A new member of the spec does not compile until
 * it has a column, even if it is optional: without one, the service would accept it, acknowledge it and drop it. Statements and
 * parameters follow from this table, and `toPet` from the types; the tables of the databases are in their `tables.ts`.
 */
const columns: Readonly<
  Record<Exclude<Members<Pet> | Members<NewPet>, 'id'>, readonly [column: string, type: string]>
> = {
  name: ['name', 'text'],
  categoryId: ['category_id', 'bigint'],
  status: ['status', 'text'],
}

/** The members of an animal without its id, in the order of the columns. */
const newMembers = Object.keys(columns)
/** The columns of an animal without its id. */
export const newPetColumns = Object.values(columns).map(([column, type]) => ({ column, type }))
/** The members of an animal. */
export const petMembers = ['id', ...newMembers]
/** The columns of a `PetRow` as SQL. The database assigns the id. */
export const petColumns = ['id', ...newPetColumns.map(({ column }) => column)].join(', ')

/** The values of an animal, in the order of the columns; null for a member that is absent. */
export type PetRow = [id: bigint, ...(bigint | string | null)[]]

/** Makes an animal by a literal, which is faster than a loop over the table: a page has up to 100 animals. */
export function toPet([id, name, categoryId, status]: PetRow): Pet {
  // Does not compile unless every member is listed. An optional member needs `?? undefined`, which is not sent.
  const pet: Record<keyof Pet, unknown> = { id, name, categoryId, status }
  return pet as Pet
}

/** The values of an animal without an id, in the order of the columns. */
export function toValues(pet: NewPet): (bigint | string | null)[] {
  // Does not compile if an animal may have values that the databases cannot keep.
  const values: Readonly<Record<string, bigint | string | undefined>> = { ...pet }
  return newMembers.map((member) => values[member] ?? null)
}

/** A stored idempotency key. */
export type IdempotencyKeyRow = [fingerprint: Uint8Array, petId: bigint]
/** The columns of an `IdempotencyKeyRow` as SQL. */
export const idempotencyKeyColumns = 'fingerprint, pet_id'

/** Returns the result of a request whose idempotency key is stored. */
export function replay(pet: NewPet, request: IdempotentRequest, row: IdempotencyKeyRow): AddResult {
  const [fingerprint, id] = row
  if (Buffer.compare(request.fingerprint, fingerprint) !== 0) return { outcome: 'conflict' }
  // The fingerprints are equal, so the animal of the request is the animal that was added.
  return { outcome: 'replayed', pet: { id, ...pet } }
}

/** The columns of a stored key as SQL: those of a `KeyRow`, whose times and scopes each database has in a type of its own. */
export const keyColumns = 'name, created_at, revoked_at, expires_at, scopes'

/** A row of these columns. */
export type KeyRow<Time, Scopes> = [
  name: string,
  createdAt: Time,
  revokedAt: Time | null,
  expiresAt: Time | null,
  scopes: Scopes | null,
]
