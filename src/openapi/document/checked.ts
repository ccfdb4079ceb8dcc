/**
 * Stores and opens documents that have been checked: `npm run generate` stores the values of a spec that is supported and
 * consistent, so that a start with the same file neither parses nor checks it again.
 */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseExactly, stringifyExactly } from '../json.ts'
import type { OpenApiDocument } from './document.ts'
import type { OpenApi } from './model.ts'

/** Formats a checked document as JSON, with a digest of the file and of the values that follow. */
export function formatChecked({ source, root }: OpenApiDocument, documented: readonly string[]): string {
  const digest = hash('sha256', hash('sha256', source) + stringifyExactly({ documented, root }), 'base64url')
  return `${stringifyExactly({ digest, documented, root }, 2)}\n`
}

/**
 * Opens the document in a file: with the values in `checkedFile` if they belong to the same bytes, or else as `loadDocument`
 * does.
 */
export async function openDocument(file: string, checkedFile?: URL): Promise<OpenApiDocument> {
  const checked = checkedFile && readChecked(file, checkedFile)
  // Loaded only if it is needed: the parser takes a tenth of a start.
  return checked ?? (await import('./load.ts')).loadDocument(file)
}

function readChecked(file: string, checkedFile: URL): OpenApiDocument | undefined {
  try {
    const source = readFileSync(file)
    const text = readFileSync(checkedFile, 'utf8')
    const { documented, root } = parseExactly(text) as { documented: string[]; root: OpenApi }
    const findings = { unsupported: [], inconsistent: [], documented }
    const document = { source, root, findings, locate: () => file }
    return formatChecked(document, documented) === text ? document : undefined
  } catch {
    // The error is found again, and reported, when the document is loaded.
    return undefined
  }
}
