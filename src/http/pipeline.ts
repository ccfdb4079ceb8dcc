/**
 * Pipelining (RFC 9112, section 9.3.2): at most 16 requests of a connection are processed at a time, and while others wait,
 * nothing is read from it. Node has no such bound.
 */
import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const MAX_ACTIVE = 16

/**
 * The maximum number of requests of all connections that wait. Node parses up to 64 KB of a connection before one can wait,
 * which may be 2,400 requests, and each takes a kilobyte of memory or more.
 */
const MAX_WAITING = 10_000

/**
 * The bytes of a connection that are parsed at a time after a request has waited: a request has as few as 20, and takes
 * several kilobytes. Node would parse all 64 KB that are read at a time.
 */
const PIECE_BYTES = 1024

export type Pipeline = ReturnType<typeof createPipeline>

/**
 * Makes the pipeline of a connection. `release` receives each response that is sent or aborted; the queue counts the requests
 * of all connections that wait.
 */
export function createPipeline(
  socket: Socket & { readonly _paused?: boolean },
  respond: RequestListener,
  release: (response: ServerResponse) => void,
  queue: { length: number },
) {
  /** The number of requests that are processed and whose responses are not yet sent. */
  let active = 0
  /** The responses to requests that are not yet processed. */
  const waiting: ServerResponse[] = []
  let isScheduled = false
  /** True from the first request that waits until the connection is parsed in pieces; then false. */
  let mustSplit: boolean | undefined

  function start(response: ServerResponse): void {
    active++
    // `once` would wrap the listener; the event happens only once.
    response.on('close', () => {
      active--
      release(response)
      if (waiting.length === 0 || isScheduled) return
      isScheduled = true
      // Other connections are served first.
      setImmediate(startWaiting)
    })
    respond(response.req, response)
  }

  function startWaiting(): void {
    isScheduled = false
    const next = waiting.splice(0, MAX_ACTIVE - active)
    queue.length -= next.length
    for (const response of next) start(response)
    if (waiting.length === 0) socket.resume()
  }

  /** Replaces Node's listener, the only one, by one that passes the bytes on to it in pieces. */
  function parseInPieces(): void {
    const parsers = socket.listeners('data')
    // Node asserts that it is not given bytes while it has paused the connection.
    const isPaused = () => waiting.length > 0 || socket._paused === true
    mustSplit = false
    // The new listener comes first: without one, the connection would be paused.
    socket.on('data', (bytes: NonSharedBuffer) => {
      let at = 0
      while (at < bytes.length && !isPaused() && socket.listenerCount('data') > 0) {
        for (const parse of parsers) parse(bytes.subarray(at, at + PIECE_BYTES))
        at += PIECE_BYTES
      }
      if (!isPaused()) return
      socket.pause()
      // The end of the connection comes behind it.
      if (at < bytes.length) socket.unshift(bytes.subarray(at))
    })
    for (const parse of parsers) socket.off('data', parse)
    socket.once('close', () => socket.removeAllListeners('data'))
  }

  socket.once('close', () => {
    queue.length -= waiting.splice(0).length
  })
  // Node also resumes the connection by itself.
  socket.on('resume', () => {
    if (waiting.length > 0) socket.pause()
    else if (mustSplit && !socket.isPaused()) parseInPieces()
  })

  /** Begins a request, or lets it wait; if it is held, for `startWaiting`. Returns false if too many wait already. */
  function add(response: ServerResponse, isHeld: boolean): boolean {
    if (!isHeld && active < MAX_ACTIVE && waiting.length === 0) {
      start(response)
      return true
    }
    if (queue.length >= MAX_WAITING) return false
    queue.length++
    waiting.push(response)
    mustSplit ??= true
    socket.pause()
    return true
  }

  /** To be called when what follows on the connection is ignored. */
  function close(): void {
    mustSplit = false
  }

  return { add, startWaiting, close }
}
