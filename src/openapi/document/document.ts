/** An OpenAPI document with its text, and what is wrong with it. */
import { StartupError } from '../../errors.ts'
import type { OpenApi } from './model.ts'

/** An OpenAPI document as plain values, with its text and the positions in it. */
export interface OpenApiDocument {
  readonly source: Buffer
  /** The document as plain values; integers beyond 2^53 are bigint. Only a checked document is sure to have this shape. */
  readonly root: OpenApi
  /** What a check has found, if the document has been checked before. */
  readonly findings?: Findings
  /**
   * Returns `file:LINE:COL` of the value at a JSON pointer (RFC 6901), or of the nearest value around it; the file alone if
   * the document was not parsed.
   */
  locate(pointer: string): string
}

/** A mistake in a document: the pointer to it, and a sentence `what is wrong; what to do`. */
export interface Problem {
  readonly pointer: string
  readonly message: string
}

/** What is wrong with a document by itself. */
export interface Findings {
  readonly unsupported: readonly Problem[]
  /** Not looked for in a document that has something unsupported. */
  readonly inconsistent: readonly Problem[]
  /** The pointers of the parts that are documentation alone. */
  readonly documented: readonly string[]
}

/** A document that cannot be served. The message has one line `file:LINE:COL: what is wrong; what to do` per problem. */
export class DocumentError extends StartupError {
  override readonly name = 'DocumentError'
}

/** Throws a DocumentError with all problems, in the order of the lines; does nothing if there are none. */
export function throwProblems(document: OpenApiDocument, problems: readonly Problem[]): void {
  if (problems.length === 0) return
  const lines = problems.map(({ pointer, message }) => `${document.locate(pointer)}: ${message}`)
  const order = new Intl.Collator('en', { numeric: true })
  throw new DocumentError([...new Set(lines)].sort(order.compare).join('\n'))
}
