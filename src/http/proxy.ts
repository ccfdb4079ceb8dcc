/** Reverse proxies: the path under which clients see the service, and the request ids that are taken over. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { compile } from '@fastify/proxy-addr'

/** The ids that are taken over: an id is written to the log and into a header. */
const REQUEST_ID = /^[\w.:=+/-]{1,128}$/

/** Makes the function that returns the id of a request: the `X-Request-Id` of a trusted address, otherwise a new one. */
export function createRequestIds(proxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = compile([...proxies])
  return ({ headers, socket: { remoteAddress } }) => {
    const id = headers['x-request-id']
    const isTaken = typeof id === 'string' && REQUEST_ID.test(id) && remoteAddress && isTrusted(remoteAddress, 0)
    return isTaken ? id : randomUUID()
  }
}

/** Makes the function that takes the path of the public URL off a request target, if the proxy has not done that. */
export function createUrlRewriter(publicPath: string): (request: IncomingMessage) => string {
  const escaped = publicPath.replaceAll(/[^\w/]/g, '\\$&')
  const pattern = new RegExp(`^(https?://[^/?#]+)?${escaped}(?=[/?]|$)`)
  return ({ url = '' }) => {
    const rest = url.replace(pattern, '$1')
    return rest === '' || rest.startsWith('?') ? `/${rest}` : rest
  }
}
