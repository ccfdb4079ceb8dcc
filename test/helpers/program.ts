/** Programs of the system that some tests need. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import t from 'tap'

/** The folders of administrators' programs, and of the browser on macOS, are not on every PATH. */
const FOLDERS = [
  ...(process.env.PATH ?? '').split(delimiter),
  '/usr/sbin',
  '/usr/local/sbin',
  '/Applications/Google Chrome.app/Contents/MacOS',
]

/** Returns the path of a program, if it is installed. */
export function findProgram(name: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Says loudly that something is not tested; fails if CI is set, which asks for everything to be tested. */
export function skipLoudly(what: string, message: string): void {
  if (process.env.CI) t.fail(message)
  else t.pass(what, { skip: message })
}
