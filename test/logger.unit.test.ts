import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { isDeepStrictEqual, stripVTControlCharacters } from 'node:util'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import t from 'tap'
import { createKey } from '../src/auth/keys.ts'
import { createLogger, type LoggerOptions } from '../src/logger.ts'

type Line = Record<string, unknown>

/** The text that is logged meanwhile. */
async function logged(use: (logger: FastifyBaseLogger) => void | Promise<void>, options: Partial<LoggerOptions> = {}) {
  const destination = new PassThrough()
  const all = text(destination)
  await use(createLogger({ level: 'trace', pretty: false, destination, ...options }))
  destination.end()
  return all
}

/** The lines that are logged meanwhile. */
async function linesOf(use: (logger: FastifyBaseLogger) => void): Promise<Line[]> {
  return linesIn(await logged(use))
}

function linesIn(text: string): Line[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

t.test('a line is an object of JSON as pino makes it', async (t) => {
  const [line] = await linesOf((logger) => logger.info({ store: 'sqlite' }, 'ready'))
  t.match(line, { level: 30, time: Number, pid: process.pid, hostname: String, store: 'sqlite', msg: 'ready' })
})

t.test('what is below the level is not logged', async (t) => {
  const text = await logged(
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

t.test('a person reads one line of text per event, with the time and without JSON', async (t) => {
  const text = await logged((logger) => logger.info({ req: { method: 'GET', url: '/v1/pets?limit=1' } }, 'request'), {
    pretty: true,
  })
  const line = stripVTControlCharacters(text)
  t.match(line, /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: request \{"req":\{"method":"GET","path":"\/v1\/pets"\}\}\n$/)
})

t.test('what must not be logged is not shown to a person either', async (t) => {
  const key = createKey()
  const text = await logged((logger) => logger.info({ key }, `the key ${key}`), { pretty: true })
  t.notMatch(text, key)
  t.match(text, '[redacted]')
})

t.test('of a request, the method and the path are logged', async (t) => {
  const key = createKey()
  const [line, other] = await linesOf((logger) => {
    logger.info({ req: { id: 'req-1', method: 'GET', url: '/v1/pets?limit=1#x', headers: { host: 'a' }, body: {} } })
    logger.info({ req: { method: 'GET', url: `/v1/pets/${key}/x?key=${key}` } })
  })
  t.strictSame(line?.req, { method: 'GET', path: '/v1/pets' })
  t.strictSame(other?.req, { method: 'GET', path: '/v1/pets/[redacted]/x' })
})

t.test('of a response, the status is logged', async (t) => {
  const [line] = await linesOf((logger) =>
    logger.info({ res: { statusCode: 201, headers: { location: '/v1/pets/1' } } }),
  )
  t.strictSame(line?.res, { statusCode: 201 })
})

t.test('of an error, its type, code, message and stack are logged, and those of its causes', async (t) => {
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
  const text = await logged((logger) => logger.error({ err: error }, 'failed'))
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
  const lines = await linesOf((logger) => {
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

t.test('the errors that an error gathers are logged', async (t) => {
  const refused = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED', address: '::1' })
  const [line] = await linesOf((logger) => logger.error({ err: new AggregateError([refused, 'hidden'], '') }))
  t.match(line?.err, {
    type: 'AggregateError',
    errors: [
      { type: 'Error', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED ::1:5432' },
      { type: 'string', message: 'the thrown value is not an Error' },
    ],
  })
  t.notMatch(JSON.stringify(line), 'hidden')
})

t.test('what was thrown and is not an error is not logged', async (t) => {
  const text = await logged((logger) => {
    for (const thrown of ['hidden', { authorization: 'hidden' }, null, 7]) logger.error({ err: thrown })
  })
  t.match(
    linesIn(text).map(({ err }) => err),
    ['string', 'object', 'object', 'number'].map((type) => ({ type, message: 'the thrown value is not an Error' })),
  )
  t.notMatch(text, 'hidden')
})

t.test('a code that is not a word, and an error without a stack, are no trouble', async (t) => {
  const error = Object.assign(new Error('odd'), { code: 'SELECT hidden', stack: undefined })
  const [line] = await linesOf((logger) => logger.error({ err: error }))
  t.strictSame(line?.err, { type: 'Error', message: 'odd' })
})

t.test('causes and gathered errors that lead round in a circle are logged to some depth', async (t) => {
  const error = new AggregateError([], 'round')
  error.cause = error
  error.errors.push(error)
  const [line] = await linesOf((logger) => logger.error({ err: error }))
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
    const [line] = await linesOf((logger) => logger.info({ after: 'after' }, given))
    t.match(line, { msg: want, after: 'after' }, given)
  }
})

t.test('a body is not logged by way of what JSON.parse says of it', async (t) => {
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
    const text = await logged((logger) => {
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

t.test('keys that cannot be told by their looks are not logged if the logger is told of them', async (t) => {
  const secrets = ['correct-horse-battery', 'a.+/~b0123456789==']
  const text = await logged(
    (logger) => {
      logger.child({ bound: secrets[0] }).info({ req: { method: 'GET', url: `/a/${secrets[0]}` } }, secrets[1])
      logger.info(`a ${encodeURIComponent(secrets[1] as string)} b`)
    },
    { secrets },
  )
  t.match(linesIn(text), [
    { bound: '[redacted]', req: { path: '/a/[redacted]' }, msg: '[redacted]' },
    { msg: 'a [redacted] b' },
  ])
})

t.test('a service on Fastify logs no header, key, query or body, whatever happens to a request', async (t) => {
  const key = createKey()
  const hidden = `hidden${'x'.repeat(20)}`
  const log = await logged(async (loggerInstance) => {
    const app = Fastify({ loggerInstance })
    app.post('/pets', async () => ({ name: hidden }))
    app.post('/fails', async ({ headers, body, raw }) => {
      throw Object.assign(new Error('failed'), { headers, body, raw })
    })
    app.post('/twice', async (_request, reply) => {
      reply.send('once')
      reply.send('twice')
      return reply
    })
    t.teardown(() => app.close())
    await app.listen({ port: 0 })
    const { port } = app.server.address() as AddressInfo
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-hidden': hidden }
    const post = async (path: string, body: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}?key=${key}&q=${hidden}`, {
        method: 'POST',
        headers,
        body,
      })
      await response.text()
      return response.status
    }
    const body = JSON.stringify({ name: hidden })
    t.equal(await post('/pets', body), 200)
    t.equal(await post('/fails', body), 500)
    t.equal(await post('/pets', `${hidden}`), 400)
    t.equal(await post('/nowhere', body), 404)
    t.equal(await post(`/pets/${key}`, body), 404)
    t.equal(await post('/%zz', body), 400)
    t.equal(await post('/twice', body), 200)

    // Node's parser hangs the bytes of the request on the error that it makes of it.
    const socket = connect(port, '127.0.0.1')
    socket.end(`POST /pets?q=${hidden} HTTP/1.1\r\nAuthorization: Bearer ${key}\r\n${hidden}\r\n\r\n`)
    socket.resume()
    await once(socket, 'close')
    await app.close()
  })
  const lines = linesIn(log)
  const has = (part: Line) =>
    lines.some((line) => Object.keys(part).every((name) => isDeepStrictEqual(line[name], part[name])))
  for (const part of [
    { req: { method: 'POST', path: '/pets' }, msg: 'incoming request' },
    { req: { method: 'POST', path: '/pets/[redacted]' }, msg: 'incoming request' },
    { req: { method: 'POST', path: '/fails' }, res: { statusCode: 500 }, msg: 'failed' },
    { res: { statusCode: 200 }, msg: 'request completed' },
    { res: { statusCode: 400 }, msg: "Body is not valid JSON but content-type is set to 'application/json'" },
    { msg: 'Route POST:/nowhere?[redacted] not found' },
    { msg: 'Reply was already sent, did you forget to "return reply" in "/twice?[redacted] (POST)?' },
    { msg: 'client error' },
  ]) {
    t.ok(has(part), JSON.stringify(part))
  }
  for (const word of [key, hidden, 'Bearer', 'authorization', 'x-hidden']) {
    t.notOk(log.toLowerCase().includes(word.toLowerCase()), `${word} is not logged`)
  }
})
