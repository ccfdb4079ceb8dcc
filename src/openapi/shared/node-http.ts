/** What the layer uses of `node:http`. An import of that loads WebSocket and fetch, with all exports: a tenth of a start. */
export const { validateHeaderValue } = process.getBuiltinModule('node:http')
