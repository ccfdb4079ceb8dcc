/**
 * The start of the process: its first key, its configuration, and what keeps it from starting.
 */
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { hashKey } from '../../src/keys.ts'
import { openStore } from '../../src/stores/open.ts'
import { send } from '../helpers/http.ts'
import { eventsIn, type ProcessOptions, runProcess, spawnService, startProcess } from '../helpers/process.ts'
import { contractFile } from '../helpers/service.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

/** The line that a newcomer pastes into a shell, as its parts. */
const curl = /^ {4}curl -H '(Authorization): (Bearer animal_[\w-]{43})' (http:\/\/\S+)$/m

t.test('the first start prints a key, once, with a line to try it that works', async (t) => {
  const first = await startProcess(t)
  await first.kill('SIGTERM')
  const { stdout } = await first.ended
  t.equal(stdout.match(/animal_/g)?.length, 2)
  t.match(stdout, 'There was no API key yet, so here is one. It is not shown again.')
  const [, header = '', value = ''] = curl.exec(stdout) ?? []

  const second = await startProcess(t, { folder: first.folder })
  const answer = await send(second.origin, 'GET', '/v1/pets', { headers: { [header]: value } })
  t.equal(answer.status, 200)
  t.equal(answer.text, '[]')
  second.kill('SIGTERM')
  t.notMatch((await second.ended).stdout, 'animal_')
})

t.test('the line with the key leads to where the service listens, also when that is everywhere', async (t) => {
  for (const HOST of ['127.0.0.1', 'localhost', '0.0.0.0', '::']) {
    const { output, origin } = await startProcess(t, { env: { HOST } })
    const [, header = '', value = '', url = ''] = await eventually(() => curl.exec(output()))
    t.equal(new URL(url).port, new URL(origin).port)
    const response = await fetch(url, { headers: { [header]: value } })
    t.equal(response.status, 200, `${HOST}: ${url}`)
    t.equal(await response.text(), '[]')
  }
})

t.test('the key that is printed is not in the log, and only its hash is in the store', async (t) => {
  const { output, logged, kill, ended, folder } = await startProcess(t)
  const [, , value = ''] = await eventually(() => curl.exec(output()))
  const key = value.replace('Bearer ', '')
  kill('SIGTERM')
  await ended
  t.notMatch(JSON.stringify(logged()), key)
  const file = join(folder, 'data/animal-store.db')
  t.equal(readFileSync(file).includes(key), false)
  t.equal(readFileSync(file).includes(hashKey(key)), true)
})

t.test('where there is a key in force none is made, and where all are revoked one is', async (t) => {
  const folder = temporaryFolder(t)
  const url = `sqlite:${join(folder, 'animals.db')}`
  const store = await openStore(url)
  t.teardown(() => store.close())
  await store.keys.add('ops', hashKey('some key'))
  const quiet = await startProcess(t, { folder, env: { DATABASE_URL: url } })
  quiet.kill('SIGTERM')
  t.notMatch((await quiet.ended).stdout, 'animal_')
  await store.keys.revoke('ops')
  const { output } = await startProcess(t, { folder, env: { DATABASE_URL: url } })
  t.ok(await eventually(() => curl.exec(output())))
})

t.test('two services that start at once on one store print one key', async (t) => {
  const folder = temporaryFolder(t)
  await (await openStore(`sqlite:${join(folder, 'data/animal-store.db')}`)).close()
  const both = await Promise.all([startProcess(t, { folder }), startProcess(t, { folder })])
  for (const { kill } of both) kill('SIGTERM')
  const outputs = await Promise.all(both.map(({ ended }) => ended))
  t.equal(outputs.filter(({ stdout }) => curl.test(stdout)).length, 1)
})

t.test('in production, no key is made, every request is refused, and the log says what to do', async (t) => {
  const { origin, logged, output, folder } = await startProcess(t, { env: { NODE_ENV: 'production' } })
  const warning = await eventually(() => logged().find(({ level }) => level === 40))
  t.equal(warning.msg, 'there is no API key: every request will be refused; make one with: npm run keys -- create NAME')
  t.notMatch(output(), 'animal_')
  t.equal((await send(origin, 'GET', '/v1/pets')).status, 401)
  const store = await openStore(`sqlite:${join(folder, 'data/animal-store.db')}`)
  t.teardown(() => store.close())
  t.same(await store.keys.list(), [])
})

t.test('the keys in API_KEYS are taken, and none is made', async (t) => {
  const { origin, output, kill, ended } = await startProcess(t, { env: { API_KEYS: 'ci=0123456789abcdef' } })
  const headers = { authorization: 'Bearer 0123456789abcdef' }
  t.equal((await send(origin, 'GET', '/v1/pets', { headers })).status, 200)
  kill('SIGTERM')
  await ended
  t.notMatch(output(), 'animal_')
  t.notMatch(output(), '0123456789abcdef')
  t.match(output(), '"caller":"ci"')
})

t.test('a .env in the working directory counts where the environment is silent', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, '.env'), 'API_KEYS=0123456789abcdef\nDATABASE_URL=sqlite:other.db\nHOST=999.0.0.1\n')
  const { origin } = await startProcess(t, { folder })
  const headers = { authorization: 'Bearer 0123456789abcdef' }
  t.equal((await send(origin, 'GET', '/v1/pets', { headers })).status, 200)
  t.ok(existsSync(join(folder, 'other.db')))
})

t.test(
  'BASE_URL and STAGING_BASE_URL are the addresses in the docs, and their path is where the operations are',
  async (t) => {
    const { origin } = await startProcess(t, {
      env: {
        API_KEYS: '0123456789abcdef',
        BASE_URL: 'https://animals.example.com/api',
        STAGING_BASE_URL: 'https://staging.example.com/api',
      },
    })
    const headers = { authorization: 'Bearer 0123456789abcdef', 'content-type': 'application/json' }
    const added = await send(origin, 'POST', '/api/pets', { headers, json: { name: 'Rex', categoryId: 1 } })
    t.equal(added.status, 201)
    t.equal(added.headers.location, '/api/pets/1')
    t.match((await send(origin, 'GET', '/docs/json')).text, 'https://animals.example.com/api')
  },
)

t.test('what is below LOG_LEVEL is not logged', async (t) => {
  const { child, ended } = spawnService(t, { env: { NODE_ENV: 'production', LOG_LEVEL: 'warn' } })
  await once(child.stdout as Readable, 'data')
  child.kill('SIGTERM')
  const { status, stdout } = await ended
  t.equal(status, 0)
  t.same(
    eventsIn(stdout).map(({ level }) => level),
    [40],
  )
})

t.test('every mistake in the configuration is named at once, in a line each', async (t) => {
  const env = {
    HOST: 'a b',
    PORT: '80a',
    DATABASE_URL: 'mysql://me:secret@host/db',
    API_KEYS: 'short',
    BASE_URL: 'nowhere',
    LOG_LEVEL: 'loud',
  }
  const stderr = await refuses(t, { env })
  t.same(
    stderr.split('\n').map((line) => line.split(':')[0]),
    ['HOST', 'PORT', 'DATABASE_URL', 'API_KEYS', 'BASE_URL', 'LOG_LEVEL'],
  )
  t.notMatch(stderr, /secret|short/)
})

t.test('servers that lead to different paths are refused, naming the variables that do it', async (t) => {
  const stderr = await refuses(t, { env: { BASE_URL: 'https://animals.example.com/v2' } })
  t.match(stderr, /openapi\.yaml:\d+:\d+: the servers lead to different paths, \/v2 and \/v1; .*BASE_URL/)
})

t.test('a port in use, or an address that is not of this machine, is one line that says what to do', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const inUse = await refuses(t, { env: { PORT: String(port) } })
  t.match(
    inUse,
    new RegExp(`^listen EADDRINUSE: .*127\\.0\\.0\\.1:${port}; stop what listens there or choose another PORT$`),
  )
  t.match(await refuses(t, { env: { HOST: '203.0.113.7' } }), /203\.0\.113\.7.*; choose another HOST or PORT$/)
  t.match(await refuses(t, { env: { HOST: 'x'.repeat(64) } }), / x{64}; choose another HOST or PORT$/)
})

t.test('a place where no store can be is one line that says what to do', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'file'), 'text')
  writeFileSync(join(folder, 'text.db'), 'no database '.repeat(500))
  for (const [DATABASE_URL, message] of [
    ['sqlite:file/animals.db', /^the store sqlite:file\/animals\.db cannot be opened: .*; name a file in a folder/],
    ['sqlite:/proc/animals.db', /^the store sqlite:\/proc\/animals\.db cannot be opened: .*; name a file in a folder/],
    ['sqlite:text.db', /^the store sqlite:text\.db cannot be opened: file is not a database; name a file/],
    ['mysql://me@host/db', /^DATABASE_URL: "mysql:" is not how the URL of a store begins; use sqlite:PATH/],
  ] as const) {
    t.match(await refuses(t, { folder, env: { DATABASE_URL } }), message)
  }
})

t.test('a document that is wrong is refused with every place in it', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'broken.yaml')
  const source = readFileSync(contractFile, 'utf8')
  writeFileSync(
    file,
    source
      .replace('operationId: listPets', 'operationId: listAnimals')
      .replace('maximum: 100', 'maximun: 100')
      .replace('"#/components/schemas/Pets"', '"#/components/schemas/Animals"')
      .replace('x-sunset: 2030-12-05', 'x-sunset: 2020-12-05'),
  )
  const stderr = await refuses(t, { folder, args: [file] })
  const lines = stderr.split('\n')
  t.ok(lines.length >= 4)
  for (const line of lines) t.match(line, /^broken\.yaml:\d+:\d+: .+; .+$/)
  for (const said of [
    '"maximun" is not honoured in Schema Object (did you mean "maximum"?)',
    '"#/components/schemas/Animals" leads nowhere',
    'the sunset 2020-12-05 is earlier than the deprecation 2026-11-20',
    'there is no operation "listPets"',
  ]) {
    t.equal(lines.filter((line) => line.includes(said)).length, 1, said)
  }

  writeFileSync(file, 'openapi: 3.1.0\npaths: [')
  t.match(await refuses(t, { folder, args: [file] }), /^broken\.yaml:\d+:\d+: not YAML: .*; correct the syntax$/)
  t.match(await refuses(t, { folder, args: ['absent.yaml'] }), /^absent\.yaml:1:1: the file cannot be read \(ENOENT\)/)
})

t.test('a document and the program that do not fit each other are refused', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'other.yaml')
  const source = readFileSync(contractFile, 'utf8').replace('operationId: createPet', 'operationId: addPet')
  writeFileSync(file, source)
  const lines = (await refuses(t, { folder, args: [file] })).split('\n')
  t.match(
    lines[0],
    /^other\.yaml:\d+:\d+: no operation asks for the handler "createPet"; add one or remove the handler$/,
  )
  t.match(lines[1], /^other\.yaml:\d+:\d+: "addPet" has no handler; write one or remove the operation$/)
  t.equal(lines.length, 2)
})

t.test('an operation past its sunset is served, with a warning at the start', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'late.yaml')
  const source = readFileSync(contractFile, 'utf8')
    .replace('x-deprecated-since: 2026-11-20', 'x-deprecated-since: 2020-01-01')
    .replace('x-sunset: 2030-12-05', 'x-sunset: 2020-12-05')
  writeFileSync(file, source)
  const { origin, logged } = await startProcess(t, { folder, args: [file], env: { API_KEYS: '0123456789abcdef' } })
  t.match(
    logged().find(({ level }) => level === 40),
    { msg: 'operation is served past its sunset', operationId: 'getPet', sunset: '2020-12-05' },
  )
  const { status, headers } = await send(origin, 'GET', '/v1/pets/1', {
    headers: { authorization: 'Bearer 0123456789abcdef' },
  })
  t.equal(status, 404)
  t.equal(headers.sunset, 'Sat, 05 Dec 2020 00:00:00 GMT')
})

t.test('what nobody has foreseen is told with where it happened', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'animals.db')
  await (await openStore(`sqlite:${file}`)).close()
  using database = new DatabaseSync(file)
  database.exec('DROP TABLE keys')
  const { status, stderr } = await runProcess(t, { folder, env: { DATABASE_URL: 'sqlite:animals.db' } })
  t.equal(status, 1)
  t.match(stderr, /no such table: keys\n +at /)
})

/** The process does not start: status 1, nothing but lines for a person, which are returned, and no stack. */
async function refuses(t: Test, options: ProcessOptions): Promise<string> {
  const { status, stdout, stderr } = await runProcess(t, options)
  t.equal(status, 1)
  t.equal(stdout, '')
  t.notMatch(stderr, /^ +at /m)
  return stderr.trimEnd()
}

/** What the function gives, as soon as it gives anything. */
async function eventually<Value>(look: () => Value | Promise<Value>): Promise<NonNullable<Value>> {
  for (;;) {
    const value = await look()
    if (value) return value
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
