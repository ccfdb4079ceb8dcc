/**
 * The log: one line of JSON per event, or of text for people, without anything that is nobody's business.
 */
import type { FastifyBaseLogger } from 'fastify'
import { type DestinationStream, pino } from 'pino'
import { prettyFactory } from 'pino-pretty'
import type { LogLevel } from './config.ts'
import { createRedactor } from './keys.ts'

export interface LoggerOptions {
  /** The lowest level that is logged. */
  readonly level: LogLevel
  /** Whether a person is reading. */
  readonly pretty: boolean
  /** Where the lines go; by default to the standard output. */
  readonly destination?: DestinationStream
  /** Keys that cannot be told by their looks (those of the environment), and must not appear either. */
  readonly secrets?: readonly string[]
}

/**
 * A logger for Fastify's `loggerInstance`. Of a request it logs the method and the path, of an answer the status, of an
 * error what `errorOf` keeps; and no key, Authorization header, credential or query of a URL in whatever else is logged.
 */
export function createLogger({ level, pretty, destination, secrets = [] }: LoggerOptions): FastifyBaseLogger {
  const redactKeys = createRedactor(secrets)
  const redact = (line: string) => scrub(redactKeys(line))
  const prettify = prettyFactory({ singleLine: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' })
  return pino(
    {
      level,
      serializers: { req: requestOf, res: answerOf, err: errorOf, error: errorOf },
      hooks: { streamWrite: pretty ? (line) => prettify(redact(line)) : redact },
    },
    destination,
  )
}

interface LoggedRequest {
  readonly method: string
  readonly path: string
}

/** From a request of Fastify or of Node. Its id is in every line of the request's own logger already. */
function requestOf({ method, url }: { method: string; url: string }): LoggedRequest {
  return { method, path: url.replace(/[?#].*$/s, '') }
}

function answerOf({ statusCode }: { statusCode: number }): { statusCode: number } {
  return { statusCode }
}

interface LoggedError {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly stack?: string
  readonly cause?: LoggedError
  readonly errors?: readonly LoggedError[]
}

/**
 * What is kept of an error, of its causes and of those it gathers. Everything else that libraries hang on errors may be
 * a request's bytes, a statement, a row or a connection string. The depth is limited because causes may be circular.
 */
function errorOf(error: unknown, depth = 4): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'what was thrown is not an Error' }
  const { message, stack, cause } = error
  const { code } = error as { code?: unknown }
  const { errors } = error as { errors?: unknown }
  return {
    type: error.constructor.name,
    message,
    // Of Node and Fastify, or an SQLSTATE.
    ...(typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) && { code }),
    ...(stack !== undefined && { stack }),
    ...(cause !== undefined && depth > 0 && { cause: errorOf(cause, depth - 1) }),
    ...(Array.isArray(errors) && depth > 0 && { errors: errors.map((inner) => errorOf(inner, depth - 1)) }),
  }
}

/**
 * The last door, since messages are free text and not all of them ours. Works on a whole line of JSON: what is replaced
 * lies within one string of it, the escapes of which stay whole.
 */
function scrub(line: string): string {
  return rules.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line)
}

const rules: readonly (readonly [RegExp, string])[] = [
  // RFC 6750, section 2.1: an Authorization header, in whatever it may be quoted.
  [/\bBearer +[\w.~+/-]{16,}=*/gi, 'Bearer [redacted]'],
  // RFC 3986, section 3.2.1: the user and the password in a URL.
  [/:\/\/(?:[^ "\\/]|\\["\\])*@/g, '://[redacted]@'],
  // RFC 3986, section 3.4: a query. Fastify has whole URLs in some of its messages.
  [/\?(?:[^ "\\]|\\["\\])+/g, '?[redacted]'],
  // V8 quotes the text around the place where JSON.parse gave up, and that text is a body.
  [/Unexpected token (?:[^"\\]|\\.){1,500}? is not valid JSON/g, 'not valid JSON'],
]
