import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { hashKey } from '../../src/auth/keys.ts'
import { openStore } from '../../src/stores/open.ts'
import { type CommandOptions, runScript } from '../helpers/process.ts'

/** Runs the script in a folder, and returns what it wrote and its exit status. */
const run = (t: Test, folder: string, args: string[], options: CommandOptions = {}) =>
  runScript(t, 'keys', args, { folder, ...options })

/** An empty folder, and the store that the script makes in it by default. */
function newFolder(t: Test) {
  const folder = t.testdir()
  return { folder, file: join(folder, 'data/animal-store.db'), url: `sqlite:${join(folder, 'data/animal-store.db')}` }
}

t.test('create prints the key alone on the standard output, and keeps it in the store', async (t) => {
  const { folder, url } = newFolder(t)
  const { status, stdout, stderr } = await run(t, folder, ['create', 'ci'], { coverage: true })
  t.equal(status, 0)
  t.match(stdout, /^animal_[A-Za-z0-9_-]{43}\n$/)
  t.equal(stderr, 'The key "ci" is active. It is not shown again:\n')

  const store = await openStore(url)
  t.teardown(() => store.close())
  t.match(await store.keys.find(hashKey(stdout.trim())), { name: 'ci' })
})

t.test('a store that is in use elsewhere accepts a key at once, and refuses a revoked one within 500 ms', async (t) => {
  const { folder, url } = newFolder(t)
  const store = await openStore(url)
  t.teardown(() => store.close())

  const hash = hashKey((await run(t, folder, ['create', 'ci'])).stdout.trim())
  t.match(await store.keys.find(hash), { name: 'ci' })

  const { status, stdout, stderr } = await run(t, folder, ['revoke', 'ci'], { coverage: true })
  t.strictSame(
    [status, stdout, stderr],
    [0, '', 'The key "ci" is revoked: every instance of the service rejects it within 500 ms.\n'],
  )
  await setTimeout(500)
  t.equal(await store.keys.find(hash), undefined)
})

t.test('a key is limited to the scopes and the time that it is created with', async (t) => {
  const { folder, url } = newFolder(t)
  const args = ['create', 'ci', '--expires', '90d', '--scopes', 'pets:read, pets:write,pets:read']
  const before = Date.now()
  const { status, stdout, stderr } = await run(t, folder, args, { coverage: true })
  t.equal(status, 0)
  t.match(stderr, /^The key "ci" is active until \S+Z, for pets:read and pets:write alone\. It is not shown again:\n$/)
  const store = await openStore(url)
  t.teardown(() => store.close())
  const key = await store.keys.find(hashKey(stdout.trim()))
  t.strictSame(key?.scopes, ['pets:read', 'pets:write'])
  const days = (Number(key?.expiresAt) - before) / 86_400_000
  t.ok(days >= 90 && days < 90.01)
})

t.test('rotate makes a key of the same name, scopes and lifetime, and the old one ends with the grace', async (t) => {
  const { folder, url } = newFolder(t)
  const store = await openStore(url)
  t.teardown(() => store.close())
  const old = (await run(t, folder, ['create', 'ci', '--expires', '2h', '--scopes', 'pets:read'])).stdout.trim()
  const { status, stdout, stderr } = await run(t, folder, ['rotate', 'ci', '--grace', '30m'], { coverage: true })
  t.equal(status, 0)
  t.match(stdout, /^animal_[A-Za-z0-9_-]{43}\n$/)
  const [first, second] = await store.keys.list()
  t.equal(
    stderr,
    `The key "ci" is active until ${toSecond(second?.expiresAt)}, for pets:read alone. It is not shown again:
The old key ends at ${toSecond(first?.revokedAt)}, and everywhere 500 ms later at most.
`,
  )
  t.match(await store.keys.find(hashKey(old)), { name: 'ci', scopes: ['pets:read'] })
  t.match(await store.keys.find(hashKey(stdout.trim())), { name: 'ci', scopes: ['pets:read'], revokedAt: undefined })
  const minutes = (from: Date | undefined, to: Date | undefined) => Math.round((Number(to) - Number(from)) / 60_000)
  t.equal(minutes(second?.createdAt, first?.revokedAt), 30)
  t.equal(minutes(second?.createdAt, second?.expiresAt), 120)
})

t.test('rotate without a grace ends the old key at once, and a lifetime may be given', async (t) => {
  const { folder, url } = newFolder(t)
  const old = (await run(t, folder, ['create', 'ci'])).stdout.trim()
  const args = ['rotate', 'ci', '--grace', '0s', '--expires', '1h']
  const { status, stdout } = await run(t, folder, args, { coverage: true })
  t.equal(status, 0)
  const store = await openStore(url)
  t.teardown(() => store.close())
  t.equal(await store.keys.find(hashKey(old)), undefined)
  t.match(await store.keys.find(hashKey(stdout.trim())), { expiresAt: Date })
})

t.test('a rotation that was interrupted between its steps can be repeated', async (t) => {
  const { folder, url } = newFolder(t)
  await run(t, folder, ['create', 'ci'])
  const store = await openStore(url)
  t.teardown(() => store.close())
  const end = new Date(Date.now() + 60_000)
  await store.keys.revoke('ci', end)
  const { status, stderr } = await run(t, folder, ['rotate', 'ci'], { coverage: true })
  t.equal(status, 0)
  t.match(stderr, `The old key ends at ${toSecond(end)},`)
  t.match(await store.keys.list(), [{ revokedAt: end }, { name: 'ci', revokedAt: undefined }])
})

t.test('list prints a table of all keys, without their hashes', async (t) => {
  const { folder, url } = newFolder(t)
  t.strictSame(await run(t, folder, ['list']), {
    status: 0,
    stdout: 'NAME  STATE  SCOPES  CREATED  EXPIRES  LAST USED  REVOKED\n',
    stderr: '',
  })

  const store = await openStore(url)
  t.teardown(() => store.close())
  const past = new Date(Date.now() - 1000)
  const later = new Date(Date.now() + 60_000)
  await store.keys.add('ci', 'revoked')
  await store.keys.revoke('ci')
  await store.keys.add('ci', 'ending', { scopes: ['pets:read', 'pets:write'], expiresAt: later })
  await store.keys.revoke('ci', later)
  await store.keys.add('ci', 'expired', { expiresAt: past })
  await store.keys.add('ci', 'active')
  await store.keys.touch('active')
  const [revoked, ending, expired, active] = await store.keys.list()
  const time = toSecond
  const used = `${active?.lastUsedAt?.toISOString().slice(0, 16)}Z`
  t.strictSame(await run(t, folder, ['list'], { coverage: true }), {
    status: 0,
    stdout: `NAME  STATE    SCOPES                CREATED               EXPIRES               LAST USED          REVOKED
ci    revoked  all                   ${time(revoked?.createdAt)}  -                     -                  ${time(revoked?.revokedAt)}
ci    ending   pets:read,pets:write  ${time(ending?.createdAt)}  ${time(later)}  -                  ${time(later)}
ci    expired  all                   ${time(expired?.createdAt)}  ${time(past)}  -                  ${time(past)}
ci    active   all                   ${time(active?.createdAt)}  -                     ${used}  -
`,
    stderr: '',
  })
  const { status, stdout, stderr } = await run(t, folder, ['list', '--json'], { coverage: true })
  t.strictSame([status, stderr], [0, ''])
  const none = { expiresAt: null, lastUsedAt: null, revokedAt: null }
  const iso = (date: Date | undefined) => date?.toISOString()
  t.strictSame(JSON.parse(stdout).slice(1), [
    {
      ...{ name: 'ci', state: 'ending', scopes: ['pets:read', 'pets:write'], createdAt: iso(ending?.createdAt) },
      ...{ expiresAt: iso(later), lastUsedAt: null, revokedAt: iso(later) },
    },
    {
      ...{ ...none, name: 'ci', state: 'expired', scopes: null, createdAt: iso(expired?.createdAt) },
      ...{ expiresAt: iso(past), revokedAt: iso(past) },
    },
    {
      ...{ ...none, name: 'ci', state: 'active', scopes: null, createdAt: iso(active?.createdAt) },
      lastUsedAt: used,
    },
  ])
})

t.test('the store is the one that DATABASE_URL names, in the environment or in .env', async (t) => {
  const { folder } = newFolder(t)
  writeFileSync(join(folder, '.env'), 'DATABASE_URL=sqlite:from-file.db\n')
  await run(t, folder, ['create', 'ci'], { env: { DATABASE_URL: 'sqlite:from-environment.db' } })
  t.ok(existsSync(join(folder, 'from-environment.db')))
  t.notOk(existsSync(join(folder, 'from-file.db')))
  await run(t, folder, ['create', 'ci'])
  t.ok(existsSync(join(folder, 'from-file.db')))
})

t.test('an impossible command is reported in one line, with the exit status 1', async (t) => {
  const { folder } = newFolder(t)
  const key = (await run(t, folder, ['create', 'ci'])).stdout.trim()
  const fails = async (args: string[], line: string, env: NodeJS.ProcessEnv = {}) => {
    const outcome = await run(t, folder, args, { env, coverage: true })
    t.strictSame(outcome, { status: 1, stdout: '', stderr: `${line}\n` }, args.join(' '))
  }

  const rule = 'use 1 to 64 letters, digits, ".", "_" and "-"'
  await fails(['create', 'ci'], 'an active key is named "ci"; revoke it, rotate it or choose another name')
  await fails(['create', 'c i'], `"c i" is not a valid name; ${rule}`)
  await fails(['create', key], `"[redacted]" is not a valid name; ${rule}`)
  await fails(['rotate', 'cd'], 'no active key is named "cd"; list the keys with: npm run keys -- list')
  await fails(['revoke', 'cd'], 'no active key is named "cd"; list the keys with: npm run keys -- list')
  await fails(['revoke', key], 'no active key is named "[redacted]"; list the keys with: npm run keys -- list')
  await fails(
    ['list'],
    'DATABASE_URL names a store in memory, whose keys would be gone at once; name a file as sqlite:PATH',
    { DATABASE_URL: 'sqlite::memory:' },
  )
  await fails(
    ['list'],
    'PORT: "x" is not a port; use an integer from 0 to 65535\nMAX_IN_FLIGHT: "y" is not a number of requests; use an integer from 0 to 1000000',
    { PORT: 'x', MAX_IN_FLIGHT: 'y' },
  )
})

t.test('a store that cannot be opened is reported in one line', async (t) => {
  const { folder, file } = newFolder(t)
  writeFileSync(join(folder, 'note.txt'), 'not a store, but long enough to be looked at as one; '.repeat(100))
  for (const [url, line] of [
    ['sqlite:note.txt', /^cannot open the store sqlite:note\.txt: [^\n]+\n$/],
    ['sqlite:note.txt/folder/store.db', /^cannot open the store sqlite:note\.txt\/[^\n]+: [^\n]+ENOTDIR[^\n]+\n$/],
    ['mysql://root:secret@db/animals', /^DATABASE_URL: a store URL with the scheme mysql: is not [^\n]+\n$/],
  ] as const) {
    const { status, stdout, stderr } = await run(t, folder, ['create', 'ci'], { env: { DATABASE_URL: url } })
    t.strictSame([status, stdout], [1, ''])
    t.match(stderr, line)
  }
  t.notOk(existsSync(file))
})

t.test('a damaged store is reported in one line', async (t) => {
  const { folder, file } = newFolder(t)
  await run(t, folder, ['create', 'ci'])
  // The first page, with the schema, stays as it is.
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0xff, 4096))
  const { status, stdout, stderr } = await run(t, folder, ['list'])
  t.strictSame([status, stdout], [1, ''])
  t.match(stderr, /^[^\n]+malformed\n$/)
})

t.test('a store that cannot be written for the moment says why, and no key is printed', async (t) => {
  const { folder, file, url } = newFolder(t)
  await (await openStore(url)).close()
  // The file that new pages are added to is larger than the child may make one.
  const other = new DatabaseSync(file)
  t.teardown(() => other.close())
  other.exec('PRAGMA wal_autocheckpoint = 0; CREATE TABLE ballast (bytes BLOB)')
  other.exec('INSERT INTO ballast VALUES (zeroblob(9000000))')
  const { status, stdout, stderr } = await runScript(t, 'keys', ['create', 'ci'], {
    folder,
    under: ['sh', '-c', 'ulimit -f 16384; exec "$@"', 'sh'],
  })
  t.strictSame([status, stdout], [1, ''])
  t.match(stderr, /^the catalogue is unavailable at the moment; try again shortly \([^\n]+\)\n$/)
})

t.test(
  'help is printed, and wrong usage is one line with the exit status 2; neither leaves a store behind',
  async (t) => {
    const { folder } = newFolder(t)
    const help = await run(t, folder, ['create', '--help'], { coverage: true })
    t.strictSame([help.status, help.stderr], [0, ''])
    for (const part of [
      'create NAME',
      'rotate NAME',
      'list [--json]',
      'revoke NAME',
      '--grace',
      'Example:',
      '500 ms',
    ]) {
      t.match(help.stdout, part)
    }
    t.strictSame(await run(t, folder, ['-h']), help)

    const seeHelp = 'see npm run keys -- --help'
    const durations = 'use a number of seconds, minutes, hours or days from 1 to 99999, such as 30s, 15m, 12h or 90d'
    for (const [args, line] of [
      [[], `COMMAND is missing; ${seeHelp}`],
      [['create'], `NAME is missing; ${seeHelp}`],
      [['list', 'ci'], `there are too many arguments; ${seeHelp}`],
      [['delete', 'ci'], `the commands are create, rotate, list, revoke; ${seeHelp}`],
      [['toString'], `the commands are create, rotate, list, revoke; ${seeHelp}`],
      [['create', 'ci', '--expires', '0d'], `--expires: "0d" is not possible; ${durations}`],
      ...['', '9', '-1s', '1.5h', '100000d'].map((text) => {
        return [['rotate', 'ci', `--grace=${text}`], `--grace: "${text}" is not possible; ${durations}`] as const
      }),
      [
        ['create', 'ci', '--scopes', 'pets:red'],
        '--scopes: "pets:red" is not a scope of openapi.yaml; use pets:read, pets:write',
      ],
    ] as const) {
      t.strictSame(
        await run(t, folder, [...args], { coverage: true }),
        { status: 2, stdout: '', stderr: `${line}\n` },
        args.join(' '),
      )
    }
    t.notOk(existsSync(join(folder, 'data')))
  },
)

/** Formats a time as the script does. */
function toSecond(time: Date | undefined): string {
  return `${time?.toISOString().slice(0, 19)}Z`
}
