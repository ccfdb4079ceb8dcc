/** The store that several instances of the service share: a PostgreSQL database. */
import { createGroupCommit } from '../batch.ts'
import { type KeyRow, toKey } from '../rows.ts'
import type { Pet, Store } from '../store.ts'
import { connect } from './connection.ts'
import { createFind, createList } from './reads.ts'
import * as sql from './statements.ts'
import { createAddOnce, createCommit } from './writes.ts'

/**
 * Opens the database at a URL. `timeoutMs` is how long a caller may wait for the server. Rejects with a StartupError.
 */
export async function openPostgres(url: string, timeoutMs: number): Promise<Store> {
  const { query, getCounts, close } = await connect(url, timeoutMs)
  const { submit, settled } = createGroupCommit(createCommit(query))
  let closing: Promise<void> | undefined

  return {
    pets: {
      // Without an idempotency key, an animal is always added.
      add: async (pet) => (await submit({ pet })) as Pet,
      addOnce: createAddOnce(query, submit),
      find: createFind(query),
      revision: () => undefined,
      list: createList(query),
    },
    keys: {
      add: async (name, hash, { expiresAt, scopes } = {}) => {
        await query(sql.releaseKeyName, name)
        return (await query(sql.addKey, name, Buffer.from(hash, 'base64url'), expiresAt, scopes)).length > 0
      },
      find: async (hash) => (await query<KeyRow>(sql.findKey, Buffer.from(hash, 'base64url'))).map(toKey)[0],
      list: async () => (await query<KeyRow>(sql.listKeys)).map(toKey),
      revoke: async (name, at) => (await query(sql.revokeKey, name, at)).length > 0,
      touch: async (hash, at) => void (await query(sql.touchKey, Buffer.from(hash, 'base64url'), at)),
    },
    check: async () => void (await query(sql.anyPet)),
    checkWrite: async () => void (await query(sql.writeNothing)),
    getConnections: getCounts,
    close: () => {
      closing ??= settled().then(close)
      return closing
    },
  }
}
