/** An OpenAPI document with its text: opens it, stores it once it is checked, and reports what is wrong with it. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { DocumentError } from '../../errors.ts'
import { parseExactly, stringifyExactly } from '../json.ts'
import { type PreparedValidators, prepareValidators } from '../schema/compiler.ts'
import type { OpenApi } from './model.ts'

/** An OpenAPI document as plain values, with its text and the positions in it. */
export interface OpenApiDocument {
  readonly source: Buffer
  /** The document as plain values; integers beyond 2^53 are bigint. Only a checked document is sure to have this shape. */
  readonly root: OpenApi
  /** The findings of a check, if the document has been checked before. */
  readonly findings?: Findings
  /** The validators that `npm run generate` has compiled with the check. */
  readonly validators?: PreparedValidators
  /**
   * Returns `file:LINE:COL` of the value at a JSON pointer (RFC 6901), or of the nearest value around it; the file alone if
   * the document was not parsed.
   */
  locate(pointer: string): string
}

/** What is wrong with a document by itself. */
export interface Findings {
  readonly unsupported: readonly Problem[]
  /** Not looked for in a document that has something unsupported. */
  readonly inconsistent: readonly Problem[]
  /** The pointers of the parts that are documentation alone. */
  readonly documented: readonly string[]
}

/** A mistake in a document: the pointer to it, and a sentence `what is wrong; what to do`. */
export interface Problem {
  readonly pointer: string
  readonly message: string
}

/** Throws a DocumentError with all problems, in the order of the lines; does nothing if there are none. */
export function throwProblems(document: OpenApiDocument, problems: readonly Problem[]): void {
  if (problems.length === 0) return
  const lines = problems.map(({ pointer, message }) => `${document.locate(pointer)}: ${message}`)
  const order = new Intl.Collator('en', { numeric: true })
  throw new DocumentError([...new Set(lines)].sort(order.compare).join('\n'))
}

/**
 * Opens the document in a file: with what `npm run generate` has written to the folder `generated` if that belongs to the same
 * bytes, or else as `loadDocument` does.
 */
export async function openDocument(file: string, generated?: URL): Promise<OpenApiDocument> {
  const checked = generated && (await readChecked(file, generated))
  // Loaded only if it is needed: the parser takes a tenth of a start.
  return checked ?? (await import('./load.ts')).loadDocument(file)
}

/** Reads what `npm run generate` has written; undefined if it does not belong to the bytes of the file, or cannot be used. */
async function readChecked(file: string, generated: URL): Promise<OpenApiDocument | undefined> {
  try {
    const source = readFileSync(file)
    const [text = '', validators = ''] = [CHECKED, VALIDATORS].map((name) =>
      readFileSync(new URL(name, generated), 'utf8'),
    )
    const { documented, root } = parseExactly(text) as { documented: string[]; root: OpenApi }
    if (formatChecked({ source, root }, documented, validators) !== text) return undefined
    const { default: create } = await import(new URL(VALIDATORS, generated).href)
    return {
      source,
      root,
      findings: { unsupported: [], inconsistent: [], documented },
      validators: prepareValidators(create),
      locate: () => file,
    }
  } catch {
    // An error of the file is found again when the document is loaded; without the others, a start only takes longer.
    return undefined
  }
}

/** The files of a document that has been checked: its values, and the code of its validators. */
export const CHECKED = 'checked.json'
export const VALIDATORS = 'validators.js'

/**
 * Formats a document that is supported and consistent as JSON, with a digest of the file, of the code of its validators, and
 * of the values that follow. `npm run generate` stores it.
 */
export function formatChecked(
  { source, root }: Pick<OpenApiDocument, 'source' | 'root'>,
  documented: readonly string[],
  validators: string,
): string {
  const parts = [source, validators, stringifyExactly({ documented, root })].map((part) => hash('sha256', part))
  return `${stringifyExactly({ digest: hash('sha256', parts.join(), 'base64url'), documented, root }, 2)}\n`
}
