import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import t, { type Test } from 'tap'
import { createKey } from '../src/auth/keys.ts'
import { loadConfig, readEnvironment } from '../src/config.ts'
import { ConfigError } from '../src/errors.ts'

const longKey = 'abcdefghijklmnop'

/** The variables of the servers in the spec. */
const serverVariables = ['base_url', 'staging_base_url']

/** The lines of the error that the variables lead to. */
function mistakesOf(environment: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig(environment, serverVariables)
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
  return []
}

t.test('without any variable, every value is the default that .env.example states', async (t) => {
  const config = loadConfig({}, serverVariables)
  t.strictSame(config, {
    host: '127.0.0.1',
    port: 3000,
    metricsHost: '127.0.0.1',
    metricsPort: undefined,
    databaseUrl: 'sqlite:data/animal-store.db',
    apiKeys: [],
    servers: { base_url: undefined, staging_base_url: undefined },
    publicUrl: undefined,
    trustProxy: [],
    logLevel: 'info',
    production: false,
    validateResponses: false,
    corsOrigins: [],
    rateLimit: undefined,
    maxInFlight: 1000,
    requestTimeout: 30_000,
    stopDelay: 0,
    warning: undefined,
  })
  const example = parseEnv(readFileSync(join(import.meta.dirname, '../.env.example'), 'utf8'))
  t.strictSame(loadConfig(example, serverVariables), config)
  const unset = Object.fromEntries(Object.keys(example).map((name) => [name, '']))
  t.strictSame(loadConfig(unset, serverVariables), config, 'an empty variable counts as absent')
})

/** A value of each variable, and the member of the configuration that it leads to. */
const variables: Record<string, readonly [text: string, member: string, value: unknown]> = {
  HOST: ['::', 'host', '::'],
  PORT: ['0', 'port', 0],
  METRICS_HOST: ['10.0.0.1', 'metricsHost', '10.0.0.1'],
  METRICS_PORT: ['9464', 'metricsPort', 9464],
  DATABASE_URL: ['postgres://u:p@db/animals?ssl=1', 'databaseUrl', 'postgres://u:p@db/animals?ssl=1'],
  API_KEYS: [`ci=${longKey}1`, 'apiKeys', [{ name: 'ci', key: `${longKey}1` }]],
  BASE_URL: ['https://a.example/v1', 'base_url', 'https://a.example/v1'],
  STAGING_BASE_URL: ['http://localhost:8080/v1', 'staging_base_url', 'http://localhost:8080/v1'],
  PUBLIC_URL: ['https://example.com/animals', 'publicUrl', 'https://example.com/animals'],
  TRUST_PROXY: ['127.0.0.1, 10.0.0.0/8,fd00::/8', 'trustProxy', ['127.0.0.1', '10.0.0.0/8', 'fd00::/8']],
  LOG_LEVEL: ['debug', 'logLevel', 'debug'],
  NODE_ENV: ['production', 'production', true],
  VALIDATE_RESPONSES: ['true', 'validateResponses', true],
  CORS_ORIGINS: ['https://a.example,http://b:5173', 'corsOrigins', ['https://a.example', 'http://b:5173']],
  RATE_LIMIT: ['100/60', 'rateLimit', { count: 100, seconds: 60 }],
  MAX_IN_FLIGHT: ['0', 'maxInFlight', 0],
  REQUEST_TIMEOUT: ['5000', 'requestTimeout', 5000],
  STOP_DELAY: ['2500', 'stopDelay', 2500],
}

t.test('every variable of .env.example is read', async (t) => {
  const example = parseEnv(readFileSync(join(import.meta.dirname, '../.env.example'), 'utf8'))
  t.strictSame(Object.keys(example).sort(), Object.keys(variables).sort())
  const environment = Object.fromEntries(Object.entries(variables).map(([name, [text]]) => [name, text]))
  const { servers, ...config } = loadConfig(environment, serverVariables)
  const expected = Object.values(variables).map(([, member, value]) => [member, value])
  t.strictSame({ ...config, ...servers }, { ...Object.fromEntries(expected), warning: undefined })
})

t.test('all wrong variables are named at once, each with the right form', async (t) => {
  t.strictSame(
    mistakesOf({
      HOST: 'localhost:80',
      PORT: '80a',
      DATABASE_URL: 'mysql://root:secret@db/animals',
      API_KEYS: 'short',
      BASE_URL: '/v1',
      TRUST_PROXY: 'loop',
      STAGING_BASE_URL: 'https://user:secret@staging.example.com/v1',
      LOG_LEVEL: 'loud',
      CORS_ORIGINS: '*',
      RATE_LIMIT: '100',
      MAX_IN_FLIGHT: '-1',
      REQUEST_TIMEOUT: '999',
    }),
    [
      'HOST must be an address or a name, such as 127.0.0.1, without a port',
      'PORT must be an integer from 0 to 65535',
      'DATABASE_URL must be a store URL: sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE',
      'API_KEYS[0] must be a KEY or NAME=KEY; a KEY is at least 16 letters, digits, "-", ".", "_", "~", "+" and "/"',
      'TRUST_PROXY[0] must be an address or a network, such as 10.0.0.7, 10.0.0.0/8 or fd00::/8',
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent',
      'CORS_ORIGINS[0] must be an origin, as browsers send it: scheme://host or scheme://host:port',
      'RATE_LIMIT must be a rate limit COUNT/SECONDS, such as 100/60',
      'MAX_IN_FLIGHT must be an integer from 0 to 1000000',
      'REQUEST_TIMEOUT must be an integer from 1000 to 1000000',
      'BASE_URL must be an absolute http or https URL without credentials, query, fragment and trailing slash',
      'STAGING_BASE_URL must be an absolute http or https URL without credentials, query, fragment and trailing slash',
    ],
  )
})

/** What variables take, and what resembles that and is refused, each with | between. */
const values: Record<string, { readonly takes: string; readonly refuses: string }> = {
  HOST: {
    takes: '0.0.0.0|::1|localhost|animals.internal|my_service',
    refuses: 'http://localhost|local host|[::1]|a..b|::1:|a\nb',
  },
  PORT: {
    takes: '0|80|65535',
    refuses: '65536|-1|80.5|٨٠|99999999999999999999|http',
  },
  DATABASE_URL: {
    takes: 'sqlite:animals.db|sqlite::memory:|postgres://db/animals|postgresql://db/animals',
    refuses: 'animals.db|SQLITE:animals.db|:memory:|postgres:animals|file:animals.db| sqlite:a.db',
  },
  BASE_URL: {
    takes: 'https://a.example|http://[::1]:8080/v1',
    refuses:
      'a.example/v1|ftp://a.example/v1|https://|https:///v1|https://a.example/v1/|https://a.example/|https://a/v1?|' +
      'https://a/v1?a=b|https://a/v1#|https://a/v 1|https:\\\\a\\v1|https://u@a/v1|https://:secret@a/v1| https://a/v1|' +
      'https://a.example:99999/v1',
  },
  VALIDATE_RESPONSES: { takes: 'true|false', refuses: 'yes|1|TRUE| true' },
  LOG_LEVEL: { takes: 'trace|debug|info|warn|error|fatal|silent', refuses: 'INFO|verbose|30|info ' },
  CORS_ORIGINS: {
    takes: 'https://a.example|https://a.example:8443|http://[::1]:5173|https://a.example, https://b.example',
    refuses:
      '*|null|a.example|https://a.example/|https://A.example|https://a.example:443|https://user@a.example|' +
      'https://*.a.example|https://a.example,|file:///a',
  },
  RATE_LIMIT: {
    takes: '1/1|999999/999999',
    refuses: '100|100/|/60|0/60|100/0|100/60/1|100/60s|1e2/60|100 / 60|1000000/60|-1/60',
  },
  MAX_IN_FLIGHT: { takes: '0|1|1000000', refuses: '1000001|-1|1.5|many' },
  REQUEST_TIMEOUT: { takes: '1000|1000000', refuses: '999|0|1000001' },
  STOP_DELAY: { takes: '0|1000000', refuses: '-1|1000001' },
  METRICS_HOST: { takes: '::1', refuses: 'http://localhost|localhost:9464' },
  METRICS_PORT: { takes: '0|9464', refuses: '65536|none' },
  PUBLIC_URL: {
    takes: 'https://a.example|http://a.example:8080/animals',
    refuses: '/animals|a.example/animals|https://a.example/animals/',
  },
  TRUST_PROXY: {
    takes: '127.0.0.1|::1|10.0.0.0/8, 192.168.0.0/16|loopback|fd00::/8|::ffff:10.0.0.0/104',
    refuses: 'localhost|0.0.0.0/0|10.0.0.0/33|fd00::/129|10.0.0.0/8/8|1.1.1.1,',
  },
}

t.test('each variable takes its values, and refuses what resembles them in one line', async (t) => {
  for (const [name, { takes, refuses }] of Object.entries(values)) {
    for (const value of takes.split('|')) t.strictSame(mistakesOf({ [name]: value }), [], `${name}=${value}`)
    for (const value of refuses.split('|')) {
      const mistakes = mistakesOf({ [name]: value })
      t.match(mistakes, [new RegExp(`^${name}(\\[\\d\\])? must .+`)], `${name}=${value}`)
      t.equal(mistakes.length, 1, `${name}=${value}`)
    }
  }
})

t.test('a server variable with the name of a setting takes no value from it', async (t) => {
  const names = ['public_url', 'host', 'node_env', 'base_url', 'base_url']
  const { host, servers } = loadConfig({ PUBLIC_URL: 'https://x', HOST: '::1', BASE_URL: 'https://y' }, names)
  t.strictSame({ host, servers }, { host: '::1', servers: { base_url: 'https://y' } })
})

t.test('API_KEYS takes keys with a name and without, padding included', async (t) => {
  const text = `ci=${longKey}, ${longKey}==,build.server-2_eu=AZaz09-._~+/AZaz09== , ~${longKey}`
  t.strictSame(loadConfig({ API_KEYS: text }).apiKeys, [
    { name: 'ci', key: longKey },
    { name: 'env-2', key: `${longKey}==` },
    { name: 'build.server-2_eu', key: 'AZaz09-._~+/AZaz09==' },
    { name: 'env-4', key: `~${longKey}` },
  ])
})

t.test('API_KEYS refuses every invalid entry by its position', async (t) => {
  for (const [text, ...positions] of [
    [`${longKey},`, 1],
    ['abcdefghijklmno', 0],
    [`${longKey}!`, 0],
    [`ab cd${longKey}`, 0],
    [`é${longKey}`, 0],
    [`ci=${longKey}=${longKey}`, 0],
    ['ci=', 0],
    [`=${longKey}`, 0],
    [`c i=${longKey}`, 0],
    [`${'x'.repeat(65)}=${longKey}`, 0],
    [`${createKey()}=${longKey}`, 0],
    [`c i=short,${longKey},x`, 0, 2],
  ] as const) {
    const rule = 'must be a KEY or NAME=KEY; a KEY is at least 16 letters, digits, "-", ".", "_", "~", "+" and "/"'
    t.strictSame(
      mistakesOf({ API_KEYS: text }),
      positions.map((position) => `API_KEYS[${position}] ${rule}`),
      text,
    )
  }
})

t.test('no message shows a key or a password', async (t) => {
  const key = createKey()
  const secret = 'correct-horse-battery-staple'
  for (const text of [
    key,
    `${key}:80`,
    `${secret}@`,
    `me:${secret}@host`,
    `me:sec/${secret}@host`,
    `//me:${secret}@host`,
    `http://me:${secret}@host`,
    `mysql://me:${secret}@host/animals`,
    `https://me:/${secret}@host/v1`,
  ]) {
    const environment = Object.fromEntries(Object.keys(variables).map((name) => [name, text]))
    const mistakes = mistakesOf({ ...environment, API_KEYS: `${secret}!,a b=${key},${key}=short`, DATABASE_URL: 'x:' })
    t.ok(mistakes.length > 15, text)
    t.notMatch(mistakes.join('\n'), key)
    t.notMatch(mistakes.join('\n'), secret)
  }
})

t.test('a .env file fills in what the environment lacks, and may be missing', async (t) => {
  enterFolder(t, { '.env': '# a comment\nHOST=::1\nPORT=8080\nLOG_LEVEL="debug"\nBASE_URL=\n' })
  const { PATH } = process.env
  process.env.PORT = '9090'
  process.env.LOG_LEVEL = ''
  t.match(readEnvironment(), { HOST: '::1', PORT: '9090', LOG_LEVEL: 'debug', BASE_URL: '', PATH })
  rmSync('.env')
  t.match(readEnvironment(), { PORT: '9090', PATH })
})

t.test('a .env that is a folder is refused', async (t) => {
  enterFolder(t, { '.env': {} })
  t.throws(readEnvironment, {
    name: 'ConfigError',
    message: '.env: cannot be read (EISDIR); correct its permissions or remove it',
  })
})

t.test('a byte order mark is no part of the first variable of a .env file', async (t) => {
  enterFolder(t, { '.env': '\uFEFFAPI_KEYS=me\n' })
  t.match(readEnvironment(), { API_KEYS: 'me' })
})

t.test('a NODE_ENV that looks like production and is another one is a warning', async (t) => {
  for (const NODE_ENV of ['prod', 'Production', 'prd', 'porduction', 'prodution', ' production']) {
    const warning = `NODE_ENV is "${NODE_ENV}", not production; correct it, or a first key is made`
    t.equal(loadConfig({ NODE_ENV }).warning, warning)
  }
  for (const NODE_ENV of ['production', 'development', 'test']) t.equal(loadConfig({ NODE_ENV }).warning, undefined)
})

/** Makes a folder with these files the working directory; the test ends with the directory and the environment before. */
function enterFolder(t: Test, files: NonNullable<Parameters<Test['testdir']>[0]>): void {
  const [folder, environment] = [process.cwd(), { ...process.env }]
  t.teardown(() => {
    process.chdir(folder)
    process.env = environment
  })
  process.chdir(t.testdir(files))
}
