/**
 * The messages of a process that cannot start: lines that say what is wrong, where, and what to do.
 */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { openStore } from '../../src/stores/open.ts'
import { runServiceProcess, type ServiceProcessOptions } from '../helpers/process.ts'
import { contractFile } from '../helpers/service.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

t.test('every mistake in the configuration is named at once, in a line each', async (t) => {
  const env = {
    HOST: 'a b',
    PORT: '80a',
    DATABASE_URL: 'mysql://me:secret@host/db',
    API_KEYS: 'short',
    BASE_URL: 'nowhere',
    LOG_LEVEL: 'loud',
  }
  const stderr = await refuses(t, { env, coverage: true })
  t.same(
    stderr.split('\n').map((line) => line.split(':')[0]),
    ['HOST', 'PORT', 'DATABASE_URL', 'API_KEYS', 'LOG_LEVEL', 'BASE_URL'],
  )
  t.notMatch(stderr, /secret|short/)
})

t.test('servers that lead to different paths are refused, naming the variables that do it', async (t) => {
  const stderr = await refuses(t, { env: { BASE_URL: 'https://animals.example.com/v2' }, coverage: true })
  t.match(stderr, /openapi\.yaml:\d+:\d+: the servers have different paths, \/v2 and \/v1; .*BASE_URL/)
})

t.test('a server variable with the name of a setting is refused with its place', async (t) => {
  const file = join(temporaryFolder(t), 'openapi.yaml')
  for (const [name, HOST] of [
    ['public_url', '127.0.0.1'],
    ['host', '127.0.0.1'],
  ] as const) {
    writeFileSync(file, readFileSync(contractFile, 'utf8').replaceAll('staging_base_url', name))
    const stderr = await refuses(t, { args: [file], env: { HOST } })
    t.match(
      stderr,
      new RegExp(`openapi\\.yaml:\\d+:\\d+: ${name.toUpperCase()} is a setting of the service; rename "${name}"$`),
    )
  }
})

t.test('a member of an animal that has no column is refused with its place', async (t) => {
  const source = readFileSync(contractFile, 'utf8')
  const file = join(temporaryFolder(t), 'openapi.yaml')
  const closed = '      additionalProperties: false\n      properties:\n        name:'
  for (const [from, to, marker, column, message] of [
    [
      '          default: available\n',
      '          default: available\n        tag:\n          type: string\n',
      '        tag:',
      9,
      '"tag" has no column in the store; add one ("Adding a field" in docs/contributing.md), or remove it',
    ],
    [closed, '      properties:\n        name:', '    NewPet:\n      type: object', 5, 'each member needs a column'],
  ] as const) {
    const text = source.replace(from, to)
    t.not(text, source)
    writeFileSync(file, text)
    const place = `openapi.yaml:${text.slice(0, text.indexOf(marker)).split('\n').length}:${column}: `
    for (const stderr of [
      await refuses(t, { args: [file], coverage: true }),
      (await runServiceProcess(t, { args: ['--check', file] })).stderr,
    ]) {
      t.ok(stderr.includes(place) && stderr.includes(message), stderr)
    }
  }
})

t.test('a port in use and an address of another machine are reported in one line that says what to do', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const inUse = await refuses(t, { env: { PORT: String(port) }, coverage: true })
  t.match(
    inUse,
    new RegExp(`^listen EADDRINUSE: .*127\\.0\\.0\\.1:${port}; stop the other program or choose another PORT$`),
  )
  t.match(
    await refuses(t, { env: { HOST: '203.0.113.7' }, coverage: true }),
    /203\.0\.113\.7.*; choose another HOST or PORT$/,
  )
  t.match(await refuses(t, { env: { HOST: 'x'.repeat(64) } }), / x{64}; choose another HOST or PORT$/)
})

t.test('a store that cannot be created is reported in one line that says what to do', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'file'), 'text')
  writeFileSync(join(folder, 'text.db'), 'no database '.repeat(500))
  for (const [DATABASE_URL, message] of [
    ['sqlite:file/animals.db', /^cannot open the store sqlite:file\/animals\.db: .*; name a file in a folder/],
    ['sqlite:/proc/animals.db', /^cannot open the store sqlite:\/proc\/animals\.db: .*; name a file in a folder/],
    [
      'sqlite:text.db',
      /^cannot open the store sqlite:text\.db: it is not a database of the Animal Store; name another file/,
    ],
    [
      'sqlite://me:secret@host/x',
      /^DATABASE_URL: cannot open the store sqlite:\/\/\[redacted\]@host\/x: the URL names no file/,
    ],
    ['mysql://me@host/db', /^DATABASE_URL: a store URL with the scheme mysql: is not supported; use sqlite:PATH/],
  ] as const) {
    t.match(await refuses(t, { folder, env: { DATABASE_URL } }), message)
  }
})

t.test('an invalid spec is refused with the place of every problem', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'broken.yaml')
  const source = readFileSync(contractFile, 'utf8')
  const edits = {
    unsupported: [
      ['maximum: 100', 'maximun: 100', '"maximun" is not supported in Schema Object (did you mean "maximum"?)'],
      [
        '"#/components/schemas/Pets"',
        '"#/components/schemas/Animals"',
        '"#/components/schemas/Animals" does not exist',
      ],
    ],
    inconsistent: [
      ['operationId: listPets', 'operationId: listAnimals', 'the operation "listPets" does not exist'],
      ['2030-12-05', '2020-12-05', 'the sunset 2020-12-05 is earlier than the deprecation 2026-11-20'],
    ],
  } as const
  for (const several of Object.values(edits)) {
    writeFileSync(
      file,
      several.reduce((text, [from, to]) => text.replace(from, to), source),
    )
    const lines = (await refuses(t, { folder, args: [file] })).split('\n')
    for (const line of lines) t.match(line, /^broken\.yaml:\d+:\d+: .+; .+$/)
    for (const [, , said] of several) t.equal(lines.filter((line) => line.includes(said)).length, 1, said)
  }

  writeFileSync(file, 'openapi: 3.1.0\npaths: [')
  t.match(await refuses(t, { folder, args: [file] }), /^broken\.yaml:\d+:\d+: invalid YAML: .*; correct the syntax$/)
  t.match(await refuses(t, { folder, args: ['absent.yaml'] }), /^absent\.yaml:1:1: the file cannot be read \(ENOENT\)/)
})

t.test('the messages in the README about an invalid spec are those of the process', async (t) => {
  const folder = temporaryFolder(t)
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const shown = readme.match(/(?<=^ {4})openapi\.yaml:LINE:COLUMN: .+$/gm) ?? []
  const broken = readFileSync(contractFile, 'utf8')
    .replace('x-sunset: 2030-12-05\n', 'x-sunset: next summer\n      consumes: [json]\n')
    .replace('maximum: 100', 'maximun: 100')
  writeFileSync(join(folder, 'openapi.yaml'), broken)
  const places = ['x-sunset: next summer', 'consumes: [json]', 'maximun: 100'].map((text) => {
    const before = broken.slice(0, broken.indexOf(text)).split('\n')
    return `${before.length}:${String(before.at(-1)).length + 1}`
  })
  t.same(
    (await refuses(t, { folder, args: ['openapi.yaml'] })).split('\n'),
    shown.map((line, index) => line.replace('LINE:COLUMN', String(places[index]))),
  )
  t.equal(shown.length, places.length)
})

t.test('a spec that does not match the handlers is refused', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'other.yaml')
  const source = readFileSync(contractFile, 'utf8').replace('operationId: createPet', 'operationId: addPet')
  writeFileSync(file, source)
  const lines = (await refuses(t, { folder, args: [file], coverage: true })).split('\n')
  t.match(lines[0], /^other\.yaml:\d+:\d+: the handler "createPet" has no operation; add one or remove the handler$/)
  t.match(lines[1], /^other\.yaml:\d+:\d+: generated\/ is older than the operation "addPet"; run: npm run generate$/)
  t.match(lines[2], /^other\.yaml:\d+:\d+: "addPet" has no handler; write one or remove the operation$/)
  t.equal(lines.length, 3)
})

t.test('a path of the service itself is refused in the spec', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'health.yaml')
  const source = readFileSync(contractFile, 'utf8')
  writeFileSync(file, source.replaceAll('.example/v1', '.example').replace('\n  /pets:\n', '\n  /health:\n'))
  const message = /^health\.yaml:\d+:\d+: the service itself uses "\/health"; choose another path$/
  t.match(await refuses(t, { folder, args: [file] }), message)
})

t.test('an unexpected error is reported with its stack', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'animals.db')
  await (await openStore(`sqlite:${file}`)).close()
  using database = new DatabaseSync(file)
  database.exec('DROP TABLE keys')
  const env = { DATABASE_URL: 'sqlite:animals.db' }
  const { status, stderr } = await runServiceProcess(t, { folder, env, coverage: true })
  t.equal(status, 1)
  t.match(stderr, /no such table: keys\n +at /)
})

/** The process does not start: status 1, nothing but lines for a person, which are returned, and no stack. */
async function refuses(t: Test, options: ServiceProcessOptions): Promise<string> {
  const { status, stdout, stderr } = await runServiceProcess(t, options)
  t.equal(status, 1)
  t.equal(stdout, '')
  t.notMatch(stderr, /^ +at /m)
  return stderr.trimEnd()
}
