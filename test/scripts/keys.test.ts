/** `npm run keys`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { hashKey } from '../../src/auth/keys.ts'
import { hasStore } from '../../src/stores/open.ts'
import { sharedDatabases, sqlite } from '../helpers/databases.ts'
import { freshSchema, query } from '../helpers/postgres.ts'
import { type NodeOptions, runScript, startServiceProcess } from '../helpers/process.ts'
import { openAt, requestFor, rex, using } from '../helpers/stores.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

/** A new folder, the store that the command makes in it by default, and the command in it. */
function newFolder(t: Test) {
  const folder = temporaryFolder(t)
  const file = join(folder, 'data/animal-store.db')
  const run = (args: readonly string[], options?: NodeOptions) => runScript(t, 'keys', args, { folder, ...options })
  return { folder, file, url: `sqlite:${file}`, run }
}

t.test('a key that is created is accepted at once, and for at most 500 ms after it is revoked', async (t) => {
  const { url, run } = newFolder(t)
  const { keys } = await openAt(t, url)
  const { status, stdout, stderr } = await run(['create', 'ci'])
  t.strictSame([status, stderr], [0, 'The key "ci" is active. It is not shown again:\n'])
  t.match(stdout, /^animal_[A-Za-z0-9_-]{43}\n$/)
  const hash = hashKey(stdout.trim())
  t.match(await keys.find(hash), { name: 'ci', scopes: undefined, expiresAt: undefined })

  const message = 'The key "ci" is revoked: every instance of the service rejects it within 500 ms.\n'
  t.strictSame(await run(['revoke', 'ci']), { status: 0, stdout: '', stderr: message })
  await setTimeout(500)
  t.equal(await keys.find(hash), undefined)
})

t.test('a key has the scopes and lifetime that it is created with, and rotation keeps them', async (t) => {
  const { url, run } = newFolder(t)
  const { keys } = await openAt(t, url)
  const created = await run(['create', 'ci', '--expires', '2h', '--scopes', 'pets:read, pets:write,pets:read'])
  t.match(created.stderr, /^The key "ci" is active until \S+Z, for pets:read and pets:write alone\. It is not shown/)
  const rotated = await run(['rotate', 'ci', '--grace', '30m'])
  const [first, second] = await keys.list()
  t.strictSame(
    [rotated.status, rotated.stderr],
    [
      0,
      `The key "ci" is active until ${toSecond(second?.expiresAt)}, for pets:read and pets:write alone. It is not shown again:
The old key ends at ${toSecond(first?.revokedAt)}, and everywhere 500 ms later at most.
`,
    ],
  )
  const scopes = ['pets:read', 'pets:write']
  t.match(await keys.find(hashKey(created.stdout.trim())), { name: 'ci', scopes })
  t.match(await keys.find(hashKey(rotated.stdout.trim())), { name: 'ci', scopes, revokedAt: undefined })
  const minutes = (from: Date | undefined, to: Date | undefined) => Math.round((Number(to) - Number(from)) / 60_000)
  t.equal(minutes(first?.createdAt, first?.expiresAt), 120)
  t.equal(minutes(second?.createdAt, first?.revokedAt), 30)
  t.equal(minutes(second?.createdAt, second?.expiresAt), 120)

  const last = await run(['rotate', 'ci', '--grace', '0s', '--expires', '90d'])
  const [, ended, third] = await keys.list()
  t.ok(Number(ended?.revokedAt) <= Date.now())
  t.equal(minutes(third?.createdAt, third?.expiresAt), 90 * 24 * 60)
  t.match(await keys.find(hashKey(last.stdout.trim())), { name: 'ci', scopes })
})

t.test('a rotation that was interrupted between its steps can be repeated', async (t) => {
  const { url, run } = newFolder(t)
  const { keys } = await openAt(t, url)
  await keys.add('ci', 'hash')
  const end = new Date(Date.now() + 60_000)
  await keys.revoke('ci', end)
  t.match(await run(['rotate', 'ci']), { status: 0, stderr: `The old key ends at ${toSecond(end)},` })
  t.match(await keys.list(), [{ revokedAt: end }, { name: 'ci', revokedAt: undefined }])
})

for (const database of sharedDatabases) {
  t.test(`${database.name}: only create makes a store, and says which, without a password`, async (t) => {
    const url = await database.fresh(t)
    const env = { DATABASE_URL: url }
    const name = database === sqlite ? url : url.replace(/\/\/.*@|\?.*/g, (text) => (text[0] === '/' ? '//' : ''))
    const { run } = newFolder(t)
    const stderr = `the store ${name} does not exist; name one that does\n`
    for (const args of [['list'], ['revoke', 'ci'], ['rotate', 'ci']]) {
      t.strictSame(await run(args, { env }), { status: 1, stdout: '', stderr }, args.join(' '))
    }
    t.equal(await hasStore(url), false)
    const created = await run(['create', 'ci'], { env })
    const lines = `There is no store ${name} yet, so this makes one.\nThe key "ci" is active. It is not shown again:\n`
    t.strictSame([created.status, created.stderr], [0, lines])
    t.match(await run(['list'], { env }), { status: 0, stdout: /^ci {4}active/m })
  })
}

t.test('an empty file is no store', async (t) => {
  const { folder, run } = newFolder(t)
  const file = join(folder, 'empty.db')
  writeFileSync(file, '')
  t.match(await run(['list'], { env: { DATABASE_URL: `sqlite:${file}` } }), { status: 1, stderr: ' does not exist; ' })
  t.equal(readFileSync(file, 'utf8'), '')
})

t.test('list prints a table of all keys, without their hashes', async (t) => {
  const { url, run } = newFolder(t)
  const { keys } = await openAt(t, url)
  const none = 'NAME  STATE  SCOPES  CREATED  EXPIRES  REVOKED\n'
  t.strictSame(await run(['list']), { status: 0, stdout: none, stderr: '' })

  const [past, later] = [new Date(Date.now() - 1000), new Date(Date.now() + 60_000)]
  const scopes = ['pets:read', 'pets:write']
  await keys.add('ci', 'revoked')
  await keys.revoke('ci')
  await keys.add('ci', 'ending', { scopes, expiresAt: later })
  await keys.revoke('ci', later)
  await keys.add('ci', 'expired', { expiresAt: past })
  await keys.add('ci', 'active')
  const all = await keys.list()
  const created = all.map(({ createdAt }) => toSecond(createdAt))
  const [end, old] = [toSecond(later), toSecond(past)]
  t.strictSame(await run(['list']), {
    status: 0,
    stdout: `NAME  STATE    SCOPES                CREATED               EXPIRES               REVOKED
ci    revoked  all                   ${created[0]}  -                     ${toSecond(all[0]?.revokedAt)}
ci    ending   pets:read,pets:write  ${created[1]}  ${end}  ${end}
ci    expired  all                   ${created[2]}  ${old}  ${old}
ci    active   all                   ${created[3]}  -                     -
`,
    stderr: '',
  })
})

t.test('keys end by the clock of a PostgreSQL server, idempotency keys are moved by it', async (t) => {
  const [url, other] = [await behind(t), await behind(t)]
  const { folder, run: runIn } = newFolder(t)
  const env = { DATABASE_URL: url }
  const run = async (...args: string[]) => {
    const { status, stdout, stderr } = await runIn(args, { env })
    t.equal(status, 0, stderr)
    return { stdout: stdout.trim(), stderr }
  }
  const serverNow = async () => Number((await query(url, 'SELECT now()'))[0]?.now)
  const { keys, pets } = await openAt(t, url)

  const first = hashKey((await run('create', 'shop', '--expires', '1h')).stdout)
  t.match(await keys.find(first), { name: 'shop' }, 'a new key is accepted')
  const { errors } = await startServiceProcess(t, { folder, env })
  t.notMatch(errors(), 'There was no API key')

  const rotation = await run('rotate', 'shop', '--grace', '30m')
  const [old, next] = await keys.list()
  t.match(rotation.stderr, `The old key ends at ${toSecond(old?.revokedAt)}`)
  t.ok(Math.abs(Number(old?.revokedAt) - (await serverNow()) - 30 * 60_000) < 60_000)
  t.equal(Math.round((Number(next?.expiresAt) - Number(next?.createdAt)) / 60_000), 60)
  for (const hash of [first, hashKey(rotation.stdout)]) t.match(await keys.find(hash), { name: 'shop' })

  const brief = hashKey((await run('create', 'brief', '--expires', '2s')).stdout)
  await setTimeout(2000)
  t.equal(await keys.find(brief), undefined, 'a key of 2 s has ended after 2 s')
  const states = (await run('list')).stdout.split('\n').map((line) => line.split(/ +/).slice(0, 2).join(' '))
  t.same(states, ['NAME STATE', 'shop ending', 'shop active', 'brief expired'])

  await pets.addOnce(rex, requestFor('one'))
  t.match(await runScript(t, 'move', [url, other]), { status: 0 })
  t.match(await using(other, ({ pets }) => pets.addOnce(rex, requestFor('one'))), { outcome: 'replayed' })
})

t.test('the store is the one that DATABASE_URL names, in the environment or in .env', async (t) => {
  const { folder, run } = newFolder(t)
  writeFileSync(join(folder, '.env'), 'DATABASE_URL=sqlite:from-file.db\n')
  await run(['create', 'ci'], { env: { DATABASE_URL: 'sqlite:from-environment.db' } })
  t.ok(existsSync(join(folder, 'from-environment.db')))
  t.notOk(existsSync(join(folder, 'from-file.db')))
  await run(['create', 'ci'])
  t.ok(existsSync(join(folder, 'from-file.db')))
})

t.test('an impossible command is reported in one line, with the exit status 1', async (t) => {
  const { folder, run } = newFolder(t)
  writeFileSync(join(folder, 'note.txt'), 'not a store, but long enough to be looked at as one; '.repeat(100))
  const key = (await run(['create', 'ci'])).stdout.trim()
  const rule = 'use 1 to 64 letters, digits, ".", "_" and "-"'
  const unknown = 'no active key is named "cd"; the command "list" shows all keys'
  for (const [args, message, env = {}] of [
    [['create', 'ci'], 'an active key is named "ci"; revoke it, rotate it or choose another name'],
    [['create', 'c i'], `"c i" is not a valid name; ${rule}`],
    [['create', key], `"[redacted]" is not a valid name; ${rule}`],
    [['rotate', 'cd'], unknown],
    [['revoke', 'cd'], unknown],
    [['revoke', key], 'no active key is named "[redacted]"; the command "list" shows all keys'],
    [
      ['list'],
      'DATABASE_URL names a store in memory, whose keys would be gone at once; name a file as sqlite:PATH',
      { DATABASE_URL: 'sqlite::memory:' },
    ],
    [['list'], 'PORT must be an integer from 0 to 65535', { PORT: 'x' }],
    [
      ['list'],
      /^cannot open the store sqlite:note\.txt: it is not a database [^\n]+\n$/,
      { DATABASE_URL: 'sqlite:note.txt' },
    ],
  ] as const) {
    const stderr = typeof message === 'string' ? `${message}\n` : message
    t.match(await run(args, { env }), { status: 1, stdout: '', stderr }, args.join(' '))
  }
})

t.test('a store that is damaged, or cannot be written for the moment, is reported in one line', async (t) => {
  const { file, url, run } = newFolder(t)
  await using(url, async () => {})
  // The file that new pages are added to is larger than the child may make one.
  const other = new DatabaseSync(file)
  other.exec('PRAGMA wal_autocheckpoint = 0; CREATE TABLE ballast (bytes BLOB)')
  other.exec('INSERT INTO ballast VALUES (zeroblob(9000000))')
  t.match(await run(['create', 'ci'], { under: ['sh', '-c', 'ulimit -f 16384; exec "$@"', 'sh'] }), {
    status: 1,
    stdout: '',
    stderr: /^the catalogue is unavailable at the moment; try again shortly \([^\n]+\)\n$/,
  })
  other.close()
  // The first page, with the schema, stays as it is.
  writeFileSync(file, readFileSync(file).fill(0xff, 4096))
  t.match(await run(['list']), { status: 1, stdout: '', stderr: /^[^\n]+malformed\n$/ })
})

t.test('wrong usage is one line with the exit status 2, and leaves no store behind', async (t) => {
  const { folder, run } = newFolder(t)
  const seeHelp = 'see npm run keys -- --help'
  const durations = 'use a number of seconds, minutes, hours or days from 1 to 99999, such as 30s, 15m, 12h or 90d'
  for (const [args, line] of [
    [[], `COMMAND is missing; ${seeHelp}`],
    [['create'], `NAME is missing; ${seeHelp}`],
    [['list', 'ci'], `there are too many arguments; ${seeHelp}`],
    [['toString'], `the commands are create, rotate, list, revoke; ${seeHelp}`],
    [['create', 'ci', '--expires', '0d'], `--expires: "0d" is not possible; ${durations}`],
    ...['9', '1.5h', '100000d'].map((text) => {
      return [['rotate', 'ci', `--grace=${text}`], `--grace: "${text}" is not possible; ${durations}`] as const
    }),
    [
      ['create', 'ci', '--scopes', 'pets:red'],
      '--scopes: "pets:red" is not a scope of openapi.yaml; use pets:read, pets:write',
    ],
  ] as const) {
    t.strictSame(await run(args), { status: 2, stdout: '', stderr: `${line}\n` }, args.join(' '))
  }
  t.notOk(existsSync(join(folder, 'data')))
})

/** Formats a time as the command does. */
function toSecond(time: Date | undefined): string {
  return `${time?.toISOString().slice(0, 19)}Z`
}

/** Returns the URL of an empty place for a store, in which the clock of the server is two hours behind. */
async function behind(t: Test): Promise<string> {
  const url = new URL(await freshSchema(t))
  await query(
    url.href,
    `CREATE FUNCTION now() RETURNS timestamptz LANGUAGE sql STABLE
     AS $$ SELECT pg_catalog.now() - interval '2 hours' $$`,
  )
  // Otherwise the function of the system comes first.
  url.searchParams.set('options', `${url.searchParams.get('options')},pg_catalog`)
  return url.href
}
