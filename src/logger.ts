/** The log: one line per event, as JSON or as text for people, without secrets. */
import { constants, fstatSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { pino } from 'pino'
import { createRedactor } from './auth/keys.ts'
import type { Config } from './config.ts'

export type Logger = pino.Logger

export interface LoggerOptions {
  readonly level: Config['logLevel']
  readonly destination: { write(line: string): void }
  /** Turns a line of JSON into a line for people. */
  readonly prettify?: ((line: string) => string) | undefined
  /** Keys without the form that `redactKeys` recognizes; they are redacted, too. */
  readonly secrets?: readonly string[]
}

/**
 * Makes a logger. Errors are logged as `formatError` returns them. Keys, Authorization headers, and credentials and queries of
 * URLs are redacted in every line.
 */
export function createLogger({ level, destination, prettify = (line) => line, secrets = [] }: LoggerOptions): Logger {
  const redact = createRedactor(secrets, patterns)
  return pino(
    {
      level,
      serializers: { err: formatError, error: formatError },
      hooks: { streamWrite: (line) => prettify(redact(line)) },
    },
    destination,
  )
}

/**
 * Makes the function that turns a line of JSON into one for people: `INFO: request GET /v1/pets 200 1.4 ms listPets first-key`.
 * Its package is loaded only if it is needed, because that takes a while.
 */
export async function loadPrettifier(colorize: boolean): Promise<(line: string) => string> {
  const { prettyFactory } = await import('pino-pretty')
  return prettyFactory({
    singleLine: true,
    ignore: 'pid,hostname,time,reqId,req,res,ms,operationId,deprecated,key',
    messageFormat:
      '{msg}{if req.path} {req.method} {req.path} {res.statusCode} {ms} ms {operationId} {key} {res.code}{end}',
    colorize,
  })
}

/** The number of waiting bytes above which lines are written at once: to write many lines costs little more than to write one. */
const MIN_LENGTH = 4096
/** The number of waiting bytes above which lines are dropped. */
const MAX_LENGTH = 1024 * 1024
/** The time after which lines are written in any case, and again after a write that failed, in milliseconds. */
const FLUSH_MS = 250
/** The time for which an exit waits for a reader of the last lines, in milliseconds. */
const END_MS = 500

/**
 * Makes a logger to a file descriptor: perhaps a file on a full disk, a closed pipe, or a pipe whose reader has stopped
 * reading. None of them stops the service: what cannot be written at once waits, and is dropped if it is too much.
 */
export function openLog(fd: number, options: Omit<LoggerOptions, 'destination'>): Logger {
  let [dropped, endsAt] = [0, 0]
  const destination = pino.destination({
    dest: openNonBlocking(fd),
    // To hand a line over to another thread would take longer than to write it.
    sync: true,
    minLength: MIN_LENGTH,
    maxLength: MAX_LENGTH,
    // Buffers, although the type of `write` asks for text: with text, each line would copy all lines that wait.
    contentMode: 'buffer',
    periodicFlush: FLUSH_MS,
    // pino blocks the thread between two tries, so it may do that only during an exit.
    retryEAGAIN: () => performance.now() < endsAt,
  })
  const write = (line: string) => destination.write(Buffer.from(line) as unknown as string)
  const logger = createLogger({ ...options, destination: { write } })
  // Once the reader of a pipe is gone, pino's own listener would discard all further lines without counting them.
  destination.removeAllListeners('error')
  // What could not be written waits for the next write.
  destination.on('error', () => {})
  destination.on('drop', () => dropped++)
  destination.on('drain', () => {
    if (dropped === 0) return
    const count = dropped
    dropped = 0
    logger.warn({ dropped: count }, 'log lines were dropped: they could not be written')
  })
  process.on('exit', () => {
    endsAt = performance.now() + END_MS
    destination.end()
  })
  return logger
}

/**
 * Returns a descriptor for the same output whose writes do not block: a stuck reader would stop the service. A pipe or
 * terminal is opened again, because other programs may have it too. Returns a file as it is.
 */
function openNonBlocking(fd: number): number {
  try {
    const stats = fstatSync(fd)
    // libuv makes the descriptors of its sockets non-blocking.
    if (stats.isSocket()) new Socket({ fd, readable: false }).unref()
    if (!stats.isFIFO() && !stats.isCharacterDevice()) return fd
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    // The system has no /proc, or the pipe has no reader.
    return fd
  }
}

/**
 * Returns the main parts of an error, of its causes and of its aggregated errors. Other members may contain bytes of a
 * request, a statement, a row or a connection string. Causes may be circular, so the depth is limited.
 */
function formatError(error: unknown, depth = 4): object {
  if (!(error instanceof Error)) return { type: typeof error, message: 'the thrown value is not an Error' }
  const { message, stack, cause, code, errors }: Error & { readonly code?: unknown; readonly errors?: unknown } = error
  return {
    type: error.constructor.name,
    message,
    // A code of Node or Fastify, or an SQLSTATE.
    ...(typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) && { code }),
    ...(stack !== undefined && { stack }),
    ...(cause !== undefined && depth > 0 && { cause: formatError(cause, depth - 1) }),
    ...(Array.isArray(errors) && depth > 0 && { errors: errors.map((inner) => formatError(inner, depth - 1)) }),
  }
}

/**
 * The last-resort redaction, because messages are free text, and libraries write some of them: patterns for a whole line of
 * JSON. A match lies within one string of it, and its escapes stay whole.
 */
const patterns: readonly RegExp[] = [
  // RFC 6750, section 2.1: an Authorization header, in any quotes.
  /(?<kept>\bBearer +)[\w.~+/%-]{16,}=*/,
  // RFC 3986, section 3.2.1: user and password in a URL.
  /(?<kept>:\/\/)(?:[^ "\\/]|\\["\\])*(?=@)/,
  // RFC 3986, section 3.4: a query. Fastify has whole URLs in some of its messages.
  /(?<kept>\?)(?:[^ "\\]|\\["\\])+/,
]
