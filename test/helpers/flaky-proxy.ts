/** A TCP proxy that fails, as networks and load balancers do. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'
import { waitForEvent } from './wait.ts'

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
}

/**
 * Starts a proxy for the server at `origin`. The first connections have the faults; the others have none. Returns its origin,
 * and the function that counts the accepted connections.
 */
export async function startFlakyProxy(t: Test, origin: string, faults: readonly (keyof typeof FAULTS)[]) {
  const { hostname, port } = new URL(origin)
  let count = 0
  const server = createServer((client) => {
    const fault = faults[count++]
    const service = connect(Number(port), hostname)
    // A lost connection is the purpose.
    client.on('error', () => {}).on('close', () => service.destroy())
    service.on('error', () => {}).on('close', () => client.destroy())
    t.teardown(() => client.destroy())
    if (fault === undefined) client.pipe(service).pipe(client)
    else FAULTS[fault](client, service)
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await waitForEvent(server, 'listening')
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => count }
}
