/**
 * The servers that the URL of a database names, one or several, as libpq has it
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS).
 */
import { StartupError } from '../../errors.ts'

export interface Servers {
  /** A URL for each server, in which it is the only one. */
  readonly servers: readonly string[]
  /** True if only a server that accepts writes is to be used. */
  readonly mustWrite: boolean
}

/** Reads a URL. Several servers are always asked which of them accepts writes: the service has no use for others. */
export function parseUrl(url: string): Servers {
  const [, start = '', hosts = '', rest = ''] = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
  const servers = hosts.split(',').flatMap((host) => splitQuery(start + host + rest))
  const [, attributes] = /[?&]target_session_attrs=([^&#]*)/.exec(rest) ?? []
  if (attributes !== undefined && !['any', 'primary', 'read-write'].includes(attributes)) {
    throw new StartupError(`target_session_attrs=${attributes} is not supported; use read-write`)
  }
  return { servers, mustWrite: servers.length > 1 || (attributes ?? 'any') !== 'any' }
}

/** Splits a URL whose `host` and `port` name several servers; there may be one port for all of them. */
function splitQuery(url: string): string[] {
  // Not every URL that the driver understands is one of the URL standard.
  if (!/[?&]host=[^&#]*(,|%2C)/i.test(url)) return [url]
  const { searchParams } = new URL(url)
  const hosts = searchParams.get('host')?.split(',') ?? []
  const ports = searchParams.get('port')?.split(',') ?? ['']
  return hosts.map((host, index) => {
    const server = new URL(url)
    server.searchParams.set('host', host)
    server.searchParams.set('port', ports[index] ?? ports[0] ?? '')
    return server.href
  })
}
