/**
 * Formats problems in files for people: the place, what is wrong, the line of the file, and a caret under the place.
 */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { styleText } from 'node:util'

export interface Problem {
  /** Undefined if the problem is not at one place of a file. */
  readonly place: Place | undefined
  readonly message: string
}

export interface Place {
  readonly file: string
  /** From 1, like the column. */
  readonly line: number
  readonly column: number
  /** The text of the line; undefined if the file does not have it any more. */
  readonly text: string | undefined
}

/** The maximum number of problems that are shown at once: one mistake may have many effects. */
const MAX_SHOWN = 20

/** Reads problems from lines as the spec's checks have them, `FILE:LINE:COLUMN: MESSAGE`; other lines have no place. */
export function parseProblems(text: string): Problem[] {
  return text.split('\n').flatMap((line): Problem[] => {
    const [, file, row, column, message] = /^(\S[^:]*):(\d+):(\d+): (.+)$/.exec(line) ?? []
    if (file === undefined || message === undefined)
      return line.trim() === '' ? [] : [{ place: undefined, message: line }]
    return [{ place: findPlace(file, Number(row), Number(column)), message }]
  })
}

/** Makes a place, with the text of its line as it is now. */
export function findPlace(file: string, line: number, column: number): Place {
  return { file, line, column, text: readLine(file, line) }
}

/** Formats problems, each with its line and a caret; `isColored` adds the colours of a terminal. */
export function formatProblems(problems: readonly Problem[], isColored: boolean): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    isColored ? styleText(style, text, { validateStream: false }) : text
  const shown = problems.slice(0, MAX_SHOWN).map(({ place, message }) => {
    if (place === undefined) return message
    const { file, line, column, text } = place
    const title = `${paint('bold', `${file}:${line}:${column}`)}: ${message}`
    if (text === undefined) return title
    const number = String(line)
    // A tab is as wide above the caret as below.
    const indent = text.slice(0, column - 1).replaceAll(/[^\t]/g, ' ')
    const rows = [`${number} | ${text}`, `${' '.repeat(number.length)} | ${indent}${paint('red', '^')}`]
    return [title, ...rows.map((row) => `    ${row}`)].join('\n')
  })
  const more = problems.length - shown.length
  return [...shown, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n')
}

/** Describes why a version could not start, in lines for `parseProblems`; `isSetup` is true if no edit can mend it. */
export function describeFailure(error: unknown): { message: string; isSetup: boolean } {
  const { name, message = String(error), syscall, stack = '' } = error as NodeJS.ErrnoException
  if (name === 'DocumentError') return { message, isSetup: false }
  if (name === 'StartupError') return { message, isSetup: true }
  if (syscall !== undefined) return { message: `${message}; choose another HOST or PORT`, isSetup: true }
  return { message: [...findCode(stack), message.replaceAll(/\s*\n\s*/g, ' ')].join(': '), isSetup: false }
}

/** Finds the place that an error is about, as `FILE:LINE:COLUMN`, if it is in the code of this project. */
function findCode(stack: string): string[] {
  // The stack of code that cannot be parsed begins with the place, the line, and a caret under the column.
  const [, unparsed, row, indent = ''] = /^(?:file:\/\/)?(\/\S+):(\d+)\n(?:.*\n([ \t]*)\^)?/.exec(stack) ?? []
  if (unparsed !== undefined) return [`${relative(process.cwd(), unparsed)}:${row}:${indent.length + 1}`]
  const [, file, place] = /file:\/\/(\/(?!.*\/node_modules\/)\S+?):(\d+:\d+)\)?$/m.exec(stack) ?? []
  return file === undefined ? [] : [`${relative(process.cwd(), file)}:${place}`]
}

function readLine(file: string, line: number): string | undefined {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[line - 1]
  } catch {
    return undefined
  }
}
