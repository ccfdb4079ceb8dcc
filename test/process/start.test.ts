/** A process that starts: its configuration, its first API key, and the code that it loads. */
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { hashKey } from '../../src/auth/keys.ts'
import { send } from '../helpers/http.ts'
import { connect, freshDatabase } from '../helpers/postgres.ts'
import {
  eventsIn,
  mainFile,
  type RunningProcess,
  spawnService,
  startNode,
  startProgram,
  startServiceProcess,
} from '../helpers/process.ts'
import { spec } from '../helpers/service.ts'
import { openAt, using } from '../helpers/stores.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { TIMEOUT_MS, waitUntil } from '../helpers/wait.ts'

const key = '0123456789abcdef'
const headers = { authorization: `Bearer ${key}` }

/** The line that a newcomer pastes into a shell, as its parts. */
const curl = /^ {4}curl -H '(Authorization): (Bearer (animal_[\w-]{43}))' (http:\/\/\S+)$/m

t.test('each variable reaches the part of the service that it configures', async (t) => {
  const { origin, output, errors, kill, waitForEnd } = await startServiceProcess(t, {
    env: {
      API_KEYS: `ci=${key}`,
      BASE_URL: 'https://animals.example.com/api',
      STAGING_BASE_URL: 'https://staging.example.com/api',
      RATE_LIMIT: '2/60',
    },
  })
  const added = await send(origin, 'POST', '/api/pets', { headers, json: { name: 'Rex', categoryId: 1 } })
  t.match(added, { status: 201, headers: { location: '/api/pets/1' } })
  t.match((await send(origin, 'GET', '/docs/json')).text, 'https://animals.example.com/api')
  t.equal((await send(origin, 'GET', '/api/pets', { headers })).status, 200)
  t.equal((await send(origin, 'GET', '/api/pets', { headers })).status, 429)
  kill('SIGTERM')
  await waitForEnd()
  // There is a key, so no first one is made; its name is logged, and not the key.
  t.notMatch(output() + errors(), /animal_/)
  t.notMatch(output(), key)
  t.match(output(), '"key":"ci"')
})

t.test('SIGUSR1 opens no debugger', async (t) => {
  const { logged, kill, waitForEnd } = startNode(t, ['--disable-sigusr1', mainFile])
  await waitUntil(() => logged().some(({ msg }) => String(msg).startsWith('Server listening')))
  kill('SIGUSR1')
  kill('SIGTERM')
  const { status, stderr } = await waitForEnd()
  t.equal(status, 0)
  t.notMatch(stderr, 'Debugger')
})

t.test('a .env in the working directory supplies variables that the environment lacks', async (t) => {
  const folder = temporaryFolder(t)
  const variables = [`API_KEYS=${key}`, 'DATABASE_URL=sqlite:other.db', 'HOST=999.0.0.1']
  writeFileSync(join(folder, '.env'), variables.join('\n'))
  const { origin } = await startServiceProcess(t, { folder })
  t.equal((await send(origin, 'GET', '/v1/pets', { headers })).status, 200)
  t.ok(existsSync(join(folder, 'other.db')))
})

t.test('an operation past its sunset is served, with a warning at the start', async (t) => {
  const folder = temporaryFolder(t)
  const late = spec.replace(': 2026-11-20', ': 2020-01-01').replace(': 2030-', ': 2020-')
  writeFileSync(join(folder, 'late.yaml'), late)
  const options = { folder, args: ['late.yaml'], env: { API_KEYS: key } }
  const { origin, logged } = await startServiceProcess(t, options)
  const warning = { operationId: 'getPet', sunset: '2020-12-05' }
  t.match(logged()[0], { level: 40, msg: 'getPet is still served after its sunset', ...warning })
  const { status, headers: received } = await send(origin, 'GET', '/v1/pets/1', { headers })
  t.strictSame([status, received.sunset], [404, 'Sat, 05 Dec 2020 00:00:00 GMT'])
})

t.test('in production no key is made, and of LOG_LEVEL=warn the log has only the warning of that', async (t) => {
  const folder = realpathSync(temporaryFolder(t))
  const { output, kill, waitForEnd } = spawnService(t, { folder, env: { NODE_ENV: 'production', LOG_LEVEL: 'warn' } })
  await waitUntil(output)
  kill('SIGTERM')
  const { status, stdout, stderr } = await waitForEnd()
  t.strictSame([status, stderr], [0, ''])
  const url = `sqlite:${folder}/data/animal-store.db`
  const msg = `the store ${url} has no API key, so every request is rejected; create one (docs/operations.md, "API keys")`
  t.match(eventsIn(stdout), [{ level: 40, msg }])
  t.equal(eventsIn(stdout).length, 1)
  const store = await openAt(t, url)
  t.same(await store.keys.list(), [])
})

t.test('a key is made and printed if none is active, with a curl command that works, and not logged', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'data/animal-store.db')
  const start = (HOST: string) => startServiceProcess(t, { folder, env: { HOST } })
  const stop = ({ kill, waitForEnd }: RunningProcess) => {
    kill('SIGTERM')
    return waitForEnd()
  }
  const first = await start('0.0.0.0')
  const [, header = '', value = '', key = '', url = ''] = await waitUntil(() => curl.exec(first.errors()))
  const { stdout, stderr } = await stop(first)
  t.match(stderr, 'There was no API key, so here is one. It is not shown again.')
  t.equal(stderr.match(/animal_/g)?.length, 2)
  t.equal(new URL(url).port, new URL(first.origin).port)
  t.notMatch(stdout, key)
  for (const line of stdout.trimEnd().split('\n')) t.match(JSON.parse(line), { level: 30 })
  t.equal(readFileSync(file).includes(key), false)
  t.equal(readFileSync(file).includes(Buffer.from(hashKey(key), 'base64url')), true)

  const store = await openAt(t, `sqlite:${file}`)
  // It is still active.
  await store.keys.revoke('first-key', new Date(Date.now() + 600_000))
  const second = await start('127.0.0.1')
  const response = await send(second.origin, 'GET', new URL(url).pathname, { headers: { [header]: value } })
  t.match(response, { status: 200, text: '[]' })
  t.notMatch((await stop(second)).stderr, 'animal_')

  await store.keys.revoke('first-key')
  for (const HOST of ['localhost', '::']) {
    const { errors } = await start(HOST)
    const [, header = '', value = '', , url = ''] = await waitUntil(() => curl.exec(errors()))
    t.equal(
      (await fetch(url, { headers: { [header]: value }, signal: AbortSignal.timeout(TIMEOUT_MS) })).status,
      200,
      `${HOST}: ${url}`,
    )
    await store.keys.revoke('first-key')
  }
})

t.test('a first key that cannot be printed is revoked, and the service goes on', async (t) => {
  const databaseUrl = `sqlite:${join(temporaryFolder(t), 'animals.db')}`
  for (const under of [
    ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh'],
    ['bash', '-c', 'exec "$@" 2> >(exec true)', 'bash'],
  ]) {
    const { origin, logged, kill, waitForEnd } = await startServiceProcess(t, {
      under,
      env: { DATABASE_URL: databaseUrl },
    })
    const warning = await waitUntil(() => logged().find(({ level }) => level === 40))
    t.match(warning, { msg: / may have no active API key; / })
    t.equal((await send(origin, 'GET', '/readyz')).status, 200)
    kill('SIGTERM')
    t.equal((await waitForEnd()).status, 0)
    const keys = await using(databaseUrl, (store) => store.keys.list())
    t.ok(keys.length > 0 && keys.every(({ revokedAt }) => revokedAt !== undefined))
  }
})

t.test('one of two services that start at the same time on one store makes the first key', async (t) => {
  const url = `sqlite:${join(temporaryFolder(t), 'animals.db')}`
  const { waitForEnd } = startProgram(
    t,
    `import { ensureApiKey } from 'SRC/serve.ts'
     import { openStore } from 'SRC/stores/open.ts'
     const stores = [await openStore('${url}'), await openStore('${url}')]
     const config = { apiKeys: [], databaseUrl: '${url}', production: false }
     await Promise.all(stores.map((store) => ensureApiKey(store, config, 'http://localhost/v1/pets')))
     await Promise.all(stores.map((store) => store.close()))`,
  )
  t.equal((await waitForEnd()).stderr.match(/curl/g)?.length, 1)
  t.match(await using(url, ({ keys }) => keys.list()), [{ name: 'first-key' }])
})

t.test('the service continues with a warning if the store is unavailable while the first key is made', async (t) => {
  const databaseUrl = await freshDatabase(t)
  await using(databaseUrl, async () => {})
  const client = await connect(t, databaseUrl)
  await client.query('BEGIN; LOCK TABLE keys IN ACCESS EXCLUSIVE MODE')
  const { errors, logged, origin } = await startServiceProcess(t, { env: { DATABASE_URL: databaseUrl } })
  const warning = await waitUntil(() => logged().find(({ level }) => level === 40))
  t.match(warning, { msg: / may have no active API key; /, err: { type: 'HttpError' } })
  await client.query('COMMIT')
  t.equal((await send(origin, 'GET', '/readyz')).status, 200)
  t.notMatch(errors(), 'animal_')
})

/** At the end of the process, prints which files of packages it has loaded. */
const reporting = `
  import { createRequire } from 'node:module'
  process.on('exit', () => {
    const files = Object.keys(createRequire('/').cache)
    console.error(JSON.stringify(files.map((file) => file.split('/node_modules/').at(-1))))
  })`

t.test('a start, and the requests after it, load no package that only other configurations need', async (t) => {
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(reporting)}`]
  const { origin, kill, waitForEnd } = await startServiceProcess(t, { env: { API_KEYS: key }, nodeArgs })
  t.match(await send(origin, 'GET', '/v1/pets?limit=20&status=sold', { headers }), { status: 200 })
  t.match(await send(origin, 'GET', '/v1/pets?limit=0', { headers }), { status: 400 })
  t.match(await send(origin, 'POST', '/v1/pets', { headers, json: { name: 'Rex', categoryId: 1 } }), { status: 201 })
  kill('SIGTERM')
  const { status, stderr } = await waitForEnd()
  t.equal(status, 0)
  const loaded: string[] = JSON.parse(stderr)
  t.ok(loaded.includes('fastify/fastify.js'))
  // For the other database, for terminals, for metrics, and for pages of other origins.
  const unneeded = /^(?:pg|pino-pretty|prom-client|@fastify\/cors)\//
  t.strictSame(
    loaded.filter((file) => unneeded.test(file)),
    [],
  )
})
