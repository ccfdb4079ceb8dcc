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
  const ignoredParameters = [...parameters].filter(isIgnored).map(([name]) => name)
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
    /** The names of the parameters that have no effect. */
    ignoredParameters,
  }
}

/** The parameters that have an effect: those of pg, without those that this module sets, and `target_session_attrs`. */
const USED_PARAMETERS =
  `host port user password options application_name target_session_attrs ssl sslmode sslcert sslkey
  sslrootcert sslnegotiation uselibpqcompat lock_timeout idle_in_transaction_session_timeout`.split(/\s+/)

/** The parameters with a list of values, and that list. With any other `sslmode` or `ssl`, pg connects with TLS. */
const ALLOWED_VALUES = new Map([
  ['sslmode', ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']],
  ['ssl', ['0', '1', 'true', 'no-verify']],
  ['sslnegotiation', ['postgres', 'direct']],
  ['target_session_attrs', ['any', 'primary', 'read-write']],
  ['uselibpqcompat', ['true']],
])

/** The parameters of libpq and pg that have no effect, and without which a connection is as secure. */
const IGNORED_PARAMETERS =
  `client_encoding connect_timeout dbname fallback_application_name gssdelegation gsslib hostaddr
  keepalives keepalives_count keepalives_idle keepalives_interval krbsrvname load_balance_hosts max_protocol_version
  min_protocol_version oauth_client_id oauth_client_secret oauth_issuer oauth_scope passfile scram_client_key
  scram_server_key service sslcompression sslkeylogfile sslpassword sslsni ssl_max_protocol_version statement_timeout
  tcp_user_timeout`.split(/\s+/)

/** The parameters of libpq that pg ignores, although a connection may then be less secure, and the values that demand nothing. */
const SECURITY_PARAMETERS = `channel_binding gssencmode require_auth requirepeer requiressl sslcertmode sslcrl sslcrldir
  ssl_min_protocol_version`.split(/\s+/)
const HARMLESS_VALUES = ['0', 'allow', 'disable', 'prefer', 'TLSv1.2']

/** True for a parameter that is harmless without effect. Throws a StartupError if it is misspelt, or security depends on it. */
function isIgnored([name, value]: readonly [name: string, value: string]): boolean {
  // A text that is no name may be a part of a password.
  const shownName = /^\w+$/.test(name) ? `the parameter ${name}` : 'a parameter'
  // With an empty `sslmode`, pg connects without TLS.
  if (value === '') throw new StartupError(`${shownName} of the store URL has no value; correct or remove it`)
  const allowedValues = ALLOWED_VALUES.get(name)
  if (allowedValues !== undefined && !allowedValues.includes(value)) {
    throw new StartupError(`${shownName} of the store URL must be one of: ${allowedValues.join(', ')}`)
  }
  if (USED_PARAMETERS.includes(name)) return false
  const isHarmless = SECURITY_PARAMETERS.includes(name) && HARMLESS_VALUES.includes(value)
  if (isHarmless || IGNORED_PARAMETERS.includes(name)) return true
  throw new StartupError(`${shownName} of the store URL is not supported; correct or remove it`)
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
