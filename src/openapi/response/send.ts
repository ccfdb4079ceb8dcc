/**
 * Writes a response to the connection. Fastify's own `reply.send` would copy the headers several times.
 */
import type { FastifyReply } from 'fastify'

/** Sends a response; `headers` are names and values in turns, and `text` is JSON. */
export function sendResponse(reply: FastifyReply, status: number, headers: string[], text: string | undefined): void {
  if (text !== undefined) {
    headers.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(text)))
  } else if (status !== 204 && status !== 304) {
    headers.push('Content-Length', '0')
  }
  if (status >= 400) reply.request.errorBody = text
  reply.hijack()
  reply.raw.writeHead(status, headers).end(text)
}
