/** What the service uses of `node:http`. An import of that loads WebSocket and fetch, with all exports: a tenth of a start. */
export const { createServer, METHODS, STATUS_CODES } = process.getBuiltinModule('node:http')
