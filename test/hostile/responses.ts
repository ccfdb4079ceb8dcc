/**
 * Responses as they come over the wire, one behind the other on a connection.
 */
import type { HttpResponse } from '../helpers/http.ts'
import { readJson } from '../helpers/json.ts'

/** What a server has sent until it closed the connection, response by response. Throws where that is no HTTP/1.1. */
export function readResponses(received: string): HttpResponse[] {
  const responses: HttpResponse[] = []
  for (let bytes = Buffer.from(received); bytes.length > 0; ) {
    const end = bytes.indexOf('\r\n\r\n')
    const [statusLine = '', ...lines] = bytes.subarray(0, end).toString().split('\r\n')
    const [, status] = /^HTTP\/1\.1 ([1-5][0-9]{2}) [A-Za-z ]+$/.exec(statusLine) ?? []
    if (end < 0 || status === undefined) throw new Error(`this is no response: ${JSON.stringify(String(bytes))}`)
    const rawHeaders = lines.flatMap((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    )
    const start = end + 4
    // A response to HEAD has no body, and is the last in these tests.
    const text = bytes.subarray(start, start + Number(headers['content-length'] ?? 0)).toString()
    const isJson = text !== '' && headers['content-type']?.startsWith('application/json')
    responses.push({ status: Number(status), headers, rawHeaders, text, body: isJson ? readJson(text) : undefined })
    bytes = bytes.subarray(start + Buffer.byteLength(text))
  }
  return responses
}
