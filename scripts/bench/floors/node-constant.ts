/**
 * A floor: `node:http` that sends constants. No server on Node can respond faster.
 */
import { createServer } from 'node:http'
import { recognize } from '../workloads.ts'
import { contentType, readResponses, run } from './responses.ts'

const responses = readResponses(({ status, body }) => {
  const headers = { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) }
  return { status, body, headers: status === 304 ? {} : headers }
})

const server = createServer((request, response) => {
  const { status, headers, body } = responses[recognize(request.method, request.url)]
  const send = () => void response.writeHead(status, headers).end(body)
  if (request.method === 'GET') send()
  else request.resume().on('end', send)
})

await run((port) => server.listen(port, '127.0.0.1'))
