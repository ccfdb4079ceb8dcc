/**
 * Formats why a version cannot be served: each problem of the document with its place, the line of the file, and a caret
 * under the place.
 */
import { readFileSync } from 'node:fs'
import { inspect, styleText } from 'node:util'
import { DocumentError } from 'fastify-openapi-first/shared'
import { StartupError } from '../../src/errors.ts'

/** Formats what has been thrown: a failure in the code with its stack. */
export function formatFailure(error: unknown): string {
  if (error instanceof DocumentError) return formatProblems(error.message)
  if (error instanceof StartupError) return error.message
  // To listen is the only call of the system that is not part of something else.
  const isOfSystem = error instanceof Error && 'syscall' in error
  return isOfSystem ? `${error.message}; choose another HOST or PORT` : inspect(error)
}

interface LintReport {
  readonly problems: readonly { readonly message: string; readonly location: readonly LintLocation[] }[]
}

interface LintLocation {
  readonly source: { readonly ref: string }
  /** The line and the column. */
  readonly start?: object
}

/** Formats the report of Redocly, as JSON, about a document: each problem with its place. */
export function formatWarnings(report: string): string {
  const { problems } = JSON.parse(report) as LintReport
  const lines = problems.flatMap(({ message, location: [location] }) => {
    if (location === undefined) return []
    const place = [location.source.ref, ...Object.values(location.start ?? {})].join(':')
    return `${place}: warning: ${message}`
  })
  return formatProblems([...new Set(lines)].join('\n'))
}

/** Formats lines `FILE:LINE:COLUMN: MESSAGE`. */
function formatProblems(message: string): string {
  const shown = message.split('\n').map((line) => {
    const [, file = '', row, column, text] = /^(.+?):(\d+):(\d+): (.*)$/.exec(line) ?? []
    const source = readLine(file, Number(row))
    if (source === undefined) return line
    // A tab is as wide above the caret as below.
    const indent = source.slice(0, Number(column) - 1).replaceAll(/[^\t]/g, ' ')
    const margin = ' '.repeat(String(row).length)
    const place = styleText('bold', `${file}:${row}:${column}`)
    return `${place}: ${text}\n    ${row} | ${source}\n    ${margin} | ${indent}${styleText('red', '^')}`
  })
  return shown.join('\n')
}

function readLine(file: string, row: number): string | undefined {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[row - 1]
  } catch {
    return undefined
  }
}
