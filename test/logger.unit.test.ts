/** The lines of the log. */
import { prettyFactory } from 'pino-pretty'
import t from 'tap'
import { createKey } from '../src/auth/keys.ts'
import { createLogger, type Logger, type LoggerOptions } from '../src/logger.ts'

type Line = Record<string, unknown>

/** Returns the text that the function logs. */
function logged(use: (logger: Logger) => void, options: Partial<LoggerOptions> = {}): string {
  const lines: string[] = []
  use(createLogger({ level: 'trace', destination: { write: (line) => void lines.push(line) }, ...options }))
  return lines.join('')
}

/** Returns the lines that the function logs. */
function linesOf(use: (logger: Logger) => void, options: Partial<LoggerOptions> = {}): Line[] {
  const lines = logged(use, options).split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}

t.test('secrets are redacted in readable lines, too', async (t) => {
  const key = createKey()
  const prettify = prettyFactory({ singleLine: true })
  const text = logged((logger) => logger.info({ key }, `the key ${key}`), { prettify })
  t.notMatch(text, key)
  t.match(text, /INFO.*: .*the key \[redacted\]/)
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
  const lines = linesOf((logger) => {
    logger.error({ err: error }, 'failed')
    logger.error({ error })
    logger.error(error)
  })
  const logged = {
    type: 'TypeError',
    message: 'cannot add',
    code: '53100',
    stack,
    cause: { type: 'RangeError', message: 'the disk is full', code: 'ERR_SQLITE_ERROR', stack: cause.stack },
  }
  t.strictSame([lines[0]?.err, lines[1]?.error, lines[2]?.err], [logged, logged, logged])
  t.match(stack, /^TypeError: cannot add\n {4}at .*logger\.unit\.test\.ts/)
  t.notMatch(JSON.stringify(lines), 'hidden')
})

t.test('of whatever is thrown the log has a type and a message, and nothing that may be content', async (t) => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', address: 'hidden' })
  const round = new AggregateError([], 'round')
  round.cause = round
  round.errors.push(round)
  const noError = { message: 'the thrown value is not an Error' }
  for (const [err, logged] of [
    ['hidden', { type: 'string', ...noError }],
    [{ authorization: 'hidden' }, { type: 'object', ...noError }],
    [null, { type: 'object', ...noError }],
    [7, { type: 'number', ...noError }],
    [Object.assign(new Error('odd'), { code: 'SELECT hidden', stack: undefined }), { type: 'Error', message: 'odd' }],
    [
      new AggregateError([refused, 'hidden'], ''),
      {
        errors: [
          { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' },
          { type: 'string', ...noError },
        ],
      },
    ],
    [round, { message: 'round', cause: { message: 'round', errors: [{ message: 'round' }] } }],
  ] as const) {
    const [line] = linesOf((logger) => logger.error({ err }))
    t.match(line?.err, logged)
    t.notMatch(JSON.stringify(line), 'hidden')
  }
})

t.test('whatever the message, no credential and no query is logged, and the rest of the line stays', async (t) => {
  const key = createKey()
  for (const [given, want] of [
    [`the key ${key} is not known`, 'the key [redacted] is not known'],
    ['Authorization: Bearer abcdefghijklmnop==', 'Authorization: Bearer [redacted]'],
    ['Bearer abcdefghijklmnop%2Bq', 'Bearer [redacted]'],
    ['{"authorization":"bearer  abcdefghijklmnop"}', '{"authorization":"bearer  [redacted]"}'],
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
