/**
 * The programs in docs/clients.md where connections are lost and the service is unavailable.
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createAnimalStore } from '../../docs/examples/openapi-fetch-client.ts'
import { type Fault, startFlakyProxy } from '../helpers/flaky-proxy.ts'
import { startCommand } from '../helpers/process.ts'
import { type Service, startService } from '../helpers/service.ts'
import { readBlocks, root } from './pages.ts'

const [curl = ''] = readBlocks('docs/clients.md').flatMap(({ code }) =>
  code.includes('--retry') && code.includes('Idempotency-Key') ? [code] : [],
)

const programs = [
  { name: 'openapi-fetch.ts', command: [process.execPath, join(root, 'docs/examples/openapi-fetch.ts')] },
  { name: 'client.py', command: ['python3', join(root, 'docs/examples/client.py')] },
  { name: 'curl', command: ['sh', '-eu', '-c', curl] },
] as const

const faults: readonly Fault[] = ['loseResponse', 'unavailable']

for (const { name, command } of programs) {
  t.test(`an animal is added once, however many responses are lost: ${name}`, async (t) => {
    const [program] = command
    if (spawnSync(program, ['--version']).error !== undefined) {
      // With CI set, everything has to be tested.
      t.ok(!process.env.CI, { skip: !process.env.CI && `${program} is not installed` })
      return
    }
    const service = await startService(t)
    const proxy = await startFlakyProxy(t, service.origin, faults)
    const env = { ANIMAL_STORE_URL: `${proxy.origin}/v1`, ANIMAL_STORE_KEY: service.key }
    const { status, stderr } = await startCommand(t, command, { env }).ended
    t.equal(status, 0, stderr)
    t.ok(proxy.connections() > faults.length)
    const stored = await service.store.pets.list({ after: 0n, limit: 100 })
    t.equal(stored.length, 1)
    t.ok(stored.every(({ categoryId }) => categoryId === 9007199254740993n))
  })
}

for (const { name, command } of programs.filter(({ name }) => name !== 'curl')) {
  t.test(`a key with an illegal character is an error at once that does not repeat it: ${name}`, async (t) => {
    for (const end of ['\n', '\r\nX: y', 'é', '€']) {
      const env = { ANIMAL_STORE_KEY: `0123456789abcdef${end}` }
      const { status, stdout, stderr } = await startCommand(t, command, { env }).ended
      t.equal(status, 1)
      t.match(stderr, /not an API key: it is empty, or has a character that no key has/)
      t.notMatch(stdout + stderr, '0123456789')
    }
  })
}

t.test('the openapi-fetch client keeps every digit of a response without Content-Length', async (t) => {
  const service = await startService(t)
  const client = createAnimalStore(`${await startChunkingProxy(t, service)}/v1`, service.key)
  const body = { name: 'Rex', categoryId: 9007199254740993n }
  const { data, response } = await client.POST('/pets', { body })
  t.strictSame(data, { id: 1n, ...body, status: 'available' })
  t.equal((await client.GET('/pets')).data?.[0]?.categoryId, 9007199254740993n)
  t.equal(response.headers.get('transfer-encoding'), 'chunked')
})

/** Starts a proxy that sends each response in chunks, as one does that compresses. */
async function startChunkingProxy(t: Test, { origin }: Service): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const { method, url, headers } = incoming
    const sent = request(origin + url, { method, headers, agent: false })
    incoming.pipe(sent)
    const [response] = await once(sent, 'response')
    const { 'content-length': _length, connection: _connection, ...others } = response.headers
    outgoing.writeHead(response.statusCode, others)
    response.pipe(outgoing)
  })
  t.teardown(() => void server.close().closeAllConnections())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
