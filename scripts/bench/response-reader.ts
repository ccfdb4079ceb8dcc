/**
 * Reads responses from the bytes of a connection, with as little work as it takes to know that each is complete.
 */

/** Reads the bytes as they arrive; returns the status when a response is complete. Throws if it is no such response. */
export type ResponseReader = (bytes: Buffer) => number | undefined

/**
 * Makes the reader of a connection with one request in flight at a time. A response has a Content-Length, or the status 304
 * (RFC 9112, section 6.3).
 */
export function createResponseReader(): ResponseReader {
  let status = 0
  /** The bytes of the body that have not arrived; undefined while the head is incomplete. */
  let missing: number | undefined
  let head = ''

  return (bytes) => {
    let body = bytes.length
    if (missing === undefined) {
      const before = head.length
      head += bytes.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return undefined
      body = before + bytes.length - end - 4
      status = Number(head.slice(9, 12))
      missing = getLength(head.slice(0, end + 2), status)
      head = ''
    }
    missing -= body
    if (missing > 0) return undefined
    if (missing < 0) throw new Error('the server sent more than one response to a request')
    missing = undefined
    return status
  }
}

function getLength(head: string, status: number): number {
  const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1]
  if (length !== undefined && status !== 304) return Number(length)
  if (status === 304) return 0
  throw new Error(`the server sent a response without Content-Length: ${head.split('\r\n', 1)[0]}`)
}
