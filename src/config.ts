/** The configuration, from the environment and an optional .env file. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { parseEnv } from 'node:util'
import { compile as compileTrust } from '@fastify/proxy-addr'
import { toError } from 'fastify-openapi-first/shared'
import { ConfigError } from './errors.ts'
import { getSqliteFile } from './stores/open.ts'

/** The configuration; .env.example says what each value means. */
export type Config = Readonly<ReturnType<typeof loadConfig>>

interface Setting<Value, Default> {
  /** Completes the message `NAME must be …`. */
  readonly demand: string
  /** Returns the value of a text; undefined for a text of another form. */
  readonly parse: (text: string) => Value | undefined
  /** The value without the variable. */
  readonly defaultValue: Default
}

/** A setting with any number of values, between commas. */
interface ListSetting {
  readonly demand: string
  /** Returns an entry of the list; undefined for an entry of another form. */
  readonly parseEntry: (entry: string) => string | undefined
}

const keepIf = (isValid: (text: string) => boolean) => (text: string) => (isValid(text) ? text : undefined)

const host: Setting<string, string> = {
  demand: 'an address or a name, such as 127.0.0.1, without a port',
  parse: keepIf((text) => isIP(text) !== 0 || /^[\w-]+(\.[\w-]+)*$/.test(text)),
  defaultValue: '127.0.0.1',
}

const baseUrl: Setting<string, undefined> = {
  demand: 'an absolute http or https URL without credentials, query, fragment and trailing slash',
  // No at sign: credentials with a slash would be parsed as a host and a path, and be published.
  parse: keepIf((text) => /^https?:\/\/[^\s\\?#@/]([^\s\\?#@]*[^\s\\?#@/])?$/.test(text) && URL.canParse(text)),
  defaultValue: undefined,
}

function createInteger<Default>(minimum: number, maximum: number, defaultValue: Default): Setting<number, Default> {
  const isInRange = (text: string) => /^\d+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
  return {
    demand: `an integer from ${minimum} to ${maximum}`,
    parse: (text) => (isInRange(text) ? Number(text) : undefined),
    defaultValue,
  }
}

function createChoice<const Value>(values: readonly Value[], defaultValue: NoInfer<Value>): Setting<Value, Value> {
  const parse = (text: string) => values.find((value) => String(value) === text)
  return { demand: `one of ${values.join(', ')}`, parse, defaultValue }
}

/** The settings. The variable of `apiKeys` is API_KEYS, and so on. */
const settings = {
  host,
  port: createInteger(0, 65_535, 3000),
  metricsHost: host,
  metricsPort: createInteger(0, 65_535, undefined),
  databaseUrl: {
    demand: 'a store URL: sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE',
    parse: keepIf((text) => succeeds(() => getSqliteFile(text))),
    defaultValue: 'sqlite:data/animal-store.db',
  },
  apiKeys: {
    demand: 'a KEY or NAME=KEY; a KEY is at least 16 letters, digits, "-", ".", "_", "~", "+" and "/"',
    // RFC 6750, section 2.1: b64token. A name must not be a key, as it is logged.
    parseEntry: keepIf((text) => /^(?:(?!animal_)[\w.-]{1,64}=)?[\w.~+/-]{16,}=*$/.test(text)),
  },
  publicUrl: baseUrl,
  trustProxy: {
    demand: 'an address or a network, such as 10.0.0.7, 10.0.0.0/8 or fd00::/8',
    parseEntry: keepIf((text) => succeeds(() => compileTrust([text]))),
  },
  logLevel: createChoice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
  nodeEnv: { demand: 'a text', parse: (text: string) => text, defaultValue: '' },
  validateResponses: createChoice([true, false], false),
  corsOrigins: {
    demand: 'an origin, as browsers send it: scheme://host or scheme://host:port',
    // The URL standard allows an asterisk in a host name, but browsers never send one: patterns are not supported.
    parseEntry: keepIf((text) => URL.parse(text)?.origin === text && !text.includes('*')),
  },
  rateLimit: {
    demand: 'a rate limit COUNT/SECONDS, such as 100/60',
    parse: (text: string) => {
      const [, count, seconds] = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(text) ?? []
      return count === undefined ? undefined : { count: Number(count), seconds: Number(seconds) }
    },
    defaultValue: undefined,
  },
  maxInFlight: createInteger(0, 1_000_000, 1000),
  /** In milliseconds. */
  requestTimeout: createInteger(1000, 1_000_000, 30_000),
  /** In milliseconds. */
  stopDelay: createInteger(0, 1_000_000, 0),
} as const satisfies Record<string, Setting<unknown, unknown> | ListSetting>

type Values = {
  readonly [Name in keyof typeof settings]: (typeof settings)[Name] extends Setting<infer Value, infer Default>
    ? Value | Default
    : readonly string[]
}

/**
 * Adds the variables of the .env file in the working directory, if there is one, to those of the process, which win unless they
 * are empty. Throws a ConfigError if the file cannot be read.
 */
export function readEnvironment(): NodeJS.ProcessEnv {
  let text = ''
  try {
    // Without a permission to read the file, `process.loadEnvFile` would report that it is missing.
    text = readFileSync('.env', 'utf8')
  } catch (error) {
    const { code } = toError(error)
    if (code !== 'ENOENT') throw new ConfigError(`.env: cannot be read (${code}); correct its permissions or remove it`)
  }
  // Editors may put a byte order mark first.
  for (const [name, value] of Object.entries(parseEnv(text.replace(/^\uFEFF/, '')))) process.env[name] ||= value
  return process.env
}

/**
 * Parses the variables; an empty one counts as missing. `serverVariables` are the names of the base URLs in the spec. Throws
 * a ConfigError with a line per mistake, without the values, which may be secrets.
 */
export function loadConfig(environment: NodeJS.ProcessEnv, serverVariables: readonly string[] = []) {
  const mistakes: string[] = []

  function accept<Value>(name: string, value: Value | undefined, demand: string): Value {
    if (value === undefined) mistakes.push(`${name} must be ${demand}`)
    return value as Value
  }

  function read(variable: string, setting: Setting<unknown, unknown> | ListSetting): unknown {
    const text = environment[variable]
    const { demand } = setting
    if ('parse' in setting) return text ? accept(variable, setting.parse(text), demand) : setting.defaultValue
    const entries = text ? text.split(',').map((entry) => entry.trim()) : []
    return entries.map((entry, index) => accept(`${variable}[${index}]`, setting.parseEntry(entry), demand))
  }

  const values = Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [name, read(toVariable(name), setting)]),
  ) as Values
  // A server variable that is named as a setting, such as `port`, keeps the default in the spec: PORT is the setting.
  const settingVariables = Object.keys(settings).map(toVariable)
  const serverNames = new Set(serverVariables.filter((name) => !settingVariables.includes(name.toUpperCase())))
  const servers = Object.fromEntries(
    Array.from(serverNames, (name) => [name, read(name.toUpperCase(), baseUrl) as string | undefined]),
  )
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))

  const { apiKeys, nodeEnv, ...otherValues } = values
  const production = nodeEnv === 'production'
  // `prod`, `pord` or `Production` is probably meant as `production`.
  const isMisspelt = !production && /^\W*p[or]*d/i.test(nodeEnv)
  return {
    ...otherValues,
    apiKeys: apiKeys.map(parseApiKey),
    production,
    servers,
    /** A possible mistake that does not prevent a start. */
    warning: isMisspelt ? `NODE_ENV is "${nodeEnv}", not production; correct it, or a first key is made` : undefined,
  }
}

/** Parses `NAME=KEY`, or `KEY` without a name. An equals sign that no other character follows is padding of the key. */
function parseApiKey(entry: string, index: number) {
  const nameEnd = entry.search(/=[^=]/)
  return nameEnd < 0
    ? { name: `env-${index + 1}`, key: entry }
    : { name: entry.slice(0, nameEnd), key: entry.slice(nameEnd + 1) }
}

function toVariable(name: string): string {
  return name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()
}

function succeeds(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
