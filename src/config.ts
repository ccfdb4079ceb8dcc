/** The configuration, from the environment and an optional .env file. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { parseEnv } from 'node:util'
import { closest, distance } from 'fastest-levenshtein'
import { isKeyName, keyNameRule, redactKeys } from './auth/keys.ts'
import { ConfigError, toError } from './errors.ts'
import { getSqliteFile } from './stores/open.ts'

/** The configuration; .env.example says what each value means. */
export type Config = Readonly<ReturnType<typeof loadConfig>>

/**
 * Reads the variables of the process and, for those that are missing or empty, of a .env file if there is one.
 * Throws a ConfigError if the file cannot be read.
 */
export function readEnvironment(file = '.env', environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const given = Object.entries(environment).filter(([, text]) => text !== '')
  return { ...parseEnv(readOptionalFile(file)), ...Object.fromEntries(given) }
}

/**
 * Parses the variables; an empty one counts as missing. `serverVariables` are the names of the base URLs in the spec. Throws
 * a ConfigError with a line per mistake, and no secret.
 */
export function loadConfig(environment: NodeJS.ProcessEnv, serverVariables: readonly string[] = []) {
  const mistakes: string[] = []
  const known = ['NODE_ENV']

  function read<Value, Default>(name: string, parse: Parser<Value>, initial: Default): Value | Default {
    known.push(name)
    const text = environment[name]
    if (text === undefined || text === '') return initial
    return parse(text, (mistake) => void mistakes.push(`${name}: ${mistake}`)) ?? initial
  }

  const settings = {
    host: read('HOST', parseHost, '127.0.0.1'),
    port: read('PORT', parsePort, 3000),
    metricsHost: read('METRICS_HOST', parseHost, '127.0.0.1'),
    metricsPort: read('METRICS_PORT', parsePort, undefined),
    databaseUrl: read('DATABASE_URL', parseDatabaseUrl, 'sqlite:data/animal-store.db'),
    apiKeys: read('API_KEYS', parseApiKeys, []),
    publicUrl: read('PUBLIC_URL', parseBaseUrl, undefined),
    trustProxy: read('TRUST_PROXY', parseNetworks, []),
    logLevel: read('LOG_LEVEL', parseLogLevel, 'info'),
    production: environment.NODE_ENV === 'production',
    validateResponses: read('VALIDATE_RESPONSES', parseFlag, false),
    corsOrigins: read('CORS_ORIGINS', parseOrigins, []),
    rateLimit: read('RATE_LIMIT', parseRateLimit, undefined),
    maxEventLoopDelay: read('MAX_EVENT_LOOP_DELAY', parseMilliseconds, 1000),
    maxInFlight: read('MAX_IN_FLIGHT', createIntegerParser('a number of requests', 0, 1_000_000), 1000),
    requestTimeout: read('REQUEST_TIMEOUT', createIntegerParser('a number of milliseconds', 1000, 1_000_000), 30_000),
    stopDelay: read('STOP_DELAY', parseMilliseconds, 0),
  }
  // A server variable with the name of a setting keeps its default.
  const names = serverVariables.filter((name) => !known.includes(name.toUpperCase()))
  const servers = Object.fromEntries(names.map((name) => [name, read(name.toUpperCase(), parseBaseUrl, undefined)]))
  /** Possible mistakes that do not prevent a start, a line each. */
  const warnings = findMisspelt(Object.keys(environment), known)
  const mode = environment.NODE_ENV ?? ''
  if (mode !== 'production' && /^prod/i.test(mode)) warnings.push(`NODE_ENV: use "production" in place of "${mode}"`)
  if (mistakes.length > 0) throw new ConfigError([...mistakes, ...warnings].join('\n'))
  return { ...settings, servers, warnings }
}

/**
 * Names the variables that look like misspelt ones of the configuration. A short name may differ in one letter, or in two
 * that are swapped: PROT counts as a misspelt PORT, and HOME not as a misspelt HOST. Numbered names, such as PORT1, are set
 * by platforms.
 */
function findMisspelt(names: readonly string[], known: readonly string[]): string[] {
  return names.flatMap((name) => {
    const guess = closest(name.toUpperCase(), known)
    const max = guess.length > 5 || sortLetters(name) === sortLetters(guess) ? 2 : 1
    if (known.includes(name) || /\d$/.test(name) || distance(name.toUpperCase(), guess) > max) return []
    return `${name} is not a variable of this service; correct it to ${guess}, or remove it`
  })
}

function sortLetters(name: string): string {
  return [...name.toUpperCase()].sort().join('')
}

/** Parses a text; calls `report` with what is wrong and what to write instead if it cannot. */
type Parser<Value> = (text: string, report: Report) => Value | undefined
type Report = (mistake: string) => undefined

/** Makes a parser that reports a text for which `parse` returns undefined: the text is not `what`; use `use`. */
function createParser<Value>(what: string, use: string, parse: (text: string) => Value | undefined): Parser<Value> {
  return (text, report) => parse(text) ?? report(`${quote(text)} is not ${what}; use ${use}`)
}

function createListParser<Value>(parse: Parser<Value>): Parser<readonly Value[]> {
  return (text, report) => split(text).flatMap((entry) => parse(entry, report) ?? [])
}

const createIntegerParser = (what: string, min: number, max: number) =>
  createParser(what, `an integer from ${min} to ${max}`, (text) => parseDecimal(text, min, max))

const parsePort = createIntegerParser('a port', 0, 65_535)

const parseMilliseconds = createIntegerParser('a number of milliseconds', 0, 1_000_000)

const parseHost = createParser('a host', 'an address or a name, such as 127.0.0.1, without a port', (text) =>
  isIP(text) !== 0 || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(text) ? text : undefined,
)

/** The levels of pino. */
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const parseLogLevel = createParser('a log level', `one of ${logLevels.join(', ')}`, (text) =>
  logLevels.find((level) => level === text),
)

const parseFlag = createParser('true or false', 'one of them', (text) =>
  ['true', 'false'].includes(text) ? text === 'true' : undefined,
)

const parseBaseUrl = createParser(
  'a base URL',
  'an absolute http or https URL without credentials, query, fragment and trailing slash',
  (text) => {
    // An at sign anywhere: credentials with a slash in them would be parsed as a host and a path, and be published.
    const isPlain = /^https?:\/\/[^\s\\?#@/]([^\s\\?#@]*[^\s\\?#@/])?$/i.test(text)
    return isPlain ? URL.parse(text)?.href.replace(/\/$/, '') : undefined
  },
)

const parseNetworks = createListParser(
  createParser('an address or network', 'for example 10.0.0.7, 10.0.0.0/8 or fd00::/8', (network) => {
    // An address with a zone (RFC 4007) is another one on each machine.
    const [, address = '', bits = '0'] = /^([^/%]*)(?:\/([^/]*))?$/.exec(network) ?? []
    const max = isIP(address) === 6 ? 128 : 32
    return isIP(address) !== 0 && parseDecimal(bits, 0, max) !== undefined ? network : undefined
  }),
)

const parseOrigins = createListParser(
  createParser('an origin', 'scheme://host or scheme://host:port, as browsers send it in Origin', (origin) =>
    // The URL standard allows an asterisk in a host name, but browsers never send one: patterns are not supported.
    URL.parse(origin)?.origin === origin && !origin.includes('*') ? origin : undefined,
  ),
)

const parseRateLimit = createParser('a rate limit', 'COUNT/SECONDS, such as 100/60, each from 1 to 1000000', (text) => {
  const [count, seconds] = text.split('/', 2).map((part) => parseDecimal(part, 1, 1_000_000))
  const isWhole = count !== undefined && seconds !== undefined && text === `${count}/${seconds}`
  return isWhole ? { count, seconds } : undefined
})

function parseDatabaseUrl(text: string, report: Report): string | undefined {
  try {
    getSqliteFile(text)
    return text
  } catch (error) {
    return report(toError(error).message)
  }
}

/** Parses `NAME=KEY` and `KEY`. Messages name entries by their position: a malformed one may have its key anywhere. */
function parseApiKeys(text: string, report: Report) {
  let unnamed = 0
  const keys = split(text).map((entry) => {
    // An equals sign that is not followed by another character is padding of the key.
    const end = entry.search(/=[^=]/)
    const name = end < 0 ? `env-${++unnamed}` : entry.slice(0, end)
    return { name, key: entry.slice(end < 0 ? 0 : end + 1) }
  })
  for (const [index, { name, key }] of keys.entries()) {
    const reportEntry = (mistake: string) => report(`entry ${index + 1} has ${mistake}`)
    if (!isKeyName(name)) reportEntry(`an invalid name; use ${keyNameRule}`)
    // RFC 6750, section 2.1: b64token.
    if (!/^[A-Za-z0-9._~+/-]+=*$/.test(key) || key.length < 16) {
      reportEntry('an invalid key; use at least 16 letters, digits, "-", ".", "_", "~", "+" and "/"')
    }
    const sameName = keys.findIndex((other) => other.name === name)
    if (sameName < index) reportEntry(`the same name as entry ${sameName + 1}; give each key its own name`)
    const sameKey = keys.findIndex((other) => other.key === key)
    if (sameKey < index) reportEntry(`the same key as entry ${sameKey + 1}; give each name its own key`)
  }
  return keys
}

/** Parses decimal digits; returns undefined unless the number is from min to max. */
function parseDecimal(text: string, min: number, max: number): number | undefined {
  const value = /^(0|[1-9][0-9]*)$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

function split(text: string): string[] {
  return text.split(',').map((entry) => entry.trim())
}

/** Quotes the beginning of a text, without anything that may be a secret. */
function quote(text: string): string {
  const shown = redactKeys(text).replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1[redacted]@')
  return JSON.stringify(shown.length > 80 ? `${shown.slice(0, 80)}…` : shown)
}

function readOptionalFile(file: string): string {
  try {
    // Some editors start a file with a byte order mark.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const { code } = toError(error)
    if (code === 'ENOENT') return ''
    throw new ConfigError(`${file}: cannot be read (${code}); correct its permissions or remove it`)
  }
}
