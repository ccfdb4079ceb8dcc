/** Reads that share a snapshot of the data. */
import { AsyncLocalStorage } from 'node:async_hooks'
import t from 'tap'
import { awaitSnapshot, createSnapshotScheduler } from '../../src/http/snapshot-reads.ts'
import { send } from '../helpers/http.ts'
import { startService } from '../helpers/service.ts'
import { createLayer } from '../openapi/layer.ts'

function record() {
  const log: string[] = []
  const scheduleRead = createSnapshotScheduler({ begin: () => void log.push('begin'), end: () => void log.push('end') })
  const request = (name: string) =>
    new Promise<number>((resolve) => {
      scheduleRead(() => resolve(log.push(name)))
    })
  return { log, request, scheduleRead }
}

t.test('the requests of an iteration read together, in a snapshot of their own', async (t) => {
  const { log, request } = record()
  const both = [request('a'), request('b')]
  await Promise.resolve()
  t.strictSame(log, [])
  await Promise.all(both)
  await request('c')
  t.strictSame(log, ['begin', 'a', 'b', 'end', 'begin', 'c', 'end'])
})

t.test(
  'handlers of one iteration read in one snapshot, also behind a slow hook, each in its own context',
  async (t) => {
    const { log, scheduleRead } = record()
    const storage = new AsyncLocalStorage<string>()
    const app = await createLayer(t, {
      source: `openapi: 3.1.0
info: { title: Words, version: 1.0.0 }
paths: { /words: { get: { operationId: listWords, responses: { "204": { description: None. } } } } }
`,
      handlers: {
        listWords: async () => {
          log.push(`read ${storage.getStore()}`)
          return { status: 204 }
        },
      },
      routes: {
        listWords: {
          preHandler: [
            ({ headers }, _reply, done) => storage.run(String(headers['x-name']), done),
            async () => new Promise(setImmediate),
            awaitSnapshot(scheduleRead),
          ],
        },
      },
    })
    const get = (name: string) => app.inject({ url: '/words', headers: { 'x-name': name } })
    await Promise.all([get('a'), get('b')])
    t.strictSame(log, ['begin', 'read a', 'read b', 'end'])
  },
)

t.test('lists and fetches of the service read in a snapshot, and additions do not', async (t) => {
  const { origin, key, store } = await startService(t)
  let snapshots = 0
  const { snapshot } = store
  t.ok(snapshot)
  if (snapshot === undefined) return
  const { begin } = snapshot
  snapshot.begin = () => {
    snapshots++
    begin()
  }
  const headers = { authorization: `Bearer ${key}` }
  t.equal((await send(origin, 'POST', '/v1/pets', { headers, json: { name: 'Rex', categoryId: 1 } })).status, 201)
  t.equal(snapshots, 0)
  t.equal((await send(origin, 'GET', '/v1/pets', { headers })).status, 200)
  t.equal((await send(origin, 'GET', '/v1/pets/1', { headers })).status, 200)
  t.equal(snapshots, 2)
})
