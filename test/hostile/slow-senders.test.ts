/**
 * Clients that send or read slowly, with the process of the service: other clients do not wait, and no connection stays open.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { send } from '../helpers/http.ts'
import { startServiceProcess } from '../helpers/process.ts'
import { waitUntil } from '../helpers/wait.ts'
import { holdingsOf, reporting } from './holdings.ts'
import { readResponses } from './responses.ts'

t.setTimeout(120_000)
t.jobs = 2

const key = '0123456789abcdef0123456789abcdef'
const authorization = `Bearer ${key}`
const options = { env: { API_KEYS: key, REQUEST_TIMEOUT: '1000' }, nodeArgs: reporting }
const tooSlow = {
  code: 'request_timeout',
  message: 'the request did not arrive in time; send it again, without pauses',
  status: 408,
}

const creation = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n`

t.test('other clients are served as before while 500 clients send headers and bodies slowly', async (t) => {
  const service = await startServiceProcess(t, options)
  const { origin } = service
  const list = () => send(origin, 'GET', '/v1/pets', { headers: { authorization } })
  const add = () =>
    send(origin, 'POST', '/v1/pets', { headers: { authorization }, json: { name: 'Rex', categoryId: 1 } })
  t.equal((await add()).status, 201)
  const one = connect(Number(new URL(origin).port), '127.0.0.1')
  await once(one, 'connect')
  t.equal((await list()).status, 200)
  // An open connection is counted; that of the request before may be about to close.
  await waitUntil(async () => (await holdingsOf(service)).connections === 1)
  one.destroy()

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
  const bodies = Array.from({ length: 250 }, () => dribble(`${creation}Content-Length: 60000\r\n\r\n`))

  const statuses: number[] = []
  const others = Array.from({ length: 4 }, async () => {
    while (dribbling > 0) {
      statuses.push((await list()).status, (await add()).status)
      await setTimeout(5)
    }
  })
  const responses = (await Promise.all([...heads, ...bodies])).map(readResponses)
  await Promise.all(others)

  t.same(
    responses.filter((all) => all.length !== 1 || all[0]?.status !== 408),
    [],
    'each who dribbles gets 408',
  )
  for (const [response] of responses) t.same(response?.body, tooSlow)
  t.same([...new Set(statuses)].sort(), [200, 201], 'all others are served')
  t.comment(`${statuses.length} requests of others`)
  t.ok(statuses.length > 20)
  await waitUntil(async () => (await holdingsOf(service)).connections === 0)
  t.pass('all connections are gone')
  t.equal((await list()).status, 200)
  t.same(
    service.logged().filter(({ level }) => Number(level) > 30),
    [],
  )
})
