/**
 * For `node --import`: makes every attempt to start a process fail.
 */
import { subscribe } from 'node:diagnostics_channel'

subscribe('child_process', () => {
  throw new Error('unit.test.ts and http.test.ts files start no process; a test that needs one belongs in another file')
})
