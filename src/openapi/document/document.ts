/** An OpenAPI document with its text, and the report of what is wrong with it. */
import { DocumentError } from '../../errors.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import type { OpenApi } from './model.ts'

/** A document as plain values, with its text and the positions in it. It may have any shape. */
export interface ParsedDocument {
  /** The bytes of the file. */
  readonly source: Buffer
  /** The document as plain values; integers beyond 2^53 are bigint. Only a checked document is sure to have this shape. */
  readonly root: OpenApi
  /** Returns `file:LINE:COL` of the value at a JSON pointer (RFC 6901), or of the nearest value around it. */
  locate(pointer: string): string
}

/** A document that is completely supported, and consistent. */
export interface OpenApiDocument extends ParsedDocument {
  /** Compiles its schemas into validators. */
  readonly compile: SchemaCompiler
}

/** A mistake in a document: the pointer to it, and a sentence `what is wrong; what to do`. */
export interface Problem {
  readonly pointer: string
  readonly message: string
}

/** Throws a DocumentError with all problems, in the order of the lines; does nothing if there are none. */
export function throwProblems(document: Pick<ParsedDocument, 'locate'>, problems: readonly Problem[]): void {
  if (problems.length === 0) return
  const lines = problems.map(({ pointer, message }) => `${document.locate(pointer)}: ${message}`)
  const order = new Intl.Collator('en', { numeric: true })
  throw new DocumentError([...new Set(lines)].sort(order.compare).join('\n'))
}
