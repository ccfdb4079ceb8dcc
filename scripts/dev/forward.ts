/**
 * Forwards the requests on the connections of a server that does not listen any more to the one that does. A connection
 * that is closed while its client is about to use it again would cost the client a request (RFC 9112, section 9.3.1).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

// An `import` of it reads each of its members, and one of them loads Node's fetch: a tenth of the start of a version.
const { request: sendRequest } = process.getBuiltinModule('node:http')

/** From now on, each further request is forwarded to `origin`, and its response closes its connection. */
export function forwardRequests(server: Server, origin: string): void {
  // Fastify's own listener: the server was created with it.
  const [handle] = server.listeners('request')
  server.off('request', handle as () => void)
  server.on('request', (received: IncomingMessage, response: ServerResponse) => {
    const { method, url, rawHeaders } = received
    const sent = sendRequest(origin, { method, path: url, headers: rawHeaders, agent: false, setHost: false })
    sent.on('continue', () => response.writeContinue())
    sent.on('response', (incoming) => {
      response.writeHead(incoming.statusCode ?? 0, [...withoutConnection(incoming.rawHeaders), 'Connection', 'close'])
      incoming.pipe(response)
    })
    sent.on('error', () => response.destroy())
    received.pipe(sent)
  })
}

/** Leaves out the headers that are about the connection (RFC 9110, section 7.6.1). */
function withoutConnection(rawHeaders: readonly string[]): string[] {
  const isKept = (name: string) => !/^(connection|keep-alive|transfer-encoding)$/i.test(name)
  return rawHeaders.filter((_each, index) => isKept(rawHeaders[index - (index % 2)] as string))
}
