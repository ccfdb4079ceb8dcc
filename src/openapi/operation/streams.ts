/** The streams of items that an app sends: each has a signal, which tells its handler when nobody waits for more. */
import type { ServerResponse } from 'node:http'

export type Streams = ReturnType<typeof createStreams>

/** Creates the record of the streams of an app. */
export function createStreams() {
  const controllers = new Map<ServerResponse, AbortController>()
  let isStopped = false
  return {
    /** Creates the signal for a response that may be a stream. It aborts when the response is closed, or the app stops. */
    createSignal: (response: ServerResponse): AbortSignal => {
      const controller = new AbortController()
      controllers.set(response, controller)
      response.once('close', () => {
        controllers.delete(response)
        controller.abort()
      })
      if (isStopped) controller.abort()
      return controller.signal
    },
    /** Aborts all signals, and those to come. `onClose` is called whenever one of the responses is closed. */
    stop: (onClose: () => void): void => {
      isStopped = true
      for (const [response, controller] of controllers) {
        response.once('close', onClose)
        controller.abort()
      }
    },
  }
}

/** Prepares a response for a stream, which may wait for its first item, or for the next one, as long as it likes. */
export function prepareStream(response: ServerResponse): void {
  // Fastify has set the headers when it pipes. Otherwise they are sent with the first item.
  response.once('pipe', () => response.flushHeaders())
  // Without a listener, Node closes a connection on which nothing is sent. A client that does not read still loses it.
  response.on('timeout', (socket) => {
    if (socket.writableLength > 0) socket.destroy()
  })
}
