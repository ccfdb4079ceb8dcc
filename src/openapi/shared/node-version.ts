/**
 * Checks the version of Node. Each entry of the package imports this file first: the modules after it use what older versions lack,
 * and would throw errors that do not name the cause.
 */
if (globalThis.Iterator === undefined) throw new Error(`Node ${process.version} is too old; use Node 22.12 or later`)
