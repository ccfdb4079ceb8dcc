import { join } from 'node:path'
import t from 'tap'
import { createKey } from '../src/auth/keys.ts'
import { loadConfig, readEnvironment } from '../src/config.ts'
import { StartupError } from '../src/errors.ts'

const longKey = 'abcdefghijklmnop'

/** The variables of the servers in the spec. */
const serverVariables = ['base_url', 'staging_base_url']

/** The lines of the error that the variables lead to. */
function mistakesOf(environment: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig(environment, serverVariables)
  } catch (error) {
    if (error instanceof StartupError) return error.message.split('\n')
    throw error
  }
  return []
}

t.test('without any variable, every value is the default that .env.example states', (t) => {
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
    maxEventLoopDelay: 1000,
    maxInFlight: 1000,
    requestTimeout: 30_000,
    stopDelay: 0,
    warnings: [],
  })
  const example = readEnvironment(join(import.meta.dirname, '../.env.example'), {})
  t.strictSame(loadConfig(example, serverVariables), config)
  t.strictSame(Object.keys(example).sort(), [
    'API_KEYS',
    'BASE_URL',
    'CORS_ORIGINS',
    'DATABASE_URL',
    'HOST',
    'LOG_LEVEL',
    'MAX_EVENT_LOOP_DELAY',
    'MAX_IN_FLIGHT',
    'METRICS_HOST',
    'METRICS_PORT',
    'NODE_ENV',
    'PORT',
    'PUBLIC_URL',
    'RATE_LIMIT',
    'REQUEST_TIMEOUT',
    'STAGING_BASE_URL',
    'STOP_DELAY',
    'TRUST_PROXY',
    'VALIDATE_RESPONSES',
  ])
  t.end()
})

t.test('every variable is read', (t) => {
  const config = loadConfig(
    {
      HOST: '::',
      PORT: '0',
      METRICS_HOST: '10.0.0.1',
      METRICS_PORT: '9464',
      DATABASE_URL: 'postgres://user:secret@db.example/animals?sslmode=require',
      API_KEYS: `ci=${longKey}1`,
      BASE_URL: 'https://api.example.com/v1',
      STAGING_BASE_URL: 'http://localhost:8080/v1',
      PUBLIC_URL: 'https://example.com/animals',
      TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,fd00::/8',
      LOG_LEVEL: 'debug',
      NODE_ENV: 'production',
      VALIDATE_RESPONSES: 'true',
      CORS_ORIGINS: 'https://shop.example,http://localhost:5173',
      RATE_LIMIT: '100/60',
      MAX_EVENT_LOOP_DELAY: '250',
      MAX_IN_FLIGHT: '0',
      REQUEST_TIMEOUT: '5000',
      STOP_DELAY: '2500',
    },
    serverVariables,
  )
  t.strictSame(config, {
    host: '::',
    port: 0,
    metricsHost: '10.0.0.1',
    metricsPort: 9464,
    databaseUrl: 'postgres://user:secret@db.example/animals?sslmode=require',
    apiKeys: [{ name: 'ci', key: `${longKey}1` }],
    servers: { base_url: 'https://api.example.com/v1', staging_base_url: 'http://localhost:8080/v1' },
    publicUrl: 'https://example.com/animals',
    trustProxy: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
    logLevel: 'debug',
    production: true,
    validateResponses: true,
    corsOrigins: ['https://shop.example', 'http://localhost:5173'],
    rateLimit: { count: 100, seconds: 60 },
    maxEventLoopDelay: 250,
    maxInFlight: 0,
    requestTimeout: 5000,
    stopDelay: 2500,
    warnings: [],
  })
  t.end()
})

t.test('an empty variable counts as absent', (t) => {
  const names = ['HOST', 'PORT', 'DATABASE_URL', 'API_KEYS', 'BASE_URL', 'STAGING_BASE_URL', 'LOG_LEVEL', 'NODE_ENV']
  const limits = [
    'VALIDATE_RESPONSES',
    'CORS_ORIGINS',
    'RATE_LIMIT',
    'MAX_EVENT_LOOP_DELAY',
    'MAX_IN_FLIGHT',
    'REQUEST_TIMEOUT',
  ]
  const empty = Object.fromEntries([...names, ...limits].map((name) => [name, '']))
  t.strictSame(loadConfig(empty, serverVariables), loadConfig({}, serverVariables))
  t.end()
})

t.test('a message does not repeat what may be a password', (t) => {
  for (const text of ['me:secret@host', 'http://me:secret@host', '//me:secret@host', 'secret@', 'me:sec/ret@host']) {
    t.notMatch(
      mistakesOf({ HOST: text, PORT: text, LOG_LEVEL: text, BASE_URL: text, CORS_ORIGINS: text }),
      /secret|ret@/,
    )
  }
  t.end()
})

t.test('all wrong variables are named at once, each with the right form', (t) => {
  t.strictSame(
    mistakesOf({
      HOST: 'localhost:80',
      PORT: '80a',
      DATABASE_URL: 'mysql://root:secret@db/animals',
      API_KEYS: 'short',
      BASE_URL: '/v1',
      TRUST_PROXY: 'loopback',
      STAGING_BASE_URL: 'https://user:secret@staging.example.com/v1',
      LOG_LEVEL: 'loud',
      CORS_ORIGINS: '*',
      RATE_LIMIT: '100',
      MAX_EVENT_LOOP_DELAY: '1s',
      MAX_IN_FLIGHT: '-1',
      REQUEST_TIMEOUT: '999',
    }),
    [
      'HOST: "localhost:80" is not a host; use an address or a name, such as 127.0.0.1, without a port',
      'PORT: "80a" is not a port; use an integer from 0 to 65535',
      'DATABASE_URL: a store URL with the scheme mysql: is not supported; use sqlite:PATH, sqlite::memory: or postgres://…',
      'API_KEYS: entry 1 has an invalid key; use at least 16 letters, digits, "-", ".", "_", "~", "+" and "/"',
      'TRUST_PROXY: "loopback" is not an address or network; use for example 10.0.0.7, 10.0.0.0/8 or fd00::/8',
      'LOG_LEVEL: "loud" is not a log level; use one of trace, debug, info, warn, error, fatal, silent',
      'CORS_ORIGINS: "*" is not an origin; use scheme://host or scheme://host:port, as browsers send it in Origin',
      'RATE_LIMIT: "100" is not a rate limit; use COUNT/SECONDS, such as 100/60, each from 1 to 1000000',
      'MAX_EVENT_LOOP_DELAY: "1s" is not a number of milliseconds; use an integer from 0 to 1000000',
      'MAX_IN_FLIGHT: "-1" is not a number of requests; use an integer from 0 to 1000000',
      'REQUEST_TIMEOUT: "999" is not a number of milliseconds; use an integer from 1000 to 1000000',
      'BASE_URL: "/v1" is not a base URL; use an absolute http or https URL without credentials, query, fragment and trailing slash',
      'STAGING_BASE_URL: "https://[redacted]@staging.example.com/v1" is not a base URL; use an absolute http or https URL without credentials, query, fragment and trailing slash',
    ],
  )
  t.end()
})

t.test('beside a wrong variable, a misspelt one is named, too', (t) => {
  t.strictSame(mistakesOf({ PORT: '80a', RATE_LIMT: '1/1' }), [
    'PORT: "80a" is not a port; use an integer from 0 to 65535',
    'RATE_LIMT is not a variable of this service; correct it to RATE_LIMIT, or remove it',
  ])
  t.end()
})

const accepted: Record<string, readonly string[]> = {
  HOST: ['0.0.0.0', '::1', 'localhost', 'animals.internal', 'my_service'],
  PORT: ['0', '80', '65535'],
  DATABASE_URL: ['sqlite:animals.db', 'sqlite::memory:', 'postgres://db/animals', 'postgresql://db/animals'],
  LOG_LEVEL: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
  VALIDATE_RESPONSES: ['true', 'false'],
  CORS_ORIGINS: [
    'https://a.example',
    'https://a.example:8443',
    'http://[::1]:5173',
    'https://a.example, https://b.example',
  ],
  RATE_LIMIT: ['1/1', '1000000/1000000'],
  MAX_EVENT_LOOP_DELAY: ['0', '1', '1000000'],
  METRICS_PORT: ['0', '9464'],
  PUBLIC_URL: ['https://shop.example', 'http://shop.example:8080/animals'],
  TRUST_PROXY: ['127.0.0.1', '::1', '10.0.0.0/8, 192.168.0.0/16', '0.0.0.0/0', 'fd00::/8', '::ffff:10.0.0.0/104'],
  MAX_IN_FLIGHT: ['0', '1', '1000000'],
  REQUEST_TIMEOUT: ['1000', '1000000'],
  STOP_DELAY: ['0', '1000000'],
}

const refused: Record<string, readonly string[]> = {
  HOST: ['http://localhost', 'local host', '[::1]', 'a..b', '::1:', 'a\nb'],
  PORT: ['65536', '-1', '+80', '080', '80.0', '8e1', '0x50', ' 80', '80 ', '٨٠', '99999999999999999999', 'http'],
  DATABASE_URL: ['animals.db', 'SQLITE:animals.db', ':memory:', 'postgres:animals', 'file:animals.db', ' sqlite:a.db'],
  BASE_URL: [
    'api.example.com/v1',
    'ftp://api.example.com/v1',
    'https://',
    'https:///v1',
    'https://api.example.com/v1/',
    'https://api.example.com/',
    'https://api.example.com/v1?',
    'https://api.example.com/v1?a=b',
    'https://api.example.com/v1#',
    'https://api.example.com/v 1',
    'https:\\\\api.example.com\\v1',
    'https://user@api.example.com/v1',
    'https://:secret@api.example.com/v1',
    'https://api.example.com:99999/v1',
    ' https://api.example.com/v1',
  ],
  VALIDATE_RESPONSES: ['yes', '1', 'TRUE', ' true'],
  LOG_LEVEL: ['INFO', 'verbose', '30', 'info '],
  CORS_ORIGINS: [
    '*',
    'null',
    'shop.example',
    'https://shop.example/',
    'https://Shop.example',
    'https://shop.example:443',
    'https://user@shop.example',
    'https://*.shop.example',
    'https://a.example,',
    'file:///a',
  ],
  RATE_LIMIT: [
    '100',
    '100/',
    '/60',
    '0/60',
    '100/0',
    '100/60/1',
    '100/60s',
    '1e2/60',
    '100 / 60',
    '1000001/60',
    '-1/60',
  ],
  MAX_EVENT_LOOP_DELAY: ['1000001', '-1', '1.5', '1s', '01'],
  MAX_IN_FLIGHT: ['1000001', '-1', '1.5', 'many', '01'],
  REQUEST_TIMEOUT: ['999', '0', '1000001'],
  STOP_DELAY: ['-1', '1000001'],
  METRICS_HOST: ['http://localhost', 'localhost:9464'],
  METRICS_PORT: ['65536', 'none'],
  PUBLIC_URL: ['/animals', 'shop.example/animals', 'https://shop.example/animals/'],
  TRUST_PROXY: [
    'localhost',
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0',
    'fe80::1%lo',
    '1.1.1.1,',
  ],
}

for (const [name, values] of Object.entries(accepted)) {
  t.test(`${name} takes ${values.join(' and ')}`, (t) => {
    for (const value of values) t.strictSame(mistakesOf({ [name]: value }), [], JSON.stringify(value))
    t.end()
  })
}

for (const [name, values] of Object.entries(refused)) {
  t.test(`${name} refuses whatever else resembles them, in one line`, (t) => {
    for (const value of values) {
      const [mistake, ...others] = mistakesOf({ [name]: value })
      t.match(mistake, new RegExp(`^${name}: .+; use .+`), JSON.stringify(value))
      t.strictSame(others, [], JSON.stringify(value))
    }
    t.end()
  })
}

t.test('base URLs are normalized', (t) => {
  for (const [given, want] of [
    ['https://api.example.com', 'https://api.example.com'],
    ['HTTPS://API.Example.com:443/v1', 'https://api.example.com/v1'],
    ['http://[::1]:8080/v1', 'http://[::1]:8080/v1'],
    ['https://x', 'https://x'],
    ['https://api.example.com/a/../v1', 'https://api.example.com/v1'],
  ] as const) {
    t.equal(loadConfig({ BASE_URL: given }, serverVariables).servers.base_url, want)
  }
  t.end()
})

t.test('a server variable with the name of a setting takes no value from it', (t) => {
  const names = ['public_url', 'host', 'node_env', 'base_url', 'base_url']
  const { host, servers } = loadConfig({ PUBLIC_URL: 'https://x', HOST: '::1', BASE_URL: 'https://y' }, names)
  t.strictSame(
    { host, servers },
    { host: '::1', servers: { public_url: null, host: null, node_env: null, base_url: 'https://y' } },
  )
  t.end()
})

t.test('API_KEYS takes keys with a name and without, padding included', (t) => {
  const text = `ci=${longKey}, ${longKey}==,build.server-2_eu=AZaz09-._~+/AZaz09== , ~${longKey}`
  t.strictSame(loadConfig({ API_KEYS: text }).apiKeys, [
    { name: 'ci', key: longKey },
    { name: 'env-1', key: `${longKey}==` },
    { name: 'build.server-2_eu', key: 'AZaz09-._~+/AZaz09==' },
    { name: 'env-2', key: `~${longKey}` },
  ])
  t.end()
})

t.test('API_KEYS refuses every invalid entry by its position', (t) => {
  const name = 'has an invalid name; use 1 to 64 letters, digits, ".", "_" and "-"'
  const key = 'has an invalid key; use at least 16 letters, digits, "-", ".", "_", "~", "+" and "/"'
  for (const [text, ...mistakes] of [
    [`${longKey},`, `entry 2 ${key}`],
    ['abcdefghijklmno', `entry 1 ${key}`],
    [`${longKey}!`, `entry 1 ${key}`],
    [`ab cd${longKey}`, `entry 1 ${key}`],
    [`é${longKey}`, `entry 1 ${key}`],
    [`ci=${longKey}=${longKey}`, `entry 1 ${key}`],
    ['ci=', `entry 1 ${key}`],
    [`=${longKey}`, `entry 1 ${name}`],
    [`c i=${longKey}`, `entry 1 ${name}`],
    [`${'x'.repeat(65)}=${longKey}`, `entry 1 ${name}`],
    [`${createKey()}=${longKey}`, `entry 1 ${name}`],
    [`c i=short,${longKey},x`, `entry 1 ${name}`, `entry 1 ${key}`, `entry 3 ${key}`],
    [`ci=${longKey},ci=${longKey}1`, 'entry 2 has the same name as entry 1; give each key its own name'],
    [`env-1=${longKey},${longKey}1`, 'entry 2 has the same name as entry 1; give each key its own name'],
    [`ci=${longKey},${longKey}`, 'entry 2 has the same key as entry 1; give each name its own key'],
  ] as const) {
    t.strictSame(
      mistakesOf({ API_KEYS: text }),
      mistakes.map((mistake) => `API_KEYS: ${mistake}`),
      text,
    )
  }
  t.end()
})

t.test('no message shows a key or a password', (t) => {
  const key = createKey()
  const secret = 'correct-horse-battery-staple'
  const mistakes = mistakesOf({
    HOST: `${key}:80`,
    PORT: key,
    DATABASE_URL: `mysql://root:${secret}@db/animals`,
    API_KEYS: [`${secret}!`, `a b=${key}`, `${key}=short`, `one=${key}`, `two=${key}`, `${secret},${secret}`].join(','),
    BASE_URL: `https://root:${secret}@api.example.com/v1`,
    STAGING_BASE_URL: `https://root:/${secret}@staging.example.com/v1`,
    LOG_LEVEL: key,
    CORS_ORIGINS: `https://root:${secret}@shop.example`,
    RATE_LIMIT: key,
    MAX_EVENT_LOOP_DELAY: key,
    MAX_IN_FLIGHT: key,
    REQUEST_TIMEOUT: key,
    STOP_DELAY: key,
    METRICS_HOST: `${key}:80`,
    METRICS_PORT: key,
    PUBLIC_URL: `https://root:${secret}@shop.example/animals`,
    TRUST_PROXY: key,
  })
  t.equal(mistakes.length, 23)
  t.notMatch(mistakes.join('\n'), key)
  t.notMatch(mistakes.join('\n'), secret)
  t.strictSame(mistakesOf({ DATABASE_URL: secret }), [
    'DATABASE_URL: a store URL without a scheme is not supported; use sqlite:PATH, sqlite::memory: or postgres://…',
  ])
  t.end()
})

t.test('a long wrong value is shown in part', (t) => {
  const [mistake = ''] = mistakesOf({ PORT: 'x'.repeat(10_000) })
  t.equal(mistake, `PORT: "${'x'.repeat(80)}…" is not a port; use an integer from 0 to 65535`)
  t.end()
})

t.test('a .env file fills in what the environment lacks or has empty', (t) => {
  const file = join(t.testdir({ '.env': '# comment\nHOST=::1\nPORT=8080\nLOG_LEVEL="debug"\nBASE_URL=\n' }), '.env')
  const environment = { PORT: '9090', LOG_LEVEL: '', NODE_ENV: 'production' }
  const { host, port, logLevel, servers, production } = loadConfig(readEnvironment(file, environment), serverVariables)
  t.strictSame(
    { host, port, logLevel, servers, production },
    {
      host: '::1',
      port: 9090,
      logLevel: 'debug',
      servers: { base_url: undefined, staging_base_url: undefined },
      production: true,
    },
  )
  t.end()
})

t.test('the environment is that of the process, unless another is given, and is not changed', (t) => {
  const before = { ...process.env }
  const file = join(t.testdir({ '.env': 'ANIMAL_STORE_TEST=1\n' }), '.env')
  t.match(readEnvironment(file), { PATH: process.env.PATH, ANIMAL_STORE_TEST: '1' })
  t.strictSame({ ...process.env }, before)
  t.end()
})

t.test('a .env file may begin with a byte order mark', (t) => {
  const file = join(t.testdir({ '.env': '\uFEFFPORT=1\nHOST=::1\n' }), '.env')
  t.strictSame(readEnvironment(file, {}), { PORT: '1', HOST: '::1' })
  t.end()
})

t.test('a .env file may be missing', (t) => {
  t.strictSame(readEnvironment(join(t.testdir(), '.env'), { PORT: '1' }), { PORT: '1' })
  t.end()
})

t.test('a .env that cannot be read is refused', (t) => {
  const file = join(t.testdir({ '.env': {} }), '.env')
  const message = `${file}: cannot be read (EISDIR); correct its permissions or remove it`
  t.throws(() => readEnvironment(file, {}), new StartupError(message))
  t.end()
})

t.test('a variable that looks like a misspelt one is named, and one that is near by chance is not', (t) => {
  for (const [name, guess] of [
    ['PROT', 'PORT'],
    ['HOSTS', 'HOST'],
    ['port', 'PORT'],
    ['RATE_LIMT', 'RATE_LIMIT'],
    ['API_KEY', 'API_KEYS'],
    ['NODEENV', 'NODE_ENV'],
    ['DATABSE_URI', 'DATABASE_URL'],
    ['BASE_ULR', 'BASE_URL'],
  ] as const) {
    const warning = `${name} is not a variable of this service; correct it to ${guess}, or remove it`
    t.strictSame(loadConfig({ [name]: '1' }, serverVariables).warnings, [warning])
  }
  const others = [
    'HOME',
    'HOSTNAME',
    'PWD',
    'PATH',
    'LANG',
    'PORT0',
    'HOST1',
    'DEBUG',
    'PGPORT',
    'NODE_OPTIONS',
    '_',
    '',
  ]
  t.strictSame(loadConfig(Object.fromEntries(others.map((name) => [name, '1']))).warnings, [])
  t.end()
})
