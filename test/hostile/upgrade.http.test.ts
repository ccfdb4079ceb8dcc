/**
 * Offers of another protocol, of which Node's parser drops what follows in the same segment: the request has its response,
 * and the connection ends. The following bytes are never read as a request.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { sendRaw } from '../helpers/http.ts'
import { type Service, startService } from '../helpers/service.ts'
import { lock } from '../helpers/sql.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { readResponses } from './responses.ts'

const rex = '{"name":"Rex","categoryId":1}'
const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n'

const listing = ({ key }: Service, fields = '') =>
  `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${fields}\r\n`
const creation = ({ key }: Service, fields = '') =>
  `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${fields}Content-Type: application/json\r\nContent-Length: ${rex.length}\r\n\r\n${rex}`

for (const [name, write, status] of [
  ['without a body', listing, 200],
  ['with a body', creation, 201],
] as const) {
  t.test(`an offer of HTTP/2 ${name} is served as HTTP/1.1, and the connection ends`, async (t) => {
    const service = await startService(t)
    const asked = write(service, offer)
    // What follows: nothing, requests, requests in other segments, no requests.
    for (const [same, ...other] of [
      [''],
      [creation(service)],
      [creation(service) + listing(service)],
      [creation(service).slice(0, 50), creation(service).slice(50)],
      ['', creation(service), listing(service)],
      ['x'.repeat(100_000), 'this is no request'],
    ]) {
      const before = Number((await service.store.pets.list({ after: 0n, limit: 100 })).length)
      const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
      await once(socket, 'connect')
      const received = text(socket)
      socket.write(asked + same)
      for (const bytes of other) {
        await setTimeout(5)
        socket.write(bytes)
      }
      const responses = readResponses(await received)
      t.same(
        responses.map((response) => [response.status, response.headers.connection]),
        [[status, 'close']],
      )
      const after = Number((await service.store.pets.list({ after: 0n, limit: 100 })).length)
      t.equal(after - before, status === 201 ? 1 : 0, 'nothing else is added')
    }
  })
}

t.test('a request after an upgrade offer is not processed while the offer has no response', async (t) => {
  const databaseUrl = `sqlite:${join(temporaryFolder(t), 'animals.db')}`
  const service = await startService(t, { databaseUrl })
  const release = await lock(t, databaseUrl)
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
  await once(socket, 'connect')
  const received = text(socket)
  socket.write(creation(service, offer))
  await setTimeout(100)
  socket.write(creation(service))
  await setTimeout(100)
  await release()
  t.same(
    readResponses(await received).map(({ status }) => status),
    [201],
  )
  t.equal((await service.store.pets.list({ after: 0n, limit: 100 })).length, 1)
})

t.test('the requests before an offer have their responses', async (t) => {
  const service = await startService(t)
  const bytes = creation(service) + listing(service) + listing(service, offer) + creation(service)
  const responses = readResponses(await sendRaw(service.origin, bytes))
  t.same(
    responses.map(({ status }) => status),
    [201, 200, 200],
  )
})

t.test('an offer whose body is never complete gets a 408, and its connection ends', async (t) => {
  const service = await startService(t, { requestTimeout: 1000 })
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
  const received = text(socket)
  socket.write(creation(service, offer).slice(0, -10))
  // The client is never idle.
  const trickle = setInterval(() => socket.write('x'), 1000)
  t.teardown(() => clearInterval(trickle))
  t.teardown(() => socket.destroy())
  t.same(
    readResponses(await Promise.race([received, setTimeout(5000, '')])).map(({ status }) => status),
    [408],
  )
})
