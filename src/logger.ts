/**
 * The log: one line per event, as JSON or as text for people, without secrets.
 */
import { type DestinationStream, pino } from 'pino'
import { prettyFactory } from 'pino-pretty'
import { createRedactor } from './auth/keys.ts'
import type { LogLevel } from './config.ts'

export type Logger = pino.Logger

export interface LoggerOptions {
  /** The lowest level that is logged. */
  readonly level: LogLevel
  /** True if a person reads the log. */
  readonly pretty: boolean
  /** Where the lines go; by default to the standard output. */
  readonly destination?: DestinationStream
  /** Keys that are redacted in addition to those that `redactKeys` recognizes. */
  readonly secrets?: readonly string[]
}

/**
 * Makes a logger. Of a request it logs the method and the path, of a response the status, of an error what `formatError`
 * keeps; keys, Authorization headers, credentials and queries of URLs are redacted in everything.
 */
export function createLogger({ level, pretty, destination, secrets = [] }: LoggerOptions): Logger {
  const redactKeys = createRedactor(secrets)
  const redact = (line: string) => redactText(redactKeys(line))
  const prettify = prettyFactory({ singleLine: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' })
  return pino(
    {
      level,
      serializers: { req: formatRequest, res: formatResponse, err: formatError, error: formatError },
      hooks: { streamWrite: pretty ? (line) => prettify(redact(line)) : redact },
    },
    destination,
  )
}

interface LoggedRequest {
  readonly method: string
  readonly path: string
}

/** Keeps the method and the path of a request. Its id is in the line already. */
function formatRequest({ method, url }: { method: string; url: string }): LoggedRequest {
  return { method, path: url.replace(/[?#].*$/s, '') }
}

function formatResponse({ statusCode }: { statusCode: number }): { statusCode: number } {
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
 * Keeps the main parts of an error, of its causes and of those it aggregates. Other members of errors may contain bytes of
 * a request, a statement, a row or a connection string. Causes may be circular, so the depth is limited.
 */
function formatError(error: unknown, depth = 4): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'the thrown value is not an Error' }
  const { message, stack, cause } = error
  const { code } = error as { code?: unknown }
  const { errors } = error as { errors?: unknown }
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
 * Last-resort redaction, because messages are free text, and libraries write some of them. Works on a whole line of JSON:
 * a match lies within one string of it, and its escapes stay whole.
 */
function redactText(line: string): string {
  return rules.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line)
}

const rules: readonly (readonly [RegExp, string])[] = [
  // RFC 6750, section 2.1: an Authorization header, in any quotes.
  [/\bBearer +[\w.~+/-]{16,}=*/gi, 'Bearer [redacted]'],
  // RFC 3986, section 3.2.1: user and password in a URL.
  [/:\/\/(?:[^ "\\/]|\\["\\])*@/g, '://[redacted]@'],
  // RFC 3986, section 3.4: a query. Fastify has whole URLs in some of its messages.
  [/\?(?:[^ "\\]|\\["\\])+/g, '?[redacted]'],
  // V8 quotes the text around the place where JSON.parse failed, and that text is a body.
  [/Unexpected token (?:[^"\\]|\\.){1,500}? is not valid JSON/g, 'not valid JSON'],
]
