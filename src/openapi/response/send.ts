/**
 * Writes responses to the connection. Fastify's own `reply.send` would copy the headers several times.
 */
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

/** Sends a response; `headers` are alternating names and values, and `text` is JSON. */
export function sendResponse(reply: FastifyReply, status: number, headers: string[], text: string | undefined): void {
  if (text !== undefined) {
    headers.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(text)))
  } else if (status !== 204 && status !== 304) {
    headers.push('Content-Length', '0')
  }
  if (status >= 400) reply.request.errorBody = text
  reply.hijack()
  endLater(reply.raw.writeHead(status, headers), text)
}

/** So many responses wait at most: each holds its text, and its client waits for the ones behind it. */
const MAX_ENDING = 32

/** The responses of this turn of the event loop that are not yet written. */
let ending: (readonly [ServerResponse, string | undefined])[] = []

/**
 * Ends a response together with the others of this turn of the event loop: a client or proxy on the same machine that was
 * woken by one finds the next ones there, where writing each at once would wake it for each.
 */
function endLater(response: ServerResponse, text: string | undefined): void {
  if (ending.length === 0) setImmediate(endAll)
  ending.push([response, text])
  if (ending.length === MAX_ENDING) endAll()
}

/** Ends the responses that wait. */
export function endAll(): void {
  const responses = ending
  ending = []
  for (const [response, text] of responses) response.end(text)
}
