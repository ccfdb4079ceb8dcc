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
  /** Configured keys to redact: `redactKeys` does not recognize their form. */
  readonly secrets?: readonly string[]
}

/**
 * Patterns of secrets in a line of JSON, for last-resort redaction: messages are free text, and libraries write some of them.
 * A match stays within one JSON string, and divides no escape. The group `kept` of a match is not redacted (`createRedactor`).
 */
const SECRET_PATTERNS: readonly RegExp[] = [
  // RFC 6750, section 2.1: an Authorization header, in any quotes.
  /(?<kept>\bBearer +)[\w.~+/%-]{16,}=*/,
  // RFC 3986, section 3.2.1: user and password in a URL.
  /(?<kept>:\/\/)(?:[^ "\\/]|\\["\\])*(?=@)/,
  // RFC 3986, section 3.4: a query. Some of Fastify's messages have whole URLs.
  /(?<kept>\?)(?:[^ "\\]|\\["\\])+/,
]

/**
 * Creates a logger. Errors are logged as `formatError` returns them. Keys, Authorization headers, and credentials and queries of
 * URLs are redacted in every line.
 */
export function createLogger({ level, destination, prettify = (line) => line, secrets = [] }: LoggerOptions): Logger {
  const redact = createRedactor(secrets, SECRET_PATTERNS)
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
 * Creates the function that turns a line of JSON into one for people: `INFO: request GET /v1/pets 200 1.4 ms listPets first-key`.
 * It imports its package, which takes a while, only when it is called.
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

/** The number of waiting bytes above which lines are written: one write of many lines costs little more than of one line. */
const MIN_LENGTH = 4096
/** The number of waiting bytes above which lines are dropped. */
const MAX_LENGTH = 1024 * 1024
/** The time after which waiting lines are written, however few they are, and a failed write is repeated, in milliseconds. */
const FLUSH_MS = 250
/** The time for which an exit waits for a reader of the last lines, in milliseconds. */
const EXIT_MS = 500

/**
 * Creates a logger to a file descriptor. A full disk, a closed pipe, and a pipe whose reader has stopped reading do not stop the
 * service: lines that cannot be written wait, and are dropped above `MAX_LENGTH`. The log says how many were dropped.
 */
export function openLog(fd: number, options: Omit<LoggerOptions, 'destination'>): Logger {
  let droppedCount = 0
  let exitDeadline = 0
  const destination = pino.destination({
    dest: openNonBlocking(fd),
    // Writes on this thread, because handing a line over to another thread takes longer than writing it.
    sync: true,
    minLength: MIN_LENGTH,
    maxLength: MAX_LENGTH,
    // With text, each line copies all waiting lines.
    contentMode: 'buffer',
    periodicFlush: FLUSH_MS,
    // pino blocks the thread between two tries, so a write is repeated at once only during an exit.
    retryEAGAIN: () => performance.now() < exitDeadline,
  })
  // With `contentMode: 'buffer'`, it takes buffers, although its type asks for text.
  const write = (line: string) => destination.write(Buffer.from(line) as unknown as string)
  const logger = createLogger({ ...options, destination: { write } })
  // Without this, pino's listener discards all further lines once the reader of a pipe is gone, and nothing counts them.
  destination.removeAllListeners('error')
  // Ignored: lines that could not be written wait for the next write.
  destination.on('error', () => {})
  destination.on('drop', () => droppedCount++)
  destination.on('drain', () => {
    if (droppedCount === 0) return
    const dropped = droppedCount
    droppedCount = 0
    logger.warn({ dropped }, 'log lines were dropped: they could not be written')
  })
  process.on('exit', () => {
    exitDeadline = performance.now() + EXIT_MS
    destination.end()
  })
  return logger
}

/**
 * Returns a descriptor of the same output whose writes do not block. Otherwise, a stuck reader would stop the service. Opens a
 * pipe or terminal again, because other programs may use the same descriptor. Returns the descriptor of a file unchanged.
 */
function openNonBlocking(fd: number): number {
  try {
    const stats = fstatSync(fd)
    // Only for the side effect: libuv makes the descriptor of its socket non-blocking.
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
