/** The URL of a PostgreSQL store: its servers and parameters. */
import { StartupError } from '../../errors.ts'

/**
 * Finds the servers that a URL names, as libpq does
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS), except that several servers always mean
 * `target_session_attrs=read-write`: the service has no use for a standby. Throws a StartupError if a parameter is not
 * supported.
 */
export function parseServers(url: string) {
  // pg ignores what follows a "#", which may be the parameters.
  if (url.includes('#')) throw new StartupError('the store URL has a "#"; write %23')
  const parameters = new URLSearchParams(url.replace(/^[^?]*/, ''))
  for (const [name, value] of parameters) checkParameter(name, value)
  checkContradictions(parameters)
  const sessionAttrs = parameters.get('target_session_attrs') ?? 'any'
  // `postgres://me:secret@` `one:5432,two:5432` `/animals?ssl=true`. If the text is no URL, pg reports that.
  const [, prefix = '', hosts = '', suffix = ''] = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [url, url]
  const servers = hosts.split(',').map((host) => prefix + host + suffix)
  return {
    /** A URL for each server. */
    servers,
    /** True if the store may use only a server that accepts writes. */
    needsPrimary: servers.length > 1 || sessionAttrs !== 'any',
  }
}

/**
 * The parameters that have an effect: of pg, and `target_session_attrs`; those with a list of values have only these. Any other
 * parameter is rejected: without its effect, a connection may be less secure than its URL says.
 */
const PARAMETERS: Readonly<Record<string, readonly string[] | 'any'>> = {
  application_name: 'any',
  host: 'any',
  idle_in_transaction_session_timeout: 'any',
  lock_timeout: 'any',
  options: 'any',
  password: 'any',
  port: 'any',
  ssl: ['0', '1', 'true', 'no-verify'],
  sslcert: 'any',
  sslkey: 'any',
  sslmode: ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'],
  sslnegotiation: ['postgres', 'direct'],
  sslrootcert: 'any',
  target_session_attrs: ['any', 'primary', 'read-write'],
  uselibpqcompat: ['true'],
  user: 'any',
}

/** Throws a StartupError if a parameter is misspelt, has no effect, or has another value than it may have. */
function checkParameter(name: string, value: string): void {
  // A text that is no name may be a part of a password.
  const shownName = /^\w+$/.test(name) ? `the parameter ${name}` : 'a parameter'
  // With an empty `sslmode`, pg connects without TLS.
  if (value === '') throw new StartupError(`${shownName} of the store URL has no value; correct or remove it`)
  const values = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined
  if (values === undefined) {
    throw new StartupError(`${shownName} of the store URL is not supported; correct or remove it`)
  }
  if (values !== 'any' && !values.includes(value)) {
    throw new StartupError(`${shownName} of the store URL must be one of: ${values.join(', ')}`)
  }
}

/** Throws a StartupError if two parameters say the same thing: pg takes the last one, or `sslmode` in place of `ssl`. */
function checkContradictions(parameters: URLSearchParams): void {
  for (const name of parameters.keys()) {
    if (parameters.getAll(name).length > 1) {
      throw new StartupError(`the store URL has the parameter ${name} twice; remove one of them`)
    }
  }
  if (parameters.has('ssl') && parameters.has('sslmode')) {
    throw new StartupError('the store URL has the parameters ssl and sslmode; remove ssl')
  }
}
