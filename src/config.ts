/** The configuration, from the environment and an optional .env file. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { parseEnv } from 'node:util'
import { compile as compileTrust } from '@fastify/proxy-addr'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { ConfigError, toError } from './errors.ts'
import { formatViolation } from './openapi/index.ts'
import { getSqliteFile } from './stores/open.ts'

/** The configuration; .env.example says what each value means. */
export type Config = Readonly<ReturnType<typeof loadConfig>>

/** The formats of values. Their names are a part of the message: `must be an address …`. */
const formats = {
  'address or a name, such as 127.0.0.1, without a port': (text: string) =>
    isIP(text) !== 0 || /^[\w-]+(\.[\w-]+)*$/.test(text),
  'store URL: sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE': (text: string) =>
    succeeds(() => getSqliteFile(text)),
  // RFC 6750, section 2.1: b64token. A name must not be a key, as it is logged.
  'KEY or NAME=KEY; a KEY is at least 16 letters, digits, "-", ".", "_", "~", "+" and "/"': (text: string) =>
    /^(?:(?!animal_)[\w.-]{1,64}=)?[\w.~+/-]{16,}=*$/.test(text),
  // No at sign: credentials with a slash would be parsed as a host and a path, and be published.
  'absolute http or https URL without credentials, query, fragment and trailing slash': (text: string) =>
    /^https?:\/\/[^\s\\?#@/]([^\s\\?#@]*[^\s\\?#@/])?$/.test(text) && URL.canParse(text),
  'address or a network, such as 10.0.0.7, 10.0.0.0/8 or fd00::/8': (text: string) =>
    succeeds(() => compileTrust([text])),
  // The URL standard allows an asterisk in a host name, but browsers never send one: patterns are not supported.
  'origin, as browsers send it: scheme://host or scheme://host:port': (text: string) =>
    URL.parse(text)?.origin === text && !text.includes('*'),
  'rate limit COUNT/SECONDS, such as 100/60': (text: string) => /^[1-9]\d{0,5}\/[1-9]\d{0,5}$/.test(text),
}
const [HOST, STORE, API_KEY, BASE_URL, NETWORK, ORIGIN, RATE_LIMIT] = Object.keys(formats)

const host = { type: 'string', format: HOST, default: '127.0.0.1' } as const
const port = { type: 'integer', minimum: 0, maximum: 65_535 } as const
const milliseconds = { type: 'integer', minimum: 0, maximum: 1_000_000 } as const
const baseUrl = { type: 'string', format: BASE_URL } as const

/** The JSON Schemas of the settings. The variable of `apiKeys` is API_KEYS, and so on. */
const settings = {
  host,
  port: { ...port, default: 3000 },
  metricsHost: host,
  metricsPort: port,
  databaseUrl: { type: 'string', format: STORE, default: 'sqlite:data/animal-store.db' },
  apiKeys: { type: 'array', items: { format: API_KEY }, default: [] },
  publicUrl: baseUrl,
  trustProxy: { type: 'array', items: { format: NETWORK }, default: [] },
  logLevel: { enum: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], default: 'info' },
  nodeEnv: { type: 'string', default: '' },
  validateResponses: { type: 'boolean', default: false },
  corsOrigins: { type: 'array', items: { format: ORIGIN }, default: [] },
  rateLimit: { type: 'string', format: RATE_LIMIT },
  maxInFlight: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 1000 },
  requestTimeout: { ...milliseconds, minimum: 1000, default: 30_000 },
  stopDelay: { ...milliseconds, default: 0 },
} as const

/** Converts texts to numbers and booleans. The schemas themselves are not checked, which would take a while. */
const ajv = new Ajv2020({
  allErrors: true,
  coerceTypes: true,
  formats,
  meta: false,
  strict: false,
  useDefaults: true,
  validateSchema: false,
  verbose: true,
})

type Value<Setting> = Setting extends { enum: readonly (infer Item)[] }
  ? Item
  : Setting extends { type: keyof Types }
    ? Types[Setting['type']] | (Setting extends { default: unknown } ? never : undefined)
    : never
type Types = { string: string; integer: number; boolean: boolean; array: readonly string[] }
type Settings = { [Name in keyof typeof settings]: Value<(typeof settings)[Name]> }

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
  const properties: Record<string, { readonly type?: string; readonly default?: unknown }> = Object.fromEntries(
    Object.entries(settings).map(([name, schema]) => [toVariable(name), schema]),
  )
  // A variable of the spec whose name is that of a setting keeps its default: the environment has one value for both.
  const serverNames = serverVariables.filter((name) => !(name.toUpperCase() in properties))
  for (const name of serverNames) properties[name.toUpperCase()] = baseUrl

  const values: Record<string, unknown> = {}
  for (const [name, { type }] of Object.entries(properties)) {
    const text = environment[name]
    if (text) values[name] = type === 'array' ? text.split(',').map((entry) => entry.trim()) : text
  }
  const validate = ajv.compile({ properties })
  validate(values)
  const mistakes = (validate.errors ?? []).map((error) => formatViolation('', error).slice(1))
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))

  const names = Object.keys(settings)
  const { apiKeys, rateLimit, nodeEnv, ...others } = Object.fromEntries(
    names.map((name) => [name, values[toVariable(name)]]),
  ) as Settings
  const production = nodeEnv === 'production'
  const isMisspelt = !production && /^\W*p[or]*d/i.test(nodeEnv)
  const [count = 0, seconds = 0] = rateLimit?.split('/').map(Number) ?? []
  return {
    ...others,
    apiKeys: apiKeys.map(parseApiKey),
    production,
    rateLimit: rateLimit === undefined ? undefined : { count, seconds },
    servers: Object.fromEntries(serverNames.map((name) => [name, values[name.toUpperCase()] as string | undefined])),
    /** A possible mistake that does not prevent a start. */
    warning: isMisspelt ? `NODE_ENV is "${nodeEnv}", not production; correct it, or a first key is made` : undefined,
  }
}

/** Parses `NAME=KEY`, or `KEY` without a name. An equals sign that no other character follows is padding of the key. */
function parseApiKey(entry: string, index: number) {
  const end = entry.search(/=[^=]/)
  return end < 0 ? { name: `env-${index + 1}`, key: entry } : { name: entry.slice(0, end), key: entry.slice(end + 1) }
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
