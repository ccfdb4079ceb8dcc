/** Streams that fail: their clients notice that the response is not whole, whatever the connection is. */
import { connect as connectTcp, type Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { openapi } from '../../src/openapi/index.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { within } from '../helpers/wait.ts'
import { load } from './layer.ts'

const source = `
openapi: 3.2.0
info: { title: Harbour, version: 1.0.0 }
paths:
  /ships/{kind}:
    parameters: [{ name: kind, in: path, required: true, schema: { type: string } }]
    get:
      operationId: watchShips
      responses:
        "200":
          description: The ships, as they enter.
          content:
            application/jsonl: { itemSchema: { type: string } }
            application/octet-stream: {}
`

/** Resolves when the client has what was sent before the failure: a reset discards what it has not read. */
let received = Promise.withResolvers<void>()

async function* fail() {
  yield 'Fram'
  await received.promise
  throw new Error('the radar is off')
}

const toBytes = async function* () {
  for await (const name of fail()) yield Buffer.from(name)
}

const streams = {
  items: () => ({ contentType: 'application/jsonl', body: fail() }),
  bytes: () => ({ contentType: 'application/octet-stream', body: Readable.from(toBytes(), { objectMode: false }) }),
  'web bytes': () => ({ contentType: 'application/octet-stream', body: ReadableStream.from(toBytes()) }),
}

// TLS without a certificate: both sides have the key.
const tls = { ciphers: 'PSK', minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const
const psk = Buffer.alloc(16, 1)

async function listen(t: Test, https?: object): Promise<FastifyInstance> {
  const app = Fastify({ ...(https && { https }) } as object)
  t.teardown(() => app.close())
  const watchShips = async ({ path }: { readonly path: { readonly kind: keyof typeof streams } }) => ({
    status: 200,
    ...streams[path.kind](),
  })
  await app.register(openapi, { document: await load(t, source), handlers: { watchShips: watchShips as never } })
  return app
}

const getPort = async (app: FastifyInstance) => Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)

const connections: Record<string, (t: Test) => Promise<Socket>> = {
  TCP: async (t) => connectTcp(await getPort(await listen(t)), '127.0.0.1'),
  'a Unix socket': async (t) => {
    const path = join(temporaryFolder(t), 'socket')
    await (await listen(t)).listen({ path })
    return connectTcp(path)
  },
  TLS: async (t) => {
    const port = await getPort(await listen(t, { ...tls, pskCallback: () => psk }))
    const pskCallback = () => ({ psk, identity: 'test' })
    return connectTls({ ...tls, port, host: '127.0.0.1', pskCallback, checkServerIdentity: () => undefined })
  },
}

/** Requests a stream; resolves with what arrives, and the code of the error with which the connection ends. */
async function request(socket: Socket, version: string, kind: string) {
  let text = ''
  let code: string | undefined
  received = Promise.withResolvers()
  socket.setEncoding('utf8')
  socket.on('data', (chunk) => {
    text += chunk
    if (text.includes('Fram')) received.resolve()
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    code = error.code
  })
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.write(`GET /ships/${encodeURIComponent(kind)} HTTP/${version}\r\nHost: x\r\n\r\n`)
  await within('end of the connection', closed)
  return { text, code }
}

for (const kind of Object.keys(streams)) {
  for (const [name, open] of Object.entries(connections)) {
    t.test(`over ${name}, a stream of ${kind} that fails ends without the last chunk`, async (t) => {
      const { text, code } = await request(await open(t), '1.1', kind)
      t.match(text, /^HTTP\/1.1 200 .*Transfer-Encoding: chunked.*Fram/s)
      t.notMatch(text, '\r\n0\r\n')
      t.equal(code, undefined)
    })
  }

  t.test(`the connection of HTTP/1.0 with a stream of ${kind} that fails is reset`, async (t) => {
    const { text, code } = await request(await (connections.TCP as (t: Test) => Promise<Socket>)(t), '1.0', kind)
    t.match(text, 'Fram')
    t.notMatch(text, 'chunked')
    t.equal(code, 'ECONNRESET')
  })

  for (const name of ['a Unix socket', 'TLS']) {
    t.test(`over ${name}, which cannot be reset, a stream of ${kind} to HTTP/1.0 that fails ends`, async (t) => {
      const open = connections[name] as (t: Test) => Promise<Socket>
      t.match((await request(await open(t), '1.0', kind)).text, 'Fram')
    })
  }

  t.test(`a stream of ${kind} that fails rejects an injected request`, async (t) => {
    received.resolve()
    await t.rejects((await listen(t)).inject(`/ships/${encodeURIComponent(kind)}`))
  })
}
