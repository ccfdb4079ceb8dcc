/**
 * A PostgreSQL store whose server has another time than this machine.
 */
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { hashKey } from '../../src/auth/keys.ts'
import { openStore } from '../../src/stores/open.ts'
import { freshSchema, query } from '../helpers/postgres.ts'
import { runScript, startServiceProcess } from '../helpers/process.ts'
import { waitUntil } from '../helpers/wait.ts'
import { retryOf, rex, using } from './catalogue.ts'

for (const shift of ['2 hours', '-2 hours']) {
  t.test(`keys begin, end and are used by the clock of the server, which is ${shift} apart`, async (t) => {
    const url = await freshStore(t, shift)
    const folder = t.testdir()
    const env = { DATABASE_URL: url }
    const run = async (...args: string[]) => {
      const { status, stdout, stderr } = await runScript(t, 'keys', args, { folder, env })
      t.equal(status, 0, stderr)
      return { stdout: stdout.trim(), stderr }
    }
    const serverNow = async () => Number((await query(url, 'SELECT now()'))[0]?.now)
    const store = await openStore(url)
    t.teardown(() => store.close())

    const first = hashKey((await run('create', 'shop', '--expires', '1h')).stdout)
    t.match(await store.keys.find(first), { name: 'shop' }, 'a new key is accepted')
    const { errors } = await startServiceProcess(t, { folder, env })
    t.notMatch(errors(), 'There was no API key')
    const used = await waitUntil(async () => (await store.keys.list())[0]?.lastUsedAt)
    t.ok(Math.abs(used.getTime() - (await serverNow())) < 60_000, 'the last use is by the clock of the server')

    const rotation = await run('rotate', 'shop', '--grace', '30m')
    const [old, next] = await store.keys.list()
    t.match(rotation.stderr, `The old key ends at ${old?.revokedAt?.toISOString().slice(0, 19)}Z`)
    t.ok(Math.abs(Number(old?.revokedAt) - (await serverNow()) - 30 * 60_000) < 60_000)
    t.equal(Math.round((Number(next?.expiresAt) - Number(next?.createdAt)) / 60_000), 60)
    t.match(await store.keys.find(first), { name: 'shop' }, 'the old key is accepted until the grace is over')
    t.match(await store.keys.find(hashKey(rotation.stdout)), { name: 'shop' }, 'and so is the new one')

    const brief = hashKey((await run('create', 'brief', '--expires', '2s')).stdout)
    await setTimeout(2000)
    t.equal(await store.keys.find(brief), undefined, 'a key of 2 s has ended after 2 s')
    const states = (await run('list')).stdout.split('\n').map((line) => line.split(/ +/).slice(0, 2).join(' '))
    t.same(states, ['NAME STATE', 'shop ending', 'shop active', 'brief expired'])
  })
}

t.test('idempotency keys are moved until they end by the clock of the server', async (t) => {
  const [from, to] = [await freshStore(t, '-2 hours'), await freshStore(t, '-2 hours')]
  await using(from, ({ pets }) => pets.addOnce(rex, retryOf('one')))
  const { status, stderr } = await runScript(t, 'move', [from, to])
  t.equal(status, 0, stderr)
  t.match(await using(to, ({ pets }) => pets.addOnce(rex, retryOf('one'))), { outcome: 'replayed' })
})

/** Returns the URL of an empty place for a store, in which the clock of the server is shifted. */
async function freshStore(t: Test, shift: string): Promise<string> {
  const url = new URL(await freshSchema(t))
  await query(
    url.href,
    `CREATE FUNCTION now() RETURNS timestamptz LANGUAGE sql STABLE
     AS $$ SELECT pg_catalog.now() + interval '${shift}' $$`,
  )
  // Otherwise the function of the system comes first.
  url.searchParams.set('options', `${url.searchParams.get('options')},pg_catalog`)
  return url.href
}
