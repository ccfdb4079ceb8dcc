/** The problems of a document, each with its place, and the report of them. */
import { DocumentError } from '../shared/errors.ts'

/** A document whose values have positions. */
export interface Located {
  /** Returns `file:LINE:COL` of the value at a JSON pointer (RFC 6901), or of the nearest value around it. */
  locate(pointer: string): string
}

/** Something to report about a document: a mistake, or a warning. */
export interface Problem {
  readonly pointer: string
  /** A sentence `what is wrong; what to do`. */
  readonly message: string
  /** The pointer to the value that the mistaken value repeats. */
  readonly relatedPointer?: string | undefined
  /** True if the document is served nevertheless, because the mistaken value has no effect. */
  readonly isWarning?: boolean
}

export function isMistake({ isWarning }: Problem): boolean {
  return isWarning !== true
}

/**
 * Throws a DocumentError that lists all mistakes, and after them `causes`: lines about what may have led to them. Without mistakes,
 * returns the lines of the warnings.
 */
export function throwProblems(
  document: Located,
  problems: readonly Problem[],
  causes: readonly string[] = [],
): string[] {
  const mistakes = problems.filter(isMistake)
  if (mistakes.length > 0) throw new DocumentError([...formatProblems(document, mistakes), ...causes].join('\n'))
  return formatProblems(document, problems)
}

/** The most problems of one kind that are listed. */
const MAX_LISTED = 3

/**
 * Returns a line `file:LINE:COL: what is wrong; what to do` for each problem, by file, line and column. Of more than three problems of
 * one kind, it has the first three, and the count of the others: a document may have a thousand by one habit of its author.
 */
export function formatProblems(document: Located, problems: readonly Problem[]): string[] {
  // Most documents have none, and the first collator of a process takes some milliseconds.
  if (problems.length === 0) return []
  const kindsByLine = new Map<string, string>()
  for (const { pointer, message, relatedPointer } of problems) {
    const advice = relatedPointer === undefined ? '' : ` (see ${document.locate(relatedPointer)})`
    kindsByLine.set(`${document.locate(pointer)}: ${message}${advice}`, toKind(message))
  }
  // The texts begin with `file:LINE:COL`, which a collator for numbers sorts by file, line and column.
  const collator = new Intl.Collator('en', { numeric: true })
  const lines = [...kindsByLine.keys()].sort(collator.compare)
  const listedLines = Map.groupBy(lines, (line) => kindsByLine.get(line))
    .values()
    .flatMap((linesOfKind) => {
      const otherCount = linesOfKind.length - MAX_LISTED
      if (otherCount <= 0) return linesOfKind
      return [
        ...linesOfKind.slice(0, MAX_LISTED - 1),
        `${linesOfKind[MAX_LISTED - 1]} (and ${otherCount} more of this kind)`,
      ]
    })
  return [...listedLines].sort(collator.compare)
}

/** Returns a message without its names and values: `"…" is not supported in Schema Object; remove or correct it`. */
function toKind(message: string): string {
  return message.replaceAll(/"[^"]*"|\d+/g, '…')
}

export const TOO_DEEP =
  'this is nested too deep, or has an alias within its own anchor; move a part of it into the components'

/**
 * Runs a function that recurses into nested values; reports a stack overflow as a DocumentError at `position`. The error is its cause:
 * functions of the app may run within.
 */
export function withDepthLimit<Result>(position: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof RangeError && /call stack/.test(error.message))) throw error
    throw new DocumentError(`${position}: ${TOO_DEEP}`, { cause: error })
  }
}
