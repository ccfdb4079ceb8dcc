/** The log: one line per event, as JSON or as text for people, without secrets. */
import { channel } from 'node:diagnostics_channel'
import { hostname } from 'node:os'
import { pino } from 'pino'
import { createRedactor } from './auth/keys.ts'
import type { Config } from './config.ts'

/** Logs events with pino, and requests with a formatter of their own: there are many of them. */
export type Logger = pino.Logger & {
  /** Logs a request at the level `info`, and publishes it. */
  request(line: RequestLine): void
}

/** The channel with the `RequestLine` of each request. The async context may be that of another one of the same turn. */
export const requests = channel('animal-store:request')

export interface RequestLine {
  readonly message: string
  readonly id: string
  readonly method: string
  /** The request target; its query is not logged. */
  readonly url: string
  readonly statusCode: number
  /** The duration of the request, in milliseconds. */
  readonly ms: number
  readonly operationId: string | undefined
  readonly isDeprecated: boolean
  /** The name of the API key. */
  readonly key: string | undefined
  /** W3C Trace Context. */
  readonly traceparent: string | undefined
  /** The `code` in the error response. */
  readonly code: string | undefined
}

export interface LoggerOptions {
  readonly level: Config['logLevel']
  readonly destination: { write(line: string): void }
  /** Turns a line of JSON into a line for people. */
  readonly prettify?: ((line: string) => string) | undefined
  /** Keys that are redacted in addition to those that `redactKeys` recognizes. */
  readonly secrets?: readonly string[]
}

/**
 * Makes a logger. Of a request it logs the method, the path and the status, of an error what `formatError` keeps; keys,
 * Authorization headers, credentials and queries of URLs are redacted in everything.
 */
export function createLogger({ level, destination, prettify = (line) => line, secrets = [] }: LoggerOptions): Logger {
  const redactKeys = createRedactor(secrets)
  const redact = (text: string) =>
    rules.reduce((redacted, [pattern, replacement]) => redacted.replace(pattern, replacement), redactKeys(text))
  const events = pino(
    {
      level,
      serializers: { err: formatError, error: formatError },
      hooks: { streamWrite: (line) => prettify(redact(line)) },
    },
    destination,
  )
  const formatRequest = createRequestFormatter(redact)
  const logsRequests = events.isLevelEnabled('info')
  return Object.assign(Object.create(events), {
    request: (line: RequestLine) => {
      requests.publish(line)
      if (logsRequests) destination.write(prettify(formatRequest(line)))
    },
  })
}

/** Formats the line that says how many lines were dropped. */
export function formatDropped(dropped: number): string {
  const line = { level: 40, time: Date.now(), dropped, msg: 'log lines were dropped: they could not be written' }
  return `${JSON.stringify(line)}\n`
}

/** A path with fewer characters has no room for a key or a URL, so it is not redacted. */
const SHORT = 16

/** Makes the function that formats the line of a request. The parts that all lines share are formatted once. */
function createRequestFormatter(redact: (text: string) => string): (line: RequestLine) => string {
  const source = `,"pid":${process.pid},"hostname":${JSON.stringify(hostname())},"reqId":`
  return ({ message, id, method, url, statusCode, ms, operationId, isDeprecated, key, traceparent, code }) => {
    const end = url.search(/[?#]/)
    const path = end < 0 ? url : url.slice(0, end)
    const request = `"req":{"method":"${method}","path":${quote(path.length < SHORT ? path : redact(path))}}`
    const operation = operationId === undefined ? '' : `,"operationId":${quote(operationId)}`
    const deprecated = isDeprecated ? ',"deprecated":true' : ''
    const caller = key === undefined ? '' : `,"key":${quote(key)}`
    const trace = traceparent === undefined ? '' : `,"traceparent":"${traceparent}"`
    const error = code === undefined ? '' : `,"code":"${code}"`
    const response = `"res":{"statusCode":${statusCode}${error}},"ms":${Math.round(ms * 1000) / 1000},"msg":"${message}"`
    return `{"level":30,"time":${Date.now()}${source}${quote(id)}${trace},${request}${operation}${deprecated}${caller},${response}}\n`
  }
}

/** Most texts need no escape, and testing for it is faster than JSON.stringify. */
function quote(text: string): string {
  return /^[\w\-./ ]*$/.test(text) ? `"${text}"` : JSON.stringify(text)
}

/**
 * Keeps the main parts of an error, of its causes and of those it aggregates. Other members of errors may contain bytes of
 * a request, a statement, a row or a connection string. Causes may be circular, so the depth is limited.
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
 * The last-resort redaction, because messages are free text, and libraries write some of them: patterns, with what replaces
 * them in a whole line of JSON. A match lies within one string of it, and its escapes stay whole.
 */
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
