/**
 * Makes, lists and revokes the API keys of the store that DATABASE_URL names, also while the service runs on it:
 *
 *     npm run keys -- create NAME     prints the key, and nothing else, on the standard output
 *     npm run keys -- list
 *     npm run keys -- revoke NAME
 *
 * Exit status: 0 done, 1 not possible, 2 wrong usage.
 */
import { loadConfig, readEnvironment } from '../src/config.ts'
import { createKey, hashKey, isKeyName, keyNameRule, redactKeys } from '../src/keys.ts'
import { engineOf, inMemory } from '../src/stores/engine.ts'
import { openStore } from '../src/stores/open.ts'
import type { Key, KeyStore } from '../src/stores/store.ts'
import { runCommand, UsageError } from './command.ts'

type Work = (keys: KeyStore) => Promise<void>

await runCommand(async (args) => {
  const work = workOf(args)
  if (work === undefined) throw new UsageError('usage: npm run keys -- create NAME | list | revoke NAME')
  await withKeys(work)
})

/** What the arguments ask for, if they make sense. */
function workOf([command, name, ...others]: string[]): Work | undefined {
  if (others.length > 0) return undefined
  if (name === undefined) return command === 'list' ? list : undefined
  if (command === 'create') return (keys) => create(keys, name)
  if (command === 'revoke') return (keys) => revoke(keys, name)
  return undefined
}

async function withKeys(work: Work): Promise<void> {
  const { databaseUrl } = loadConfig(readEnvironment())
  if (engineOf(databaseUrl).file === inMemory) {
    throw new Error('DATABASE_URL: the keys of a store in memory would be gone at once; name a file as sqlite:PATH')
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
    throw new Error(`${quote(name)} is not a name; use ${keyNameRule}`)
  }
  const key = createKey()
  if (!(await keys.add(name, hashKey(key)))) {
    throw new Error(`there is a key called ${quote(name)} already; revoke it, or take another name`)
  }
  console.error(`The key ${quote(name)} is in force. It is not shown again:`)
  console.log(key)
}

async function list(keys: KeyStore): Promise<void> {
  const rows: Row[] = [['NAME', 'CREATED', 'REVOKED'], ...(await keys.list()).map(rowOf)]
  const width = Math.max(...rows.map(([name]) => name.length))
  for (const [name, created, revoked] of rows) console.log(`${name.padEnd(width)}  ${created.padEnd(24)}  ${revoked}`)
}

type Row = readonly [name: string, created: string, revoked: string]

function rowOf({ name, createdAt, revokedAt }: Key): Row {
  return [name, createdAt.toISOString(), revokedAt?.toISOString() ?? '-']
}

async function revoke(keys: KeyStore, name: string): Promise<void> {
  if (!(await keys.revoke(name))) {
    throw new Error(`there is no key called ${quote(name)} in force; see: npm run keys -- list`)
  }
  console.error(`The key ${quote(name)} is refused from now on.`)
}

/** Someone may have put a key where its name belongs. */
function quote(name: string): string {
  return JSON.stringify(redactKeys(name))
}
