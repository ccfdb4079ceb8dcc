/**
 * Requests that arrive at a version after the next one has taken over.
 */
import { Agent, createServer, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { forwardRequests } from '../../scripts/dev/forward.ts'
import { readResponse } from '../helpers/http.ts'

async function listen(t: Test, handle: RequestListener) {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Two versions, and a client with one connection that is open to the first. */
async function startVersions(t: Test) {
  const [first, second] = [
    await listen(t, (_request, response) => void response.end('first')),
    await listen(t, async (request, response) => {
      const { method, url, headers } = request
      response.setHeader('X-Given', [String(headers.host), String(headers['x-case'])])
      response.writeHead(201).end(`${method} ${url} ${await text(request)}`)
    }),
  ]
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const send = (method: string, body = '', headers = {}) => {
    const sent = request(`${first.origin}/pets?limit=1`, { method, agent, headers: { 'x-case': 'Yes', ...headers } })
    sent.end(body)
    return readResponse(sent)
  }
  t.match(await send('GET'), { text: 'first', headers: { connection: 'keep-alive' } })
  return { first, second, send }
}

t.test(
  'a request on an open connection gets the response of the next version, and closes the connection',
  async (t) => {
    const { first, second, send } = await startVersions(t)
    forwardRequests(first.server, second.origin)
    const host = new URL(first.origin).host
    const response = await send('POST', 'a body')
    t.match(response, { status: 201, text: 'POST /pets?limit=1 a body', headers: { connection: 'close' } })
    t.strictSame(
      response.rawHeaders.filter((_each, index) => response.rawHeaders[index - (index % 2)] === 'X-Given'),
      ['X-Given', host, 'X-Given', 'Yes'],
    )
  },
)

t.test('a client that waits before it sends its body is asked for it', async (t) => {
  const { first, second, send } = await startVersions(t)
  forwardRequests(first.server, second.origin)
  t.match(await send('POST', 'a body', { expect: '100-continue' }), { status: 201, text: 'POST /pets?limit=1 a body' })
})

t.test('the connection is closed if there is no next version any more', async (t) => {
  const { first, second, send } = await startVersions(t)
  forwardRequests(first.server, second.origin)
  second.server.close()
  second.server.closeAllConnections()
  await t.rejects(send('GET'), { code: 'ECONNRESET' })
})
