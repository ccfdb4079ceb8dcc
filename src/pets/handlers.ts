/** The handlers: one function per operationId. The spec says what they receive and return. */
import { hash } from 'node:crypto'
import type { Caller } from 'fastify-openapi-first'
import { stringifyExactly } from 'fastify-openapi-first/shared'
import type {
  CreatePetResponse,
  ErrorCode,
  GetPetResponse,
  Handlers,
  ListPetsResponse,
} from '../../generated/server.d.ts'
import type { NewPet, Pet, PetStore } from '../stores/store.ts'

/** Creates the handlers of all operations for a store, which keeps idempotency keys for `keyTtlMs`. */
export function createHandlers(pets: PetStore, keyTtlMs: number): Handlers<Caller> {
  return {
    async listPets({ query, urls }): Promise<ListPetsResponse> {
      const { cursor, limit, status } = query
      const after = cursor === undefined ? 0n : parseCursor(cursor)
      if (after === undefined) {
        return errorResponse(400, 'invalid_cursor', 'query.cursor is not from a next link; start from the first page')
      }
      // The spec may allow fractions: rounded down, because the limit is a maximum.
      const count = Math.floor(limit)
      // One animal more than requested shows whether there is a next page.
      const animals = await pets.list({ after, limit: count + 1, status })
      const page = animals.slice(0, count)
      const last = page.at(-1)
      if (animals.length <= count || last === undefined) return { status: 200, body: page }
      const next = urls.listPets({ query: { limit, status, cursor: formatCursor(last.id) } })
      return { status: 200, body: page, headers: { Link: `<${next}>; rel="next"` } }
    },

    async createPet({ body, header, caller, urls }): Promise<CreatePetResponse> {
      const toResponse = (pet: Pet) => {
        const Location = urls.getPet({ path: { petId: pet.id } })
        return { status: 201, body: pet, headers: { Location } } as const
      }
      const key = header['Idempotency-Key']
      if (key === undefined) return toResponse(await pets.add(body))
      const result = await pets.addOnce(body, {
        // If the spec requires no authentication, all clients share one scope.
        scope: caller?.id ?? '',
        key: unquote(key),
        fingerprint: computeFingerprint(body),
        ttlMs: keyTtlMs,
      })
      switch (result.outcome) {
        case 'added':
          return toResponse(result.pet)
        case 'replayed': {
          const { headers, ...response } = toResponse(result.pet)
          return { ...response, headers: { ...headers, 'Idempotent-Replayed': true } }
        }
        case 'in-progress': {
          const message = 'a request with this Idempotency-Key is in progress; try again shortly'
          return errorResponse(409, 'request_in_progress', message)
        }
        case 'conflict': {
          const message = 'this Idempotency-Key was used for another animal; use a new key for a new animal'
          return errorResponse(422, 'idempotency_key_reused', message)
        }
      }
    },

    async getPet({ path }): Promise<GetPetResponse> {
      const pet = await pets.find(path.petId)
      if (pet === undefined) return errorResponse(404, 'animal_not_found', `no animal has the id ${path.petId}`)
      return { status: 200, body: pet }
    },
  }
}

/** Makes an error response. It does not compile unless the operation declares the status. */
function errorResponse<Status extends number>(status: Status, code: ErrorCode, message: string) {
  return { status, body: { code, message, status } }
}

/** The text of an idempotency key, which may be a string in quotes (RFC 9651, section 3.3.3). */
function unquote(key: string): string {
  return key.startsWith('"') ? key.slice(1, -1).replaceAll(/\\(.)/g, '$1') : key
}

/**
 * The SHA-256 of the members of an animal, in the order of their names, so that every spelling of the animal has the same one.
 * Stores have it, so a change of this text would make repeated requests conflict with those before the change.
 */
function computeFingerprint(pet: NewPet): Uint8Array {
  const members = Object.entries(pet).sort(([name], [nextName]) => (name < nextName ? -1 : 1))
  return hash('sha256', stringifyExactly(members), 'buffer')
}

/** Formats the cursor of the page that begins after an id: its 64 bits in base64url (RFC 4648, section 5). */
function formatCursor(id: bigint): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(id)
  return bytes.toString('base64url')
}

/** Parses a cursor; returns undefined for any other text. */
function parseCursor(cursor: string): bigint | undefined {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length !== 8) return undefined
  const id = bytes.readBigInt64BE()
  // Decoding is lenient, but each id has only one cursor, and no page ends before the first id.
  return id > 0n && formatCursor(id) === cursor ? id : undefined
}
