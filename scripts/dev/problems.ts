/**
 * Formats why a version cannot be served: each problem of the document with its place, the line of the file, and a caret
 * under the place.
 */
import { readFileSync } from 'node:fs'
import { inspect, styleText } from 'node:util'
import { DocumentError, StartupError } from '../../src/errors.ts'

/** The exit status of a version if the reason is neither the document nor the code. */
export const CANNOT_SERVE = 3

/** The maximum number of problems that are shown at once: one mistake may have many effects. */
const MAX_SHOWN = 20

export function getStatus(error: unknown): number {
  return !(error instanceof DocumentError) && (error instanceof StartupError || isOfSystem(error)) ? CANNOT_SERVE : 1
}

/** Formats what has been thrown: a failure in the code with its stack. */
export function formatFailure(error: unknown): string {
  if (error instanceof DocumentError) return formatProblems(error.message)
  if (error instanceof StartupError) return error.message
  return isOfSystem(error) ? `${error.message}; choose another HOST or PORT` : inspect(error)
}

/** Formats lines `FILE:LINE:COLUMN: MESSAGE`. */
function formatProblems(message: string): string {
  const lines = message.split('\n')
  const shown = lines.slice(0, MAX_SHOWN).map((line) => {
    const [, file = '', row, column, text] = /^(.+?):(\d+):(\d+): (.*)$/.exec(line) ?? []
    const source = readLine(file, Number(row))
    if (source === undefined) return line
    // A tab is as wide above the caret as below.
    const indent = source.slice(0, Number(column) - 1).replaceAll(/[^\t]/g, ' ')
    const margin = ' '.repeat(String(row).length)
    const place = styleText('bold', `${file}:${row}:${column}`)
    return `${place}: ${text}\n    ${row} | ${source}\n    ${margin} | ${indent}${styleText('red', '^')}`
  })
  if (lines.length > MAX_SHOWN) shown.push(`… and ${lines.length - MAX_SHOWN} more`)
  return shown.join('\n')
}

function readLine(file: string, row: number): string | undefined {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[row - 1]
  } catch {
    return undefined
  }
}

/** True for the error of a system call: to listen is the only one that is not part of something else. */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
