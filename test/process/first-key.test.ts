/**
 * The first key, which is made and printed once if there is none.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import t from 'tap'
import { hashKey } from '../../src/auth/keys.ts'
import { openStore } from '../../src/stores/open.ts'
import { send } from '../helpers/http.ts'
import { freshDatabase } from '../helpers/postgres.ts'
import { startProgram, startServiceProcess } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'

/** The line that a newcomer pastes into a shell, as its parts. */
const curl = /^ {4}curl -H '(Authorization): (Bearer animal_[\w-]{43})' (http:\/\/\S+)$/m

t.test('the first start prints a key on the standard error, once, with a curl command that works', async (t) => {
  const first = await startServiceProcess(t)
  await first.kill('SIGTERM')
  const { stdout, stderr } = await first.ended
  t.equal(stderr.match(/animal_/g)?.length, 2)
  t.match(stderr, 'There was no API key, so here is one. It is not shown again.')
  for (const line of stdout.trimEnd().split('\n')) t.match(JSON.parse(line), { level: 30 })
  const [, header = '', value = ''] = curl.exec(stderr) ?? []

  const second = await startServiceProcess(t, { folder: first.folder })
  const response = await send(second.origin, 'GET', '/v1/pets', { headers: { [header]: value } })
  t.equal(response.status, 200)
  t.equal(response.text, '[]')
  second.kill('SIGTERM')
  t.notMatch((await second.ended).stderr, 'animal_')
})

t.test('the curl command with the first key works on every HOST', async (t) => {
  for (const HOST of ['127.0.0.1', 'localhost', '0.0.0.0', '::']) {
    const { errors, origin } = await startServiceProcess(t, { env: { HOST } })
    const [, header = '', value = '', url = ''] = await waitUntil(() => curl.exec(errors()))
    t.equal(new URL(url).port, new URL(origin).port)
    const response = await fetch(url, { headers: { [header]: value } })
    t.equal(response.status, 200, `${HOST}: ${url}`)
    t.equal(await response.text(), '[]')
  }
})

t.test('the key that is printed is not in the log, and only its hash is in the store', async (t) => {
  const { errors, output, kill, ended, folder } = await startServiceProcess(t)
  const [, , value = ''] = await waitUntil(() => curl.exec(errors()))
  const key = value.replace('Bearer ', '')
  kill('SIGTERM')
  await ended
  t.notMatch(output(), key)
  const file = join(folder, 'data/animal-store.db')
  t.equal(readFileSync(file).includes(key), false)
  t.equal(readFileSync(file).includes(Buffer.from(hashKey(key), 'base64url')), true)
})

t.test(
  'where there is an active key none is made, even if it ends soon, and where all are revoked one is',
  async (t) => {
    const folder = temporaryFolder(t)
    const url = `sqlite:${join(folder, 'animals.db')}`
    const store = await openStore(url)
    t.teardown(() => store.close())
    await store.keys.add('ops', hashKey('some key'))
    await store.keys.revoke('ops', new Date(Date.now() + 600_000))
    const quiet = await startServiceProcess(t, { folder, env: { DATABASE_URL: url } })
    quiet.kill('SIGTERM')
    t.notMatch((await quiet.ended).stderr, 'animal_')
    await store.keys.revoke('ops')
    const { errors } = await startServiceProcess(t, { folder, env: { DATABASE_URL: url } })
    t.ok(await waitUntil(() => curl.exec(errors())))
  },
)

t.test('one of two services that start at the same time on one store makes the first key', async (t) => {
  const url = `sqlite:${join(temporaryFolder(t), 'animals.db')}`
  const { ended } = startProgram(
    t,
    `import { ensureApiKey } from 'SRC/auth/first-key.ts'
     import { openStore } from 'SRC/stores/open.ts'
     const stores = [await openStore('${url}'), await openStore('${url}')]
     const config = { apiKeys: [], production: false }
     await Promise.all(stores.map((store) => ensureApiKey(store, config, 'http://localhost/v1/pets')))
     await Promise.all(stores.map((store) => store.close()))`,
    { coverage: true },
  )
  t.equal((await ended).stderr.match(/curl/g)?.length, 1)
  const store = await openStore(url)
  t.teardown(() => store.close())
  t.match(await store.keys.list(), [{ name: 'first-key' }])
})

t.test('the service continues with a warning if the store is unavailable while the first key is made', async (t) => {
  const databaseUrl = await freshDatabase(t)
  await (await openStore(databaseUrl)).close()
  const client = new Client(databaseUrl)
  t.teardown(() => client.end())
  await client.connect()
  await client.query('BEGIN; LOCK TABLE keys IN ACCESS EXCLUSIVE MODE')
  const { errors, logged, origin } = await startServiceProcess(t, {
    env: { DATABASE_URL: databaseUrl },
    coverage: true,
  })
  const warning = await waitUntil(() => logged().find(({ level }) => level === 40))
  t.match(warning, {
    msg: /^cannot find out if there is an API key/,
    err: { type: 'HttpError' },
  })
  await client.query('COMMIT')
  t.equal((await send(origin, 'GET', '/health')).status, 200)
  t.notMatch(errors(), 'animal_')
})

t.test('in production, no key is made, every request is rejected, and the log says what to do', async (t) => {
  const { origin, logged, errors, folder } = await startServiceProcess(t, {
    env: { NODE_ENV: 'production' },
    coverage: true,
  })
  const warning = await waitUntil(() => logged().find(({ level }) => level === 40))
  t.equal(warning.msg, 'there is no API key, so every request is rejected; make one with: npm run keys -- create NAME')
  t.notMatch(errors(), 'animal_')
  t.equal((await send(origin, 'GET', '/v1/pets')).status, 401)
  const store = await openStore(`sqlite:${join(folder, 'data/animal-store.db')}`)
  t.teardown(() => store.close())
  t.same(await store.keys.list(), [])
})
