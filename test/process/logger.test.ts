/**
 * The log of a process that ends.
 */
import t from 'tap'
import { startProgram } from '../helpers/process.ts'

t.test('a line that is logged just before an exit reaches the standard output', async (t) => {
  const { ended } = startProgram(
    t,
    `import { openLog } from 'SRC/logger.ts'
     openLog(1, { level: 'info' }).logger.info('last words')
     process.exit(3)`,
  )
  const { status, stdout, stderr } = await ended
  t.match(stdout, /^\{"level":30,.*"msg":"last words"\}\n$/)
  t.strictSame([status, stderr], [3, ''])
})
