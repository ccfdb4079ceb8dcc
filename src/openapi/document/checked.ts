/**
 * Documents that have been checked: `npm run generate` writes down the values of the spec that it has found to be supported
 * and consistent, so that a start with the same file neither parses nor checks it again.
 */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseExactly } from '../request/json.ts'
import type { OpenApiDocument } from './document.ts'
import type { OpenApi } from './model.ts'

interface Checked {
  /** The digest of the file. */
  readonly sha256: string
  readonly documented: readonly string[]
  readonly root: OpenApi
}

/** Returns what is to be written down, as JSON. */
export function formatChecked({ source, root }: OpenApiDocument, documented: readonly string[]): string {
  const checked: Checked = { sha256: digest(source), documented, root }
  const keepInteger = (_key: string, value: unknown) =>
    typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value
  return `${JSON.stringify(checked, keepInteger, 2)}\n`
}

/**
 * Opens the document in a file: with the values that were written down for the same bytes, if there are any, and without
 * places; or else as `loadDocument` does.
 */
export async function openDocument(file: string, checkedFile?: URL): Promise<OpenApiDocument> {
  const checked = checkedFile && readChecked(file, checkedFile)
  // Loaded only if it is needed: the parser takes a tenth of a start.
  return checked ?? (await import('./load.ts')).loadDocument(file)
}

function readChecked(file: string, checkedFile: URL): OpenApiDocument | undefined {
  try {
    const source = readFileSync(file)
    const { sha256, documented, root } = parseExactly(readFileSync(checkedFile, 'utf8')) as Checked
    return sha256 === digest(source) ? { source, root, documented, locate: () => file } : undefined
  } catch {
    // Whatever is wrong with the document is found when it is loaded.
    return undefined
  }
}

function digest(source: Uint8Array): string {
  return hash('sha256', source, 'base64url')
}
