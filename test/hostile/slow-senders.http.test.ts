/**
 * Requests that come slowly, or never to their end, have 408; answers that nobody reads end. Nobody else is kept waiting.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { send, sendRaw } from '../helpers/http.ts'
import { startProcess } from '../helpers/process.ts'
import { startService } from '../helpers/service.ts'
import { readAnswers } from './answers.ts'
import { holdingsOf, reporting } from './holdings.ts'

t.setTimeout(120_000)

const tooSlow = { code: 'request_timeout', message: 'the request did not arrive in time', status: 408 }
const key = '0123456789abcdef0123456789abcdef'
const authorization = `Bearer ${key}`

const creation = (authorization: string) =>
  `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n`

t.test('while 500 clients dribble headers and bodies, others are served as before', async (t) => {
  const { origin, ...service } = await startProcess(t, {
    env: { API_KEYS: key, REQUEST_TIMEOUT: '1000', ...reporting },
  })
  const list = () => send(origin, 'GET', '/v1/pets', { headers: { authorization } })
  const add = () =>
    send(origin, 'POST', '/v1/pets', { headers: { authorization }, json: { name: 'Rex', categoryId: 1 } })
  t.equal((await add()).status, 201)
  const one = connect(Number(new URL(origin).port), '127.0.0.1')
  await once(one, 'connect')
  t.equal((await list()).status, 200)
  const { connections } = await holdingsOf({ origin, ...service })
  one.destroy()
  t.equal(connections, 1, 'an open connection is counted')

  let dribbling = 500
  const dribble = async (beginning: string): Promise<string> => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(beginning)
    const timer = setInterval(() => socket.write('x'), 100)
    const received = await text(socket)
    clearInterval(timer)
    dribbling--
    return received
  }
  const heads = Array.from({ length: 250 }, () => dribble('GET /v1/pets HTTP/1.1\r\nHost: x\r\nX: '))
  const bodies = Array.from({ length: 250 }, () => dribble(`${creation(authorization)}Content-Length: 60000\r\n\r\n`))

  const statuses: number[] = []
  const others = Array.from({ length: 4 }, async () => {
    while (dribbling > 0) {
      statuses.push((await list()).status, (await add()).status)
      await setTimeout(5)
    }
  })
  const answers = (await Promise.all([...heads, ...bodies])).map(readAnswers)
  await Promise.all(others)

  t.same(
    answers.filter((all) => all.length !== 1 || all[0]?.status !== 408),
    [],
    'each who dribbles gets 408',
  )
  for (const [answer] of answers) t.same(answer?.body, tooSlow)
  t.same([...new Set(statuses)].sort(), [200, 201], 'all others are served')
  t.comment(`${statuses.length} requests of others`)
  t.ok(statuses.length > 20)
  while ((await holdingsOf({ origin, ...service })).connections > 0) await setTimeout(50)
  t.pass('all connections are gone')
  t.equal((await list()).status, 200)
  t.same(
    service.logged().filter(({ level }) => Number(level) > 30),
    [],
  )
})

t.test('a request that never ends is 408, wherever it stops', async (t) => {
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
    const answers = readAnswers(await sendRaw(service.origin, bytes))
    t.same(
      answers.map(({ status }) => status),
      [...before, 408],
      name,
    )
    const last = answers.at(-1)
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

t.test('a client that asks and never reads is let go of, and others are served meanwhile', async (t) => {
  const { origin, ...service } = await startProcess(t, {
    env: { API_KEYS: key, REQUEST_TIMEOUT: '1000', ...reporting },
  })
  const headers = { authorization }
  const pet = { name: 'x'.repeat(255), categoryId: 1 }
  for (let count = 0; count < 100; count++) await send(origin, 'POST', '/v1/pets', { headers, json: pet })
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').pause()
  await once(socket, 'connect')
  // Some 30 KB each, together far more than the system takes in for a client.
  socket.write(`GET /v1/pets?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`.repeat(1000))
  t.equal((await holdingsOf({ origin, ...service })).connections, 1)
  while ((await holdingsOf({ origin, ...service })).connections > 0) {
    t.equal((await send(origin, 'GET', '/v1/pets', { headers })).status, 200)
    await setTimeout(500)
  }
  socket.destroy()
  t.same(
    service.logged().filter(({ level }) => Number(level) > 30),
    [],
  )
})

t.test('a body that never ends has its answer, and no other', async (t) => {
  const { origin } = await startService(t, { requestTimeout: 1000 })
  for (const [head, status] of [
    [creation('Basic x'), 401],
    [creation('x').replace('/v1/pets', '/nothing'), 404],
    [creation('x').replace('POST', 'PUT'), 405],
  ] as const) {
    const answers = readAnswers(await sendRaw(origin, `${head}Content-Length: 60\r\n\r\n{"name":`))
    t.same(
      answers.map((answer) => answer.status),
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
      const [answer, ...more] = readAnswers(await text(socket))
      t.same(answer?.body, {
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
