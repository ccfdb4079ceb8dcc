/**
 * The command line of the service: help, the check, and wrong usage.
 */
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import packageJson from '../../package.json' with { type: 'json' }
import { openStore } from '../../src/stores/open.ts'
import { forbiddenDisk } from '../faults/disks.ts'
import { sharedDatabases, sqlite } from '../helpers/databases.ts'
import { runServiceProcess, startServiceProcess } from '../helpers/process.ts'
import { contractFile } from '../helpers/service.ts'
import { execute } from '../helpers/sql.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

t.test('help lists the arguments and options, and nothing is served', async (t) => {
  const folder = temporaryFolder(t)
  for (const args of [['--help'], ['openapi.yaml', '--chek', '-h']]) {
    const { status, stdout, stderr } = await runServiceProcess(t, { folder, args, coverage: true })
    t.strictSame([status, stderr], [0, ''])
    for (const part of [
      'usage: npm start',
      '\nArguments:\n',
      '\nOptions:\n',
      '--check',
      '\nExample:\n',
      'Exit status',
    ]) {
      t.match(stdout, part)
    }
  }
  t.notOk(existsSync(join(folder, 'data')))
})

t.test('the version is that of the package, and nothing is served', async (t) => {
  const folder = temporaryFolder(t)
  const outcome = await runServiceProcess(t, { folder, args: ['--version'], coverage: true })
  t.match(outcome, { status: 0, stdout: `${packageJson.version}\n`, stderr: '' })
  t.notOk(existsSync(join(folder, 'data')))
})

t.test('wrong usage is reported in one line, with the exit status 2, and nothing is served', async (t) => {
  const folder = temporaryFolder(t)
  for (const [args, message] of [
    [['--chek'], "unknown option '--chek'"],
    [['-x'], "unknown option '-x'"],
    [['a.yaml', 'b.yaml'], 'there are too many arguments'],
  ] as const) {
    const outcome = await runServiceProcess(t, { folder, args, coverage: true })
    t.match(outcome, { status: 2, stdout: '', stderr: `${message}; see npm start -- --help\n` })
  }
  t.notOk(existsSync(join(folder, 'data')))
})

t.test('a check of a valid configuration, spec and store succeeds and ends', async (t) => {
  const outcome = await runServiceProcess(t, { args: ['--check'], env: { PROT: '80' }, coverage: true })
  t.match(outcome, {
    status: 0,
    stdout: 'The configuration, the spec and the store are valid.\n',
    stderr: 'PROT is not a variable of this service; correct it to PORT, or remove it\n',
  })
})

for (const database of sharedDatabases) {
  t.test(`${database.name}: a check says what a start would do to the store, and does not do it`, async (t) => {
    const url = await database.fresh(t)
    const check = (coverage = false) =>
      runServiceProcess(t, { args: ['--check'], env: { DATABASE_URL: url }, coverage })
    const valid = 'The configuration, the spec and the store are valid.\n'
    const files = () => (database === sqlite ? readdirSync(dirname(url.slice('sqlite:'.length))) : [])
    for (const time of [1, 2])
      t.match(await check(time === 1), { status: 0, stdout: `${valid}A start creates the store.\n` })
    t.strictSame(files(), [])

    const version1 = `../stores/version-1/${database === sqlite ? 'sqlite' : 'postgres'}.sql`
    await execute(url, readFileSync(new URL(version1, import.meta.url), 'utf8'))
    const upgrades = /^The .+ valid\.\nA start upgrades the store from version 1 to \d+\.\n$/
    for (const time of [1, 2]) t.match(await check(time === 1), { status: 0, stdout: upgrades, stderr: '' })
    t.ok(files().length <= 1)

    const store = await openStore(url)
    t.equal((await check()).stdout, valid)
    await store.close()
    t.equal((await check()).stdout, valid)
    t.ok(files().length <= 1)
  })
}

t.test('a check does not change a store that a killed process has left, with or without its log', async (t) => {
  const folder = temporaryFolder(t)
  const store = await openStore(`sqlite:${folder}/animals.db`)
  await store.pets.add({ name: 'Rex', categoryId: 1n, status: 'available' })
  for (const [endings, notes] of [
    [['', '-wal', '-shm'], ''],
    [['', '-wal'], 'A start completes the store from its write-ahead log.\n'],
    [[''], 'A start creates the store.\n'],
  ] as const) {
    const copy = temporaryFolder(t)
    for (const ending of endings) cpSync(join(folder, `animals.db${ending}`), join(copy, `animals.db${ending}`))
    const before = readContents(copy)
    const env = { DATABASE_URL: `sqlite:${copy}/animals.db` }
    const { status, stdout, stderr } = await runServiceProcess(t, { args: ['--check'], env, coverage: true })
    t.strictSame([status, stderr], [0, ''])
    t.equal(stdout, `The configuration, the spec and the store are valid.\n${notes}`)
    t.strictSame(readContents(copy), before, endings.join(' '))
  }
  await store.close()
})

t.test('a check refuses a folder that cannot be written, as a start does', async (t) => {
  const { file, under } = forbiddenDisk(t)
  const env = { DATABASE_URL: `sqlite:${file}` }
  await (await openStore(env.DATABASE_URL)).close()
  chmodSync(dirname(file), 0o555)
  const refused = { status: 1, stdout: '', stderr: `cannot open the store sqlite:${file}: ` }
  t.match(await runServiceProcess(t, { env, under }), refused)
  t.match(await runServiceProcess(t, { args: ['--check'], env, under }), refused)
})

t.test('a check opens no store in memory', async (t) => {
  const { status, stdout } = await runServiceProcess(t, {
    args: ['--check'],
    env: { DATABASE_URL: 'sqlite::memory:' },
    coverage: true,
  })
  t.strictSame([status, stdout], [0, 'The configuration, the spec and the store are valid.\n'])
})

t.test('a check names everything that is wrong at once: configuration, spec and store', async (t) => {
  const folder = temporaryFolder(t)
  const source = readFileSync(contractFile, 'utf8')
  writeFileSync(join(folder, 'broken.yaml'), source.replace('maximum: 100', 'maximun: 100'))
  const env = { PORT: '80a', LOG_LEVEL: 'loud', DATABASE_URL: 'sqlite:broken.yaml/animals.db' }
  const args = ['--check', 'broken.yaml']
  const { status, stdout, stderr } = await runServiceProcess(t, { folder, args, env, coverage: true })
  t.strictSame([status, stdout], [1, ''])
  t.match(stderr, /^broken\.yaml:\d+:\d+: "maximun" is not .+\nPORT: .+\nLOG_LEVEL: .+\ncannot open the store .+\n$/)
})

t.test('a check names each mistake once, and one in the handlers too', async (t) => {
  const folder = temporaryFolder(t)
  const source = readFileSync(contractFile, 'utf8')
  writeFileSync(join(folder, 'other.yaml'), source.replace('operationId: createPet', 'operationId: addPet'))
  const env = { DATABASE_URL: 'mysql:animals' }
  const { status, stderr } = await runServiceProcess(t, { folder, args: ['--check', 'other.yaml'], env })
  t.equal(status, 1)
  t.match(
    stderr,
    /^DATABASE_URL: .+\nother\.yaml:.+"createPet" has no operation.+\n.+older than the operation "addPet".+\nother\.yaml:.+"addPet" has no handler.+\n$/,
  )
})

t.test('a check reports an unreadable .env and continues', async (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, '.env'))
  const args = ['--check', 'absent.yaml']
  const env = { PORT: '80a', DATABASE_URL: 'sqlite:.env' }
  const { status, stderr } = await runServiceProcess(t, { folder, args, env, coverage: true })
  t.equal(status, 1)
  t.match(
    stderr,
    /^\.env: cannot be read \(EISDIR\).+\nabsent\.yaml:1:1: .+\nPORT: .+\ncannot open the store sqlite:\.env: .+\n$/,
  )
})

t.test('a misspelt variable in .env is named in the log at start', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, '.env'), 'RATE_LIMT=100/60\n')
  const { logged } = await startServiceProcess(t, { folder, coverage: true })
  t.match(logged()[0], {
    level: 40,
    msg: 'RATE_LIMT is not a variable of this service; correct it to RATE_LIMIT, or remove it',
  })
})

/** The files of a folder, and what is in them. */
function readContents(folder: string): [name: string, content: string][] {
  return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')])
}
