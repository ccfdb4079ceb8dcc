/**
 * Creates, lists and revokes the API keys of the store that DATABASE_URL names, even while the service runs on it:
 *
 *     npm run keys -- create NAME     prints the key, and nothing else, on the standard output
 *     npm run keys -- list
 *     npm run keys -- revoke NAME
 *
 * Exit status: 0 done, 1 not possible, 2 wrong usage.
 */

import { createKey, hashKey, isKeyName, keyNameRule, redactKeys } from '../src/auth/keys.ts'
import { loadConfig, readEnvironment } from '../src/config.ts'
import { inMemory, openStore, parseStoreUrl } from '../src/stores/open.ts'
import type { KeyStore, StoredKey } from '../src/stores/store.ts'
import { runCommand, UsageError } from './lib/command.ts'

type Work = (keys: KeyStore) => Promise<void>

await runCommand(async (args) => {
  const work = parseArguments(args)
  if (work === undefined) throw new UsageError('usage: npm run keys -- create NAME | list | revoke NAME')
  await withKeys(work)
})

/** Returns the work that the arguments ask for; undefined if they are wrong. */
function parseArguments([command, name, ...others]: string[]): Work | undefined {
  if (others.length > 0) return undefined
  if (name === undefined) return command === 'list' ? list : undefined
  if (command === 'create') return (keys) => create(keys, name)
  if (command === 'revoke') return (keys) => revoke(keys, name)
  return undefined
}

async function withKeys(work: Work): Promise<void> {
  const { databaseUrl } = loadConfig(readEnvironment())
  if (parseStoreUrl(databaseUrl).file === inMemory) {
    throw new Error(
      'DATABASE_URL names a store in memory, whose keys would be gone at once; name a file as sqlite:PATH',
    )
  }
  const store = await openStore(databaseUrl)
  try {
    await work(store.keys)
  } finally {
    await store.close()
  }
}

async function create(keys: KeyStore, name: string): Promise<void> {
  if (!isKeyName(name)) {
    throw new Error(`${quote(name)} is not a valid name; use ${keyNameRule}`)
  }
  const key = createKey()
  if (!(await keys.add(name, hashKey(key)))) {
    throw new Error(`an active key is named ${quote(name)}; revoke it or choose another name`)
  }
  console.error(`The key ${quote(name)} is active. It is not shown again:`)
  console.log(key)
}

async function list(keys: KeyStore): Promise<void> {
  const rows: Row[] = [['NAME', 'CREATED', 'REVOKED'], ...(await keys.list()).map(formatRow)]
  const width = Math.max(...rows.map(([name]) => name.length))
  for (const [name, created, revoked] of rows) console.log(`${name.padEnd(width)}  ${created.padEnd(24)}  ${revoked}`)
}

type Row = readonly [name: string, created: string, revoked: string]

function formatRow({ name, createdAt, revokedAt }: StoredKey): Row {
  return [name, createdAt.toISOString(), revokedAt?.toISOString() ?? '-']
}

async function revoke(keys: KeyStore, name: string): Promise<void> {
  if (!(await keys.revoke(name))) {
    throw new Error(`no active key is named ${quote(name)}; list the keys with: npm run keys -- list`)
  }
  console.error(`The key ${quote(name)} is revoked: the service refuses it within half a second.`)
}

/** Quotes a name, which may be a key by mistake. */
function quote(name: string): string {
  return JSON.stringify(redactKeys(name))
}
