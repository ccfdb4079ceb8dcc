/**
 * Checks the version of Node. Each entry of the package imports this file first: the modules after it use what older versions lack,
 * such as `require` of ES modules (22.12), and would throw errors that do not name the cause.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 12)) {
  throw new Error(`Node ${process.versions.node} is too old; use Node 22.12 or later`)
}
