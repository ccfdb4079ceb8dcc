/** The command line of the service: help, wrong usage, the check, and what keeps it from starting. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import packageJson from '../../package.json' with { type: 'json' }
import { loadDocument } from '../../src/openapi/index.ts'
import { DocumentError } from '../../src/openapi/shared/errors.ts'
import { computeDigests } from '../../src/openapi/tools.ts'
import { checkStart } from '../../src/serve.ts'
import { formatStoreName } from '../../src/stores/open.ts'
import { forbiddenDisk } from '../faults/disks.ts'
import { sharedDatabases, sqlite } from '../helpers/databases.ts'
import { runServiceProcess, type ServiceProcessOptions, startCommand } from '../helpers/process.ts'
import { spec } from '../helpers/service.ts'
import { listAll, openAt, rex, using } from '../helpers/stores.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitForEvent } from '../helpers/wait.ts'

const valid = (url: string) => `The configuration, the spec and the store ${formatStoreName(url)} are valid.\n`
const absent = (url: string) =>
  `The configuration and the spec are valid. There is no store ${formatStoreName(url)} yet; a start makes it.\n`

t.test('help, the version and wrong usage are printed, and nothing is served', async (t) => {
  const folder = temporaryFolder(t)
  const help = /^usage: npm start .+\nArguments:\n.+\nOptions:\n.+--check.+\nExample:\n.+\nExit status/s
  const seeHelp = '; see npm start -- --help\n'
  for (const [args, status, stdout, stderr] of [
    [['openapi.yaml', '--chek', '-h'], 0, help, /^$/],
    [['--version'], 0, `${packageJson.version}\n`, /^$/],
    [['--chek'], 2, /^$/, `unknown option '--chek'${seeHelp}`],
    [['-x'], 2, /^$/, `unknown option '-x'${seeHelp}`],
    [['a.yaml', 'b.yaml'], 2, /^$/, `there are too many arguments${seeHelp}`],
  ] as const) {
    t.match(await runServiceProcess(t, { folder, args }), { status, stdout, stderr }, args.join(' '))
  }
  t.notOk(existsSync(join(folder, 'data')))
})

t.test('a check of a valid configuration and spec succeeds, ends, and names a NODE_ENV that is none', async (t) => {
  const env = { NODE_ENV: 'prod', DATABASE_URL: 'sqlite::memory:' }
  const { status, stdout, stderr } = await runServiceProcess(t, { args: ['--check'], env })
  t.strictSame([status, stdout], [0, absent(env.DATABASE_URL)])
  t.equal(stderr, 'NODE_ENV is "prod", not production; correct it, or a first key is made\n')
})

t.test('an empty name of a spec counts as none', async (t) => {
  t.match(await runServiceProcess(t, { args: ['--check', ''] }), { status: 0, stderr: '' })
})

for (const database of sharedDatabases) {
  t.test(`${database.name}: a check creates no store, and leaves one as it is`, async (t) => {
    const url = await database.fresh(t)
    const check = () => runServiceProcess(t, { args: ['--check'], env: { DATABASE_URL: url } })
    const files = () => (database === sqlite ? readdirSync(dirname(url.slice('sqlite:'.length))) : [])
    for (let count = 0; count < 2; count++) {
      t.match(await check(), { status: 0, stdout: absent(url) })
      t.strictSame(files(), [])
    }
    await using(url, async () => t.equal((await check()).stdout, valid(url)))
    t.ok(files().length <= 1)
  })
}

t.test('a check of a store that a killed process has left changes and loses nothing', async (t) => {
  const folder = temporaryFolder(t)
  const { pets } = await openAt(t, `sqlite:${folder}/animals.db`)
  const pet = await pets.add(rex)
  for (const endings of [
    ['', '-wal', '-shm'],
    ['', '-wal'],
  ]) {
    const copy = temporaryFolder(t)
    for (const ending of endings) cpSync(join(folder, `animals.db${ending}`), join(copy, `animals.db${ending}`))
    const url = `sqlite:${copy}/animals.db`
    const read = () => endings.map((ending) => readFileSync(join(copy, `animals.db${ending}`), 'hex'))
    const before = read()
    const { status, stdout, stderr } = await runServiceProcess(t, { args: ['--check'], env: { DATABASE_URL: url } })
    t.strictSame([status, stdout, stderr], [0, valid(url), ''])
    t.strictSame(read(), before)
    t.equal(readdirSync(copy).length, endings.length)
    await using(url, async (store) => t.same(await listAll(store), [pet]))
  }
})

t.test('a link to a store that another process writes to is valid, and one that starts', async (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'disk'))
  symlinkSync('disk/animals.db', join(folder, 'link.db'))
  const { pets } = await openAt(t, `sqlite:${folder}/disk/animals.db`)
  const pet = await pets.add(rex)
  const env = { DATABASE_URL: `sqlite:${folder}/link.db` }
  t.strictSame((await runServiceProcess(t, { args: ['--check'], env })).stdout, valid(env.DATABASE_URL))
  await using(env.DATABASE_URL, async (store) => t.same(await listAll(store), [pet]))
})

for (const [what, command] of [
  ['a link to nothing', ['ln', '-s', 'unmounted.db']],
  ['a link to nothing in a folder that does not exist', ['ln', '-s', 'unmounted/animals.db']],
  ['a FIFO', ['mkfifo']],
  ['a folder', ['mkdir']],
] as const) {
  t.test(`a check and a start refuse a store that is ${what}, and make none`, async (t) => {
    const folder = temporaryFolder(t)
    await startCommand(t, [...command, 'animals.db'], { folder }).waitForEnd()
    const env = { DATABASE_URL: 'sqlite:animals.db' }
    const stderr =
      'cannot open the store sqlite:animals.db: it is neither a regular file nor a link to one; name another file\n'
    for (const args of [['--check'], []]) {
      t.match(await runServiceProcess(t, { folder, args, env }), { status: 1, signal: null, stdout: '', stderr })
    }
    t.strictSame(readdirSync(folder), ['animals.db'])
  })
}

t.test('a check finds the damage of a store that a start does not read', async (t) => {
  const file = join(temporaryFolder(t), 'animals.db')
  const env = { DATABASE_URL: `sqlite:${file}` }
  await using(env.DATABASE_URL, ({ pets }) => Promise.all(Array.from({ length: 1000 }, () => pets.add(rex))))
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0x55, bytes.length - 4096))
  const message = `cannot open the store ${env.DATABASE_URL}: it is damaged; restore a backup (docs/operations.md): `
  t.match(await runServiceProcess(t, { args: ['--check'], env }), { status: 1, stdout: '', stderr: message })
})

t.test('a check refuses a folder that cannot be written, as a start does', async (t) => {
  const { file, under } = forbiddenDisk(t)
  const env = { DATABASE_URL: `sqlite:${file}` }
  await using(env.DATABASE_URL, async () => {})
  chmodSync(dirname(file), 0o555)
  const refused = { status: 1, stdout: '', stderr: `cannot open the store sqlite:${file}: ` }
  t.match(await runServiceProcess(t, { env, under }), refused)
  t.match(await runServiceProcess(t, { args: ['--check'], env, under }), refused)
})

t.test('a check finds what prevents a start, in the words of the start', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'broken.yaml'), spec.replace('maximum: 100', 'maximun: 100'))
  writeFileSync(join(folder, 'unsupported.yaml'), spec.replaceAll('operationId: createPet', 'operationId: addPet'))
  for (const [status, args, env] of [
    [78, ['broken.yaml'], {}],
    [78, ['unsupported.yaml'], {}],
    [78, [], { PORT: '80a', LOG_LEVEL: 'loud' }],
    [1, [], { DATABASE_URL: 'postgres://127.0.0.1:1/animals' }],
  ] as const) {
    const started = await runServiceProcess(t, { folder, args, env })
    t.match(started, { status, stdout: /^$/, stderr: /./ })
    t.strictSame(await runServiceProcess(t, { folder, args: ['--check', ...args], env }), started)
  }
})

t.test('a check for PostgreSQL permits a page that depends on a header, as a start does', async (t) => {
  const file = join(temporaryFolder(t), 'openapi.yaml')
  const reference = '        - $ref: "#/components/parameters/Cursor"\n'
  const parameter = '        - { name: X-Filter, in: header, schema: { type: string } }\n'
  writeFileSync(file, spec.replace(reference, reference + parameter))
  // The digests of types that are generated from this spec.
  const source = JSON.stringify(computeDigests(await loadDocument(file)))
  const hooks = `import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => url.endsWith('/generated/digests.json')
  ? { format: 'json', source: ${JSON.stringify(source)}, shortCircuit: true } : next(url, context) })`
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`]
  const postgres = { DATABASE_URL: 'postgres://127.0.0.1:1/animals' }
  const started = await runServiceProcess(t, { args: [file], env: postgres, nodeArgs })
  t.match(started, { status: 1, stderr: /^cannot open the store: ECONNREFUSED/ })
  t.strictSame(await runServiceProcess(t, { args: ['--check', file], env: postgres, nodeArgs }), started)
  const cached = await runServiceProcess(t, { args: ['--check', file], nodeArgs })
  t.match(cached, { status: 78, stderr: '"listPets" is cached by its URL' })
})

t.test('a spec that the store or the handlers do not support is refused with the places', async (t) => {
  const file = join(temporaryFolder(t), 'broken.yaml')
  const member = '          default: available\n'
  for (const [part, replacement, ...messages] of [
    [
      member,
      `${member}        tag:\n          type: string\n`,
      /:9: "tag" has no column in the store; add it to "columns" in \S+ \(\S+ "Adding a field"\), or remove it$/,
    ],
    [
      /schemas\/NewPet"(.*? {10}default: available\n)/gs,
      'schemas/New%50et"$1        tag: {}\n',
      /:9: "tag" has no column in the store; add it to "columns" in .*"Adding/,
    ],
    [
      '    NewPet:\n',
      '    NewPet:\n      patternProperties: { "^x-": {} }\n',
      /:5: an animal to add must have "additionalProperties: false" or "unevaluatedProperties: false", and no pattern.*: each/,
    ],
    [
      /( {4}NewPet:\n.*?) {6}additionalProperties: false\n/gs,
      '$1      unevaluatedProperties: false\n      anyOf:\n        - properties:\n            tag: {}\n',
      /:13: "tag" has no column in the store; add it to "columns" in .*"Adding/,
    ],
    [
      'x-idempotency-ttl-seconds: 86400',
      'x-idempotency-ttl-seconds: 0',
      /:7: 0 is not supported here; use an integer from 1 to 31536000000$/,
    ],
    [
      // The parameter is in the path item that the path refers to.
      /( {2}\/pets:\n)(.*?) {6}parameters:\n( {8}- \$ref: "#\/components\/parameters\/IdempotencyKey"\n)(.*?seconds:) 86400/gs,
      '$1    $ref: "#/paths/~1animals"\n  /animals:\n    parameters:\n$3$2$4 0',
      /:7: 0 is not supported here; use an integer from 1 to 31536000000$/,
    ],
    [
      '      x-idempotency-ttl-seconds: 86400\n',
      '',
      /:5: Idempotency-Key needs "x-idempotency-ttl-seconds"; add it, with an integer/,
    ],
    [
      'operationId: createPet',
      'operationId: addPet',
      /:1: the handler "createPet" has no operation; add one or remove the handler$/,
      /:5: the generated types are older than the operation "addPet"; generate them again$/,
      /:7: "addPet" has no handler; write one, remove the operation, or set the option missingHandlers$/,
    ],
  ] as const) {
    writeFileSync(file, spec.replaceAll(part, replacement))
    // What --check calls. It is called here because a process takes a second to say the same.
    const error = await checkStart(file).catch((error: unknown) => error)
    t.ok(error instanceof DocumentError)
    const lines = (error as Error).message.split('\n')
    for (const line of lines) t.match(line, /^\S*broken\.yaml:\d+:\d+: .+; .+$/)
    for (const message of messages) t.equal(lines.filter((line) => message.test(line)).length, 1, String(message))
  }
})

t.test('the messages in docs/contributing-changes.md about an invalid spec are those of the process', async (t) => {
  const folder = temporaryFolder(t)
  const page = readFileSync(join(import.meta.dirname, '../../docs/contributing-changes.md'), 'utf8')
  const shown = page.match(/(?<=^ {4})openapi\.yaml:LINE:COLUMN: .+$/gm) ?? []
  const broken = spec
    .replace('x-sunset: 2030-12-05\n', 'x-sunset: next summer\n      consumes: [json]\n')
    .replace('maximum: 100', 'maximun: 100')
  writeFileSync(join(folder, 'openapi.yaml'), broken)
  const places = ['x-sunset: next summer', 'consumes: [json]', 'maximun: 100'].map((text) => {
    const before = broken.slice(0, broken.indexOf(text)).split('\n')
    return `${before.length}:${String(before.at(-1)).length + 1}`
  })
  t.same(
    await refuses(t, { folder, args: ['openapi.yaml'] }),
    shown.map((line, index) => line.replace('LINE:COLUMN', String(places[index]))),
  )
  t.equal(shown.length, places.length)
})

t.test('a wrong configuration, an unusable store and an address in use are named, with what to do', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'text.db'), 'no database '.repeat(500))
  const server = createServer().listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await waitForEvent(server, 'listening')
  const { port } = server.address() as { port: number }
  for (const [expected, env, ...patterns] of [
    [
      78,
      { PORT: '80a', DATABASE_URL: 'mysql://me:secret@host/db' },
      /^PORT must be an integer from 0 to 65535$/,
      /^DATABASE_URL must be a store URL: [^@]+ or postgres:/,
    ],
    [
      1,
      { DATABASE_URL: 'sqlite:/proc/animals.db' },
      /^cannot open the store sqlite:\/proc\/animals\.db: .*; .*name (a|another) file/,
    ],
    [1, { DATABASE_URL: 'sqlite:text.db' }, /^cannot open the store .+ is not a database of the Animal Store; name /],
    [
      1,
      { PORT: String(port) },
      new RegExp(`^listen EADDRINUSE: .*:${port}; stop the other program or choose another PORT$`),
    ],
    [1, { METRICS_PORT: String(port) }, /^listen EADDRINUSE: .+; choose another METRICS_HOST or METRICS_PORT$/],
    [1, { HOST: '203.0.113.7' }, /203\.0\.113\.7.*; choose another HOST or PORT$/],
    [1, { HOST: 'x'.repeat(64) }, / x{64}; choose another HOST or PORT$/],
  ] as const) {
    const lines = await refuses(t, { folder, env }, expected)
    for (const [index, pattern] of patterns.entries()) t.match(lines[index], pattern)
    t.equal(lines.length, patterns.length, Object.keys(env).join())
  }
})

t.test('an unexpected error is reported with its stack', async (t) => {
  const nodeArgs = ['--import', 'data:text/javascript,delete globalThis.performance']
  t.match(await runServiceProcess(t, { nodeArgs }), { status: 1, stderr: /performance is not defined\n +at / })
})

/** The service does not start, and has nothing but lines for a person, which are returned, without a stack. */
async function refuses(t: Test, options: ServiceProcessOptions, expected = 78): Promise<string[]> {
  const { status, stdout, stderr } = await runServiceProcess(t, options)
  t.strictSame([status, stdout], [expected, ''])
  t.notMatch(stderr, /^ +at /m)
  return stderr.trimEnd().split('\n')
}
