/**
 * The log of requests, which contains no secrets.
 */
import t from 'tap'
import { sendRaw } from '../helpers/http.ts'
import { startService } from '../helpers/service.ts'
import { execute } from '../helpers/sql.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'

const hidden = `hidden${'x'.repeat(20)}`

t.test(
  'the log has no key, query or body, and of the headers only the user agent, whatever happens to a request',
  async (t) => {
    const databaseUrl = `sqlite:${temporaryFolder(t)}/animals.db`
    const { call, key, logged, origin } = await startService(t, { databaseUrl })
    const headers = { 'x-hidden': hidden }
    const json = { name: hidden, categoryId: 1 }
    const query = `?key=${key}&q=${hidden}`
    const statuses = [
      await call('POST', '/v1/pets', { headers, json }),
      await call('POST', `/v1/pets${query}`, { headers, json }),
      await call('GET', `/v1/pets${query}`, { headers }),
      await call('POST', '/v1/pets', {
        headers: { ...headers, 'content-type': 'application/json' },
        body: `{${hidden}`,
      }),
      await call('GET', `/nowhere${query}`, { headers }),
      await call('GET', `/v1/pets/${key}`, { headers }),
      await call('GET', `/%zz${query}`, { headers }),
    ].map(({ status }) => status)
    t.same(statuses, [201, 400, 400, 400, 404, 400, 400])
    // The error of Node's parser contains the bytes of the request.
    await sendRaw(origin, `POST /v1/pets${query} HTTP/1.1\r\nAuthorization: Bearer ${key}\r\n${hidden}\r\n\r\n`)
    await execute(databaseUrl, 'DROP TABLE pets')
    t.equal((await call('POST', '/v1/pets', { headers, json })).status, 500)

    const lines = logged()
    t.match(
      lines.find(({ err }) => err !== undefined),
      { level: 50, msg: 'request failed', err: { type: 'Error' } },
    )
    t.match(
      lines.find(({ code }) => code !== undefined),
      { msg: 'connection refused' },
    )
    const text = JSON.stringify(lines).toLowerCase()
    for (const word of [key, hidden, 'bearer', 'authorization', 'x-hidden']) {
      t.notOk(text.includes(word.toLowerCase()), `${word} is not logged`)
    }
  },
)

t.test('each line has the address and the user agent of the client, also if the request has no key', async (t) => {
  const { call, key, logged, origin } = await startService(t)
  await call('GET', '/v1/pets', {
    key: null,
    headers: { 'user-agent': 'x'.repeat(10_000), 'x-forwarded-for': '192.0.2.1' },
  })
  await call('GET', '/nowhere', { headers: { 'user-agent': `curl ${key}` } })
  await sendRaw(origin, 'this is no request\r\n\r\n')
  t.match(await waitUntil(() => logged().length === 3 && logged()), [
    { res: { statusCode: 401 }, req: { remoteAddress: '127.0.0.1', userAgent: /^x{200}$/ } },
    { res: { statusCode: 404 }, req: { remoteAddress: '127.0.0.1', userAgent: 'curl [redacted]' } },
    { msg: 'connection refused', remoteAddress: '127.0.0.1' },
  ])
})

t.test('the address in the log is that of X-Forwarded-For only if a trusted proxy has sent it', async (t) => {
  const { call, logged } = await startService(t, { trustProxy: ['127.0.0.1', '10.0.0.0/8'] })
  for (const [forwarded, remoteAddress] of [
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['198.51.100.7, 192.0.2.1, 10.1.2.3', '192.0.2.1'],
    ['x'.repeat(100), 'x'.repeat(45)],
    ['', '127.0.0.1'],
  ] as const) {
    const { length } = logged()
    await call('GET', '/v1/pets', { headers: { 'x-forwarded-for': forwarded } })
    t.match(await waitUntil(() => logged()[length]), { req: { remoteAddress } }, forwarded)
  }
})
