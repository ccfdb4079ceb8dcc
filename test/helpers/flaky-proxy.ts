/** A TCP proxy that fails, as networks and load balancers do. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** The faults of a connection. */
const FAULTS = {
  /** It is closed before the request is read. */
  refuse: (client: Socket) => void client.destroy(),
  /** The service responds, and the response is lost. */
  loseResponse: (client: Socket, service: Socket) => {
    client.pipe(service)
    service.once('data', () => client.resetAndDestroy())
  },
  /** A load balancer that has no service left responds by itself, with a page for people. */
  unavailable: (client: Socket) => {
    const head = ['HTTP/1.1 503 Service Unavailable', 'Content-Type: text/html', 'Content-Length: 4', 'Retry-After: 1']
    client.once('data', () => client.end(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n<p/>`))
  },
} satisfies Record<string, (client: Socket, service: Socket) => void>
export type Fault = keyof typeof FAULTS

export interface FlakyProxy {
  /** Its address: `http://127.0.0.1:PORT`. */
  readonly origin: string
  /** The number of accepted connections. */
  connections(): number
}

/** Starts a proxy for the server at `origin`. The first connections have the faults; the others have none. */
export async function startFlakyProxy(t: Test, origin: string, faults: readonly Fault[]): Promise<FlakyProxy> {
  const { hostname, port } = new URL(origin)
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer((client) => {
    const fault = faults[count++]
    const service = connect(Number(port), hostname)
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(socket)
      // A lost connection is the purpose.
      socket.on('error', () => {}).on('close', () => other.destroy())
    }
    if (fault === undefined) client.pipe(service).pipe(client)
    else FAULTS[fault](client, service)
  })
  t.teardown(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => count }
}
