/**
 * A floor: `node:http` that sends constants. No server on Node can respond faster.
 */
import { createServer } from 'node:http'
import { recognize } from '../workloads.ts'
import { contentType, readResponses, run } from './responses.ts'

const responses = new Map(
  Object.entries(readResponses()).map(([name, { status, body }]) => {
    const headers = { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) }
    return [name, { status, body, headers: status === 304 ? {} : headers }]
  }),
)

const server = createServer((request, response) => {
  const constant = responses.get(recognize(request.method, request.url))
  const send = () => void response.writeHead(constant?.status ?? 500, constant?.headers).end(constant?.body)
  if (request.method === 'GET') send()
  else request.resume().on('end', send)
})

await run((port) => server.listen(port, '127.0.0.1'))
