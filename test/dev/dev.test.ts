/**
 * `npm run dev` as a process: the command, on the spec while that is edited, and on a copy of the checkout while its code is.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { linkPackages } from '../../scripts/link-packages.ts'
import { planMigration } from '../../src/stores/migrations.ts'
import { migrations } from '../../src/stores/sqlite/tables.ts'
import { connectTo, readResponse, readToEnd, send } from '../helpers/http.ts'
import { getChildren, type RunningProcess, startCommand, startNode, startScript } from '../helpers/process.ts'
import { beginAdding } from '../helpers/slow-addition.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitForEvent, waitUntil } from '../helpers/wait.ts'
import { readMarked, readMistakes } from '../openapi/layer.ts'

const root = join(import.meta.dirname, '../..')
const key = '0123456789abcdef'
const env = { API_KEYS: `tests=${key}` }
const headers = { authorization: `Bearer ${key}` }

/** What the loop needs to be run from a folder of its own. */
const CHECKOUT = [
  ...['openapi.yaml', 'package.json', 'tsconfig.json', 'scripts/generate.ts', 'scripts/dev.ts'],
  ...['scripts/dev', 'scripts/supported.ts', 'scripts/spec-diff.ts', 'scripts/spec-diff', 'generated', 'src'],
]

/** The checkout that tests copy. */
let checkout: Promise<string> | undefined

const TABLES = 'src/stores/sqlite/tables.ts'
const HANDLERS = 'src/pets/handlers.ts'
const NO_ERRORS = /types: no errors$/m
const OPERATION = `  /pets/count:
    get:
      operationId: countPets
      responses:
        "200":
          description: The number of animals.
          content:
            application/json:
              schema: { type: object, required: [count], properties: { count: { type: integer } } }
              example: { count: 12 }
        default:
          $ref: "#/components/responses/InternalError"
  /pets/{petId}:`

t.test('npm run dev waits for a document and a configuration with which it can serve', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await waitForEvent(server, 'listening')
  const { port } = server.address() as { port: number }
  const folder = temporaryFolder(t)
  const save = (name: string, text: string) => writeFileSync(join(folder, name), text)
  save('.env', 'PORT=http\n')
  const { output, errors, kill, waitForEnd } = startScript(t, 'dev', ['api.yaml'], { folder, env: { PORT: undefined } })
  await waitUntil(() => output().includes('started: not served; waiting for a change'))
  t.match(errors(), /^api\.yaml:1:1: the file cannot be read \(ENOENT\)/)
  save('api.yaml', 'openapi: 3.1.0\ninfo: { title: Nothing, version: 1.0.0 }\npaths: {}\n')
  await waitUntil(() => /^PORT must be an integer/m.test(errors()))
  save('.env', `PORT=${port}\n`)
  await waitUntil(() => /EADDRINUSE.*; choose another HOST or PORT\n/.test(errors()))
  save('.env', 'PORT=0\n')
  await waitUntil(() => output().includes('.env changed: served after'))
  // By the rules of npm run lint.
  await waitUntil(() => /^api\.yaml:2:\d+: warning: Info object should contain `license` field\.$/m.test(output()))
  kill('SIGHUP')
  t.equal((await waitForEnd()).status, 0)
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  t.test(`${signal} to the group of npm run dev finishes 20 additions in progress and ends with 0`, async (t) => {
    const spec = join(temporaryFolder(t), 'openapi.yaml')
    cpSync(join(root, 'openapi.yaml'), spec)
    const { output, kill, waitForEnd } = startCommand(t, ['npm', 'run', 'dev', '--', spec], {
      folder: root,
      env: { ...env, DATABASE_URL: 'sqlite::memory:' },
      group: true,
    })
    const [, origin = ''] = await waitUntil(() => /API: (http:\/\/[^/]+)/.exec(output()))
    const additions = await Promise.all(
      Array.from({ length: 20 }, () => beginAdding(t, origin, headers.authorization, 'Rex')),
    )
    kill(signal)
    // npm passes the signal on meanwhile.
    await setTimeout(100)
    for (const { finish } of additions) finish()
    for (const { waitForEnd } of additions) t.match(await waitForEnd(), 'HTTP/1.1 201 Created\r\n')
    t.equal((await waitForEnd()).status, 0)
  })
}

t.test('npm run dev shows every mistake of a document at its place, and never a stack', async (t) => {
  const folder = temporaryFolder(t)
  const [marked = ''] = readFileSync(join(root, 'test/openapi/refusals/schemas.yaml'), 'utf8').split('---\n')
  const { source, places } = readMarked(marked)
  // The log redacts what follows a question mark: it may be a query.
  const expected = readMistakes(marked).map(
    (message, index) => `WARN: api.yaml:${places[index]}: ${message.replace(/\?.*/, '?')}`,
  )
  writeFileSync(join(folder, 'api.yaml'), source)
  const { output, errors, kill, waitForEnd } = startScript(t, 'dev', ['api.yaml'], { folder, env })
  await waitUntil(() => output().includes('started: served after'))
  for (const line of expected) t.ok(output().includes(line), line)
  t.notMatch(output() + errors(), /\n +at /)
  kill('SIGTERM')
  t.equal((await waitForEnd()).status, 0)
})

t.test('an edit of the spec is served however it is saved, and an invalid one is shown at its place', async (t) => {
  const dev = await startDev(t)
  const file = join(dev.folder, 'openapi.yaml')
  dev.save('openapi.yaml', withLimit(dev, 51))
  await untilLimit(dev, 51)

  dev.save('openapi.yaml~', withLimit(dev, 52))
  renameSync(`${file}~`, file)
  await untilLimit(dev, 52)

  // As `git checkout` does.
  const replaced = withLimit(dev, 53)
  rmSync(file)
  dev.save('openapi.yaml', replaced)
  await untilLimit(dev, 53)

  for (let limit = 54; limit < 74; limit++) {
    dev.save('openapi.yaml', withLimit(dev, limit))
    await setTimeout(5)
  }
  await untilLimit(dev, 73)

  dev.edit('openapi.yaml', '        maximum: 73', '        maximun: 73')
  await dev.untilProblem(/openapi\.yaml:(\d+):9: "maximun" is not supported .*\n {4}\1 \| {9}maximun: 73\n +\| {9}\^\n/)
  await dev.until('openapi.yaml changed: not served; the last good version goes on')
  await untilLimit(dev, 73)
  await dev.until(/INFO.*: .*request GET \/v1\/pets 400 \S+ ms listPets tests invalid_request/)
  t.notOk((dev.output() + dev.errors()).includes('\x1b'), 'there are no colours outside a terminal')
  dev.edit('openapi.yaml', '        maximun: 73', '        maximum: 90')
  await dev.until('openapi.yaml changed: served after')
  await untilLimit(dev, 90)

  dev.save('.env', 'NODE_ENV=prod\n')
  await dev.until('NODE_ENV is "prod", not production; correct it, or a first key is made')
})

t.test('npm run dev watches every file of a document, also one that does not exist yet', async (t) => {
  const folder = temporaryFolder(t)
  const save = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const limit = (maximum: number) => `type: integer\nmaximum: ${maximum}\ndefault: 1\n`
  mkdirSync(join(folder, 'api'))
  save(
    'api/api.yaml',
    `openapi: 3.1.0
info: { title: Things, version: 1.0.0 }
paths:
  /things:
    get:
      parameters: [{ name: limit, in: query, schema: { $ref: ../limit.yaml } }]
      responses: { "204": { description: None. } }
`,
  )
  const args = ['--root', '.', 'api/api.yaml']
  const { output, kill, waitForEnd } = startScript(t, 'dev', args, { folder, env: { PORT: '0' } })
  await waitUntil(() => output().includes('started: served after'))
  t.match(output(), 'WARN: api/api.yaml:6:56: the file "../limit.yaml" does not exist')
  save('limit.yaml', limit(5))
  const [, origin = ''] = await waitUntil(() => /API: (http:\/\/[^/,]+)/.exec(output()))
  const isServed = (status: number) =>
    waitUntil(async () => (await send(origin, 'GET', '/things?limit=7')).status === status)
  await isServed(400)
  save('limit.yaml', limit(9))
  await isServed(204)
  save('limit.yaml', limit(9).replace('maximum', 'maximun'))
  await waitUntil(() => output().includes('WARN: limit.yaml:2:1: "maximun" '))
  // By the rules of npm run lint.
  await waitUntil(() => /^api\/api\.yaml:2:\d+: warning: Info object should contain/m.test(output()))
  kill('SIGTERM')
  t.equal((await waitForEnd()).status, 0)
})

t.test('no request fails while versions change, and no version is left when the first process is killed', async (t) => {
  const dev = await startDev(t)
  const outcomes = new Set<string>()
  let count = 0
  let isDone = false
  const agents = [new Agent({ keepAlive: true, maxSockets: 8 }), new Agent({ keepAlive: false })]
  const clients = agents.flatMap((agent) =>
    Array.from({ length: 4 }, async (_each, index) => {
      while (!isDone) {
        const sent = request(`${dev.origin}/v1/pets`, { agent, headers })
        const outcome = await readResponse(sent.end()).then(
          ({ status, headers }) => `${status} ${headers.connection}`,
          String,
        )
        outcomes.add(outcome)
        count++
        await setTimeout(5 + 5 * index)
      }
    }),
  )
  try {
    for (const limit of [51, 52]) {
      dev.save('openapi.yaml', withLimit(dev, limit))
      await untilLimit(dev, limit)
      const before = count
      await waitUntil(() => count > before + 50)
    }
  } finally {
    isDone = true
  }
  await Promise.all(clients)
  for (const agent of agents) agent.destroy()
  // A connection that is kept would keep the version that it was opened with.
  t.strictSame([...outcomes], ['200 close'])

  // Beside it, the linter may run.
  const isVersion = (pid: number) =>
    spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes('version.ts')
  const version = Number(getChildren(dev.pid).find(isVersion))
  process.kill(version, 'SIGSTOP')
  const socket = await connectTo(dev.origin)
  // Long enough for the supervisor to accept the connection, which it must not.
  await setTimeout(500)
  process.kill(version, 'SIGKILL')
  await t.rejects(readToEnd(socket), { code: 'ECONNRESET' }, 'nobody waits for a version that was killed')

  process.kill(dev.pid, 'SIGKILL')
  await dev.untilFailure('/')
})

t.test('the service continues from a new operation to its handler', async (t) => {
  const dev = await startDev(t, { isCheckout: true })
  const untilCount = (count: string) => dev.untilGet('/v1/pets/count', (text) => text === count)
  dev.edit('openapi.yaml', '  /pets/{petId}:', OPERATION)
  await dev.until('these operations have no handler, and respond with examples: countPets')
  await untilCount('{"count":12}')
  await waitUntil(() => dev.read('generated/server.d.ts').includes('countPets'))
  await dev.until(/src\/pets\/handlers\.ts:\d+:\d+: .*countPets/)

  dev.edit(
    HANDLERS,
    '    async getPet(',
    '    async countPets() { return { status: 200, body: { count: 7 },\n    async getPet(',
  )
  await dev.untilProblem(/src\/pets\/handlers\.ts:\d+\n/)
  await dev.until('src/pets/handlers.ts changed: not served; the last good version goes on')
  await untilCount('{"count":12}')

  dev.edit(HANDLERS, 'count: 7 },\n', "count: 'seven' } } },\n")
  await untilCount(
    '{"code":"internal_error","message":"the service failed to respond; the failure is logged","status":500}',
  )
  await dev.until('invalid response: body.count must be of type integer, but is of type string')
  dev.edit(HANDLERS, "'seven'", '8')
  await untilCount('{"count":8}')
  await dev.until(NO_ERRORS)

  // The file is replaced as by `git checkout`. A version is started again if it has run for a second.
  const text = dev.read(HANDLERS).replace('count: 8', 'count: process.uptime() < 1 ? 9 : process.exit(7)')
  rmSync(join(dev.folder, HANDLERS))
  dev.save(HANDLERS, text)
  await dev.untilFailure('/v1/pets/count')
  await dev.until('the service ended with 7')
  await dev.until('restarted: served')

  dev.edit('src/openapi/generate/server.ts', 'The request that the handler of', 'All that the handler of')
  await waitUntil(() => dev.read('generated/server.d.ts').includes('/** All that the handler of countPets receives'))
  dev.kill('SIGTERM')
  t.match(await dev.waitForEnd(), { status: 0 })
})

t.test('what follows from an edit is said in eight lines at most, with the next step in the guide', async (t) => {
  const dev = await startDev(t, { isCheckout: true })
  commitAll(dev.folder, 'first')
  await dev.until(NO_ERRORS)
  const { length } = dev.output()
  dev.edit('openapi.yaml', '  /pets/{petId}:', OPERATION)
  const guide = 'docs/contributing-changes.md, "Adding an endpoint"'
  await dev.until('openapi.yaml changed: served after')
  await dev.until('routes: added GET /v1/pets/count (countPets)')
  await dev.until('types: generated/ is written')
  await dev.until(new RegExp(`handlers\\.ts:.*'countPets' is missing .*; write the handler \\(${guide}\\)$`, 'm'))
  await dev.until('types: 1 error; npx tsc shows all')
  const rating =
    /spec:diff: minor: 1 change since (\S+) \(HEAD\), and info\.version is \1; write \S+ or a later version$/m
  await waitUntil(() => rating.test(dev.output()))
  t.ok(countLines(dev.output().slice(length)) <= 8)

  const handler = 'async countPets() { return { status: 200, body: { count: await pets.count() } } },'
  dev.edit(HANDLERS, '    async getPet(', `    ${handler}\n    async getPet(`)
  await dev.until(`'count' does not exist on type 'PetStore'; declare it in src/stores/store.ts, and write it for each`)
  await dev.until('types: 1 error;')
  dev.edit('src/stores/store.ts', '  /** Finds the animal', '  count(): Promise<number>\n  /** Finds the animal')
  for (const _database of ['postgres', 'sqlite']) await dev.until(`'PetStore'; write it for this database (${guide})`)
  await dev.until('types: 2 errors;')

  const before = dev.output().length
  dev.edit('openapi.yaml', 'operationId: createPet', 'operationId: addPet')
  // `x-replaced-by` names it.
  dev.edit('openapi.yaml', 'operationId: listPets', 'operationId: findPets')
  dev.save('openapi.yaml', dev.read('openapi.yaml').replaceAll('listPets', 'findPets'))
  await dev.until(/types: ([4-9]|\d\d) errors;/)
  await waitUntil(() => dev.output().slice(before).includes('spec:diff: '))
  t.ok(countLines(dev.output().slice(before)) <= 8)
})

t.test('a type checker that finds no errors does not say so while the spec is rejected', async (t) => {
  const dev = await startDev(t, { isCheckout: true })
  await dev.until(NO_ERRORS)

  dev.edit('openapi.yaml', 'maximum: 100', 'maximun: 100')
  await dev.until('openapi.yaml changed: not served')
  const { length } = dev.output()
  dev.save(HANDLERS, `${dev.read(HANDLERS)}export const first: number = 'one'\n`)
  await dev.until("Type 'string' is not assignable to type 'number'")
  dev.edit(HANDLERS, "first: number = 'one'", 'first: number = 1')
  // Long enough for a check on most machines.
  await setTimeout(4000)
  t.notMatch(dev.output().slice(length), 'no errors')

  dev.edit('openapi.yaml', 'maximun: 100', 'maximum: 100')
  await dev.until('openapi.yaml changed: served after')
  await dev.until(NO_ERRORS)
})

t.test(
  'a new member without a column is rejected, its types are written, and they are judged after that',
  async (t) => {
    const dev = await startDev(t, { isCheckout: true })
    await dev.until(NO_ERRORS)
    const { length } = dev.output()
    const member = '        categoryId: { $ref: "#/components/schemas/CategoryId" }\n'
    const withColour = `${member}        colour: { type: string }\n`
    const rows = dev.read('src/stores/rows.ts')
    dev.save('openapi.yaml', dev.read('openapi.yaml').replaceAll(member, withColour))
    dev.save(
      'src/stores/rows.ts',
      rows
        .replace('\n}\n\n/** The members of', "\n  colour: ['colour', 'text'],\n}\n\n/** The members of")
        .replaceAll('categoryId, status', 'categoryId, status, colour')
        .replace('status, colour }', 'status, colour: colour ?? undefined }'),
    )
    await dev.untilProblem('colour')
    await dev.until('not served; the last good version goes on')
    await dev.until('types: generated/ is written')
    await dev.until(NO_ERRORS)
    const reports = dev
      .output()
      .slice(length)
      .match(/types: (no errors$|generated)/gm)
    t.strictSame(reports, ['types: generated', 'types: no errors'])
  },
)

t.test('while tables.ts differs from the last commit, animals and one key are in a scratch store', async (t) => {
  // Types are not checked, which would take most of the time.
  const dev = await startDev(t, { isCheckout: true, without: 'tsconfig.json', variables: { API_KEYS: '' } })
  commitAll(dev.folder, 'first')
  const getKeys = () => dev.errors().match(/^ {4}animal_\S+$/gm) ?? []
  const call = async (method: string, keyIndex: number, json?: object) => {
    const headers = { authorization: `Bearer ${getKeys()[keyIndex]?.trim()}` }
    return (await send(dev.origin, method, '/v1/pets', { headers, json })).text.match(/(?<="name":")\w+/g) ?? []
  }
  const committed = dev.read(TABLES)
  const { latest } = planMigration(0, migrations)
  const withColumns = (...names: string[]) => {
    const entries = names.map((name, index) => `  ${latest + 1 + index}: 'ALTER TABLE pets ADD COLUMN ${name} TEXT',\n`)
    return committed.replace('\n}\n', `\n${entries.join('')}}\n`)
  }

  await waitUntil(() => getKeys().length === 1)
  await call('POST', 0, { name: 'Rex', categoryId: 1 })
  for (const column of ['colour', 'color']) {
    dev.save(TABLES, withColumns(column))
    await dev.until('tables.ts has changes that are not committed, so animals and keys are in a scratch store')
    await dev.until('tables.ts changed: served after')
    await waitUntil(() => getKeys().length === 2)
    await call('POST', 1, { name: column, categoryId: 1 })
  }
  dev.save(HANDLERS, `${dev.read(HANDLERS)}\n`)
  await dev.until('handlers.ts changed: served after')
  t.strictSame(await call('GET', 1), ['colour', 'color'])

  commitAll(dev.folder, 'second')
  dev.save(HANDLERS, `${dev.read(HANDLERS)}\n`)
  await dev.until(`the tables of the store were upgraded from version ${latest} to ${latest + 1}`)
  await dev.until('handlers.ts changed: served after')
  t.strictSame(await call('GET', 0), ['Rex'])
  t.equal(getKeys().length, 2)
  dev.kill('SIGTERM')
  await dev.waitForEnd()

  dev.save(TABLES, withColumns('color', 'size'))
  commitAll(dev.folder, 'third')
  dev.save('variant.yaml', dev.read('openapi.yaml'))
  const { folder } = dev
  const other = startNode(t, [join(folder, 'scripts/dev.ts'), 'variant.yaml'], { folder, env, group: true })
  await waitUntil(() => other.output().includes('started: not served'))
  t.match(
    other.errors(),
    `its schema has version ${latest + 1}; upgrade it to ${latest + 2} by npm start or npm run dev`,
  )
})

/** Commits the spec and the code in a folder to a repository there, which is made if there is none. */
function commitAll(folder: string, message: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: folder })
  git('init', '--quiet')
  git('add', 'src', 'openapi.yaml')
  git('commit', '--quiet', `--message=${message}`)
}

/** Counts the lines of the supervisor, which begin with the time. */
function countLines(output: string): number {
  return output.match(/^\d\d:\d\d:\d\d /gm)?.length ?? 0
}

/** Waits until the service refuses pages of more than `limit` animals. */
function untilLimit(dev: Dev, limit: number): Promise<unknown> {
  return dev.untilGet('/v1/pets?limit=1000', (text) => text.includes(`at most ${limit}"`))
}

function withLimit(dev: Dev, limit: number): string {
  return dev.read('openapi.yaml').replace(/maximum: \d+\n(?= +default: 20)/, `maximum: ${limit}\n`)
}

interface Dev extends RunningProcess {
  readonly origin: string
  read(name: string): string
  save(name: string, text: string): void
  /** Replaces a text that a file has, in place. */
  edit(name: string, text: string, replacement: string): void
  get(path: string): Promise<string>
  /** Resolves when the text of a response is as the function says. */
  untilGet(path: string, isRight: (text: string) => boolean): Promise<unknown>
  /** Resolves when a request gets no response. */
  untilFailure(path: string): Promise<unknown>
  /** Resolves when the standard output has the text, after what has been waited for before. */
  until(text: string | RegExp): Promise<void>
  /** The same of the standard error. */
  untilProblem(text: string | RegExp): Promise<void>
}

interface DevOptions {
  /** True for the code of a copy of the checkout. */
  readonly isCheckout?: boolean
  /** A file that the copy lacks. */
  readonly without?: string
  readonly variables?: NodeJS.ProcessEnv
}

/** Starts the loop on a copy of the spec, and perhaps of the code. */
async function startDev(t: Test, { isCheckout = false, without, variables }: DevOptions = {}): Promise<Dev> {
  const folder = temporaryFolder(t)
  if (isCheckout) {
    checkout ??= createCheckout()
    cpSync(await checkout, folder, { recursive: true, verbatimSymlinks: true })
    if (without !== undefined) rmSync(join(folder, without))
  } else {
    cpSync(join(root, 'openapi.yaml'), join(folder, 'openapi.yaml'))
    linkPackages(folder)
  }
  const script = join(isCheckout ? folder : root, 'scripts/dev.ts')
  // A group, so that the compiler ends with the test.
  const args = isCheckout ? [] : ['openapi.yaml']
  const child = startNode(t, [script, ...args], { folder, env: { ...env, ...variables }, group: true })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const save = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const follow = (getText: () => string) => {
    let seen = 0
    return async (text: string | RegExp) => {
      const find = () => {
        const rest = getText().slice(seen)
        const at = typeof text === 'string' ? rest.indexOf(text) : rest.search(text)
        if (at >= 0) seen += at + 1
        return at >= 0
      }
      await waitUntil(find).catch(() => {
        throw new Error(`there is no ${text} in: ${getText().slice(seen)}`)
      })
    }
  }
  const until = follow(child.output)
  await until('served after')
  const origin = String(/API: (http:\/\/[^/]+)/.exec(child.output())?.[1])
  const get = async (path: string) => (await send(origin, 'GET', path, { headers })).text
  return {
    ...child,
    origin,
    read,
    save,
    edit: (name, text, replacement) => {
      const before = read(name)
      if (!before.includes(text)) throw new Error(`${name} does not have ${text}`)
      save(name, before.replace(text, replacement))
    },
    get,
    untilGet: (path, isRight) => waitUntil(async () => isRight(await get(path))),
    untilFailure: (path) =>
      waitUntil(() =>
        get(path).then(
          () => false,
          () => true,
        ),
      ),
    until,
    untilProblem: follow(child.errors),
  }
}

/** Creates a checkout with the results of a type check: those of its copies begin with them, and take half of the time. */
async function createCheckout(): Promise<string> {
  const folder = temporaryFolder(t)
  for (const name of CHECKOUT) cpSync(join(root, name), join(folder, name), { recursive: true })
  linkPackages(folder)
  rmSync(join(folder, 'node_modules/.cache'), { force: true })
  const args = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/tsc.json']
  await startNode(t, ['node_modules/typescript/bin/tsc', ...args], { folder }).waitForEnd()
  return folder
}
