/**
 * The configuration: from the environment and an optional .env file to a frozen Config. See .env.example.
 */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { parseEnv } from 'node:util'
import { isKeyName, keyNameRule, redactKeys } from './keys.ts'

export interface Config {
  /** The address, or the name of one, to listen on. */
  readonly host: string
  /** 0 to 65535; 0 lets the system choose. */
  readonly port: number
  /** Names the store: `sqlite:…`, `postgres://…` or `postgresql://…`. It may hold a password. */
  readonly databaseUrl: string
  /** Keys accepted besides those of the store; names and keys are each unique. */
  readonly apiKeys: readonly ApiKey[]
  /** The address of the production deployment, in the normal form of the URL standard, without a trailing slash. */
  readonly baseUrl: string | undefined
  /** The address of the staging deployment, likewise. */
  readonly stagingBaseUrl: string | undefined
  readonly logLevel: LogLevel
  readonly production: boolean
  /** The origins (RFC 6454) whose pages may use the service. */
  readonly corsOrigins: readonly string[]
  /** How often each key may be used, if that is limited. */
  readonly rateLimit: RateLimit | undefined
  /** The event-loop delay above which requests are refused, in milliseconds; 0 is none. */
  readonly maxEventLoopDelay: number
  /** The number of requests in flight above which further ones are refused; 0 is none. */
  readonly maxInFlight: number
  /** How long a request may take to arrive, in milliseconds, 1000 or more. */
  readonly requestTimeout: number
  /** How long the service goes on after it was told to stop, saying so, in milliseconds. */
  readonly stopDelay: number
}

export interface ApiKey {
  readonly name: string
  readonly key: string
}

/** At most `count` requests in `seconds` seconds, each 1 or more. */
export interface RateLimit {
  readonly count: number
  readonly seconds: number
}

export type LogLevel = (typeof logLevels)[number]

/** As pino has them. */
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** The configuration is wrong; the message has one line `NAME: what is wrong; what to do` per mistake, and no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
  }
}

/**
 * The variables of the process and, for those that it lacks or has empty, of a .env file if there is one.
 * Throws a ConfigError when there is one that cannot be read.
 */
export function readEnvironment(file = '.env', environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const given = Object.entries(environment).filter(([, text]) => text !== '')
  return { ...parseEnv(readIfThere(file)), ...Object.fromEntries(given) }
}

/** The configuration that the variables give; an empty one counts as absent. Throws a ConfigError naming every mistake. */
export function loadConfig(environment: NodeJS.ProcessEnv): Config {
  const mistakes: string[] = []

  function read<Value, Default>(name: string, parse: Parser<Value>, otherwise: Default): Value | Default {
    const text = environment[name]
    if (text === undefined || text === '') return otherwise
    return parse(text, (mistake) => void mistakes.push(`${name}: ${mistake}`)) ?? otherwise
  }

  const config: Config = {
    host: read('HOST', host, '127.0.0.1'),
    port: read('PORT', integer('a port', 65_535), 3000),
    databaseUrl: read('DATABASE_URL', databaseUrl, 'sqlite:data/animal-store.db'),
    apiKeys: read('API_KEYS', apiKeys, Object.freeze([])),
    baseUrl: read('BASE_URL', baseUrl, undefined),
    stagingBaseUrl: read('STAGING_BASE_URL', baseUrl, undefined),
    logLevel: read('LOG_LEVEL', logLevel, 'info'),
    production: environment.NODE_ENV === 'production',
    corsOrigins: read('CORS_ORIGINS', origins, Object.freeze([])),
    rateLimit: read('RATE_LIMIT', rateLimit, undefined),
    maxEventLoopDelay: read('MAX_EVENT_LOOP_DELAY', integer('a number of milliseconds', 1_000_000), 1000),
    maxInFlight: read('MAX_IN_FLIGHT', integer('a number of requests', 1_000_000), 1000),
    requestTimeout: read('REQUEST_TIMEOUT', integer('a number of milliseconds', 1_000_000, 1000), 30_000),
    stopDelay: read('STOP_DELAY', integer('a number of milliseconds', 1_000_000), 0),
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return Object.freeze(config)
}

/** The value that a text stands for; a text that stands for none is refused, saying why and what to write instead. */
type Parser<Value> = (text: string, refuse: Refuse) => Value | undefined
type Refuse = (mistake: string) => undefined

function host(text: string, refuse: Refuse): string | undefined {
  const isHost = isIP(text) !== 0 || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(text)
  return isHost
    ? text
    : refuse(`${quote(text)} is not a host; use an address or a name, such as 127.0.0.1, without a port`)
}

function integer(what: string, max: number, min = 0): Parser<number> {
  return (text, refuse) =>
    decimal(text, min, max) ?? refuse(`${quote(text)} is not ${what}; use an integer from ${min} to ${max}`)
}

/** Only the scheme is looked at; what follows it is the business of the store. */
function databaseUrl(text: string, refuse: Refuse): string | undefined {
  if (/^(sqlite:|postgres(ql)?:\/\/)/.test(text)) return text
  // What follows may hold a password.
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0]
  const what = scheme === undefined ? 'it has no scheme' : `${quote(scheme)} is not how the URL of a store begins`
  return refuse(`${what}; use sqlite:PATH, sqlite::memory: or postgres://…`)
}

/** Entries are told apart by their place: one in disorder may have its key anywhere. */
function apiKeys(text: string, refuse: Refuse): readonly ApiKey[] {
  let unnamed = 0
  const keys = split(text).map((entry) => {
    // An equals sign that is not followed by another character is padding of the key.
    const end = entry.search(/=[^=]/)
    const name = end < 0 ? `env-${++unnamed}` : entry.slice(0, end)
    return Object.freeze({ name, key: entry.slice(end < 0 ? 0 : end + 1) })
  })
  for (const [index, { name, key }] of keys.entries()) {
    const place = `entry ${index + 1}`
    if (!isKeyName(name)) {
      refuse(`${place} has no proper name; use ${keyNameRule}`)
    }
    // RFC 6750, section 2.1: b64token.
    if (!/^[A-Za-z0-9._~+/-]+=*$/.test(key) || key.length < 16) {
      refuse(`${place} has no proper key; use at least 16 letters, digits, "-", ".", "_", "~", "+" and "/"`)
    }
    const sameName = keys.findIndex((other) => other.name === name)
    if (sameName < index) refuse(`${place} has the name of entry ${sameName + 1}; give each key a name of its own`)
    const sameKey = keys.findIndex((other) => other.key === key)
    if (sameKey < index) refuse(`${place} has the key of entry ${sameKey + 1}; give each name a key of its own`)
  }
  return Object.freeze(keys)
}

function baseUrl(text: string, refuse: Refuse): string | undefined {
  // An at sign anywhere: credentials with a slash in them would be taken for a host and a path, and be published.
  const isPlain = /^https?:\/\/[^\s\\?#@/]([^\s\\?#@]*[^\s\\?#@/])?$/i.test(text)
  const url = isPlain ? URL.parse(text) : null
  if (url !== null) return url.href.replace(/\/$/, '')
  const want = 'an absolute http or https URL without credentials, query, fragment and trailing slash'
  return refuse(`${quote(text)} is not a base address; use ${want}`)
}

function logLevel(text: string, refuse: Refuse): LogLevel | undefined {
  const level = logLevels.find((one) => one === text)
  return level ?? refuse(`${quote(text)} is not a log level; use one of ${logLevels.join(', ')}`)
}

function origins(text: string, refuse: Refuse): readonly string[] {
  const list = split(text)
  for (const origin of list) {
    // A browser sends no asterisk, though the URL standard has it in names of hosts; there are no patterns here.
    if (URL.parse(origin)?.origin === origin && !origin.includes('*')) continue
    refuse(`${quote(origin)} is not an origin; use scheme://host or scheme://host:port, as browsers send it in Origin`)
  }
  return Object.freeze(list)
}

function rateLimit(text: string, refuse: Refuse): RateLimit | undefined {
  const [count, seconds] = text.split('/', 2).map((part) => decimal(part, 1, 1_000_000))
  if (count !== undefined && seconds !== undefined && text === `${count}/${seconds}`) {
    return Object.freeze({ count, seconds })
  }
  return refuse(`${quote(text)} is not a rate limit; use COUNT/SECONDS, such as 100/60, each from 1 to 1000000`)
}

/** A number in nothing but decimal digits, if it is one from min to max. */
function decimal(text: string, min: number, max: number): number | undefined {
  const value = /^(0|[1-9][0-9]*)$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

function split(text: string): string[] {
  return text.split(',').map((entry) => entry.trim())
}

/** The beginning of a text in quotes, without what may be a secret. */
function quote(text: string): string {
  const shown = redactKeys(text).replace(/\/\/.*@/s, '//[redacted]@')
  return JSON.stringify(shown.length > 80 ? `${shown.slice(0, 80)}…` : shown)
}

function readIfThere(file: string): string {
  try {
    // Some editors begin a file with a byte order mark.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return ''
    throw new ConfigError([`${file}: it cannot be read (${code}); make it a file that can be, or remove it`])
  }
}
