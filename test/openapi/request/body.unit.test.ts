/**
 * Bodies as they arrive, in pieces, over a real socket.
 */
import t, { type Test } from 'tap'
import { openRaw } from '../../helpers/http.ts'
import { startLayer } from '../layer.ts'

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

t.test('a body whose client disconnects before its end has no effect', async (t) => {
  const { connection, received } = await start(t)
  connection.write(`${head}Content-Length: 100\r\n\r\n"a"`)
  await new Promise((resolve) => setTimeout(resolve, 50))
  connection.destroy()
  await connection.ended
  t.strictSame(received, [])
})
