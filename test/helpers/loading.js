/**
 * For `node --import`: keeps compiled code from one process of the tests to the next, which halves the time that a process
 * takes to load. Where coverage is measured, code must be compiled anew; there, types that `npm test` has stripped need not
 * be stripped again, which saves nearly as much.
 */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { enableCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../.tap')

// Tap has every process read the source maps of all packages. Our own code needs none: types leave spaces where they were.
process.setSourceMapsEnabled(false)
process.setSourceMapsEnabled = () => {}

if (process.env._TAPJS_PROCESSINFO_COVERAGE_ === '0') enableCompileCache(join(folder, 'compile-cache'))
else {
  registerHooks({ load })
  // For threads, and programs such as redocly, which measure no coverage.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compile-cache')
}

/** Loads a module. `npm test` has written the code without types of each, by the digest of its text. */
function load(url, context, nextLoad) {
  const loaded = nextLoad(url, context)
  if (loaded.format !== 'module-typescript') return loaded
  try {
    const code = readFileSync(join(folder, 'stripped', hash('sha1', loaded.source)), 'utf8')
    // As Node ends it: coverage of a file that processes have in two lengths is not that of both together.
    return { ...loaded, format: 'module', source: `${code}\n\n//# sourceURL=${url}` }
  } catch {
    // Node strips it: this file is one that a test has written.
    return loaded
  }
}
