/** Rows of animals and of API keys, as both databases have them: arrays, with int64 as bigint. */
import type { NewPet, Pet, PetStatus, StoredKey } from './store.ts'

/** The values that the databases can keep. Animals that may have others do not compile. */
interface Columns {
  readonly id: bigint
  readonly name: string
  readonly categoryId: bigint
  readonly status: string
}

/** With `additionalProperties`, an animal has members of any name. */
type Members<Animal> = string extends keyof Animal ? 'a column for each additional member' : keyof Animal

/**
 * The column of each member of an animal. A member that is new in the spec does not compile until it has a column, even
 * if it is optional: without one, the service would accept it, acknowledge it and drop it.
 */
const columns: Readonly<Record<Members<Pet> | Members<NewPet>, string>> = {
  id: 'id',
  name: 'name',
  categoryId: 'category_id',
  status: 'status',
}

/** The columns of a `PetRow`, as SQL. */
export const petColumns = Object.values(columns).join(', ')

export type PetRow = [id: bigint, name: string, categoryId: bigint, status: PetStatus]

/** Objects made by a literal are faster to serialize than those that the drivers make. */
export function toPet([id, name, categoryId, status]: PetRow): Pet {
  return { id, name, categoryId, status }
}

/** The values of an animal without an id, in the order of the columns. */
export function toValues({ name, categoryId, status }: Omit<Columns, 'id'>) {
  return [name, categoryId, status] as const
}

/** The columns of a `KeyRow`, as SQL. */
export const keyColumns = 'name, created_at, revoked_at, expires_at, last_used_at, scopes'

/** SQLite has times in milliseconds since 1970, and scopes separated by spaces. */
export type KeyRow = [
  name: string,
  createdAt: Date | bigint,
  revokedAt: Date | bigint | null,
  expiresAt: Date | bigint | null,
  lastUsedAt: Date | bigint | null,
  scopes: readonly string[] | string | null,
]

export function toKey([name, createdAt, revokedAt, expiresAt, lastUsedAt, scopes]: KeyRow): StoredKey {
  const toDate = (time: Date | bigint | null) => (time === null ? undefined : new Date(Number(time)))
  return {
    name,
    createdAt: new Date(Number(createdAt)),
    revokedAt: toDate(revokedAt),
    expiresAt: toDate(expiresAt),
    lastUsedAt: toDate(lastUsedAt),
    scopes: typeof scopes === 'string' ? scopes.split(' ') : (scopes ?? undefined),
  }
}
