/**
 * What the layer uses of `node:http` while it runs. `import 'node:http'` loads WebSocket and fetch with all other exports, which slows the
 * start; `getBuiltinModule` does not.
 */
import type * as http from 'node:http'

const { IncomingMessage, validateHeaderValue } = process.getBuiltinModule('node:http')
type IncomingMessage = http.IncomingMessage

export { IncomingMessage, validateHeaderValue }
