/**
 * Requests that arrive too slowly or incompletely: they get 408 and add nothing.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { undeclaredMethod } from '../helpers/contract.ts'
import { sendRaw } from '../helpers/http.ts'
import { startService } from '../helpers/service.ts'
import { readResponses } from './responses.ts'

t.jobs = 4

const tooSlow = {
  code: 'request_timeout',
  message: 'the request did not arrive in time; send it again, without pauses',
  status: 408,
}

const creation = (authorization: string) =>
  `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n`

t.test('an incomplete request gets 408, wherever it stops', async (t) => {
  const service = await startService(t, { requestTimeout: 1000 })
  const good = creation(`Bearer ${service.key}`)
  const whole = `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n\r\n`
  const requests: Readonly<Record<string, string>> = {
    'before it begins': '',
    'in its method': 'GE',
    'in its path': 'GET /v1/pe',
    'in a field': 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nX: y',
    'before the end of its fields': 'GET /v1/pets HTTP/1.1\r\nHost: x\r\n',
    'before its body': `${good}Content-Length: 60\r\n\r\n`,
    'in its body': `${good}Content-Length: 60\r\n\r\n{"name":`,
    'in the size of a chunk': `${good}Transfer-Encoding: chunked\r\n\r\n1`,
    'in a chunk': `${good}Transfer-Encoding: chunked\r\n\r\n10\r\n{"name":`,
    'before the last chunk': `${good}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`,
    'in a trailer': `${good}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: y`,
  }
  const check = async (name: string, bytes: string, before: readonly number[]) => {
    const responses = readResponses(await sendRaw(service.origin, bytes))
    t.same(
      responses.map(({ status }) => status),
      [...before, 408],
      name,
    )
    const last = responses.at(-1)
    t.same(last?.body, tooSlow)
    if (last) service.contract.check({ method: 'POST', path: '/v1/pets', ...last })
  }
  await Promise.all([
    ...Object.entries(requests).map(([name, bytes]) => check(name, bytes, [])),
    ...Object.entries(requests)
      .filter(([, bytes]) => bytes !== '')
      .map(([name, bytes]) => check(`${name}, behind another`, whole + bytes, [200])),
    check('before a body that has been asked for', `${good}Expect: 100-continue\r\nContent-Length: 60\r\n\r\n`, [100]),
  ])
  t.same(await service.store.pets.list({ after: 0n, limit: 1 }), [])
})

t.test('a body that never ends gets one response', async (t) => {
  const { origin } = await startService(t, { requestTimeout: 1000 })
  for (const [head, status] of [
    [creation('Basic x'), 401],
    [creation('x').replace('/v1/pets', '/nothing'), 404],
    [creation('x').replace('POST', undeclaredMethod), 405],
  ] as const) {
    const responses = readResponses(await sendRaw(origin, `${head}Content-Length: 60\r\n\r\n{"name":`))
    t.same(
      responses.map((response) => response.status),
      [status],
    )
  }
})

t.test(
  'a client that goes away in the middle of a request gets 400, if it still listens, and adds nothing',
  async (t) => {
    const service = await startService(t)
    const good = creation(`Bearer ${service.key}`)
    for (const bytes of [
      'GE',
      'GET /v1/pets HTTP/1.1\r\nHost: x\r\n',
      `${good}Content-Length: 60\r\n\r\n{"name":`,
      `${good}Content-Length: 30\r\n\r\n{"name":"Rex","categoryId":1}`,
      `${good}Transfer-Encoding: chunked\r\n\r\n1d\r\n{"name":"Rex","categoryId":1}\r\n`,
    ]) {
      const socket = connect({ port: Number(new URL(service.origin).port), host: '127.0.0.1', allowHalfOpen: true })
      socket.end(bytes)
      const [response, ...more] = readResponses(await text(socket))
      t.same(response?.body, {
        code: 'invalid_request',
        message: 'the request ended before it was complete',
        status: 400,
      })
      t.same(more, [])
    }
    for (const bytes of [`${good}Content-Length: 60\r\n\r\n{"name":`, 'GET /v1/pets HTTP/1.1\r\nHost: x\r\n']) {
      const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
      await once(socket, 'connect')
      socket.write(bytes)
      await setTimeout(20)
      socket.resetAndDestroy()
      await once(socket, 'close')
    }
    t.equal((await service.call('GET', '/v1/pets')).text, '[]')
    t.same(
      service.logged().filter(({ level }) => Number(level) > 30),
      [],
    )
  },
)
