/** Shows the items of a stream as they come, with a button that stops it. By default, Swagger UI waits for the end of a response. */

/** The most characters of a stream that are kept, of its end: it may have no end. */
const MAX_LENGTH = 1_000_000
/** Items that arrive within this time are shown together, in milliseconds. */
const SHOW_MS = 100

/** True for a media type of a stream of JSON, which as a whole is no JSON. */
export const isJsonStream = (type) => /^application\/(jsonl|x-ndjson|([\w.-]+\+)?json-seq)/.test(type)
const isStream = (type) => isJsonStream(type) || type.startsWith('text/event-stream')

export const streamsPlugin = ({ React }) => {
  const h = React.createElement
  /** The streams that are read, by operation. */
  const running = new Map()

  function stop(key) {
    running.get(key)?.abort()
    running.delete(key)
  }

  /** Creates the `fetch` of an operation: like that of the browser, except that it calls `show` with what has come of a stream. */
  const createFetch = (key, show) => async (url, request) => {
    const controller = new AbortController()
    const response = await fetch(url, { ...request, signal: controller.signal })
    const { status, statusText, headers } = response
    if (!isStream(headers.get('content-type') ?? '')) return response
    running.set(key, controller)
    let text = ''
    let timer
    const showText = () => {
      timer = undefined
      const fields = { url, status, statusText, headers: Object.fromEntries(headers) }
      show({ ...fields, text, stop: () => controller.abort() })
    }
    showText()
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        text = (text + part.value).slice(-MAX_LENGTH)
        timer ??= setTimeout(showText, SHOW_MS)
      }
    } catch (error) {
      if (!controller.signal.aborted) throw error
    } finally {
      clearTimeout(timer)
    }
    // It was cleared, or executed again: nothing more is to be shown of it.
    if (running.get(key) !== controller) return new Promise(() => {})
    return new Response(text, { status, statusText, headers })
  }

  return {
    statePlugins: {
      spec: {
        wrapActions: {
          executeRequest:
            (original, { specActions }) =>
            (request) => {
              const { pathName, method } = request
              const key = `${method} ${pathName}`
              stop(key)
              const show = (response) => specActions.setResponse(pathName, method, response)
              return original({ ...request, userFetch: createFetch(key, show) })
            },
          clearResponse: (original) => (path, method) => {
            stop(`${method} ${path}`)
            return original(path, method)
          },
        },
      },
    },
    wrapComponents: {
      liveResponse: (Original) => (props) => {
        const onClick = props.response?.get('stop')
        return [
          onClick && h('button', { key: 'stop', className: 'btn stop', onClick }, 'Stop'),
          h(Original, { ...props, key: 'response' }),
        ]
      },
    },
  }
}
