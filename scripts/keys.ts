/** Creates, rotates, lists and revokes API keys; see `help` below. */
import { fileURLToPath } from 'node:url'
import { createKey, hashKey, isKeyName, keyNameRule, redactKeys } from '../src/auth/keys.ts'
import { readArguments, runCommand, UsageError } from '../src/command.ts'
import { loadConfig, readEnvironment } from '../src/config.ts'
import {
  assertStoreExists,
  formatStoreName,
  getSqliteFile,
  hasStore,
  KEY_CACHE_MS,
  openStore,
} from '../src/stores/open.ts'
import { inMemory, isActive, type KeyStore, type StoredKey } from '../src/stores/store.ts'

/** The units of a duration, in milliseconds. */
const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const durationRule = 'a number of seconds, minutes, hours or days from 1 to 99999, such as 30s, 15m, 12h or 90d'

const help = `usage: npm run keys -- create NAME [--expires DURATION] [--scopes SCOPES]
       npm run keys -- rotate NAME [--grace DURATION] [--expires DURATION]
       npm run keys -- list
       npm run keys -- revoke NAME

Manages the API keys of the store that DATABASE_URL names, even while the service runs on it. A key is shown once,
on the standard output, with nothing else there.

Commands:
  create       makes a key, and a store if there is none; the other commands make none
  rotate       makes another key of the same name, scopes and lifetime; the old one can be used until the grace is over
  list         lists every key there ever was, with its scopes, and when it was made and ends
  revoke       rejects the key of this name from now on; every instance of the service does within ${KEY_CACHE_MS} ms

Arguments:
  NAME         ${keyNameRule}; the log and the rate limit name a client by it

Options:
  --expires DURATION   how long the new key can be used; without it, as long as nobody revokes it
  --grace DURATION     how long the old key can still be used (default: 1h); 0s ends it at once
  --scopes SCOPES      what the new key may do: scopes of openapi.yaml, separated by commas (default: everything)
  -h, --help           prints this

DURATION is ${durationRule}.

Example:
  npm run --silent keys -- create shop --expires 90d --scopes pets:read,pets:write

Exit status: 0 done, 1 not possible, 2 wrong usage.`

const usage = { command: 'npm run keys', help }

const commands: Readonly<Record<string, (args: string[]) => Promise<void>>> = {
  create: async (args) => {
    const options = { expires: { type: 'string' }, scopes: { type: 'string' } } as const
    const { texts, values } = readArguments(args, { ...usage, names: ['NAME'], options })
    const lifetimeMs = readLifetime(values.expires)
    const scopes = values.scopes === undefined ? undefined : await readScopes(values.scopes)
    const [name] = texts
    if (!isKeyName(name)) throw new Error(`${quote(name)} is not a valid name; use ${keyNameRule}`)
    await withKeys((keys) => add(keys, name, lifetimeMs, scopes), announceNewStore)
  },
  rotate: async (args) => {
    const options = { expires: { type: 'string' }, grace: { type: 'string', default: '1h' } } as const
    const { texts, values } = readArguments(args, { ...usage, names: ['NAME'], options })
    const lifetimeMs = readLifetime(values.expires)
    const graceMs = readDuration('--grace', values.grace, 0)
    await withKeys((keys) => rotate(keys, texts[0], graceMs, lifetimeMs))
  },
  list: async (args) => {
    readArguments(args, { ...usage, names: [] })
    await withKeys(list)
  },
  revoke: async (args) => {
    const [name] = readArguments(args, { ...usage, names: ['NAME'] }).texts
    await withKeys((keys) => revoke(keys, name))
  },
}

await runCommand(async ([name = '', ...args]) => {
  const run = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (run !== undefined) return run(args)
  readArguments([name, ...args], { ...usage, names: ['COMMAND', '...'] })
  throw new UsageError(`the commands are ${Object.keys(commands).join(', ')}; see ${usage.command} -- --help`)
})

function readLifetime(text: string | undefined): number | undefined {
  return text === undefined ? undefined : readDuration('--expires', text, 1)
}

/** Parses a duration in milliseconds, at least `minimum`. */
function readDuration(option: string, text: string, minimum: number): number {
  const [, count, unit = ''] = /^(0|[1-9]\d{0,4})([smhd])$/.exec(text) ?? []
  const duration = Number(count) * (units[unit] ?? Number.NaN)
  if (duration >= minimum) return duration
  throw new UsageError(`${option}: ${JSON.stringify(text)} is not possible; use ${durationRule}`)
}

/** Parses a list of scopes. A scope that no operation asks for is a mistake. */
async function readScopes(text: string): Promise<string[]> {
  // Loaded only if it is needed, because it takes a while.
  const { loadDocument } = await import('fastify-openapi-first')
  const { operations } = await loadDocument(fileURLToPath(new URL('../openapi.yaml', import.meta.url)))
  const alternatives = operations.flatMap(({ security }) => security)
  const knownScopes = new Set(alternatives.flat().flatMap(({ scopes }) => scopes))
  const scopes = [...new Set(text.split(',').map((scope) => scope.trim()))]
  const unknown = scopes.find((scope) => !knownScopes.has(scope))
  if (unknown === undefined) return scopes
  throw new UsageError(
    `--scopes: ${quote(unknown)} is not a scope of openapi.yaml; use ${[...knownScopes].sort().join(', ')}`,
  )
}

/**
 * Opens the store, after the arguments have been read: wrong ones leave no store behind. By default, the store must exist,
 * because keys of another one, such as that of another folder, are of no use.
 */
async function withKeys(work: (keys: KeyStore) => Promise<void>, checkStore = assertStoreExists): Promise<void> {
  const { databaseUrl } = loadConfig(readEnvironment())
  if (getSqliteFile(databaseUrl) === inMemory) {
    throw new Error(
      'DATABASE_URL names a store in memory, whose keys would be gone at once; name a file as sqlite:PATH',
    )
  }
  await checkStore(databaseUrl)
  const store = await openStore(databaseUrl)
  try {
    await work(store.keys)
  } finally {
    await store.close()
  }
}

/** Says which store is made, if there is none at a URL. */
async function announceNewStore(url: string): Promise<void> {
  if (!(await hasStore(url))) console.error(`There is no store ${formatStoreName(url)} yet, so this makes one.`)
}

/**
 * Revokes the old key first, because its name is free only then. If this is interrupted in between, it can be repeated: the
 * old key is found as long as it is active.
 */
async function rotate(keys: KeyStore, name: string, graceMs: number, lifetimeMs?: number): Promise<void> {
  const now = await keys.now()
  const old = (await keys.list()).findLast((key) => key.name === name && isActive(key, now))
  if (old === undefined) throw notFound(name)
  const { createdAt, expiresAt, revokedAt, scopes } = old
  const lifetime = lifetimeMs ?? (expiresAt && expiresAt.getTime() - createdAt.getTime())
  const end = new Date(now.getTime() + graceMs)
  await keys.revoke(name, graceMs > 0 ? end : undefined)
  await add(keys, name, lifetime, scopes)
  const ends = [end, expiresAt, revokedAt].flatMap((time) => time?.getTime() ?? [])
  console.error(
    `The old key ends at ${formatTime(new Date(Math.min(...ends)))}, and everywhere ${KEY_CACHE_MS} ms later at most.`,
  )
}

/** Makes a key, stores it, and prints it. */
async function add(keys: KeyStore, name: string, lifetimeMs?: number, scopes?: readonly string[]): Promise<void> {
  const key = createKey()
  const expiresAt = lifetimeMs === undefined ? undefined : new Date((await keys.now()).getTime() + lifetimeMs)
  if (!(await keys.add(name, hashKey(key), { scopes, expiresAt }))) {
    throw new Error(`an active key is named ${quote(name)}; revoke it, rotate it or choose another name`)
  }
  const until = expiresAt ? ` until ${formatTime(expiresAt)}` : ''
  const limits = scopes ? `, for ${scopes.join(' and ')} alone` : ''
  console.error(`The key ${quote(name)} is active${until}${limits}. It is not shown again:`)
  console.log(key)
}

async function list(keys: KeyStore): Promise<void> {
  const now = await keys.now()
  const table = [
    ['NAME', 'STATE', 'SCOPES', 'CREATED', 'EXPIRES', 'REVOKED'],
    ...(await keys.list()).map((key) => [
      key.name,
      getState(key, now),
      key.scopes?.join() ?? 'all',
      ...[key.createdAt, key.expiresAt, key.revokedAt].map((time) => (time ? formatTime(time) : '-')),
    ]),
  ]
  const widths = table.reduce<number[]>(
    (most, row) => row.map((cell, column) => Math.max(cell.length, most[column] ?? 0)),
    [],
  )
  for (const row of table) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    console.log(cells.join('  ').trimEnd())
  }
}

/** A key in the grace of its rotation is `ending`. */
function getState(key: StoredKey, now: Date): 'active' | 'ending' | 'expired' | 'revoked' {
  const { expiresAt, revokedAt } = key
  if (isActive(key, now)) return revokedAt === undefined ? 'active' : 'ending'
  return expiresAt === undefined || (revokedAt !== undefined && revokedAt < expiresAt) ? 'revoked' : 'expired'
}

async function revoke(keys: KeyStore, name: string): Promise<void> {
  if (!(await keys.revoke(name))) throw notFound(name)
  console.error(
    `The key ${quote(name)} is revoked: every instance of the service rejects it within ${KEY_CACHE_MS} ms.`,
  )
}

function notFound(name: string): Error {
  return new Error(`no active key is named ${quote(name)}; the command "list" shows all keys`)
}

/** Formats a time to the second. */
function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`
}

/** Quotes a name, which may be a key by mistake. */
function quote(name: string): string {
  return JSON.stringify(redactKeys(name))
}
