/**
 * For `node --import`: keeps compiled code from one process of the tests to the next, which halves the time that a process
 * takes to load. Not where coverage is measured: that needs code that is compiled anew.
 */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

if (process.env._TAPJS_PROCESSINFO_COVERAGE_ === '0') {
  enableCompileCache(join(import.meta.dirname, '../../.tap/compile-cache'))
}
