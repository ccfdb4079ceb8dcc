/**
 * The effects of environment variables on the process.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { send } from '../helpers/http.ts'
import { eventsIn, spawnService, startServiceProcess } from '../helpers/process.ts'
import { contractFile } from '../helpers/service.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'

t.test('the keys in API_KEYS are accepted, and no first key is made', async (t) => {
  const { origin, output, kill, ended } = await startServiceProcess(t, { env: { API_KEYS: 'ci=0123456789abcdef' } })
  const headers = { authorization: 'Bearer 0123456789abcdef' }
  t.equal((await send(origin, 'GET', '/v1/pets', { headers })).status, 200)
  kill('SIGTERM')
  await ended
  t.notMatch(output(), 'animal_')
  t.notMatch(output(), '0123456789abcdef')
  t.match(output(), '"key":"ci"')
})

t.test('a .env in the working directory supplies variables that the environment lacks', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, '.env'), 'API_KEYS=0123456789abcdef\nDATABASE_URL=sqlite:other.db\nHOST=999.0.0.1\n')
  const { origin } = await startServiceProcess(t, { folder })
  const headers = { authorization: 'Bearer 0123456789abcdef' }
  t.equal((await send(origin, 'GET', '/v1/pets', { headers })).status, 200)
  t.ok(existsSync(join(folder, 'other.db')))
})

t.test(
  'BASE_URL and STAGING_BASE_URL are the addresses in the docs, and their path is where the operations are',
  async (t) => {
    const { origin } = await startServiceProcess(t, {
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

t.test('events below LOG_LEVEL are not logged', async (t) => {
  const { output, kill, ended } = spawnService(t, { env: { NODE_ENV: 'production', LOG_LEVEL: 'warn' } })
  await waitUntil(output)
  kill('SIGTERM')
  const { status, stdout } = await ended
  t.equal(status, 0)
  t.same(
    eventsIn(stdout).map(({ level }) => level),
    [40],
  )
})

t.test('an operation past its sunset is served, with a warning at the start', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'late.yaml')
  const source = readFileSync(contractFile, 'utf8')
    .replace('x-deprecated-since: 2026-11-20', 'x-deprecated-since: 2020-01-01')
    .replace('x-sunset: 2030-12-05', 'x-sunset: 2020-12-05')
  writeFileSync(file, source)
  const { origin, logged } = await startServiceProcess(t, {
    folder,
    args: [file],
    env: { API_KEYS: '0123456789abcdef' },
    coverage: true,
  })
  t.match(
    logged().find(({ level }) => level === 40),
    { msg: 'the sunset of an operation that is still served is past', operationId: 'getPet', sunset: '2020-12-05' },
  )
  const { status, headers } = await send(origin, 'GET', '/v1/pets/1', {
    headers: { authorization: 'Bearer 0123456789abcdef' },
  })
  t.equal(status, 404)
  t.equal(headers.sunset, 'Sat, 05 Dec 2020 00:00:00 GMT')
})

t.test('RATE_LIMIT limits the requests of each key', async (t) => {
  const key = '0123456789abcdef'
  const { origin } = await startServiceProcess(t, { env: { API_KEYS: key, RATE_LIMIT: '2/60' } })
  const statuses: number[] = []
  for (let count = 0; count < 3; count++) {
    const { status } = await fetch(`${origin}/v1/pets`, { headers: { authorization: `Bearer ${key}` } })
    statuses.push(status)
  }
  t.same(statuses, [200, 200, 429])
})
