/**
 * Writes the types of a document as often as it is told to: a process that has the compiler loaded.
 */

import { DocumentError } from '../../src/errors.ts'
import { writeGenerated } from '../generate/write.ts'
import { formatError } from '../lib/command.ts'
import type { FromGenerator, ToGenerator } from './messages.ts'

let last = Promise.resolve()

process.on('message', ({ file, folder }: ToGenerator) => {
  last = last.then(async () => {
    const response: FromGenerator = { message: await write(file, folder) }
    process.send?.(response)
  })
})
process.on('disconnect', () => process.exit())

async function write(file: string, folder: string): Promise<string> {
  try {
    await writeGenerated(file, folder, false)
    return ''
  } catch (error) {
    // The service reports the problems of the spec.
    return error instanceof DocumentError ? '' : formatError(error)
  }
}
