/** Ports, for programs that do not let the system choose one. */
import { type AddressInfo, createServer } from 'node:net'
import { waitForEvent } from './wait.ts'

/** Returns a port of this machine that is free. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await waitForEvent(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await waitForEvent(server, 'close')
  return port
}
