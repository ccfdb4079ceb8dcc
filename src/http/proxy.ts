/** Reverse proxies: the path under which clients see the service, and the request ids that are taken over. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { redactKeys } from '../auth/keys.ts'

/** The form of an id that may be taken over: it is written to the log and into a header. */
const REQUEST_ID = /^[\w.:=+/-]{1,128}$/

/** Makes the function that tells whether an address is one of these, or in one of these networks. */
export function createTrust(proxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList()
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/')
    if (bits === undefined) trusted.addAddress(address, getFamily(address))
    else trusted.addSubnet(address, Number(bits), getFamily(address))
  }
  return (address) => isIP(address) !== 0 && trusted.check(address, getFamily(address))
}

/**
 * Makes the function that returns the id of a request: its `X-Request-Id` if it comes from a trusted address, otherwise a new
 * one.
 */
export function createRequestIds(isTrusted: (address: string) => boolean): (request: IncomingMessage) => string {
  return ({ headers, socket: { remoteAddress } }) => {
    const id = headers['x-request-id']
    const isKept =
      typeof id === 'string' &&
      remoteAddress !== undefined &&
      isTrusted(remoteAddress) &&
      REQUEST_ID.test(id) &&
      redactKeys(id) === id
    return isKept ? id : randomUUID()
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

function getFamily(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
