/** Reverse proxies: the path under which clients see the service, and the request ids that are accepted from them. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { compile } from '@fastify/proxy-addr'

/** The request ids that are accepted: an id is written to the log and into a header. */
const REQUEST_ID = /^[\w.:=+/-]{1,128}$/

/** Creates the function that returns the id of a request: the `X-Request-Id` of a trusted address, otherwise a new one. */
export function createRequestIdReader(proxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = compile([...proxies])
  return ({ headers, socket: { remoteAddress } }) => {
    const id = headers['x-request-id']
    const isAccepted = typeof id === 'string' && REQUEST_ID.test(id) && remoteAddress && isTrusted(remoteAddress, 0)
    return isAccepted ? id : randomUUID()
  }
}

/** Creates the function that removes the path of the public URL from a request target, if the proxy has not done that. */
export function createUrlRewriter(publicPath: string): (request: IncomingMessage) => string {
  const escaped = publicPath.replaceAll(/[^\w/]/g, '\\$&')
  const pattern = new RegExp(`^(https?://[^/?#]+)?${escaped}(?=[/?]|$)`)
  return ({ url = '' }) => {
    const target = url.replace(pattern, '$1')
    return target === '' || target.startsWith('?') ? `/${target}` : target
  }
}
