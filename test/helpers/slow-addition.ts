/** An addition that is in progress for as long as a test needs it. */
import type { Test } from 'tap'
import { openRaw } from './http.ts'

/** Sends a creation but for its last byte, and returns when the service has begun to read it. */
export async function beginAdding(t: Test, origin: string, authorization: string, name = 'Rex') {
  const body = JSON.stringify({ name, categoryId: 1 })
  const head = [
    'POST /v1/pets HTTP/1.1',
    'Host: x',
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    // The service responds to this when it has read the head and waits for the body.
    'Expect: 100-continue',
  ]
  const { write, until, waitForEnd, destroy } = openRaw(origin)
  t.teardown(destroy)
  write(`${head.join('\r\n')}\r\n\r\n`)
  await until('100 Continue\r\n\r\n')
  write(body.slice(0, -1))
  const abort = () => {
    destroy()
    return waitForEnd()
  }
  return { finish: () => write(body.slice(-1)), abort, waitForEnd }
}
