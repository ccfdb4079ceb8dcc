/** What the service uses of `node:http`. Importing it loads WebSocket and fetch, with all exports, and slows the start. */
export const { createServer, METHODS, STATUS_CODES } = process.getBuiltinModule('node:http')
