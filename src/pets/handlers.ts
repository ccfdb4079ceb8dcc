/** The handlers: one function per operationId. The spec says what they receive and return. */
import { hash } from 'node:crypto'
import type {
  CreatePetResponse,
  ErrorCode,
  GetPetResponse,
  Handlers,
  ListPetsResponse,
} from '../../generated/server.d.ts'
import { type Caller, stringifyExactly } from '../openapi/index.ts'
import type { AddResult, Integer, NewPet, PetStore } from '../stores/store.ts'

/** Makes the handlers of all operations for a store. */
export function createHandlers(pets: PetStore): Handlers<Caller> {
  return {
    async listPets({ query, urls }): Promise<ListPetsResponse> {
      const { status, cursor } = query
      // Does not compile if the spec allows a fraction; the sum below would, because its type is a plain number.
      const limit: Integer = query.limit
      const after = cursor === undefined ? 0n : parseCursor(cursor)
      if (after === undefined) {
        return errorResponse(400, 'invalid_cursor', 'query.cursor is not from a next link; start from the first page')
      }
      // One animal more than requested shows whether there is a next page.
      const found = await pets.list({ after, limit: limit + 1, status })
      const page = found.slice(0, limit)
      const last = page.at(-1)
      if (found.length <= limit || last === undefined) return { status: 200, body: page }
      const next = urls.listPets({ query: { limit, status, cursor: formatCursor(last.id) } })
      return { status: 200, body: page, headers: { Link: `<${next}>; rel="next"` } }
    },

    async createPet({ body, header, caller, idempotencyTtlSeconds, urls }): Promise<CreatePetResponse> {
      const key = header['Idempotency-Key']
      // If the spec requires no authentication, all clients share one scope.
      const scope = caller?.id ?? ''
      const ttlMs = idempotencyTtlSeconds * 1000
      const result: AddResult =
        key === undefined
          ? { outcome: 'added', pet: await pets.add(body) }
          : await pets.addOnce(body, { scope, key: unquote(key), fingerprint: computeFingerprint(body), ttlMs })
      if (result.outcome === 'in-progress') {
        const message = 'a request with this Idempotency-Key is in progress; try again shortly'
        return errorResponse(409, 'request_in_progress', message)
      }
      if (result.outcome === 'conflict') {
        const message = 'this Idempotency-Key was used for another animal; use a new key for a new animal'
        return errorResponse(422, 'idempotency_key_reused', message)
      }
      const { pet, outcome } = result
      const Location = urls.getPet({ path: { petId: pet.id } })
      const replayed = outcome === 'replayed' ? { 'Idempotent-Replayed': true } : {}
      return { status: 201, body: pet, headers: { Location, ...replayed } }
    },

    async getPet({ path }): Promise<GetPetResponse> {
      const pet = await pets.find(path.petId)
      if (pet === undefined) return errorResponse(404, 'animal_not_found', `no animal has the id ${path.petId}`)
      return { status: 200, body: pet }
    },
  }
}

/** An error response: the compiler proves that the operation declares its status. */
function errorResponse<Status extends number>(status: Status, code: ErrorCode, message: string) {
  return { status, body: { code, message, status } }
}

/** The text of an idempotency key, which may be a string in quotes (RFC 9651, section 3.3.3). */
function unquote(key: string): string {
  return key.startsWith('"') ? key.slice(1, -1).replaceAll(/\\(.)/g, '$1') : key
}

/** The SHA-256 of the members of an animal, in the order of their names: the same for every spelling of the animal. */
function computeFingerprint(pet: NewPet): Uint8Array {
  const members = Object.entries(pet).sort(([name], [next]) => (name < next ? -1 : 1))
  return hash('sha256', stringifyExactly(members), 'buffer')
}

/** The 64 bits of a cursor. */
const cursorBytes = Buffer.alloc(8)

/** Formats the cursor of the page that begins after an id: its 64 bits in base64url (RFC 4648, section 5). */
function formatCursor(id: bigint): string {
  cursorBytes.writeBigInt64BE(id)
  return cursorBytes.toString('base64url')
}

/** Parses a cursor; returns undefined if it is not one. */
function parseCursor(cursor: string): bigint | undefined {
  if (cursorBytes.write(cursor, 'base64url') !== cursorBytes.length) return undefined
  const id = cursorBytes.readBigInt64BE()
  // Decoding is lenient, but each id has only one cursor, and no page ends before the first id.
  return id > 0n && formatCursor(id) === cursor ? id : undefined
}
