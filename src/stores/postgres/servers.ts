/**
 * The servers that the URL of a database names, one or several, as libpq has it
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS).
 */
import { StartupError } from '../../errors.ts'

/** Reads a URL. Several servers are always asked which of them accepts writes: the service has no use for others. */
export function parseUrl(url: string) {
  const attributes = /[?&]target_session_attrs=([^&#]*)/.exec(url)?.[1] ?? 'any'
  if (!['any', 'primary', 'read-write'].includes(attributes)) {
    throw new StartupError(`target_session_attrs=${attributes} is not supported; use read-write`)
  }
  // The scheme, the user and the password; then hosts and ports, up to the path.
  const start = url.replace(/(?<=^[^/]*\/\/([^/?#]*@)?)[^/?#@]*([/?#].*)?$/s, '')
  const [hosts = ''] = url.slice(start.length).split(/[/?#]/)
  const rest = url.slice(start.length + hosts.length)
  const servers = hosts.split(',').flatMap((host) => splitQuery(start + host + rest))
  return {
    /** A URL for each server, in which it is the only one. */
    servers,
    /** True if only a server that accepts writes is to be used. */
    mustWrite: servers.length > 1 || attributes !== 'any',
  }
}

/** Splits a URL whose `host` and `port` name several servers; there may be one port for all of them. */
function splitQuery(url: string): string[] {
  const [, text] = /[?&]host=([^&#]*)/.exec(url) ?? []
  // Not every URL that the driver understands is one of the URL standard.
  const hosts = decodeURIComponent(text ?? '').split(',')
  if (hosts.length === 1) return [url]
  return hosts.map((host, index) => {
    const server = new URL(url)
    const { searchParams } = server
    const ports = searchParams.get('port')?.split(',')
    searchParams.set('host', host)
    if (ports !== undefined) searchParams.set('port', String(ports[index] ?? ports[0]))
    return server.href
  })
}
