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
    [0, '', 'The key "ci" is revoked: the service refuses it within half a second.\n'],
  )
  await setTimeout(500)
  t.equal(await store.keys.find(hash), undefined)
})

t.test('list prints a table of every key there ever was, without what is kept of the keys', async (t) => {
  const { folder, url } = newFolder(t)
  t.strictSame(await run(t, folder, ['list']), {
    status: 0,
    stdout: 'NAME  CREATED                   REVOKED\n',
    stderr: '',
  })

  await run(t, folder, ['create', 'ci'])
  await run(t, folder, ['create', 'a-longer-name'])
  await run(t, folder, ['revoke', 'ci'])
  await run(t, folder, ['create', 'ci'])
  const store = await openStore(url)
  t.teardown(() => store.close())
  const [first, second, third] = (await store.keys.list()).map(({ createdAt, revokedAt }) => ({
    created: createdAt.toISOString(),
    revoked: revokedAt?.toISOString(),
  }))
  t.strictSame(await run(t, folder, ['list'], { coverage: true }), {
    status: 0,
    stdout: `NAME           CREATED                   REVOKED
ci             ${first?.created}  ${first?.revoked}
a-longer-name  ${second?.created}  -
ci             ${third?.created}  -
`,
    stderr: '',
  })
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

t.test('what cannot be done is one clear line, with the exit status 1', async (t) => {
  const { folder } = newFolder(t)
  const key = (await run(t, folder, ['create', 'ci'])).stdout.trim()
  const fails = async (args: string[], line: string, env: NodeJS.ProcessEnv = {}) => {
    const outcome = await run(t, folder, args, { env, coverage: true })
    t.strictSame(outcome, { status: 1, stdout: '', stderr: `${line}\n` }, args.join(' '))
  }

  const rule = 'use 1 to 64 letters, digits, ".", "_" and "-"'
  await fails(['create', 'ci'], 'an active key is named "ci"; revoke it or choose another name')
  await fails(['create', 'c i'], `"c i" is not a valid name; ${rule}`)
  await fails(['create', ''], `"" is not a valid name; ${rule}`)
  await fails(['create', key], `"[redacted]" is not a valid name; ${rule}`)
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

t.test('a store that cannot be opened is one clear line', async (t) => {
  const { folder, file } = newFolder(t)
  writeFileSync(join(folder, 'note.txt'), 'not a store, but long enough to be looked at as one; '.repeat(100))
  for (const [url, line] of [
    ['sqlite:note.txt', /^cannot open the store sqlite:note\.txt: [^\n]+\n$/],
    ['sqlite:note.txt/folder/store.db', /^cannot open the store sqlite:note\.txt\/[^\n]+: [^\n]+ENOTDIR[^\n]+\n$/],
    ['mysql://root:secret@db/animals', /^DATABASE_URL: the scheme "mysql:" is not [^\n]+\n$/],
  ] as const) {
    const { status, stdout, stderr } = await run(t, folder, ['create', 'ci'], { env: { DATABASE_URL: url } })
    t.strictSame([status, stdout], [1, ''])
    t.match(stderr, line)
  }
  t.notOk(existsSync(file))
})

t.test('a damaged store is one clear line', async (t) => {
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

t.test('wrong usage says what is right, with the exit status 2, and leaves no store behind', async (t) => {
  const { folder } = newFolder(t)
  for (const args of [[], ['create'], ['revoke'], ['list', 'ci'], ['create', 'a', 'b'], ['delete', 'ci'], ['--help']]) {
    t.strictSame(
      await run(t, folder, args, { coverage: true }),
      { status: 2, stdout: '', stderr: 'usage: npm run keys -- create NAME | list | revoke NAME\n' },
      args.join(' '),
    )
  }
  t.notOk(existsSync(join(folder, 'data')))
})
