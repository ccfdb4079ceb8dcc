/**
 * The embedded store while another process uses it, or on a full disk.
 */
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { hashKey } from '../../src/auth/keys.ts'
import { openStore } from '../../src/stores/open.ts'
import type { NewPet } from '../../src/stores/store.ts'
import { sqlite } from '../helpers/databases.ts'
import { startProgram } from '../helpers/process.ts'

const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }

t.test('a store on a full disk is read, and stores no part of an addition', async (t) => {
  const url = await sqlite.fresh(t)
  const { ended } = startProgram(
    t,
    `import { openStore } from 'SRC/stores/open.ts'
     const store = await openStore('${url}')
     const pet = { name: 'Rex'.repeat(80), categoryId: 1n, status: 'available' }
     const request = { scope: 'shop', fingerprint: Buffer.alloc(32), ttlMs: 60_000 }
     const added = [], failures = new Set()
     while (failures.size === 0) {
       const batch = Array.from({ length: 10 }, (_, index) =>
         store.pets.addOnce(pet, { ...request, key: added.length + '.' + index }))
       for (const { value, reason } of await Promise.allSettled(batch)) {
         if (value) added.push(Number(value.pet.id))
         else failures.add(reason.name)
       }
     }
     const listed = await store.pets.list({ after: 0n, limit: 10_000 })
     console.log(JSON.stringify({ added, listed: listed.map(({ id }) => Number(id)), failures: [...failures] }))
     await store.close()`,
    // A limit on the size of files holds for every user, root too. Node itself writes none.
    { under: ['sh', '-c', 'ulimit -f 300; exec "$@"', 'sh'], env: { NODE_DISABLE_COMPILE_CACHE: '1' } },
  )
  const { stdout } = await ended
  const { added, listed, failures } = JSON.parse(stdout)
  t.same(failures, ['HttpError'])
  t.ok(added.length > 0)
  t.same(listed, added)
  const { pets, close } = await openStore(url)
  t.teardown(close)
  t.same(
    (await pets.list({ after: 0n, limit: 10_000 })).map(({ id }) => Number(id)),
    added,
  )
  t.ok((await pets.add(rex)).id > added.at(-1))
})

t.test('a key created by another process is active at once, and one that it revokes for at most 500 ms', async (t) => {
  const url = await sqlite.fresh(t)
  const { keys, close } = await openStore(url)
  t.teardown(close)
  const hash = hashKey('ops')
  const elsewhere = async (action: string) => {
    const { ended } = startProgram(
      t,
      `import { openStore } from 'SRC/stores/open.ts'
       const store = await openStore('${url}')
       await store.keys.${action}
       await store.close()`,
    )
    t.match(await ended, { status: 0, stderr: '' })
  }
  t.equal(await keys.find(hash), undefined)
  await elsewhere(`add('ops', '${hash}')`)
  t.equal((await keys.find(hash))?.name, 'ops')
  await elsewhere(`revoke('ops')`)
  await setTimeout(500)
  t.equal(await keys.find(hash), undefined)
})
