import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { hashKey } from '../../src/auth/keys.ts'
import { type Database, sharedDatabases, sqlite } from '../helpers/databases.ts'
import { runScript } from '../helpers/process.ts'
import { execute } from '../helpers/sql.ts'
import { fill, retryOf, rex, using } from './catalogue.ts'

for (const [from, to] of pairs()) {
  t.test(`${from.name} to ${to.name}: animals, API keys, idempotency keys and the last id are all moved`, async (t) => {
    const [fromUrl, toUrl] = [await from.fresh(t), await to.fresh(t)]
    const animals = await fill(t, fromUrl)
    const apiKeys = await using(fromUrl, ({ keys }) => keys.list())

    const { status, stdout, stderr } = await runScript(t, 'move', [fromUrl, toUrl], { coverage: true })
    t.equal(status, 0, stderr)
    t.match(stdout, /^animals +6 +6$/m)
    t.match(stdout, /^API keys +3 +3$/m)
    t.match(stdout, /^idempotency keys +2 +2$/m)
    t.match(stdout, /^last id +9007199254741000 +9007199254741000$/m)
    t.match(stdout, /\nTO has everything that FROM has\. Start the service on TO, and no longer on FROM\.\n$/)
    t.match(stderr, /^moving: 6 of 6\nverifying: 6 of 6\n$/)

    await using(toUrl, async ({ pets, keys }) => {
      t.same(await pets.list({ after: 0n, limit: 100 }), animals)
      t.same(await pets.list({ after: 0n, limit: 100, status: 'sold' }), [animals[3]])
      t.same(await keys.list(), apiKeys)
      t.same(await keys.find(hashKey('shop')), apiKeys[2])
      t.equal(await keys.find(hashKey('old shop')), undefined)
      t.equal(await keys.add('shop', hashKey('third')), false)
      t.same(await pets.addOnce(rex, retryOf('one')), { outcome: 'replayed', pet: animals[0] })
      t.same(await pets.addOnce(rex, { ...retryOf('two'), scope: 'Ö' }), { outcome: 'replayed', pet: animals[1] })
      t.match(await pets.addOnce(rex, retryOf('expired')), { outcome: 'added', pet: { id: 9007199254741001n } })
    })
    await using(fromUrl, async ({ pets }) => t.same(await pets.list({ after: 0n, limit: 100 }), animals))
  })
}

for (const database of sharedDatabases) {
  t.test(`${database.name}: a repeated move moves only what was added since`, async (t) => {
    const [fromUrl, toUrl] = [await database.fresh(t), await database.fresh(t)]
    await fill(t, fromUrl)
    await runScript(t, 'move', [fromUrl, toUrl])
    const again = await runScript(t, 'move', [fromUrl, toUrl], { coverage: true })
    t.equal(again.status, 0, again.stderr)
    t.match(again.stderr, /^checking what exists: 6 of 6\nverifying: 6 of 6\n$/)

    await using(fromUrl, async ({ pets, keys }) => {
      await pets.addOnce(rex, retryOf('new'))
      await keys.revoke('shop')
      await keys.add('shop', hashKey('newest'))
    })
    const added = await runScript(t, 'move', [fromUrl, toUrl])
    t.equal(added.status, 0, added.stderr)
    t.match(added.stderr, /\nmoving: 7 of 7\n/)
    const keys = await using(fromUrl, ({ keys }) => keys.list())
    await using(toUrl, async (store) => {
      t.same(await store.keys.list(), keys)
      t.match(await store.pets.addOnce(rex, retryOf('new')), { outcome: 'replayed' })
      t.equal(await store.keys.find(hashKey('shop')), undefined)
      t.same(await store.keys.find(hashKey('newest')), keys[3])
    })
  })

  t.test(`${database.name}: a store of version 1 is brought up to date, and moved`, async (t) => {
    const [fromUrl, toUrl] = [await database.fresh(t), await database.fresh(t)]
    const fixture = database === sqlite ? 'sqlite.sql' : 'postgres.sql'
    await execute(fromUrl, readFileSync(join(import.meta.dirname, '../stores/version-1', fixture), 'utf8'))
    const { status, stderr } = await runScript(t, 'move', [fromUrl, toUrl])
    t.equal(status, 0, stderr)
    await using(toUrl, async ({ pets, keys }) => {
      t.equal((await pets.list({ after: 0n, limit: 100 })).length, 3)
      t.equal((await keys.list()).length, 2)
    })
  })
}

function pairs(): [Database, Database][] {
  return sharedDatabases.flatMap((from) => sharedDatabases.map((to): [Database, Database] => [from, to]))
}
