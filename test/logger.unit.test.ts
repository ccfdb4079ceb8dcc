/**
 * The lines of the log.
 */
import { stripVTControlCharacters } from 'node:util'
import { prettyFactory } from 'pino-pretty'
import t from 'tap'
import { createKey } from '../src/auth/keys.ts'
import { createLogger, type Logger, type LoggerOptions, logRequest, type RequestLine } from '../src/logger.ts'

type Line = Record<string, unknown>

const prettify = prettyFactory({ singleLine: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' })

/** Returns the text that the function logs. */
function logged(use: (logger: Logger) => void, options: Partial<LoggerOptions> = {}): string {
  let text = ''
  const destination = {
    write: (line: string) => {
      text += line
    },
  }
  use(createLogger({ level: 'trace', destination, ...options }))
  return text
}

/** Returns the lines that the function logs. */
function linesOf(use: (logger: Logger) => void): Line[] {
  return linesIn(logged(use))
}

const request: RequestLine = {
  message: 'request',
  id: 'req-1',
  method: 'GET',
  url: '/v1/pets',
  remoteAddress: '192.0.2.1',
  userAgent: 'curl/8',
  statusCode: 200,
  ms: 1.2345,
  operationId: 'listPets',
  isDeprecated: false,
  key: 'shop',
  traceparent: undefined,
  code: undefined,
}

function linesIn(text: string): Line[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

t.test('a line is an object of JSON as pino makes it', async (t) => {
  const [line] = linesOf((logger) => logger.info({ store: 'sqlite' }, 'ready'))
  t.match(line, { level: 30, time: Number, pid: process.pid, hostname: String, store: 'sqlite', msg: 'ready' })
})

t.test('events below the level are not logged', async (t) => {
  const text = logged(
    (logger) => {
      logger.info('no')
      logger.warn('yes')
    },
    { level: 'warn' },
  )
  t.strictSame(
    linesIn(text).map(({ msg }) => msg),
    ['yes'],
  )
})

t.test('a readable line has the time and no JSON', async (t) => {
  const lines = logged(
    (logger) => {
      logger.info({ store: 'sqlite' }, 'ready')
      logRequest(logger, request)
    },
    { prettify },
  )
  const [first, second] = stripVTControlCharacters(lines).split('\n')
  t.match(first, /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: ready \{"store":"sqlite"\}$/)
  t.match(
    second,
    /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: request \{"reqId":"req-1","req":\{"method":"GET","path":"\/v1\/pets",/,
  )
})

t.test('secrets are redacted in readable lines, too', async (t) => {
  const key = createKey()
  const text = logged((logger) => logger.info({ key }, `the key ${key}`), { prettify })
  t.notMatch(text, key)
  t.match(text, '[redacted]')
})

t.test('the line of a request has everything that is known about it, and nothing else', (t) => {
  const [line] = linesOf((logger) => logRequest(logger, request))
  const { time, pid, hostname, ...rest } = line as Line
  t.match({ time, pid, hostname }, { time: Number, pid: process.pid, hostname: String })
  t.strictSame(rest, {
    level: 30,
    reqId: 'req-1',
    req: { method: 'GET', path: '/v1/pets', remoteAddress: '192.0.2.1', userAgent: 'curl/8' },
    operationId: 'listPets',
    key: 'shop',
    res: { statusCode: 200 },
    ms: 1.235,
    msg: 'request',
  })
  t.end()
})

t.test('the line of a request is JSON whatever is in it, and leaves out what is unknown', (t) => {
  const [line] = linesOf((logger) => {
    const unknown = { operationId: undefined, key: undefined }
    const others = { isDeprecated: true, code: 'not_found' }
    logRequest(logger, { ...request, ...unknown, ...others, id: 'a"b', url: '/"\\\u2028é' })
  })
  t.match(line, { reqId: 'a"b', req: { path: '/"\\\u2028é' }, deprecated: true, res: { code: 'not_found' } })
  t.notOk('operationId' in (line as Line) || 'key' in (line as Line))
  t.end()
})

t.test('the path of a request target is logged, without keys and credentials', (t) => {
  const key = createKey()
  for (const [url, path] of [
    ['/v1/pets?limit=1#x', '/v1/pets'],
    ['/v1/pets#x?y', '/v1/pets'],
    [`/v1/pets/${key}/x?key=${key}`, '/v1/pets/[redacted]/x'],
    [`/v1/pets/${key.replace('_', '%5F')}`, '/v1/pets/[redacted]'],
    ['http://u:secret@host/v1/pets', 'http://[redacted]@host/v1/pets'],
  ] as const) {
    const [line] = linesOf((logger) => logRequest(logger, { ...request, url }))
    t.match(line?.req, { method: 'GET', path })
  }
  t.end()
})

t.test('requests are logged from the level info on', (t) => {
  t.equal(
    logged((logger) => logRequest(logger, request), { level: 'warn' }),
    '',
  )
  t.equal(linesIn(logged((logger) => logRequest(logger, request), { level: 'info' })).length, 1)
  t.end()
})

t.test('the type, code, message and stack of an error are logged, and those of its causes', async (t) => {
  const cause = Object.assign(new RangeError('the disk is full'), {
    code: 'ERR_SQLITE_ERROR',
    errstr: 'hidden',
    sql: 'INSERT INTO hidden',
  })
  const error = Object.assign(new TypeError('cannot add', { cause }), {
    code: '53100',
    detail: 'Key (name)=(hidden)',
    query: 'SELECT hidden',
    parameters: ['hidden'],
    input: 'postgres://root:hidden@db/animals',
    headers: { authorization: 'hidden' },
    body: { name: 'hidden' },
    rawPacket: Buffer.from('hidden'),
  })
  const { stack } = error
  const text = logged((logger) => logger.error({ err: error }, 'failed'))
  const [line] = linesIn(text)
  t.strictSame(line?.err, {
    type: 'TypeError',
    message: 'cannot add',
    code: '53100',
    stack,
    cause: {
      type: 'RangeError',
      message: 'the disk is full',
      code: 'ERR_SQLITE_ERROR',
      stack: cause.stack,
    },
  })
  t.match(stack, /^TypeError: cannot add\n {4}at .*logger\.unit\.test\.ts/)
  t.notMatch(text, 'hidden')
})

t.test('an error is logged so under its usual names, and alone', async (t) => {
  const error = Object.assign(new Error('broken'), { sql: 'SELECT hidden' })
  const lines = linesOf((logger) => {
    logger.error(error)
    logger.error({ err: error })
    logger.error({ error })
  })
  t.match(lines, [
    { err: { type: 'Error', message: 'broken' }, msg: 'broken' },
    { err: { type: 'Error', message: 'broken' }, msg: 'broken' },
    { error: { type: 'Error', message: 'broken' } },
  ])
  t.notMatch(JSON.stringify(lines), 'hidden')
})

t.test('the errors of an AggregateError are logged', async (t) => {
  const refused = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED', address: '::1' })
  const [line] = linesOf((logger) => logger.error({ err: new AggregateError([refused, 'hidden'], '') }))
  t.match(line?.err, {
    type: 'AggregateError',
    errors: [
      { type: 'Error', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED ::1:5432' },
      { type: 'string', message: 'the thrown value is not an Error' },
    ],
  })
  t.notMatch(JSON.stringify(line), 'hidden')
})

t.test('the content of a thrown value that is not an error is not logged', async (t) => {
  const text = logged((logger) => {
    for (const thrown of ['hidden', { authorization: 'hidden' }, null, 7]) logger.error({ err: thrown })
  })
  t.match(
    linesIn(text).map(({ err }) => err),
    ['string', 'object', 'object', 'number'].map((type) => ({ type, message: 'the thrown value is not an Error' })),
  )
  t.notMatch(text, 'hidden')
})

t.test('an error is logged without a code that is not a word, and without a missing stack', async (t) => {
  const error = Object.assign(new Error('odd'), { code: 'SELECT hidden', stack: undefined })
  const [line] = linesOf((logger) => logger.error({ err: error }))
  t.strictSame(line?.err, { type: 'Error', message: 'odd' })
})

t.test('circular causes and aggregated errors are logged to a limited depth', async (t) => {
  const error = new AggregateError([], 'round')
  error.cause = error
  error.errors.push(error)
  const [line] = linesOf((logger) => logger.error({ err: error }))
  t.match(line?.err, { message: 'round', cause: { message: 'round', errors: [{ message: 'round' }] } })
})

t.test('whatever the message, no credential and no query is logged, and the rest of the line stays', async (t) => {
  const key = createKey()
  for (const [given, want] of [
    [`the key ${key} is not known`, 'the key [redacted] is not known'],
    ['Authorization: Bearer abcdefghijklmnop==', 'Authorization: Bearer [redacted]'],
    ['{"authorization":"bearer  abcdefghijklmnop"}', '{"authorization":"Bearer [redacted]"}'],
    ['send it as Authorization: Bearer <API_KEY>', 'send it as Authorization: Bearer <API_KEY>'],
    ['postgres://root:pa"ss\\word@db/animals', 'postgres://[redacted]@db/animals'],
    ['http://127.0.0.1:3000/docs', 'http://127.0.0.1:3000/docs'],
    ['Route GET:/v1/pets?name="Rex"&x=\\\u00a0y not found', 'Route GET:/v1/pets?[redacted] not found'],
    ['stauts: did you mean status?', 'stauts: did you mean status?'],
    ['is that so?\n  at once', 'is that so?\n  at once'],
  ] as const) {
    const [line] = linesOf((logger) => logger.info({ after: 'after' }, given))
    t.match(line, { msg: want, after: 'after' }, given)
  }
})

t.test('a message of JSON.parse is logged without the body that it quotes', async (t) => {
  for (const body of [
    'secret',
    '{"name": secret"}',
    `{"name": "a \\\\\\" b",\n"x": secret ${'and more '.repeat(9)}}`,
  ]) {
    let error: unknown
    try {
      JSON.parse(body)
    } catch (thrown) {
      error = thrown
    }
    t.match((error as Error).message, 'secret', 'JSON.parse quotes the body')
    const text = logged((logger) => {
      logger.info(error)
      logger.info({ err: new Error('bad body', { cause: error }) })
    })
    t.notMatch(text, 'secret')
    const [line, wrapped] = linesIn(text)
    t.match(line, {
      msg: 'not valid JSON',
      err: { type: 'SyntaxError', message: 'not valid JSON', stack: /\n {4}at / },
    })
    t.match(wrapped, { msg: 'bad body', err: { cause: { message: 'not valid JSON' } } })
  }
})

t.test('keys without a common form are redacted if the logger knows them', async (t) => {
  const secrets = ['correct-horse-battery', 'a.+/~b0123456789==']
  const text = logged(
    (logger) => {
      logger.info({ bound: secrets[0] }, secrets[1] as string)
      logger.info(`a ${encodeURIComponent(secrets[1] as string)} b`)
      logRequest(logger, { ...request, url: `/a/${secrets[0]}` })
    },
    { secrets },
  )
  t.match(linesIn(text), [
    { bound: '[redacted]', msg: '[redacted]' },
    { msg: 'a [redacted] b' },
    { req: { path: '/a/[redacted]' } },
  ])
})
