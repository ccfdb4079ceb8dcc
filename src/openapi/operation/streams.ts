/** What an app streams, so that it ends when the app stops: responses, whose handlers have a signal, and uploads. */
import type { IncomingMessage, ServerResponse } from 'node:http'

export type Streams = ReturnType<typeof createStreams>

/** The time that uploads have to end when the app stops, in milliseconds. */
const UPLOAD_MS = 5000

/** Creates the record of an app's streams. */
export function createStreams() {
  const controllers = new Map<ServerResponse, AbortController>()
  const uploads = new Set<IncomingMessage>()
  let isStopped = false
  return {
    /** Adds a request whose body is streamed, until all of it has arrived or its client has left. */
    addUpload: (request: IncomingMessage): void => {
      // A client may have left while its credential was checked.
      if (request.closed) return
      uploads.add(request)
      request.once('close', () => uploads.delete(request))
    },
    /** Creates the signal for a response that may be a stream. It aborts when the response is closed, or the app stops. */
    createSignal: (response: ServerResponse): AbortSignal => {
      const controller = new AbortController()
      // The client may have left before, while a hook waited. Then there is no event any more.
      if (isStopped || response.closed) controller.abort()
      if (response.closed) return controller.signal
      controllers.set(response, controller)
      response.once('close', () => {
        controllers.delete(response)
        controller.abort()
      })
      return controller.signal
    },
    /**
     * Aborts all signals, and those to come, and disconnects the clients of uploads that do not end in `UPLOAD_MS`. `onClose` is called
     * whenever one of the responses is closed.
     */
    stop: (onClose: () => void): void => {
      isStopped = true
      for (const [response, controller] of controllers) {
        response.once('close', onClose)
        controller.abort()
      }
      // Otherwise, the connections of uploads keep the process alive.
      setTimeout(() => uploads.forEach((request) => void request.destroy()), UPLOAD_MS).unref()
    },
  }
}
