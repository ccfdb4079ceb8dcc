/**
 * The log of a process that ends.
 */
import { stripVTControlCharacters } from 'node:util'
import t from 'tap'
import { startProgram } from '../helpers/process.ts'

t.test('without a destination, the lines go to the standard output, the last ones before an exit too', async (t) => {
  for (const [pretty, line] of [
    [false, /^\{"level":30,.*"msg":"last words"\}\n$/],
    [true, /INFO.*last words/],
  ] as const) {
    const { ended } = startProgram(
      t,
      `import { createLogger } from 'SRC/logger.ts'
       createLogger({ level: 'info', pretty: ${pretty} }).info('last words')
       process.exit(3)`,
    )
    const { status, stdout, stderr } = await ended
    t.match(stripVTControlCharacters(stdout), line)
    t.strictSame([status, stderr], [3, ''])
  }
})
