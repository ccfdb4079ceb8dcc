/**
 * Bodies as they arrive, in pieces, over a real socket.
 */
import t, { type Test } from 'tap'
import { openapi } from '../../../src/openapi/index.ts'
import { openRaw } from '../../helpers/http.ts'
import { createHost, load, startLayer } from '../layer.ts'

const source = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /things:
    post:
      operationId: addThing
      requestBody: { x-max-bytes: 1000, content: { application/json: { schema: { type: string } } } }
      responses: { "200": { description: The thing., content: { application/json: { schema: { type: string } } } } }
`
const head = 'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
const toChunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

async function start(t: Test) {
  const received: unknown[] = []
  const addThing = async ({ body }: { body: string }) => {
    received.push(body)
    return { status: 200, body }
  }
  const { origin } = await startLayer(t, { source, handlers: { addThing } })
  const connection = openRaw(origin)
  t.teardown(connection.destroy)
  return { connection, received }
}

t.test('a body in many pieces is put together', async (t) => {
  const { connection, received } = await start(t)
  const { write, until } = connection
  const text = `${'é'.repeat(300)}${'a'.repeat(300)}`
  write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
  for (const byte of Buffer.from(JSON.stringify(text))) {
    write(Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]))
  }
  write('0\r\n\r\n')
  await until('HTTP/1.1 200 OK')
  t.strictSame(received, [text])
})

t.test('a body that is too large is refused before its rest arrives', async (t) => {
  const { connection, received } = await start(t)
  const { write, until } = connection
  write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
  write(toChunk(`"${'a'.repeat(600)}`))
  write(toChunk('a'.repeat(600)))
  await until('{"error":"the body is larger than 1000 bytes"}')
  // The rest has no effect.
  write(toChunk('a"'))
  write('0\r\n\r\n')
  t.strictSame(received, [])
})

/** Starts a host that notes errors and responses; its handler waits until it is released. */
async function startWaiting(t: Test) {
  const log: string[] = []
  const called = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const app = createHost(t)
  app.addHook('onError', async (_request, _reply, { message }) => void log.push(message))
  app.addHook('onSend', async ({ headers, raw }, { statusCode }) => {
    log.push(`send ${statusCode}`)
    if (headers['x-slow'] !== undefined) await new Promise((resolve) => void raw.once('close', resolve))
  })
  const gone = new Promise<void>((resolve) => {
    app.addHook('onRequest', async (_request, reply) => void reply.raw.on('close', resolve))
  })
  const addThing = async ({ body }: { body: string }) => {
    called.resolve()
    await released.promise
    log.push('handled')
    return { status: 200, body }
  }
  await app.register(openapi, { document: await load(t, source), handlers: { addThing } })
  const connection = openRaw(await app.listen({ port: 0, host: '127.0.0.1' }))
  return { app, connection, called: called.promise, gone, log, release: released.resolve }
}

t.test('a body whose client disconnects before its end has no effect but one error', async (t) => {
  const { connection, gone, log } = await startWaiting(t)
  connection.write(`${head}Content-Length: 100\r\n\r\n"a"`)
  await new Promise((resolve) => setTimeout(resolve, 50))
  connection.destroy()
  await gone
  await new Promise((resolve) => setTimeout(resolve, 50))
  t.strictSame(log, ['the body ended before it was complete', 'send 400'])
})

t.test('a client that disconnects while its request is handled causes no error of the body', async (t) => {
  const { app, connection, called, gone, log, release } = await startWaiting(t)
  connection.write(`${head}Content-Length: 3\r\n\r\n"a"`)
  await called
  connection.destroy()
  await gone
  release()
  await app.close()
  t.strictSame(log, ['handled', 'send 200'])
})

t.test('a client that disconnects before it has the error of its body causes no other one', async (t) => {
  const { app, connection, gone, log } = await startWaiting(t)
  app.server.on('request', () => {
    setTimeout(connection.destroy, 50)
  })
  connection.write(`${head}X-Slow: 1\r\nTransfer-Encoding: chunked\r\n\r\n${toChunk('a'.repeat(1001))}`)
  await gone
  await new Promise((resolve) => setTimeout(resolve, 50))
  t.strictSame(log, ['the body is larger than 1000 bytes', 'send 413'])
})
