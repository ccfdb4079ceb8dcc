/** Wrong requests: the bytes that are sent, the expected response, and the reason for it. */

export interface WrongRequest {
  /** What is wrong with it. */
  readonly name: string
  /** What is sent: each character stands for a byte, and `KEY` for an active key. */
  readonly bytes: string
  readonly status: number
  readonly code: string
  /** The message, or what it must say. */
  readonly message: string | RegExp
  /** A section of an RFC, or the place in the document that forbids it, as a pointer. */
  readonly reason: string
}

/** A status, the code and the message: what several requests have in common. */
export type Refusal = readonly [status: number, code: string, message: string | RegExp]

/** The refusal of a request that is not as the spec says. */
export const invalid = (message: string | RegExp): Refusal => [400, 'invalid_request', message]

/** The requests that are refused alike and for one reason, by what is wrong with each. */
export function refused(
  reason: string,
  [status, code, message]: Refusal,
  requests: Readonly<Record<string, string>>,
): WrongRequest[] {
  return Object.entries(requests).map(([name, bytes]) => ({ name, bytes, status, code, message, reason }))
}

/** Stands for an active key, and is as long as one. */
export const KEY = '{a key}'.padEnd(50, '.')

export const AUTHORIZATION = `Authorization: Bearer ${KEY}`
export const JSON_TYPE = 'Content-Type: application/json'

/** A request with a key; the last on its connection. */
export function request(line: string, ...fields: readonly string[]): string {
  return message(line, 'Host: x', AUTHORIZATION, ...fields)
}

/** The head of a request as it is, but for the end of the connection that is asked for. */
export function message(line: string, ...fields: readonly string[]): string {
  return `${[line, ...fields, 'Connection: close'].join('\r\n')}\r\n\r\n`
}

export function get(target: string, ...fields: readonly string[]): string {
  return request(`GET ${target} HTTP/1.1`, ...fields)
}

/** A request with a body, the bytes of which are the characters. */
export function withBody(line: string, body: string, ...fields: readonly string[]): string {
  return request(line, ...fields, `Content-Length: ${body.length}`) + body
}

/** A creation with a body of JSON, the bytes of which are the characters. */
export function post(body: string, ...fields: readonly string[]): string {
  return withBody('POST /v1/pets HTTP/1.1', body, JSON_TYPE, ...fields)
}

/** A creation with a body in chunks, as they are. */
export function postChunks(chunks: string, ...fields: readonly string[]): string {
  return request('POST /v1/pets HTTP/1.1', JSON_TYPE, ...fields, 'Transfer-Encoding: chunked') + chunks
}

/** A text as its bytes in UTF-8, one for each character. */
export function utf8(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** An animal as JSON, its fields as they are written. */
export function animal(fields: Readonly<Record<string, string>>): string {
  const members = { name: '"Rex"', categoryId: '1', ...fields }
  return `{${Object.entries(members).map(([name, value]) => `"${name}":${value}`)}}`
}
