/**
 * The log of requests, which contains no secrets.
 */
import t from 'tap'
import { sendRaw } from '../helpers/http.ts'
import { startService } from '../helpers/service.ts'
import { execute } from '../helpers/sql.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const hidden = `hidden${'x'.repeat(20)}`

t.test('the log has no header, key, query or body, whatever happens to a request', async (t) => {
  const databaseUrl = `sqlite:${temporaryFolder(t)}/animals.db`
  const { call, key, logged, origin } = await startService(t, { databaseUrl })
  const headers = { 'x-hidden': hidden }
  const json = { name: hidden, categoryId: 1 }
  const query = `?key=${key}&q=${hidden}`
  const statuses = [
    await call('POST', '/v1/pets', { headers, json }),
    await call('POST', `/v1/pets${query}`, { headers, json }),
    await call('GET', `/v1/pets${query}`, { headers }),
    await call('POST', '/v1/pets', { headers: { ...headers, 'content-type': 'application/json' }, body: `{${hidden}` }),
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
})
