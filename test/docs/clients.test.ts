/**
 * The clients in docs/clients.md: the generated one through the whole contract, and each where connections are lost and the
 * service is unavailable.
 */
import { spawnSync } from 'node:child_process'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createAnimalStore } from '../../docs/examples/openapi-fetch-client.ts'
import type { components } from '../../generated/openapi.d.ts'
import { startFlakyProxy } from '../helpers/flaky-proxy.ts'
import { startCommand } from '../helpers/process.ts'
import { type Service, startService } from '../helpers/service.ts'
import { waitForEvent } from '../helpers/wait.ts'
import { readBlocks, root } from './pages.ts'

type Pet = components['schemas']['Pet']

const [curl = ''] = readBlocks('docs/clients.md').flatMap(({ code }) =>
  code.includes('--retry') && code.includes('Idempotency-Key') ? [code] : [],
)

const programs = [
  { name: 'openapi-fetch.ts', command: [process.execPath, join(root, 'docs/examples/openapi-fetch.ts')] },
  { name: 'client.py', command: ['python3', join(root, 'docs/examples/client.py')] },
  { name: 'curl', command: ['sh', '-eu', '-c', curl] },
] as const

t.test('the generated client adds, lists, pages, filters and fetches, and reads errors', async (t) => {
  const { origin, key } = await startService(t)
  const client = createAnimalStore(`${origin}/v1`, key)
  t.same((await client.GET('/pets')).data, [])

  const added: Pet[] = []
  for (const body of [
    { name: 'Rex', categoryId: 9007199254740993n },
    { name: 'Mia', categoryId: -(2n ** 63n), status: 'sold' },
    { name: 'Łaika', categoryId: 2n ** 63n - 1n, status: 'sold' },
  ] as const) {
    const { data, response } = await client.POST('/pets', { body })
    t.strictSame(data, { id: BigInt(added.length + 1), status: 'available', ...body })
    t.equal(response.headers.get('location'), `/v1/pets/${data?.id}`)
    added.push(data as Pet)
  }

  const paged: Pet[] = []
  let cursor: string | undefined
  do {
    const query = { limit: 2, ...(cursor !== undefined && { cursor }) }
    const { data = [], response } = await client.GET('/pets', { params: { query } })
    paged.push(...data)
    cursor = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  } while (cursor !== undefined)
  t.strictSame(paged, added)
  t.strictSame((await client.GET('/pets', { params: { query: { status: 'sold' } } })).data, added.slice(1))

  const one = await client.GET('/pets/{petId}', { params: { path: { petId: 1n } } })
  t.strictSame(one.data, added[0])
  t.equal(one.response.headers.get('sunset'), 'Thu, 05 Dec 2030 00:00:00 GMT')
  const absent = await client.GET('/pets/{petId}', { params: { path: { petId: 2n ** 63n - 1n } } })
  t.match(absent.error, { code: 'animal_not_found', message: 'no animal has the id 9223372036854775807', status: 404 })
  const wrong = await client.POST('/pets', { body: { name: '', categoryId: 2n ** 63n } })
  t.match(wrong.error, { code: 'invalid_request', message: /name .+; body\.categoryId must be an int64/, status: 400 })
  const stranger = await createAnimalStore(`${origin}/v1`, 'someone-elses-key').GET('/pets')
  t.match(stranger.error, { code: 'invalid_key', status: 401 })
})

t.test('the generated client gives up at last', async (t) => {
  const { origin, key } = await startService(t)
  const proxy = await startFlakyProxy(t, origin, ['refuse', 'refuse', 'refuse', 'refuse', 'refuse'])
  await t.rejects(createAnimalStore(`${proxy.origin}/v1`, key).GET('/pets'), { name: 'TypeError' })
  t.equal(proxy.connections(), 5)
})

for (const { name, command } of programs) {
  t.test(`an animal is added once, however many responses are lost: ${name}`, async (t) => {
    const [program] = command
    if (spawnSync(program, ['--version']).error !== undefined) {
      // With CI set, everything has to be tested.
      t.ok(!process.env.CI, { skip: !process.env.CI && `${program} is not installed` })
      return
    }
    const service = await startService(t)
    const proxy = await startFlakyProxy(t, service.origin, ['loseResponse', 'unavailable'])
    const env = { ANIMAL_STORE_URL: `${proxy.origin}/v1`, ANIMAL_STORE_KEY: service.key }
    const { status, stderr } = await startCommand(t, command, { env }).waitForEnd()
    t.equal(status, 0, stderr)
    t.ok(proxy.connections() > 2)
    const stored = await service.store.pets.list({ after: 0n, limit: 100 })
    t.match(stored, [{ categoryId: 9007199254740993n }])
    t.equal(stored.length, 1)

    if (name === 'curl') return
    for (const end of ['\n', '\r\nX: y', '€']) {
      const env = { ANIMAL_STORE_KEY: `0123456789abcdef${end}` }
      const { status, stdout, stderr } = await startCommand(t, command, { env }).waitForEnd()
      t.equal(status, 1)
      t.match(stderr, /not an API key: it is empty, or has a character that no key has/)
      t.notMatch(stdout + stderr, '0123456789')
    }
  })
}

t.test('the generated client keeps every digit of a response without Content-Length', async (t) => {
  const service = await startService(t)
  const client = createAnimalStore(`${await startChunkingProxy(t, service)}/v1`, service.key)
  const body = { name: 'Rex', categoryId: 9007199254740993n }
  const { data, response } = await client.POST('/pets', { body })
  t.strictSame(data, { id: 1n, ...body, status: 'available' })
  t.equal(response.headers.get('transfer-encoding'), 'chunked')
})

/** Starts a proxy that sends each response in chunks, as one does that compresses. */
async function startChunkingProxy(t: Test, { origin }: Service): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const { method, url, headers } = incoming
    const sent = request(origin + url, { method, headers, agent: false })
    incoming.pipe(sent)
    const [response] = await waitForEvent(sent, 'response')
    const { 'content-length': _length, connection: _connection, ...others } = response.headers
    outgoing.writeHead(response.statusCode, others)
    response.pipe(outgoing)
  })
  t.teardown(() => void server.close().closeAllConnections())
  server.listen(0, '127.0.0.1')
  await waitForEvent(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
