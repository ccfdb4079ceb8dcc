/**
 * The common part of the floors with a store: `node:http`, the statements of the service, and JSON; no key, no validation,
 * and no other headers.
 */
import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { contentType } from './responses.ts'

/** The statements. Integers are exact in every form that `String` accepts. */
export interface Statements {
  /** The client asks only for animals that exist. */
  find(id: number): MaybePromise<Row>
  list(after: number, limit: number): MaybePromise<Row[]>
  listByStatus(status: string, after: number, limit: number): MaybePromise<Row[]>
  add(name: string, categoryId: number, status: string): MaybePromise<Row>
}

type Integer = bigint | number | string

export type Row = readonly [id: Integer, name: string, categoryId: Integer, status: string]

type MaybePromise<Value> = Value | Promise<Value>

/** As in the service: one animal more than the page shows whether there is a next one. */
const limit = 21

/** Makes a server that listens on a port. */
export function createStatementsServer(statements: Statements): (port: number) => unknown {
  const server = createServer(async (request, response) => {
    const body = await respond(statements, request)
    const status = request.method === 'POST' ? 201 : 200
    response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) }).end(body)
  })
  return (port) => server.listen(port, '127.0.0.1')
}

async function respond(statements: Statements, request: IncomingMessage): Promise<string> {
  const { method, url = '' } = request
  if (method === 'POST') {
    const { name, categoryId } = (await json(request)) as { name: string; categoryId: number }
    return format(await statements.add(name, categoryId, 'available'))
  }
  if (url.startsWith('/v1/pets/')) return format(await statements.find(Number(url.slice('/v1/pets/'.length))))
  const after = parseCursor(url)
  const rows = url.includes('?status=')
    ? await statements.listByStatus('available', after, limit)
    : await statements.list(after, limit)
  return `[${rows.slice(0, limit - 1).map(format)}]`
}

function parseCursor(url: string): number {
  const at = url.indexOf('cursor=')
  return at < 0 ? 0 : Buffer.from(url.slice(at + 'cursor='.length), 'base64url').readUInt32BE(4)
}

function format([id, name, categoryId, status]: Row): string {
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`
}
